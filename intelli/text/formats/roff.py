"""Reads a manual page, written with the macros of man or of mdoc, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from intelli.text.characters import clean
from intelli.text.document import Document, document_of
from intelli.text.formats.roff_mdoc import MDOC_INLINE, mdoc_line
from intelli.text.formats.roff_page import Page
from intelli.text.formats.roff_signs import resolved, without_comment
from intelli.text.formats.roff_tables import table_of

_REQUEST = re.compile(r"[.'][ \t]*([A-Za-z%][\w%]*|[.}])?(.*)", re.S)
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|(\S+)')
_ALTERNATING = frozenset({"BI", "BR", "IB", "IR", "RB", "RI"})
_FONTS = frozenset({"B", "I", "SM", "SB", "R", "CW"})
_BREAKS = frozenset({"PP", "LP", "P", "HP", "Pp", "sp", "Lp"})
_DEFINITIONS = frozenset({"de", "de1", "am", "am1", "ig", "ig1"})
_CONDITIONS = frozenset({"if", "ie", "el", "while"})
_NESTED = 20
"""Conditions on one line that are followed."""


@dataclass(slots=True)
class _Source:
    """The lines and where reading stands; `strings` are defined by the page; `else_holds` after
    a condition that did not."""

    lines: list[str]
    at: int = 0
    strings: dict[str, str] = field(default_factory=dict)
    else_holds: bool = False


def read_roff(text: str, url: str) -> Document:
    """The page with its sections as headings; its name and section are the title."""
    source = _Source(lines=clean(text).replace("\\\n", "").split("\n"))
    page = Page()
    while source.at < len(source.lines):
        line = without_comment(source.lines[source.at])
        source.at += 1
        _step(line, source, page)
    return document_of(page.markdown(), "man", title=page.title, published=page.date)


def _step(line: str, source: _Source, page: Page) -> None:
    for _ in range(_NESTED):
        match = _REQUEST.match(line) if line[:1] in (".", "'") else None
        if match is None:
            page.text(resolved(line, source.strings))
            return
        name, rest = match[1] or "", match[2].strip()
        if name not in _CONDITIONS:
            _request(name, rest, source, page)
            return
        branch = _branch(name, rest, source)
        if not branch:
            return
        line = branch


def _request(name: str, rest: str, source: _Source, page: Page) -> None:
    if name in _DEFINITIONS:
        _skip_definition(source)
    elif name in {"ds", "ds1"}:
        key, _, value = rest.partition(" ")
        source.strings[key] = resolved(value.lstrip().removeprefix('"'), source.strings)
    elif name == "TS":
        page.paragraph()
        page.block(table_of(_until(source, ".TE"), source.strings))
    elif name == "EQ":
        page.text(resolved(" ".join(_until(source, ".EN")), source.strings))
    else:
        _macro(name, arguments(rest, source), page)


def arguments(rest: str, source: _Source) -> list[str]:
    """The arguments of a macro: quoted ones may hold blanks, doubled quotes stand for one."""
    found = []
    for match in _ARGUMENT.finditer(rest.replace("\\ ", "\u00a0")):
        raw = match[1].replace('""', '"') if match[1] is not None else match[2]
        found.append(resolved(raw, source.strings).replace("\u00a0", " "))
    return found


def _macro(name: str, words: list[str], page: Page) -> None:
    joined = " ".join(words)
    simple: dict[str, Callable[[], None]] = {
        "TH": lambda: page.headed(words), "SH": lambda: page.heading(2, joined),
        "SS": lambda: page.heading(3, joined), "Sh": lambda: page.heading(2, joined),
        "Ss": lambda: page.heading(3, joined), "TP": page.expect_term, "TQ": page.expect_term,
        "IP": lambda: page.item(words[0] if words else ""), "RS": page.deeper, "RE": page.back,
        "EX": page.open_code, "nf": page.open_code, "EE": page.close_code, "fi": page.close_code,
        "Vb": page.open_code, "Ve": page.close_code, "br": page.break_line,
        "UR": lambda: page.link(joined), "MT": lambda: page.link(joined),
        "UE": lambda: page.end_link(joined), "ME": lambda: page.end_link(joined),
        "SY": lambda: page.synopsis(joined), "YS": page.paragraph,
        "OP": lambda: page.text(f"[{joined}]"), "Sp": page.paragraph,
    }  # fmt: skip
    if name in _BREAKS:
        page.paragraph()
    elif name in simple:
        simple[name]()
    elif name in _ALTERNATING:
        page.text("".join(words))
    elif name in _FONTS:
        page.text(joined)
    elif name in MDOC_INLINE or name[:1] == "%":
        mdoc_line(name, words, page)


def _skip_definition(source: _Source) -> None:
    while source.at < len(source.lines):
        line = source.lines[source.at].strip()
        source.at += 1
        if line in {"..", "'.", ". ."}:
            return


def _until(source: _Source, end: str) -> list[str]:
    taken = []
    while source.at < len(source.lines):
        line = source.lines[source.at]
        source.at += 1
        if line.startswith(end):
            break
        taken.append(line)
    return taken


def _branch(name: str, rest: str, source: _Source) -> str:
    """What a terminal would read on with: only the condition `n` holds. A branch that is not taken
    is passed over up to its last brace."""
    if name == "el":
        holds, body = source.else_holds, rest
    else:
        condition, _, body = rest.partition(" ")
        holds = condition in {"n", "!t"}
        source.else_holds = not holds
    body = body.strip()
    if holds:
        return body.removeprefix("\\{").removeprefix("\\").strip()
    depth = body.count("\\{") - body.count("\\}")
    while depth > 0 and source.at < len(source.lines):
        line = source.lines[source.at]
        source.at += 1
        depth += line.count("\\{") - line.count("\\}")
    return ""
