"""Markdown of a report as HTML, with its marks as links to the passages they rest on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence, Set
from html import escape
from typing import TYPE_CHECKING, Any

from intelli.records import Claim
from intelli.report_text import FLAGGED
from intelli.show.page_passages import anchor
from intelli.show.text import clean

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MARK = re.compile(r"\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?!\()")
_NUMBER = re.compile(r"\d+")
_PRIVATE = re.compile("[\ue000-\ue003]")
_CITED = re.compile("\ue000(-?\\d+):(\\d+)\ue001")
_FLAG = re.compile("\ue002(\\d+)\ue003")
"""Private characters carry marks and flags through the Markdown parser; texts lose their own."""


class Citations:
    """`claims` in the order of the report; `sources` are the numbers that have a stored text."""

    def __init__(self, claims: Sequence[Claim], sources: Set[int]) -> None:
        self._claims = claims
        self._starts = sorted((claim.start, n) for n, claim in enumerate(claims))
        self._sources = sources
        self._parser = _parser(self)
        self._usual = self._parser.normalizeLink
        self._parser.normalizeLink = self.address  # type: ignore[method-assign]

    def render(self, markdown: str, *, flags: bool = True) -> str:
        """HTML of a part of the report. `flags` puts a sign behind each claim that is flagged;
        the claims' offsets must then be those of `markdown`."""
        text = _PRIVATE.sub("\ufffd", markdown)
        inserts = [(m.start(), m.end(), self._marks(m, flags=flags)) for m in _MARK.finditer(text)]
        if flags:
            inserts += [
                (max(0, claim.end), 0, f" \ue002{number}\ue003")
                for number, claim in enumerate(self._claims)
                if claim.status in FLAGGED
            ]
        parts, position = list[str](), 0
        for start, end, piece in sorted(inserts):
            parts += [text[position:start], piece]
            position = max(position, start, end)
        return str(self._parser.render(clean("".join(parts) + text[position:]))).strip()

    def link(self, text: str) -> str:
        """Escaped text with what was carried through put in its place."""
        return _FLAG.sub(self._flag, _CITED.sub(self._cite, escape(text)))

    def plain(self, text: str) -> str:
        """The text as it was, for code: marks in code cite nothing."""
        return _FLAG.sub("", _CITED.sub(r"[\2]", text).replace(" \ue002", "\ue002"))

    def address(self, url: str) -> str:
        """A link's address; what looked like marks in it is put back."""
        return self._usual(self.plain(url))

    def _marks(self, match: re.Match[str], *, flags: bool) -> str:
        claim = self._claim_at(match.start()) if flags else -1
        return "".join(f"\ue000{claim}:{n}\ue001" for n in _NUMBER.findall(match[1]))

    def _claim_at(self, position: int) -> int:
        """The claim that a mark belongs to: the last that begins before it, -1 for none."""
        before = bisect_right(self._starts, (position, len(self._starts)))
        return self._starts[before - 1][1] if before else -1

    def _cite(self, match: re.Match[str]) -> str:
        claim, n = int(match[1]), int(match[2])
        if n not in self._sources:
            return f"[{n}]"
        found = claim >= 0 and any(e.source == n for e in self._claims[claim].evidence)
        target = anchor(claim, n) if found else f"s{n}"
        return f'<a class="mark" href="#{target}">[{n}]</a>'

    def _flag(self, match: re.Match[str]) -> str:
        number = int(match[1])
        status = self._claims[number].status
        return f'<a class="flag" id="b{number}" href="#f{number}">! {status}</a>'


def is_http(url: str) -> bool:
    """Whether a link leads to a web page."""
    return url.lower().startswith(("http://", "https://"))


def _parser(citations: Citations) -> MarkdownIt:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    # A link within this page could pass for a citation; what is local is not where the page is.
    parser.validateLink = is_http  # type: ignore[method-assign]

    def text(renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
        del renderer, options, env
        return citations.link(tokens[index].content)

    def code(name: str) -> Any:
        usual = getattr(RendererHTML, name)

        def rendered(renderer: Any, tokens: Any, index: int, options: Any, env: Any) -> str:
            tokens[index].content = citations.plain(tokens[index].content)
            return str(usual(renderer, tokens, index, options, env))

        return rendered

    parser.add_render_rule("text", text)
    for name in ("code_inline", "code_block", "fence"):
        parser.add_render_rule(name, code(name))
    return parser
