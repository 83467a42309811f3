"""Reads LaTeX: its text with headings, lists, code, tables and formulas as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable

from intelli.text.characters import clean
from intelli.text.document import Document, document_of
from intelli.text.fences import fence
from intelli.text.formats.latex_commands import Writer
from intelli.text.tables import pipe_table

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*(?!\n))?")
_BODY = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.S)
_VERBATIM = re.compile(
    r"\\begin\{(?P<name>verbatim\*?|Verbatim|lstlisting|minted|alltt|comment|filecontents\*?)\}"
    r"(?P<options>\[[^\]\n]{0,500}\])?(?:\{(?P<argument>[\w+#.-]{0,60})\})?"
)
_VERB = re.compile(r"\\(?:verb\*?|lstinline)([^\w\s{\[*])([^\n]*?)\1")
_DISPLAY = re.compile(
    r"\\begin\{(?P<name>(?:equation|align|gather|multline|eqnarray|displaymath|math|alignat|flalign)"
    r"\*?)\}|(?P<sign>\\\[|\\\(|(?<!\\)\$\$)"
)
_INLINE = re.compile(r"(?<!\\)\$([^$]{1,2000}?)(?<!\\)\$")
_CLOSING = {"\\[": "\\]", "\\(": "\\)", "$$": "$$"}
_LANGUAGE = re.compile(r"language=\{?(\w[\w+#-]*)")
_TABLE = re.compile(r"\x03([^\x03\x04]*)\x04")
_ROW, _CELL = "\x02", "\x01"
_QUOTES = (("``", "“"), ("''", "”"), ("---", "—"), ("--", "–"), ("~", " "))


def read_latex(text: str, url: str) -> Document:
    """What a reader of the typeset document would see, formulas as they were typed."""
    source = clean(text)
    kept: list[str] = []
    source = _enclosed(source, _VERBATIM, lambda match, body: _keep(_code(match, body), kept))
    source = _VERB.sub(lambda match: _keep(f"`{match[2]}`", kept), source)
    source = _COMMENT.sub(r"\1", source)
    preamble, body = _parts(source)
    body = _enclosed(body, _DISPLAY, lambda match, inner: _keep(_formula(match, inner), kept))
    body = _INLINE.sub(lambda match: _keep(f"${match[1].strip()}$", kept), body)
    writer = Writer(body)
    markdown = _tidied(writer.written())
    title = writer.title or (Writer(preamble).title_of_preamble() if preamble else "")
    return document_of(
        _restored(markdown, kept), "latex", title=_restored(_tidied(title), kept).replace("\n", " ")
    )


def _parts(source: str) -> tuple[str, str]:
    found = _BODY.search(source)
    return (source[: found.start()], found[1]) if found else ("", source)


def _keep(shown: str, kept: list[str]) -> str:
    """A mark that nothing else touches, in place of what is shown as it is; a block of its own
    where that begins with a blank line."""
    kept.append(shown.strip("\n"))
    around = "\n\n" if shown.startswith("\n\n") else ""
    return f"{around}\x00{len(kept) - 1}\x00{around}"


def _restored(text: str, kept: list[str]) -> str:
    for _ in range(3):  # code inside formulas inside code
        text = re.sub(r"\x00(\d+)\x00", lambda match: kept[int(match[1])], text)
    return text


def _enclosed(
    source: str, opening: re.Pattern[str], shown: Callable[[re.Match[str], str], str]
) -> str:
    """The source with everything replaced that stands between what opens and what closes it."""
    out, at = [], 0
    unclosed: set[str] = set()
    for match in opening.finditer(source):
        sign = match.groupdict().get("sign")
        closing = _CLOSING[sign] if sign else f"\\end{{{match['name']}}}"
        if match.start() < at or closing in unclosed:
            continue
        end = source.find(closing, match.end())
        if end < 0:
            unclosed.add(closing)
            continue
        out += [source[at : match.start()], shown(match, source[match.end() : end])]
        at = end + len(closing)
    return "".join([*out, source[at:]])


def _code(match: re.Match[str], code: str) -> str:
    name, options, argument = match["name"], match["options"] or "", match["argument"] or ""
    if name == "comment":
        return ""
    named = _LANGUAGE.search(options)
    language = argument if name == "minted" else named[1].lower() if named else ""
    return f"\n\n{fence(code.strip(chr(10)), language)}\n\n" if code.strip() else ""


def _formula(match: re.Match[str], body: str) -> str:
    formula = re.sub(r"\\label\{[^{}]*\}", "", body).strip()
    if match["sign"] == "\\(":
        return f"${formula}$"
    return f"\n\n$$\n{formula}\n$$\n\n" if formula else ""


def _tidied(text: str) -> str:
    """White space folded as TeX folds it, tables laid out, quotation marks and dashes set."""
    for typed, shown in _QUOTES:
        text = text.replace(typed, shown)
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r" ?\n ?", "\n", text)
    text = _TABLE.sub(lambda match: f"\n\n{_table(match[1])}\n\n", text)
    text = re.sub(f"[{_ROW}\x03\x04]", "\n", text).replace(_CELL, " ")
    text = re.sub(r"(?:^|(?<=\n))(\x05[^\n]*)\n\n+(?=\x05)", r"\1\n", text)
    text = re.sub(r"\x05+", lambda match: "  " * (len(match[0]) - 1), text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _table(body: str) -> str:
    rows = [row.split(_CELL) for row in body.split(_ROW)]
    return pipe_table([row for row in rows if any(cell.strip() for cell in row)])
