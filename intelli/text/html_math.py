"""Finds the TeX source of formulas, which pages keep in half a dozen places."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

_TEX = re.compile(r"^(?:application/x-tex|text/x-tex|tex|latex)", re.I)


def tex_of(formula: HtmlElement) -> str:
    """The TeX of a `math` element, or nothing."""
    for note in formula.iter("annotation"):
        if _TEX.match(note.get("encoding") or ""):
            return _bare(note.text_content())
    return _bare(formula.get("alttext") or "")


def settle_formulas(root: HtmlElement) -> None:
    """Replace every formula by one span with `$…$`, and drop its renderings."""
    for script in list(root.iter("script")):
        kind = script.get("type") or ""
        if kind.startswith("math/tex"):
            _become(script, _bare(script.text or ""), "mode=display" in kind)
    for formula in list(root.iter("math")):
        tex = tex_of(formula)
        if tex:
            _become(_holder(formula), tex, _is_display(formula))


def _holder(formula: HtmlElement) -> HtmlElement:
    """The outermost element that only renders this formula."""
    holder, current = formula, formula.getparent()
    for _ in range(4):
        if current is None:
            break
        names = (current.get("class") or "").lower()
        if current.tag == "mjx-container" or re.search(r"katex|mathjax|mwe-math-element", names):
            holder = current
        current = current.getparent()
    return holder


def _is_display(formula: HtmlElement) -> bool:
    holder = _holder(formula)
    names = f"{holder.get('class') or ''} {holder.get('display') or ''}".lower()
    return formula.get("display") == "block" or "display" in names.replace("displaystyle", "")


def _become(element: HtmlElement, tex: str, display: bool) -> None:
    mark = "$$" if display else "$"
    tail = element.tail
    element.clear()
    element.tag, element.text, element.tail = "span", f"{mark}{tex}{mark}", tail


def _bare(tex: str) -> str:
    tex = " ".join(tex.split()).strip("$ ")
    if tex.startswith(r"{\displaystyle") and tex.endswith("}"):
        tex = tex.removeprefix(r"{\displaystyle").removesuffix("}").strip()
    return tex
