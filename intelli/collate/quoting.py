"""Turns source Markdown into quotations: the words as they stand, without what is not words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_CODE_SPAN = re.compile(r"(?<!`)(`{1,3})(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_HELD = re.compile("\ue000(\\d+)\ue001")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(
    r"</?(?:a|abbr|article|aside|b|big|blockquote|button|center|cite|code|dd|del|details|dfn|div|dl"
    r"|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|iframe|img|ins|kbd|label|li|main|mark"
    r"|nav|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|sub|summary|sup|svg|table|tbody"
    r"|td|th|thead|time|tr|u|ul|var|video|wbr)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_LINE_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TARGET = r"\((?:[^()\s]|\([^()\s]*\))*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
_IMAGE = re.compile(r"!\[[^\[\]]*\](?:" + _TARGET + r"|\[[^\[\]]*\])")
_ATTRIBUTES = re.compile(r"\{[:.#][^{}\n]*\}")
_DIRECTIVE = re.compile(
    r"^[ \t]*:{3,}.*$|^[ \t]*(?:-{10,}|={10,}|_{10,}|\*{10,})[ \t]*$|^[ \t]*\[![A-Z]+\][ \t]*$",
    re.MULTILINE,
)
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]" + _TARGET)
_REFERENCE_LINK = re.compile(r"(?<![!\w\]])\[([^\[\]\n]*[^\W\d][^\[\]\n]*)\]\[[^\[\]\n]*\]")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
_PERMALINK = re.compile(r"[ \t]*¶")
_NUMBERS = r"(?:\?|\^?\d{1,4}(?:[ \t]*(?:[,;–—-]|and|&)[ \t]*\^?\d{1,4})*)"
_BRACKETED = re.compile(
    rf"(?P<space>[ \t]{{0,4}})(?P<run>(?:(?:\\?\[|【){{1,2}}{_NUMBERS}(?:†[^】\n]{{0,80}})?"
    r"(?:\\?\]|】){1,2})+)(?:[ \t]+(?=[.,;:!?]))?(?P<after>[\w.\[=(]?)"
)
_BRACKET = re.compile(r"\\?([\[\]【】])")
_LOOK_BACK = 40
_SUBSCRIPTED = re.compile(r"(?:[_.$]\w+|[a-z][A-Z]\w*|[)\]])$")
_NEEDS_OBJECT = re.compile(
    r"(?:^|\s)(?:in|see|by|from|of|to|and|or|with|cf\.|refs?\.?|eqs?\.?)$", re.I
)
_FOOTNOTE = re.compile(r"\[\^[\w-]{1,40}\]:?")
_QUOTE_SIGN = re.compile(r"^[ \t]{0,3}(?:>[ \t]?)+")
_BREAK = re.compile(r"[ \t]*\\?\n[ \t]*")
_SPACES = re.compile(r"[ \t]{2,}")
_UNSPACED = re.compile(
    r"(?<=[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


def unquoted(markdown: str) -> str:
    """`markdown` with quoted blocks set out as ordinary text, code inside them included."""
    lines: list[str] = []
    closing, quoted = "", False
    for line in markdown.split("\n"):
        bare = _QUOTE_SIGN.sub("", line, count=1) if quoted or not closing else line
        fence = _FENCE.match(bare)
        if closing:
            closing = "" if bare.strip() == closing else closing
        elif fence:
            closing, quoted = fence[1], bare != line
        lines.append(bare)
    return "\n".join(lines)


def paragraphs(prose: str) -> list[str]:
    """The paragraphs of a prose passage on one line each: links as their labels, no images, no
    tags, no bracketed numbers that could be taken for marks of ours. Wording is never changed."""
    cleaned = _outside_code(prose, _clean)
    found = (_one_line(part) for part in re.split(r"\n[ \t]*\n", cleaned))
    return [part for part in found if part]


def listing(text: str) -> str:
    """A list, cleaned as prose is, an item or continued paragraph a line, indentation kept."""
    lines: list[str] = []
    fenced = blank = False
    for line in _outside_code(text, _clean).split("\n"):
        fence = bool(_FENCE.match(line))
        if not line.strip() and not fenced:
            blank = True
            continue
        goes_on = not blank or (bool(lines) and lines[-1].endswith(":"))
        if fence or fenced or _ITEM.match(line) or not lines or not goes_on or _ends_fence(lines):
            lines.append(line.rstrip())
        else:
            lines[-1] = f"{lines[-1]} {line.strip()}"
        fenced ^= fence
        blank = False
    return "\n".join(line for line in lines if not _is_empty_item(line))


def _ends_fence(lines: list[str]) -> bool:
    return bool(_FENCE.match(lines[-1]))


def table(text: str) -> str:
    """A table, cleaned as prose is; its rows and cells stay as they are."""
    return _outside_code(text, _clean)


def with_marks(text: str, marks: str) -> str:
    """`text` with `marks` at its end; a list bears them on every item, as each is a claim."""
    return "\n".join(_marked_lines(text.split("\n"), marks))


def _marked_lines(lines: list[str], marks: str) -> Iterator[str]:
    fenced = False
    for line in lines:
        fence = bool(_FENCE.match(line))
        if fence or fenced or not line.strip():
            yield line
        else:
            yield f"{line.rstrip()} {marks}"
        fenced ^= fence


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Applies `change` with the code spans held back, so that nothing in them is touched."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f"\ue000{len(held) - 1}\ue001"

    changed = change(_CODE_SPAN.sub(hold, text.replace("\ue000", "").replace("\ue001", "")))
    return _HELD.sub(lambda match: held[int(match[1])], changed)


def _clean(text: str) -> str:
    text = _TAG.sub("", _LINE_BREAK.sub(" ", _COMMENT.sub("", text)))
    text = _DIRECTIVE.sub("", _ATTRIBUTES.sub("", _IMAGE.sub("", text)))
    text = _REFERENCE_LINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _PERMALINK.sub("", _AUTOLINK.sub(r"\1", text))
    return _BRACKETED.sub(_without_bracket, _FOOTNOTE.sub("", text))


def _without_bracket(match: re.Match[str]) -> str:
    """A citation of the source's own goes; what a sentence needs (`argv[0]`, "as in [3]") stays,
    escaped."""
    before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
    space, run, after = match["space"], match["run"], match["after"]
    subscript = not space and (_SUBSCRIPTED.search(before) or after in {"[", "=", "("})
    if subscript or (before and "[0" in run) or _NEEDS_OBJECT.search(before):
        return space + _BRACKET.sub(r"\\\1", run) + after
    return (space if after.isalnum() else "") + after


def _one_line(paragraph: str) -> str:
    line = _SPACES.sub(" ", _BREAK.sub(" ", paragraph.strip()))
    return _UNSPACED.sub("", line)


def _is_empty_item(line: str) -> bool:
    match = _ITEM.match(f"{line} ")
    return match is not None and not line[match.end() :].strip()
