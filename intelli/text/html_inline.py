"""Turns running text into Markdown: emphasis, code spans, links, images, formulas."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from intelli.text.fences import code_span
from intelli.text.html_math import tex_of
from intelli.text.html_tree import HEADINGS, tag_of

BREAK = "\x02"
"""Stands for a line break until white space is folded."""

_SKIPPED = frozenset(
    "script style template input select option textarea iframe object embed canvas audio "
    "video source track svg noscript head meta link title datalist map dialog".split()
)
_WEIGHT = {"strong": "**", "b": "**", "em": "*", "i": "*", "del": "~~", "s": "~~", "strike": "~~"}
_CODE = frozenset({"code", "kbd", "samp", "tt", "var"})
_NOTE = re.compile(r"#(?:fn|footnote|cite[_-]note|note|_ftn|ftnt|en)[\w:.-]*?(\w+)$", re.I)
_BACK = frozenset("↩ ↩︎ ↑ ^ ⏎ ↵ ¶ § # 🔗 link permalink".split())
_SPACE = re.compile(r"[ \t\n\r\f\x85\u2028\u2029]+")
_MARKER = re.compile(r"^(?:#{1,6}(?=\s|$)|>|(?:[-+*])(?=\s)|(\d{1,9})([.)])(?=\s)|```|~~~)")
_HTMLISH = re.compile(r"<(?=[A-Za-z/!?])")


class Inline:
    """Renders inline elements; `base` makes links absolute."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._by_tag: dict[str, Callable[[HtmlElement], str]] = {
            "br": lambda _: BREAK,
            "img": self.image,
            "a": self.link,
            "q": lambda e: f"“{self.content(e).strip()}”",
            "math": self._formula,
            "sup": self._superscript,
        }
        self._by_tag.update(dict.fromkeys(_WEIGHT, self._weighted))
        self._by_tag.update(dict.fromkeys(_CODE, self._code))

    def render(self, element: HtmlElement) -> str:
        """Markdown of one element, white space not yet folded."""
        tag = element.tag
        if not isinstance(tag, str) or tag in _SKIPPED:
            return ""
        return self._by_tag.get(tag, self.content)(element)

    def content(self, element: HtmlElement) -> str:
        """Markdown of what an element holds."""
        parts = [escape(element.text or "")]
        for child in element:
            parts.append(self.render(child))
            parts.append(escape(child.tail or ""))
        return "".join(parts)

    def absolute(self, address: str) -> str:
        """An absolute http(s) or mailto address fit for a Markdown link, or nothing."""
        try:
            url = urljoin(self._base, address.strip())
            scheme = urlsplit(url).scheme.lower()
        except ValueError:
            return ""
        if scheme not in {"http", "https", "mailto", "ftp", "file"}:
            return ""
        return "".join(_PERCENT.get(mark, mark) for mark in url if mark >= " ")

    def link(self, element: HtmlElement) -> str:
        """A link, or just its text where it leads nowhere else."""
        raw = self.content(element)
        text = raw.strip()
        address = element.get("href") or ""
        if note := _note_mark(element, text, address):
            return note
        if text in _BACK and (address.startswith("#") or len(text) <= 2):
            return ""
        target = "" if address.startswith("#") or not address else self.absolute(address)
        if not text or not target or BREAK in text or target.removeprefix("mailto:") == text:
            return raw
        return _outside(raw, lambda inner: f"[{_balanced(inner)}]({target})")

    def image(self, element: HtmlElement) -> str:
        """The image's alternative text; nothing for ornament, and no address: nobody reading the
        text can see the picture."""
        alt = _SPACE.sub(" ", element.get("alt") or "").strip()
        names = (element.get("class") or "").lower()
        if alt and re.search(r"\b(?:tex|latex|math)\b|mwe-math", names):
            return f"${alt.strip('$')}$"
        if not alt or alt.lower() in {"image", "img", "icon", "logo", "avatar"}:
            return ""
        return f"![{_balanced(alt)}]()"

    def _weighted(self, element: HtmlElement) -> str:
        marks = _WEIGHT[tag_of(element)]
        raw = self.content(element)
        if BREAK in raw or _inside(element, marks) or "**" in raw or not raw.strip(" *_"):
            return raw
        return _outside(raw, lambda inner: f"{marks}{inner}{marks}")

    def _code(self, element: HtmlElement) -> str:
        if tag_of(element.getparent()) in _CODE:
            return self.content(element)
        text = "".join(_code_texts(element))
        if not text.strip() or (element.tag == "var" and len(text) > 60):
            return self.content(element)
        return _outside(text, code_span)

    def _formula(self, element: HtmlElement) -> str:
        tex = tex_of(element)
        return f"${tex}$" if tex else self.content(element)

    def _superscript(self, element: HtmlElement) -> str:
        raw = self.content(element)
        text = raw.strip()
        is_power = re.fullmatch(r"[-+\w]{1,4}", text) and re.search(r"\w$", _text_before(element))
        return f"^{text}" if is_power and not text.isalpha() else raw


_PERCENT = {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E"}


def escape(text: str) -> str:
    """Text with its tag-like parts escaped, so that a renderer does not swallow them."""
    return _HTMLISH.sub(r"\\<", text) if "<" in text else text


def guard(text: str) -> str:
    """A paragraph whose lines cannot be taken for headings, lists or fences."""
    return "\n".join(_guarded(line) for line in text.split("\n"))


def _guarded(line: str) -> str:
    match = _MARKER.match(line)
    if match is None or (line.startswith(("```", "~~~")) and line.count("`") > 5):
        return line
    if match[1]:
        return f"{match[1]}\\{line[len(match[1]) :]}"
    return f"\\{line}"


def fold(text: str) -> str:
    """White space folded, breaks as Markdown line breaks, none at the ends."""
    paragraphs: list[list[str]] = [[]]
    for part in text.split(BREAK):
        if line := _SPACE.sub(" ", part).strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:  # two breaks in a row are how old pages part paragraphs
            paragraphs.append([])
    return "\n\n".join("  \n".join(lines) for lines in paragraphs if lines)


def _outside(raw: str, mark: Callable[[str], str]) -> str:
    """Apply a mark to the text inside its outer white space."""
    inner = _SPACE.sub(" ", raw).strip()
    if not inner:
        return raw
    before = " " if raw[0].isspace() else ""
    after = " " if raw[-1].isspace() else ""
    return f"{before}{mark(inner)}{after}"


def _inside(element: HtmlElement, marks: str) -> bool:
    parent = element.getparent()
    for _ in range(4):
        if parent is None:
            return False
        if _WEIGHT.get(tag_of(parent)) == marks or parent.tag in HEADINGS:
            return True
        parent = parent.getparent()
    return False


def _code_texts(element: HtmlElement) -> list[str]:
    parts = [element.text or ""]
    for child in element:
        if child.tag == "br":
            parts.append(" ")
        elif child.tag not in _SKIPPED:
            parts.extend(_code_texts(child))
        parts.append(child.tail or "")
    return parts


def _note_mark(element: HtmlElement, text: str, address: str) -> str:
    match = _NOTE.search(address) if "#" in address else None
    bare = text.strip("[]^*† ")
    if match is None or not bare.isalnum() or len(bare) > 4:
        return ""
    parent = element.getparent()
    marked = parent is not None and parent.tag == "sup"
    return f"[^{bare}]" if marked or "footnote" in (element.get("class") or "") else ""


def _balanced(text: str) -> str:
    if text.count("[") == text.count("]"):
        return text
    return text.replace("[", "\\[").replace("]", "\\]")


def _text_before(element: HtmlElement) -> str:
    previous = element.getprevious()
    parent = element.getparent()
    if previous is not None:
        return previous.tail or previous.text_content()
    return (parent.text or "") if parent is not None else ""
