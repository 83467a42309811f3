"""Measures a Markdown text: words, code, structure, leftovers of the tools that made it."""

from __future__ import annotations

import re

from intelli.fetch.cleaning import segments
from intelli.records import record

SHINGLE = 4
MEASURED = 300_000
INDEX_WORDS = 30
"""Distinct words outside of links, with fewer of which a page is an index and its links count."""
_IMAGE_OR_LINK = re.compile(
    r"!?\[([^\[\]\n]{0,400})\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?(?:\s+\"[^\"\n]*\")?\)"
)
_ADDRESS = re.compile(r"https?://\S+|<[^<>\s@]+@[^<>\s@]+>")
_DEFINITION = re.compile(r"^[ \t]{0,3}\[[^\[\]\n]{1,200}\]:[ \t]*\S+[^\n]*$", re.M)
_TAG = re.compile(
    r"</?(?:div|span|img|a|p|br|table|t[rdh]|thead|tbody|ul|ol|li|section|details|summary|b|i|"
    r"em|strong|"
    r"code|pre|h[1-6]|center|sup|sub|figure|iframe|svg|style|script|button|input)\b[^<>]*>",
    re.I,
)
_INLINE_CODE = re.compile(r"`[^`\n]+`")
_DIRECTIVE = re.compile(
    r"""^[ \t]*(?:`{3,}|~{3,}|:{3,})[ \t]*\{[\w:.-]+[^\n]*$ | ^\.\.[ ][\w-]+::
      | \{\{[<%][^\n]{0,300}?[%>]\}\} | \{%[^\n]{0,300}?%\} | \{[a-z]+(?::[a-z]+)*\}`[^`\n]+`
      | </?[A-Z]\w+(?:\s[^<>\n]*)?/?>
      | ^:{3,}[ \t]*[\w{] | ^!!![ ]\w+ | <!--[ ]*(?:@|include) | ^<<<[ ]""",
    re.M | re.X,
)
_RUN = re.compile(r"^[ \t]*`{3,}[ \t]*\{\.?(?:r|python|bash|julia|js|mermaid)\b.*$", re.I | re.M)
_HOLDS_CODE = re.compile(
    r"[ \t>]*(?:`{3,}|~{3,})(?![ \t]*\{(?!\.|(?i:r|python|bash|julia|js|"
    r"mermaid|code|source))\w)"
)
"""Not so the fences of directives, whose lines are names of files and options."""
_CHROME = re.compile(
    r"""skip\ to\ (?:main\ )?content|was\ this\ (?:page|article)\ (?:helpful|useful)|\bcopy\ page\b
      |edit\ (?:this\ )?page|report\ (?:an?\ )?issue|back\ to\ top|view\ (?:page\ )?as\ markdown
      |on\ this\ page|table\ of\ contents|all\ rights\ reserved
      |cookie\ (?:policy|settings|preferences)|previous\ page|next\ page
      |last\ (?:updated|modified)\ on|sign\ (?:in|up)\b.{0,12}$|toggle\ navigation
      |open\ in\ (?:chatgpt|claude|colab)
      |^[^\w\n]{0,9}(?:contents|\.md|\.pdf|open\ issue|repository|search)[^\w\n]{0,9}$""",
    re.I | re.M | re.X,
)
_LAYOUT = str.maketrans("", "", "\\>|")
_ITEM = re.compile(r"[-*+:] |\d{1,4}[.)] ")
_WORD = re.compile(r"[^\W_]+")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@record
class Measures:
    """Counts are of the whole text; shares lie between 0 and 1. `words` and `shingles` leave out
    the list items that are made of links, unless hardly anything else is there."""

    words: frozenset[str]
    shingles: frozenset[tuple[str, ...]]
    code_lines: tuple[str, ...]
    squeezed: str
    tables: int
    headings: int
    link_share: float
    repeated_share: float
    tags: int
    directives: int
    chrome: int


def measure(text: str) -> Measures:
    """All measures of one candidate's text; of a very long one, of its beginning."""
    text = text[:MEASURED]
    prose, code = _parted(text)
    plain = _IMAGE_OR_LINK.sub(r"\1", _ADDRESS.sub(" ", prose))
    said = "\n".join(line for line in prose.splitlines() if not _is_navigation(line))
    words = _words_of(said)
    if len(set(words)) < INDEX_WORDS:
        words = _words_of(prose)
    linked = sum(len(match[1]) for match in _IMAGE_OR_LINK.finditer(prose))
    lines = prose.splitlines()
    return Measures(
        words=frozenset(words),
        shingles=frozenset(zip(*(words[i:] for i in range(SHINGLE)), strict=False)),
        code_lines=tuple(line for line in map(squeeze, code.splitlines()) if len(line) > 3),
        squeezed=squeeze(text),
        tables=sum(line.lstrip().startswith("|") for line in lines),
        headings=sum(line.startswith("#") for line in lines),
        link_share=linked / max(1, len(plain)),
        repeated_share=_repeated(prose),
        tags=len(_TAG.findall(_INLINE_CODE.sub("", prose))),
        directives=_count_directives(text, prose),
        chrome=len(_CHROME.findall(prose)),
    )


def tokens(text: str) -> list[str]:
    """Words in lower case; of scripts without blanks, each character."""
    spaced = _IDEOGRAPH.sub(r" \g<0> ", text.lower())
    return _WORD.findall(spaced)


def squeeze(text: str) -> str:
    """Without white space, escapes and quote marks: code is found whatever its layout became."""
    return "".join(text.split()).translate(_LAYOUT)


def _words_of(prose: str) -> list[str]:
    plain = _IMAGE_OR_LINK.sub(r"\1", _ADDRESS.sub(" ", _DEFINITION.sub("", prose)))
    return tokens(_TAG.sub(" ", plain))


def _is_navigation(line: str) -> bool:
    """Whether a line is a list item made of links: what it leads to is said elsewhere."""
    if not _ITEM.match(line.lstrip()):
        return False
    line = line.lstrip().lstrip("-*+0123456789.)")
    linked = sum(len(match[1]) for match in _IMAGE_OR_LINK.finditer(line))
    return linked > 0 and len(_WORD.findall(_IMAGE_OR_LINK.sub(" ", line))) == 0


def _parted(text: str) -> tuple[str, str]:
    """Prose and code; lines indented by four are code too, unless a list holds them."""
    prose: list[str] = []
    code: list[str] = []
    in_list = False
    for is_code, part in segments(text):
        if is_code:
            opening, *lines = part.splitlines()
            if _HOLDS_CODE.match(opening):
                code.extend(lines[:-1])
            continue
        for line in part.splitlines():
            if line.strip() and not line.startswith((" ", "\t")):
                in_list = _ITEM.match(line) is not None
            is_indented = line.startswith(("    ", "\t")) and not in_list
            (code if is_indented else prose).append(line)
    return "\n".join(prose), "\n".join(code)


def _repeated(prose: str) -> float:
    """Share of the longer paragraphs' characters that stood in the text before."""
    blocks = [squeeze(line).lstrip(">#*-") for line in prose.splitlines()]
    long = [block for block in blocks if len(block) >= 40 and not block.startswith("|")]
    seen: set[str] = set()
    again = 0
    for block in long:
        again += len(block) if block in seen else 0
        seen.add(block)
    return again / max(1, sum(map(len, long)))


def _count_directives(text: str, prose: str) -> int:
    prose = _INLINE_CODE.sub("`x`", prose)
    fences = [line for is_code, part in segments(text) if is_code for line in part.splitlines()[:1]]
    unrendered = [line for line in fences if _DIRECTIVE.match(line)]
    return len(_DIRECTIVE.findall(prose)) + sum(not _RUN.match(line) for line in unrendered)


def recall(mine: frozenset[str], others: frozenset[str]) -> float:
    """Share of the other text's distinct words that mine has too."""
    return len(mine & others) / len(others) if others else 1.0


def missing_code(mine: Measures, others: Measures) -> float:
    """Share of the other text's code, by length of its lines, that stands nowhere in mine."""
    own = set(mine.code_lines)
    lines = [line for line in others.code_lines if line not in own]
    lost = sum(len(line) for line in lines if line not in mine.squeezed)
    return lost / max(1, sum(map(len, others.code_lines)))
