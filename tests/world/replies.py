"""What the model of the world knows: how to answer each role from nothing but the prompt."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_DATA = re.compile(r"<<<BEGIN (?P<mark>[A-Z]+(?: \d+)? \w+) \(.*?<<<END (?P=mark)>>>", re.DOTALL)
_NUMBER = re.compile(r"\[(\d{1,3})\]|\bsource[ _:#-]*(\d{1,3})\b", re.I)


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to the model: which role, what it was told, and the body as it came."""

    role: str
    system: str
    user: str
    body: dict[str, object]

    @property
    def text(self) -> str:
        return f"{self.system}\n{self.user}"

    @property
    def orders(self) -> str:
        """All of it that is not inside a block of data, which ends at its own marker only."""
        return _DATA.sub("", self.text)


@dataclass(slots=True)
class Knowledge:
    """The paragraphs of the world's pages, and the links its search answers with."""

    facts: list[str] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    """(URL, title) in rank order."""

    def search(self, ask: Ask) -> str:
        del ask
        lines = [f"- [{title}]({url})" for url, title in self.links]
        return "These pages answer the question.\n\n" + "\n".join(lines)

    def extract(self, ask: Ask) -> str:
        """Every known paragraph of the page, word for word; without one there is nothing."""
        found = self._found(ask.user)
        if not found:
            return "NOTHING RELEVANT"
        return "Source type: official-docs · current\n\n" + "\n\n".join(f for _, f in found)

    def collate(self, ask: Ask) -> str:
        """A sentence for every known paragraph, marked with the number of its source."""
        lines = [f"{fact} [{n}]" for n, fact in self.numbered(ask.user)]
        summary = "\n\n".join(lines) or "The sources say nothing about it."
        parts = ["## Summary", summary, "## Conflicts", "None.", "## Source assessment", "Current."]
        return "\n\n".join(parts) + "\n"

    def numbered(self, text: str) -> list[tuple[int, str]]:
        """The known paragraphs in `text`, each with the source number that stands before it."""
        text = " ".join(text.split())
        marks = [(m.end(), int(m[1] or m[2])) for m in _NUMBER.finditer(text)]
        out = []
        for place, fact in self._found(text):
            before = [n for end, n in marks if end <= place]
            out.append((before[-1] if before else 1, fact))
        return out

    def suggest(self, ask: Ask) -> str:
        del ask
        return json.dumps([{"index": 1, "relevance": "asks about the same parts"}])

    def judge(self, ask: Ask) -> str:
        del ask
        return "[]"

    def _found(self, text: str) -> list[tuple[int, str]]:
        flat = " ".join(text.split())
        places = ((flat.find(" ".join(fact.split())), fact) for fact in self.facts)
        return sorted((place, fact) for place, fact in places if place >= 0)
