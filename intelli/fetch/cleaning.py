"""Cleans a site's own Markdown: front matter, banners for machines, components, page furniture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST = 2_000_000
"""Characters that are cleaned. While a text is, nothing else of a run gets on; what is longer is no
page that people wrote, and the rest of it stays as it is."""
_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)^\1[ \t]*(?:\n|\Z)", re.S | re.M)
_JSON_FRONT = re.compile(r"\A(\{)[ \t]*\n(.*?)^\}[ \t]*(?:\n|\Z)", re.S | re.M)
_FRONT_FIELD = re.compile(r"^[ \t]*\"?([a-z_]+)\"?[ \t]*[:=][ \t]*([^\n]+)$", re.M | re.I)
_DATES = ("date", "published", "pubdate", "publish_date", "updated", "lastmod", "last_updated")
_DATE = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_FENCE = re.compile(r"^[ \t>]*+(`{3,}|~{3,})([^`\n]*)$")
_FENCE_OPTIONS = re.compile(r"(^\s*\S+?)(?:\s+theme=\{[^}]*\})+")
_PAIRED = re.compile(
    r"<!--|\{/\*|(?<!`)<(script\b|style\b|agent-?instructions\b|system-?prompt\b"
    r"|(?:p|div|span)(?=\s[^<>]{0,400}?(?:\bhidden\b(?![^<>]{0,9}until)|display: {0,3}none"
    r"|visibility: {0,3}hidden|font-size: {0,3}0\W)))",
    re.I,
)
"""What opens a part that a reader does not see."""
_DROPPED = re.compile(
    r"""^[ \t]*\{"@context"[^\n]*$
      | ^\[//\]:[^\n]*$
      | (?:^>[ \t]*(?:\#+[ \t]*)?(?:documentation[ ]index|for[ ]ai[ ]agents|llms\.txt)\b[^\n]*\n
        (?:^>[^\n]*\n?)*+)
      | ^(?-i:import[ ](?:[\w*{][^\n]*[ ]from[ ])?["'])[^\n]*$
      | ^(?-i:import[ ]\{[^{}]{1,2000}\}[ ]from[ ]["'])[^\n]*$
      | ^(?-i:export[ ](?:default|const|function)[ ])[^\n]*(?:\n(?![ \t]*\n|\#)[^\n]+)*+""",
    re.M | re.I | re.X,
)
_TO_MACHINES = re.compile(
    r"""^(?:>[> \t]*+)?+(?:[*_]{1,2})?(?:
        (?:fetch|get|see|read|use|load)[ ](?:the[ ])?(?:complete|full|entire|this)[ ][^\n]{0,120}
        (?:llms(?:-full)?\.txt|discover[ ]all|documentation[ ]index)
      | if[ ]you[ ]are[ ](?:an?[ ])?(?:ai|llm|large[ ]language|language[ ]model|agent|assistant)\b
      | (?:notes?|hints?|instructions?|guidance|information)[ ](?:for|to)[ ](?:ai|llms?|agents?|
        language[ ]models|assistants|coding[ ]agents)\b
      | (?:ai|llm)[ ](?:agents?|assistants?|models?)[ ]?:
      | for[ ](?:ai[ ]agents|llms)[ ]?:
      | (?:the[ ])?markdown[ ](?:version|copy)[ ]of[ ]this[ ]page\b
      )[^\n]*(?:\n(?:>[^\n]*|[^\n\#>`~|-][^\n]*))*+""",
    re.M | re.I | re.X,
)
_AGENT_SECTION = re.compile(
    r"^(#{1,6}) +(?:agent instructions|instructions for (?:ai|llms?|agents)|"
    r"for (?:ai agents|llms))\b",
    re.I,
)
_INLINE_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^\n]{1,400}?(?<!`)\1(?!`)")
_COMPONENT = re.compile(r"(?:(?<![\w`])<|<(?=/))(/?)([A-Z][a-z][\w.]*)((?:\s[^<>]*?)?)(/?)>|<>|</>")
_ATTRIBUTE = re.compile(r"""\b([a-z]\w*)(?:=(?:"([^"]*)"|'([^']*)'|\{["'`]([^"'`]*)["'`]\}))?""")
_NAMES = ("title", "label", "path", "query", "body", "header", "name", "summary", "text")
_DIRECTIVE = re.compile(r"^[ \t]*:{3,}[ \t]*(?:\{[^}\n]*\}|[\w-]*)([^\n]*)$", re.M)
_ANCHOR = re.compile(r"^(#{1,6} [^{\n]*)\{#[\w-]+\}[ \t]*$", re.M)
_FURNITURE = re.compile(
    r"""^[ \t>*_-]*+\[?(?:skip\ to\ (?:main\ )?content|copy\ (?:page|as\ markdown|for\ (?:llm|ai)s?)
      |(?:was|is)\ this\ (?:page|article|section)\ (?:helpful|useful)\??|edit\ (?:this\ )?page
      |edit\ (?:this\ page\ )?on\ git(?:hub|lab)|report\ (?:an?\ )?issue|back\ to\ top
      |view\ as\ markdown|open\ in\ (?:chatgpt|claude)|on\ this\ page|suggest\ edits|raise\ issue)
      \]?(?:\([^)\n]*\))?[ \t*_]*$""",
    re.I | re.M | re.X,
)
_HEADING = re.compile(r"\A\s*#[ \t]+([^\n]+)(?:\n|\Z)|\A\s*(\S[^\n]*)\n=+[ \t]*(?:\n|\Z)")
_BLANKS = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)++")


_RENDERED_LATER: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^[ \t]*(?:!!!|\?\?\?\+?) [\w -]{1,60}\"([^\"\n]*)\"[ \t]*$", re.M), r"**\1**"),
    (
        re.compile(r"^[ \t]*(?:!!!|\?\?\?\+?) ([\w-]{1,40})(?: (?:inline|end)){0,2}$", re.M),
        r"**\1**",
    ),
    (re.compile(r"^[ \t]*===[!+]? \"([^\"\n]*)\"[ \t]*$", re.M), r"**\1**"),
    (
        re.compile(
            r"\{\{[<%] ?[\w/.-]{1,60} [^\n\"{}]{0,200}\"([^\"\n{}]{1,200})\"[^\n{}]{0,300}[%>]\}\}"
        ),
        r"**\1**",
    ),
    (re.compile(r"\{\{[<%][^\n{}]{0,400}[%>]\}\}"), ""),
    (re.compile(r"\{%[^\n{}]{0,400}%\}"), ""),
    (re.compile(r"^(?:<<<|--8<--|@include|!!!include)[^\n]*$", re.M), ""),
    (re.compile(r"^\[\[?toc\]?\][ \t]*$", re.M | re.I), ""),
    (re.compile(r"\{:[^{}\n]{0,200}\}$", re.M), ""),
    (re.compile(r"^\([\w.-]{1,80}\)=[ \t]*$", re.M), ""),
)
"""Marks of MkDocs, Hugo, Liquid, VitePress, kramdown and MyST, and what they say to a reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """`published` is an ISO date of the front matter, None without one. `noise` is the share (0 to
    1) of the text that was there for machines; `leftovers` counts components and directives that
    only the site's generator could have rendered."""

    title: str
    text: str
    published: str | None
    noise: float
    leftovers: int = 0


def clean(markdown: str) -> Cleaned:
    """The Markdown a reader wants, its code untouched, and what it says its title is."""
    text = markdown.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    front, text = front_matter(text)
    text, rest = text[:MOST], text[MOST:]
    whole, text = len(text), _without_agent_sections(text)
    parts = list(segments(text))
    quiet = [(is_code, part if is_code else _silence(part)) for is_code, part in parts]
    kept = sum(len(part) for _, part in quiet)
    body = "".join(_clean_fence(part) if is_code else _clean_prose(part) for is_code, part in quiet)
    heading = _HEADING.match(body)
    title = (heading[1] or heading[2]).rstrip("# \t") if heading else front.get("title", "")
    return Cleaned(
        title=title.strip().strip("\"'"),
        text=((body[heading.end() :] if heading else body) + rest).strip(),
        published=_published(front),
        noise=1 - kept / whole if whole else 0.0,
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


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """Its fields by name in lower case, the first of each, and the text behind it."""
    match = _FRONT_MATTER.match(text) or _JSON_FRONT.match(text)
    if not match:
        return {}, text
    fields: dict[str, str] = {}
    for name, value in _FRONT_FIELD.findall(match[2][:20_000]):
        fields.setdefault(name.lower(), value.strip().rstrip(",").strip("\"' "))
    return fields, text[match.end() :]


def _published(front: dict[str, str]) -> str | None:
    dates = (_DATE.match(front.get(name, "")) for name in _DATES)
    return next((date[0] for date in dates if date), None)


def _without_agent_sections(text: str) -> str:
    """Without the sections under headings that address machines, code in them included."""
    kept: list[str] = []
    fence, level = "", 0
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line.rstrip("\n"))
        if mark:
            closes = fence and mark[1].startswith(fence) and not mark[2].strip()
            fence = "" if closes else fence or mark[1]
        elif not fence and line.startswith("#"):
            heading = _AGENT_SECTION.match(line)
            depth = len(line) - len(line.lstrip("#"))
            level = len(heading[1]) if heading else 0 if depth <= level else level
        if not level:
            kept.append(line)
    return "".join(kept)


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
    return _TO_MACHINES.sub("", _DROPPED.sub("", "".join([*kept, text[position:]])))


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
    for mark, said in _RENDERED_LATER:
        text = mark.sub(said, text)
    text = _COMPONENT.sub(_spell_out, text)
    text = _DIRECTIVE.sub(lambda match: f"**{match[1].strip()}**" if match[1].strip() else "", text)
    text = _FURNITURE.sub("", _ANCHOR.sub(lambda match: match[1].rstrip(), text))
    text = _BLANKS.sub("\n\n", text)
    return re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], text)


def _count_leftovers(text: str) -> int:
    text = _INLINE_CODE.sub("", text)
    tags = sum(not tag[0].startswith("</") for tag in _COMPONENT.finditer(text))
    marks = sum(len(mark.findall(text)) for mark, _ in _RENDERED_LATER)
    return tags + marks + len(_DIRECTIVE.findall(text))


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
