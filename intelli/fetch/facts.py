"""What the judgement of a page looks at: its words by sentence, its markup without them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from intelli.net.client import Response
from intelli.text.document import Document

_BODY_LIMIT = 400_000
_MACHINE = re.compile(r"<script\b.*?(?:</script\s*>|\Z)|<[a-z/!][^<>]*>", re.S)
_QUOTED = re.compile(r"“[^”\n]{0,300}”|„[^“”\n]{0,300}[“”]|«[^»\n]{0,300}»|\"[^\"\n]{12,300}\"")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n")
_TITLE_PARTS = re.compile(r"\s+[|·•–—:»-]\s+|\s*[|·•»—]\s*|:\s+")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.M)
_WORD = re.compile(r"[^\W_]+")
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FURNITURE = re.compile(
    r"©|all rights reserved|registered in|(?:ray|request|reference|incident|support|block) id"
    r"|terms of (?:use|service)|privacy policy|powered by"
)
MIN_WORDS = 5
"""Words from which on a sentence says something; labels and buttons have fewer."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Texts are in lower case. `machine` is tags and scripts of the raw body without the text
    between them, so that an article quoting a marker does not carry it; `said` is the visible
    text outside the navigation, a line for each block."""

    status: int
    headers: dict[str, str]
    url: str
    title: str
    text: str
    said: str
    visible_chars: float
    machine: str
    tail: str
    open_parts: int
    """Divisions that begin and do not end; 0 for a body too long to be counted."""
    signals: dict[str, float]

    @property
    def has_code(self) -> bool:
        return self.signals.get("code_blocks", 0) > 0 or "```" in self.text

    @property
    def prose_chars(self) -> float:
        """Visible characters outside links: navigation says nothing of what a page is."""
        return self.visible_chars - self.signals.get("link_chars", 0)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What the page says in its own voice: whatever it quotes is left out."""
        return sentences(self.said)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The title, its parts and the headings: where a page says what it is."""
        parts = _TITLE_PARTS.split(self.title)
        headings = [line.strip("*_ ") for line in _HEADING.findall(self.text)]
        return tuple(filter(None, (self.title, *parts, *headings[:3])))

    def matched(self, *patterns: re.Pattern[str]) -> tuple[str, ...]:
        """The sentences that one of the patterns is found in."""
        return tuple(s for s in self.sentences if any(p.search(s) for p in patterns))

    def share(self, pattern: re.Pattern[str], ignored: re.Pattern[str]) -> float:
        """How much of what the page says in whole sentences, less the `ignored` ones, the pattern
        is found in."""
        said = [s for s in self.sentences if _says(s) and not ignored.search(s)]
        found = sum(len(sentence) for sentence in said if pattern.search(sentence))
        return found / max(1, sum(map(len, said)))

    def rest(self, *patterns: re.Pattern[str]) -> int:
        """Characters of the sentences that say something else; headings and labels are none."""
        return sum(
            len(sentence)
            for sentence in self.sentences
            if _says(sentence) and not any(p.search(sentence) for p in (*patterns, _FURNITURE))
        )


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, without what they quote."""
    spoken = _QUOTED.sub(" ", text.replace("’", "'"))
    return tuple(filter(None, (part.strip() for part in _SENTENCE.split(spoken))))


def facts_of(response: Response, document: Document) -> Facts:
    """The facts of a response whose body was read as HTML."""
    raw = response.body[:_BODY_LIMIT].decode("utf-8", "replace").lower()
    signals = document.signals
    machine = _MACHINE.findall(raw)
    opened = sum(mark.startswith("<div") - mark.startswith("</div") for mark in machine)
    said = str(signals.get("said", document.text[:4000])).lower()
    numbers = {k: float(v) for k, v in signals.items() if isinstance(v, int | float)}
    title = str(signals.get("doc_title") or document.title).lower().replace("’", "'")
    return Facts(
        status=response.status,
        headers={name: value.lower() for name, value in response.headers.items()},
        url=response.url.lower(),
        title=" ".join(title.split()),
        text=document.text.lower().strip(),
        said=said,
        visible_chars=numbers.get("visible_chars", len(said)),
        machine="".join(machine),
        tail=response.body[-200:].decode("utf-8", "replace").rstrip(),
        open_parts=opened if len(response.body) <= _BODY_LIMIT else 0,
        signals=numbers,
    )


def _says(sentence: str) -> bool:
    return len(_WORD.findall(_IDEOGRAPH.sub(" ", sentence))) >= MIN_WORDS or (
        len(_IDEOGRAPH.findall(sentence)) >= 2 * MIN_WORDS
    )
