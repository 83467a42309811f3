"""Reads reStructuredText: headings, code and links as Markdown, directives made readable."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from intelli.text.characters import clean
from intelli.text.document import Document, document_of
from intelli.text.fences import fence
from intelli.text.formats.rst_tables import csv_rows, list_rows, table_at
from intelli.text.tables import pipe_table

_RULE = re.compile(r"^([!-/:-@\[-`{-~])\1{2,}\s*$")
_DIRECTIVE = re.compile(r"^(\s*)\.\.\s+(?:\|[^|]+\|\s+)?([\w-]+(?:[:.][\w-]+)*)\s*::\s*(.*)$")
_COMMENT = re.compile(r"^(\s*)\.\.(?:\s|$)")
_TARGET = re.compile(r"^\s*\.\.\s+_(`[^`]+`|[^:]+):\s*(\S+)?")
_FIELD = re.compile(r"^\s*:([\w-]+):\s*(.*)")
_CODE = frozenset("code code-block sourcecode highlight ipython parsed-literal math prompt".split())
_NOTES = frozenset(
    "note warning tip important caution danger attention hint error seealso versionadded "
    "versionchanged deprecated admonition".split()
)
_SHOWN = frozenset("topic sidebar rubric epigraph pull-quote container figure only class".split())
_TABLES = frozenset({"list-table", "csv-table"})
_DEEPEST = 12
"""Directives inside each other that are read; what is deeper stays as it stands."""

# Every repetition that a long row of signs could feed has a bound: these run over whole paragraphs.
_LINK = re.compile(r"`([^`<]{1,400}?)\s{0,40}<([^>`]+)>`__?")
_ROLE = re.compile(r":(?:[\w+.-]{1,60}:){1,4}+`(?:([^`<]{1,400}?)\s{0,40}<[^>`]+>|[~!]?([^`]+))`")
_LITERAL = re.compile(r"``(.+?)``")
_REFERENCE = re.compile(r"`([^`]+)`__?|\b([A-Za-z][\w.-]{0,80})_(?=[\s.,;:!?)]|$)")


@dataclass(slots=True)
class _Reading:
    """Where the reading stands and what it has made so far."""

    lines: list[str]
    at: int = 0
    marks: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    targets: dict[str, str] = field(default_factory=dict)
    depth: int = 0


def read_rst(text: str, _url: str = "") -> Document:
    """A light conversion: what it does not know stays as it stands."""
    reading = _Reading(lines=clean(text).expandtabs(8).split("\n"))
    reading.targets = _targets(reading.lines)
    body = _read(reading)
    title, rest = _title(body)
    return document_of(rest, "rst", title=title)


def _read(reading: _Reading) -> str:
    while reading.at < len(reading.lines):
        _step(reading)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(reading.out)).strip("\n")


def _step(reading: _Reading) -> None:
    line = reading.lines[reading.at]
    if _heading(reading) or _table(reading):
        return
    if match := _DIRECTIVE.match(line):
        _directive(reading, match)
    elif _COMMENT.match(line):
        reading.at += 1
        if _TARGET.match(line) is None:
            _block(reading, len(line) - len(line.lstrip()))
    elif line.rstrip().endswith("::"):
        _literal(reading, line)
    else:
        reading.out.append(_inline("\n".join(_paragraph(reading)), reading.targets))


def _paragraph(reading: _Reading) -> list[str]:
    """Take the lines up to a blank one or to the start of something else."""
    lines, taken = reading.lines, [reading.lines[reading.at]]
    reading.at += 1
    while reading.at < len(lines) and taken[-1].strip() and lines[reading.at].strip():
        line = lines[reading.at]
        after = lines[reading.at + 1] if reading.at + 1 < len(lines) else ""
        special = _DIRECTIVE.match(line) or _COMMENT.match(line) or line.rstrip().endswith("::")
        if special or _RULE.match(line) or _RULE.match(after):
            break
        taken.append(line)
        reading.at += 1
    return taken


def _heading(reading: _Reading) -> bool:
    """Take a title with its rule below, or above and below."""
    lines, at = reading.lines, reading.at
    here = _RULE.match(lines[at])
    if here and at + 2 < len(lines) and lines[at + 1].strip():
        below = _RULE.match(lines[at + 2])
        if below and below[1] == here[1]:
            _add_heading(reading, here[1] * 2, lines[at + 1])
            reading.at += 3
            return True
    title = lines[at].rstrip()
    below = _RULE.match(lines[at + 1]) if at + 1 < len(lines) else None
    if below is None or not title or title[0].isspace() or here:
        return False
    _add_heading(reading, below[1], title)
    reading.at += 2
    return True


def _add_heading(reading: _Reading, mark: str, title: str) -> None:
    if mark not in reading.marks:
        reading.marks.append(mark)
    level = min(6, reading.marks.index(mark) + 1)
    reading.out += ["", f"{'#' * level} {_inline(title.strip(), reading.targets)}", ""]


def _table(reading: _Reading) -> bool:
    """Take a grid or simple table."""
    found = table_at(reading.lines, reading.at)
    if found is None:
        return False
    rows, reading.at = found
    reading.out += ["", _pipes(rows, reading.targets), ""]
    return True


def _pipes(rows: list[list[str]], targets: dict[str, str]) -> str:
    return pipe_table([[_inline(cell, targets) for cell in row] for row in rows])


def _directive(reading: _Reading, match: re.Match[str]) -> None:
    indent, name, argument = len(match[1]), match[2].lower(), match[3].strip()
    reading.at += 1
    block = _block(reading, indent)
    options = {}
    while block and (option := _FIELD.match(block[0])):
        options[option[1].lower()] = option[2].strip()
        block.pop(0)
    block = _trimmed(block)
    name = name.rpartition(":")[2] or name
    if name in _CODE:
        language = argument if name not in {"math", "parsed-literal"} else ""
        reading.out += ["", fence("\n".join(block), language) if block else "", ""]
    elif name in _TABLES:
        rows = list_rows(block) if name == "list-table" else csv_rows(block, options)
        caption = f"**{_inline(argument, reading.targets)}**" if argument else ""
        reading.out += ["", caption, "", _pipes(rows, reading.targets), ""]
    elif name in _NOTES:
        label = " ".join(part for part in (name.capitalize(), argument) if part)
        body = [f"**{label}**", "", *_nested(reading, block)]
        reading.out += ["", *(f"> {line}".rstrip() for line in body), ""]
    elif name in _SHOWN or block:
        shown = argument if name not in {"figure", "only", "class", "toctree"} else ""
        content = [] if name == "toctree" else _nested(reading, block)
        reading.out += ["", _inline(shown, reading.targets), "", *content, ""]


def _nested(reading: _Reading, block: list[str]) -> list[str]:
    """The lines of a directive's content as Markdown."""
    if reading.depth >= _DEEPEST:
        return block
    inner = _Reading(
        lines=block, marks=reading.marks, targets=reading.targets, depth=reading.depth + 1
    )
    return _read(inner).split("\n") if block else []


def _literal(reading: _Reading, line: str) -> None:
    text = line.rstrip()
    indent = len(text) - len(text.lstrip())
    lead = text[:-1] if text.strip() != "::" and not text.endswith(" ::") else text[:-2].rstrip()
    reading.at += 1
    if lead.strip():
        reading.out.append(_inline(lead, reading.targets))
    block = _trimmed(_block(reading, indent))
    if block:
        reading.out += ["", fence("\n".join(block)), ""]


def _block(reading: _Reading, indent: int) -> list[str]:
    """Take the lines that are indented deeper than `indent`."""
    block = []
    while reading.at < len(reading.lines):
        line = reading.lines[reading.at]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        block.append(line)
        reading.at += 1
    return block


def _trimmed(block: list[str]) -> list[str]:
    while block and not block[0].strip():
        block = block[1:]
    while block and not block[-1].strip():
        block = block[:-1]
    depth = min((len(line) - len(line.lstrip()) for line in block if line.strip()), default=0)
    return [line[depth:].rstrip() for line in block]


def _targets(lines: list[str]) -> dict[str, str]:
    found = {}
    for line in lines:
        if (match := _TARGET.match(line)) and match[2]:
            found[match[1].strip("` ").lower()] = match[2]
    return found


def _inline(line: str, targets: dict[str, str]) -> str:
    def reference(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        address = targets.get(name.lower())
        if address is not None:
            return f"[{name}]({address})"
        return match[1] or match[0]

    spans: list[str] = []

    def literal(match: re.Match[str]) -> str:
        spans.append(f"`{match[1]}`")
        return f"\x00{len(spans) - 1}\x00"

    line = _LITERAL.sub(literal, line)
    line = _LINK.sub(r"[\1](\2)", line)
    line = _ROLE.sub(lambda match: f"\x01{match[1] or match[2]}\x01", line)
    line = _REFERENCE.sub(reference, line).replace("\x01", "`")
    return re.sub(r"\x00(\d+)\x00", lambda match: spans[int(match[1])], line)


def _title(body: str) -> tuple[str, str]:
    match = re.match(r"# ([^\n]+)\n*", body)
    if match is None:
        return "", body
    return match[1].replace("`", "").strip(), body[match.end() :]
