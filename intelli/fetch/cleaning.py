"""Cleans a site's own Markdown: front matter, banners for machines, components, page furniture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)^\1[ \t]*(?:\n|\Z)", re.S | re.M)
_FRONT_TITLE = re.compile(r"^title\s*[:=]\s*(.+?)\s*$", re.M)
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})([^`\n]*)$")
_FENCE_OPTIONS = re.compile(r"(^\s*\S+?)(?:\s+theme=\{[^}]*\})+")
_PAIRED = re.compile(r"<!--|\{/\*|<(script|style|agent-?instructions|system-?prompt)\b", re.I)
_DROPPED = re.compile(
    r"""^[ \t]*\{"@context"[^\n]*$
      | (?:^>[ \t]*(?:\#+[ \t]*)?(?:documentation[ ]index|for[ ]ai[ ]agents|llms\.txt)\b[^\n]*\n
        (?:^>[^\n]*\n?)*)
      | ^(?-i:import[ ](?:[\w*{][^\n]*[ ]from[ ])?["']|export[ ](?:default|const)[ ])[^\n]*$""",
    re.M | re.I | re.X,
)
_INLINE_CODE = re.compile(r"(`{1,3})(?!`)[^\n]{1,400}?(?<!`)\1(?!`)")
_COMPONENT = re.compile(r"(?:(?<![\w`])<|<(?=/))(/?)([A-Z][a-z][\w.]*)((?:\s[^<>]*?)?)(/?)>|<>|</>")
_ATTRIBUTE = re.compile(r"""\b([a-z]\w*)(?:=(?:"([^"]*)"|'([^']*)'|\{["'`]([^"'`]*)["'`]\}))?""")
_NAMES = ("title", "label", "path", "query", "body", "header", "name", "summary", "text")
_DIRECTIVE = re.compile(r"^[ \t]*:{3,}[ \t]*(?:\{[^}\n]*\}|[\w-]*)([^\n]*)$", re.M)
_ANCHOR = re.compile(r"^(#{1,6} [^{\n]*)\{#[\w-]+\}[ \t]*$", re.M)
_FURNITURE = re.compile(
    r"""^[ \t>*_-]*\[?(?:skip\ to\ (?:main\ )?content|copy\ (?:page|as\ markdown|for\ (?:llm|ai)s?)
      |(?:was|is)\ this\ (?:page|article|section)\ (?:helpful|useful)\??|edit\ (?:this\ )?page
      |edit\ (?:this\ page\ )?on\ git(?:hub|lab)|report\ (?:an?\ )?issue|back\ to\ top
      |view\ as\ markdown|open\ in\ (?:chatgpt|claude)|on\ this\ page|suggest\ edits|raise\ issue)
      \]?(?:\([^)\n]*\))?[ \t*_]*$""",
    re.I | re.M | re.X,
)
_HEADING = re.compile(r"\A\s*#[ \t]+([^\n]+)(?:\n|\Z)|\A\s*(\S[^\n]*)\n=+[ \t]*(?:\n|\Z)")
_BLANKS = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """`noise` is the share (0 to 1) of the text that was there for machines; `leftovers` counts
    components and directives that only the site's generator could have rendered."""

    title: str
    text: str
    noise: float
    leftovers: int = 0


def clean(markdown: str) -> Cleaned:
    """The Markdown a reader wants, its code untouched, and what it says its title is."""
    text = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    front_title, text = _front_matter(text)
    parts = list(segments(text))
    quiet = [(is_code, part if is_code else _silence(part)) for is_code, part in parts]
    kept = sum(len(part) for _, part in quiet)
    body = "".join(_clean_fence(part) if is_code else _clean_prose(part) for is_code, part in quiet)
    heading = _HEADING.match(body)
    title = (heading[1] or heading[2]).rstrip("# \t") if heading else front_title
    return Cleaned(
        title=title.strip().strip("\"'"),
        text=(body[heading.end() :] if heading else body).strip(),
        noise=1 - kept / len(text) if text else 0.0,
        leftovers=sum(_count_leftovers(part) for is_code, part in quiet if not is_code),
    )


def segments(text: str) -> Iterator[tuple[bool, str]]:
    """(is fenced code, text) of each part; the parts joined are the text again."""
    held: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line.rstrip("\n"))
        if not fence and mark:
            if held:
                yield False, "".join(held)
            held, fence = [line], mark[1]
        elif fence and mark and mark[1].startswith(fence) and not mark[2].strip():
            yield True, "".join([*held, line])
            held, fence = [], ""
        else:
            held.append(line)
    if held:
        yield bool(fence), "".join(held)


def _front_matter(text: str) -> tuple[str, str]:
    match = _FRONT_MATTER.match(text)
    if not match:
        return "", text
    title = _FRONT_TITLE.search(match[2])
    return (title[1] if title else ""), text[match.end() :]


def _silence(text: str) -> str:
    """Without what was never meant for readers. Linear: pages are hostile, and an opening mark
    without its end makes a pattern search the rest again for every such mark."""
    kept: list[str] = []
    position = 0
    while match := _PAIRED.search(text, position):
        end = re.compile(_closing(match), re.I).search(text, match.end())
        if end is None:
            break
        kept.append(text[position : match.start()])
        position = end.end()
    return _DROPPED.sub("", "".join([*kept, text[position:]]))


def _closing(opening: re.Match[str]) -> str:
    if opening[1]:
        return rf"</{re.escape(opening[1])}\s*>"
    return "-->" if opening[0] == "<!--" else r"\*/\}"


def _clean_fence(block: str) -> str:
    first, newline, rest = block.partition("\n")
    return _FENCE_OPTIONS.sub(r"\1", first) + newline + rest


def _clean_prose(text: str) -> str:
    kept: list[str] = []

    def hold(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    text = _INLINE_CODE.sub(hold, text.replace("\0", ""))
    text = _COMPONENT.sub(_spell_out, text)
    text = _DIRECTIVE.sub(lambda match: f"**{match[1].strip()}**" if match[1].strip() else "", text)
    text = _FURNITURE.sub("", _ANCHOR.sub(lambda match: match[1].rstrip(), text))
    text = _BLANKS.sub("\n\n", text)
    return re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], text)


def _count_leftovers(text: str) -> int:
    text = _INLINE_CODE.sub("", text)
    tags = sum(not tag[0].startswith("</") for tag in _COMPONENT.finditer(text))
    return tags + len(_DIRECTIVE.findall(text))


def _spell_out(tag: re.Match[str]) -> str:
    """What a component's tag says to a reader: its title or name, type and target."""
    found = {m[1]: m[2] or m[3] or m[4] or "" for m in _ATTRIBUTE.finditer(tag[3] or "")}
    name = next((found[key] for key in _NAMES if found.get(key)), "")
    if not name or tag[1]:
        return ""
    if found.get("href"):
        name = f"[{name}]({found['href']})"
    notes = [found["type"]] if found.get("type") and tag[2].endswith("Field") else []
    notes += ["required"] if "required" in found else []
    return f"**{name}**" + (f" ({', '.join(notes)})" if notes else "") + ("" if tag[4] else "\n")
