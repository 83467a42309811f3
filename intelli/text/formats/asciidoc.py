"""Reads AsciiDoc: headings, lists, blocks and tables as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from intelli.text.characters import clean
from intelli.text.document import Document, document_of
from intelli.text.fences import fence
from intelli.text.formats.asciidoc_inline import inline
from intelli.text.formats.asciidoc_tables import rows_of
from intelli.text.tables import pipe_table

_HEADING = re.compile(r"(={1,6}|#{1,6}) +(\S.*?)(?: +=+)?\s*$")
_UNDERLINE = re.compile(r"([=\-~^+])\1{3,}\s*$")
_UNDERLINES = "=-~^+"
_ATTRIBUTE = re.compile(r":(!?[\w-]+!?):(?:\s+(.*))?$")
_BLOCK_ATTRIBUTES = re.compile(r"\[([^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]\s*$")
_ANCHOR = re.compile(r"\[\[[^\]]*\]\]\s*$")
_TITLE = re.compile(r"\.(?![. ])(\S.*)$")
_MACRO = re.compile(
    r"(include|ifdef|ifndef|ifeval|endif|toc|image|video|audio)::(\S*?)\[(.*)\]\s*$"
)
_DELIMITER = re.compile(
    r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}\w*|[|,:!]={3,})\s*$"
)
_ITEM = re.compile(r"\s*(\*{1,6}|-|\.{1,6}|\d{1,3}\.)\s+(\S.*)$")
_TERM = re.compile(r"\s*(\S.*?)(:{2,4}|;;)(?:\s+(\S.*))?$")
_CALLOUT = re.compile(r"<(\d+|\.)>\s+(\S.*)$")
_ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+")
_VERSE = frozenset({"quote", "verse"})
_DEEPEST = 12


@dataclass(slots=True)
class _Reading:
    """Where the reading stands; `style` holds the attributes of the block that comes next."""

    lines: list[str]
    at: int = 0
    depth: int = 0
    out: list[str] = field(default_factory=list)
    style: list[str] = field(default_factory=list)
    attributes: dict[str, str] = field(default_factory=dict)
    title: str = ""


def read_asciidoc(text: str, url: str) -> Document:
    """A light conversion: what it does not know stays as it stands."""
    reading = _Reading(lines=clean(text).expandtabs(4).split("\n"))
    _read(reading)
    return document_of(_tidy(reading.out), "asciidoc", title=reading.title)


def _tidy(out: list[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip("\n")


def _read(reading: _Reading) -> None:
    steps = (_comment, _attribute, _heading, _block_start, _delimited, _macro, _item, _paragraph)
    while reading.at < len(reading.lines):
        for step in steps:
            if step(reading):
                break


def _comment(reading: _Reading) -> bool:
    line = reading.lines[reading.at]
    if not line.strip() or line.strip() == "+" or line.rstrip() in {"<<<", "'''"}:
        reading.out.append("")
    elif not line.startswith("//") or line.startswith("////"):
        return False
    reading.at += 1
    return True


def _attribute(reading: _Reading) -> bool:
    match = _ATTRIBUTE.match(reading.lines[reading.at])
    if match is None:
        return False
    value = match[2] or ""
    reading.at += 1
    while value.endswith(" \\") and reading.at < len(reading.lines):
        value = f"{value[:-2]} {reading.lines[reading.at].strip()}"
        reading.at += 1
    reading.attributes[match[1].lower()] = value
    return True


def _heading(reading: _Reading) -> bool:
    line = reading.lines[reading.at]
    after = reading.lines[reading.at + 1] if reading.at + 1 < len(reading.lines) else ""
    match, rule = _HEADING.match(line), _UNDERLINE.match(after)
    under = rule is not None and line[:1].isalnum() and abs(len(line) - len(after.rstrip())) <= 2
    if match is None and not under:
        return False
    reading.at += 1 if match else 2
    level = len(match[1]) if match else _UNDERLINES.index(after[0]) + 1
    text = inline(match[2] if match else line.strip(), reading.attributes)
    if level == 1 and not reading.title and not reading.depth:
        reading.title = text.replace("`", "")
        _skip_authors(reading)
    else:
        reading.out += ["", f"{'#' * level} {text}", ""]
    reading.style.clear()
    return True


def _skip_authors(reading: _Reading) -> None:
    """Lines of authors and revision stand right under the title."""
    for _ in range(2):
        line = reading.lines[reading.at] if reading.at < len(reading.lines) else ""
        if not line.strip() or line[0] in ":/[=":
            return
        reading.at += 1


def _block_start(reading: _Reading) -> bool:
    line = reading.lines[reading.at]
    if _ANCHOR.match(line):
        pass
    elif match := _BLOCK_ATTRIBUTES.match(line):
        reading.style = [part.strip().strip('"') for part in match[1].split(",")]
    elif match := _TITLE.match(line):
        reading.out += ["", f"**{inline(match[1].strip(), reading.attributes)}**", ""]
    else:
        return False
    reading.at += 1
    return True


def _delimited(reading: _Reading) -> bool:
    """Take a block between two equal lines."""
    line = reading.lines[reading.at].rstrip()
    if _DELIMITER.match(line) is None:
        return False
    mark = line.rstrip("abcdefghijklmnopqrstuvwxyz") if line.startswith("```") else line
    end = reading.at + 1
    while end < len(reading.lines) and reading.lines[end].rstrip() != mark:
        end += 1
    block, style = reading.lines[reading.at + 1 : end], reading.style
    reading.at, reading.style = end + 1, []
    if mark[0] != "/":
        reading.out += ["", *_block(mark, line, block, style, reading), ""]
    return True


def _block(
    mark: str, line: str, block: list[str], style: list[str], reading: _Reading
) -> list[str]:
    kind = style[0].partition("%")[0] if style else ""
    if mark[0] in "-.+`" and mark != "--" and kind not in _VERSE:
        code = "\n".join(re.sub(r"(?:\s*(?://|#|--|;;)?\s*<\d+>)+\s*$", "", each) for each in block)
        return [fence(code.strip("\n"), _language(line, style))] if code.strip() else []
    if mark.endswith("===") and mark[0] in "|,:!":
        return [pipe_table(rows_of(block, style, mark[0], reading.attributes))]
    inner = _nested(reading, block)
    if mark[0] == "_" or kind in _VERSE or kind.isupper():
        label = [f"**{kind.capitalize()}**", ""] if kind.isupper() else []
        return [f"> {each}".rstrip() for each in [*label, *inner]]
    return inner


def _language(line: str, style: list[str]) -> str:
    if line.startswith("```"):
        return line.strip("`")
    is_source = len(style) > 1 and style[0].partition("%")[0] in {"source", ""}
    return style[1] if is_source and re.fullmatch(r"[\w+#-]+", style[1]) else ""


def _nested(reading: _Reading, block: list[str]) -> list[str]:
    if reading.depth >= _DEEPEST:
        return block
    inner = _Reading(lines=block, depth=reading.depth + 1, attributes=reading.attributes)
    _read(inner)
    return _tidy(inner.out).split("\n")


def _macro(reading: _Reading) -> bool:
    match = _MACRO.match(reading.lines[reading.at])
    if match is None:
        return False
    reading.at += 1
    if match[1] == "image":
        alt = match[3].partition(",")[0].strip('"').removeprefix("alt=")
        reading.out += ["", f"![{alt}]({match[2]})", ""]
    return True


def _item(reading: _Reading) -> bool:
    """Take an item of a list with the lines that belong to its first paragraph."""
    line = reading.lines[reading.at]
    makers: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, str]]], ...] = (
        (_ITEM, lambda m: (_bullet(m[1]), m[2])),
        (_CALLOUT, lambda m: (f"{m[1]}. " if m[1] != "." else "1. ", m[2])),
        (_TERM, lambda m: (f"- **{inline(m[1], reading.attributes)}**: ", m[3] or "")),
    )
    for pattern, maker in makers:
        if match := pattern.match(line):
            lead, text = maker(match)
            reading.at += 1
            rest = [text, *_continued(reading)] if text else _continued(reading)
            joined = inline(" ".join(part.strip() for part in rest), reading.attributes)
            reading.out.append(f"{lead}{joined}".rstrip())
            reading.style.clear()
            return True
    return False


def _bullet(mark: str) -> str:
    depth = len(mark) - 1 if mark[0] in "*." else 0
    return f"{'  ' * depth}{'- ' if mark[0] in '*-' else '1. '}"


def _continued(reading: _Reading) -> list[str]:
    taken = []
    while reading.at < len(reading.lines):
        line = reading.lines[reading.at]
        starts = (_ITEM, _DELIMITER, _BLOCK_ATTRIBUTES, _CALLOUT, _TERM, _TITLE)
        if not line.strip() or line.strip() == "+" or any(p.match(line) for p in starts):
            break
        if not line.startswith("//"):
            taken.append(line)
        reading.at += 1
    return taken


def _paragraph(reading: _Reading) -> bool:
    """Take the lines up to a blank one; indented ones are literal."""
    lines, taken = reading.lines, [reading.lines[reading.at]]
    reading.at += 1
    while reading.at < len(lines) and lines[reading.at].strip():
        line = lines[reading.at]
        if line.strip() == "+" or _DELIMITER.match(line) or _BLOCK_ATTRIBUTES.match(line):
            break
        taken.append(line)
        reading.at += 1
    style, reading.style = reading.style, []
    if taken[0][:1] == " " or (style and style[0] in {"source", "listing", "literal"}):
        indent = min(len(line) - len(line.lstrip()) for line in taken)
        code = "\n".join(line[indent:] for line in taken)
        reading.out += ["", fence(code, _language("", style)), ""]
        return True
    taken = [line for line in taken if not line.startswith("//")]
    text = inline("\n".join(taken), reading.attributes)
    text = _ADMONITION.sub(lambda match: f"**{match[1].capitalize()}:** ", text, count=1)
    quoted = style and style[0] in _VERSE
    reading.out += [f"> {line}" for line in text.split("\n")] if quoted else [text]
    return True
