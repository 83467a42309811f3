"""Which elements a page's own styles hide: text that no reader sees is written for machines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

_CONCEALING = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:0?(?:\.0\d*)?(?:;|!|$)"
    r"|font-size:(?:0?\.\d+(?:px|pt)|0?(?:\.0\d*)?(?:em|rem|%)?|[01](?:\.\d+)?(?:px|pt))(?:;|!|$)"
    r"|(?:left|top|right|bottom|text-indent|margin-left|margin-top):-\d{3,}(?:\.\d+)?"
    r"(?:px|r?em|v[wh]|%)"
    r"|clip:rect\((?:0(?:px)?|1px)[,)0-9px]*\)|clip-path:inset\((?:50|100)%|transform:scale[xy]?\(0\)"
    r"|(?:max-)?(?:height|width):[01](?:px)?;(?:[^;]{0,80};){0,6}?overflow(?:-[xy])?:hidden"
    r"|overflow(?:-[xy])?:hidden;(?:[^;]{0,80};){0,6}?(?:max-)?(?:height|width):[01](?:px)?(?:;|!|$))"
)
_REVEALING = re.compile(
    r"(?:^|;)(?:display:(?!none)|visibility:visible|opacity:(?:1|0?\.[1-9])"
    r"|(?:max-)?height:(?![01](?:px)?(?:;|!|$)))"
)
_COLOUR = re.compile(r"(?:^|;)(color|background|background-color):([^;!]+)")
_BRACE = re.compile(r"([{}])")
_SIMPLE = re.compile(r"[a-z0-9]{0,20}([.#][\w-]{1,80})")
_NAMES = re.compile(r"[.#][\w-]{1,80}")
_HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})(?![0-9a-f])")
_RGB = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,1(?:\.0*)?)?\)")
_MOST, _LONGEST = 300_000, 2_000
_WHITE = "#ffffff"
_NAMED = {"white": _WHITE, "black": "#000000"}


class Hiding:
    """The style blocks of a page, read before they are dropped from it. Only rules for one class or
    one id count, and none that another rule of the page takes back: menus unfold by those."""

    def __init__(self, root: HtmlElement) -> None:
        text = "".join(style.text or "" for style in root.iter("style"))[:_MOST].lower()
        sheets = any("stylesheet" in (e.get("rel") or "").lower() for e in root.iter("link"))
        self._ground = None if sheets or "background" in text else _WHITE
        hidden: set[str] = set()
        shown: set[str] = set()
        for selectors, rules, is_nested in _read(text):
            if _REVEALING.search(rules):
                shown.update(_NAMES.findall(selectors))
            elif not is_nested and _hides(rules, self._ground):
                simple = (_SIMPLE.fullmatch(selector.strip()) for selector in selectors.split(","))
                hidden.update(match[1] for match in simple if match)
        self._hidden = hidden - shown

    def conceals(self, element: HtmlElement) -> bool:
        """Whether its own style, or that of its class or id, keeps its text from being seen."""
        style = element.get("style")
        own = "".join(style.lower().split()) if style else ""
        if own and _hides(own, self._behind(element) if "color:" in own else None):
            return True
        if not self._hidden or _REVEALING.search(own):
            return False
        names = (element.get("class") or "").lower().split()
        return f"#{element.get('id', '').lower()}" in self._hidden or any(
            f".{name}" in self._hidden for name in names
        )

    def _behind(self, element: HtmlElement) -> str | None:
        """The colour behind an element, None where nothing of the page says it."""
        for each in element.iterancestors():
            colours = dict(_COLOUR.findall("".join((each.get("style") or "").lower().split())))
            ground = colours.get("background-color") or colours.get("background")
            if ground or each.get("bgcolor"):
                return _hex(ground or each.get("bgcolor") or "")
        return self._ground


def _hides(rules: str, behind: str | None) -> bool:
    if _CONCEALING.search(rules):
        return True
    colours = dict(_COLOUR.findall(rules))
    ink = colours.get("color", "")
    ground = colours.get("background-color") or colours.get("background")
    seen = _hex(ink)
    return ink == "transparent" or (
        seen is not None and seen == (_hex(ground) if ground else behind)
    )


def _read(text: str) -> Iterator[tuple[str, str, bool]]:
    """Selectors and declarations of a style sheet, and whether the rule stands inside of another,
    as in `@media`. Linear in the text, whatever it is."""
    head, *commented = text.split("/*")
    text = head + "".join(part.partition("*/")[2] for part in commented)
    opened: list[str] = []
    is_rule = False
    pieces = _BRACE.split(text)
    for piece, brace in zip(pieces[::2], pieces[1::2], strict=False):
        if brace == "{":
            opened.append(piece)
        elif opened:
            selectors = opened.pop()
            if is_rule and len(piece) < _LONGEST and len(selectors) < _LONGEST:
                yield selectors, "".join(piece.split()), bool(opened)
        is_rule = brace == "{"


def _hex(colour: str) -> str | None:
    """An opaque colour in one spelling, None for anything else."""
    colour = _NAMED.get(colour, colour)
    if rgb := _RGB.match(colour):
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in rgb.groups())
    found = _HEX.match(colour)
    if not found:
        return None
    return found[0] if len(found[0]) == 7 else "#" + "".join(digit * 2 for digit in found[0][1:])
