"""Measures a page as a whole, for the judgement of whether it is the page that was asked for."""

from __future__ import annotations

from collections import Counter

from lxml.html import HtmlElement

from intelli.text.characters import clean
from intelli.text.html_lines import said_lines
from intelli.text.html_tree import HEADINGS, body_of, shown_text, text_of

HEAD = 4_000


def count_raw(root: HtmlElement, source: str) -> dict[str, float | str]:
    """Facts of the page as it was sent: what scripts, forms and hidden parts it has."""
    tags = Counter(element.tag for element in root.iter())
    inputs = [element for element in root.iter("input") if element.get("type") != "hidden"]
    ending = source[-2_000:].lower()
    return {
        "script_count": tags["script"],
        "script_chars": sum(len(script.text or "") for script in root.iter("script")),
        "noscript_chars": sum(len(text_of(element)) for element in root.iter("noscript")),
        "password_fields": sum(field.get("type", "").lower() == "password" for field in inputs),
        "forms": tags["form"],
        "inputs": len(inputs),
        "iframes": tags["iframe"],
        "images": tags["img"],
        "html_chars": len(source),
        "html_closed": float("</html" in ending or "</body" in ending),
        "doc_title": text_of(title) if (title := root.find(".//title")) is not None else "",
    }


def count_visible(root: HtmlElement) -> dict[str, float | str]:
    """Facts of what is shown, given a tree without scripts and hidden elements."""
    body = body_of(root)
    text = clean(shown_text(body))
    tags = Counter(element.tag for element in body.iter())
    return {
        "visible_chars": len(text),
        "links": tags["a"],
        "link_chars": sum(len(text_of(link)) for link in body.iter("a")),
        "code_blocks": tags["pre"],
        "headings": sum(tags[name] for name in HEADINGS),
        "tables": tags["table"],
        "paragraphs": tags["p"],
        "body_head": text[:HEAD],
        "said": clean(said_lines(body, HEAD)),
    }
