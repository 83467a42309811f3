"""Turns the inline marks of AsciiDoc into those of Markdown."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

_BUILT_IN = {
    "blank": "", "empty": "", "sp": " ", "nbsp": " ", "zwsp": "", "apos": "'", "lsquo": "‘",
    "rsquo": "’", "ldquo": "“", "rdquo": "”", "quot": '"', "deg": "°", "plus": "+", "brvbar": "|",
    "vbar": "|", "amp": "&", "lt": "<", "gt": ">", "startsb": "[", "endsb": "]", "caret": "^",
    "asterisk": "*", "tilde": "~", "backslash": "\\", "backtick": "`", "two-colons": "::",
    "two-semicolons": ";;", "cpp": "C++", "cxx": "C++", "pp": "++",
}  # fmt: skip
_LITERAL = re.compile(
    r"\+\+\+(?P<three>.+?)\+\+\+|(?<![\w`+])`\+(?P<mono>[^+\n]+?)\+`|``(?P<double>[^`\n]+)``|"
    r"(?<![\w+])\+(?P<one>\S(?:[^+\n]*\S)?)\+(?![\w+])|pass:\w*\[(?P<passed>[^\]\n]*)\]|"
    r"(?<![\w`\"'])`(?P<code>[^`\n]+)`(?![\w\"'])"
)
_ATTRIBUTE = re.compile(r"(?<!\\)\{([\w-]{1,60})\}")
_LINK = re.compile(
    r"(?<!\w)(?:link:|mailto:)(?P<link>\+\+[^\s+]+\+\+|[^\s\[\]<>]{1,500})\[(?P<words>[^\]\n]{0,500})\]|"
    r"(?P<url>https?://[^\s\[\]<>]{1,500})\[(?P<label>[^\]\n]{0,500})\]"
)
_CROSS = re.compile(
    r"<<#?([^<>,\n]{1,300})(?:,\s*([^<>]{1,500}))?>>|xref:([^\s\[]{1,300})\[([^\]\n]{0,500})\]"
)
_UI = re.compile(
    r"\b(kbd|btn|menu|icon|image|footnote|footnoteref|stem|latexmath|asciimath|indexterm2?|anchor)"
    r":([^\s\[\]]{0,300})\[([^\]]{0,1000})\]"
)
_ANCHOR = re.compile(r"\[\[\[?[^\[\]\n]{0,200}\]?\]\]|\(\(\([^()\n]{0,200}\)\)\)")
_INDEX = re.compile(r"\(\(([^()\n]+)\)\)")
_SPAN = re.compile(
    r"(?:\[[^\[\]\n]{0,100}\])?##([^#\n]+)##|(?:\[[^\[\]\n]{0,100}\])?(?<![\w#&])#(\S(?:[^#\n]*\S)?)#(?!\w)"
)
_BOLD = re.compile(r"(?<![\w*\\])\*(\S(?:[^*\n]*[^\s*])?)\*(?![\w*])")
_QUOTES = (
    (re.compile(r"\"`([^`\n]+)`\""), r"“\1”"),
    (re.compile(r"'`([^`\n]+)`'"), r"‘\1’"),
)
_ESCAPED = re.compile(r"\\([*_`#~^'{\[<+\"])")
_BREAK = re.compile(r" \+$", re.M)


def inline(text: str, attributes: Mapping[str, str]) -> str:
    """The text with links, spans and attributes settled; what is no mark stays as it stands."""
    spans: list[str] = []

    def keep(shown: str) -> str:
        spans.append(shown)
        return f"\x00{len(spans) - 1}\x00"

    def literal(match: re.Match[str]) -> str:
        if code := match["mono"] or match["code"] or match["double"]:
            return keep(f"`{code}`")
        return keep(match["three"] or match["one"] or match["passed"] or "")

    def attribute(match: re.Match[str]) -> str:
        name = match[1].lower()
        return attributes.get(name, _BUILT_IN.get(name, match[0]))

    text = _BREAK.sub("  ", _ATTRIBUTE.sub(attribute, text))
    text = _LITERAL.sub(literal, _quoted(text))
    text = _LINK.sub(_link, text)
    text = _CROSS.sub(lambda match: match[2] or match[4] or match[1] or match[3], text)
    text = _UI.sub(_ui, text)
    text = _SPAN.sub(lambda match: match[1] or match[2], _INDEX.sub(r"\1", _ANCHOR.sub("", text)))
    text = _ESCAPED.sub(lambda match: keep(match[1]), _BOLD.sub(r"**\1**", text))
    return html.unescape(re.sub(r"\x00(\d+)\x00", lambda match: spans[int(match[1])], text))


def _quoted(text: str) -> str:
    for pattern, shown in _QUOTES:
        text = pattern.sub(shown, text)
    return text


def _link(match: re.Match[str]) -> str:
    target = (match["link"] or match["url"]).strip("+")
    given = match["words"] if match["link"] else match["label"]
    words = given.split(",role=")[0].split(",window=")[0].strip('"^ ')
    return f"[{words}](<{target}>)" if words else f"<{target}>"


def _ui(match: re.Match[str]) -> str:
    kind, target, words = match[1], match[2], match[3]
    if kind in {"icon", "indexterm", "anchor"}:
        return ""
    if kind == "image":
        return f"![{words.partition(',')[0]}]({target})"
    if kind == "menu":
        return f"{target} > {words}" if words else target
    if kind.startswith("footnote"):
        return f" ({words})" if words else ""
    return words or target
