"""Turns HTML inside other documents into Markdown: chapters, messages, entries of feeds."""

from __future__ import annotations

from intelli.text.characters import clean


def fragment(html: str, base: str) -> str:
    """All that the HTML shows as Markdown, nothing pruned; links become absolute against `base`."""
    from intelli.text.html_blocks import to_markdown
    from intelli.text.html_cleaning import remove_hidden, remove_unshown
    from intelli.text.html_hiding import Hiding
    from intelli.text.html_tree import body_of, parse

    if "<" not in html and "&" not in html:
        return clean(html).strip()
    root = parse(html)
    hiding = Hiding(root)
    remove_unshown(root)
    remove_hidden(root, hiding)
    return clean(to_markdown(body_of(root), base)).strip()
