"""Checks a text, claim by claim, against the sources its marks name; no network, no model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from intelli.collate.alignment import Alignment, align
from intelli.collate.citing import cites_another, part_differences
from intelli.collate.claims import UNKNOWN, Statement, parts, split_claims, without_marks
from intelli.collate.denial import denied
from intelli.collate.details import MAX_CLAIM, Detail, details_of
from intelli.collate.listed import unknown_addresses
from intelli.collate.locate import Span, locate
from intelli.collate.locate_names import is_spelled_out, missing_parts
from intelli.collate.rows import row_differences
from intelli.collate.sources import SourceText, source_texts
from intelli.collate.wording import Difference, differences, rearranged, replaced, turned_round
from intelli.collate.words import Words, words_of
from intelli.records import Claim, ClaimStatus, Evidence
from intelli.text.folding import fold

_ELSEWHERE = 0.9
_NOT_HERE = 0.6
_ATTRIBUTION = re.compile(
    r"(?:according to|as (?:noted|stated|described|documented|reported) (?:in|by))"
    r"\s[^,\n]{1,60},\s",
    re.IGNORECASE,
)
_QUOTES = ('"', "“", "«", "„", "`")


def verify(text: str, sources: Mapping[int, str]) -> tuple[Claim, ...]:
    """The claims of `text` in document order, each with its status.

    `sources[n]` is the whole stored file of source n; evidence offsets are code points into it.
    Every source is folded and indexed at most once, and only when a claim needs it.
    """
    texts = source_texts(sources)
    statements = split_claims(text)
    claims = [_Check(statement, texts).claim() for statement in statements]
    claims += unknown_addresses(text, statements, texts)
    return tuple(_numbered(sorted(claims, key=lambda each: each.start)))


def _numbered(claims: Iterable[Claim]) -> Iterator[Claim]:
    """The claims with their items counted from 1, in order."""
    numbers: dict[int, int] = {}
    for each in claims:
        yield replace(each, item=numbers.setdefault(each.item, len(numbers) + 1))


@dataclass(slots=True)
class _Findings:
    """What one set of sources has of a claim's details."""

    found: dict[int, tuple[int, tuple[Span, ...]]] = field(default_factory=dict)
    differing: list[Difference] = field(default_factory=list)
    verbatim: tuple[int, Alignment] | None = None
    best_share: float = 0.0


class _Check:
    """One claim against all sources."""

    def __init__(self, statement: Statement, texts: Mapping[int, SourceText]) -> None:
        self.statement = statement
        self.texts = texts
        self.details = details_of(statement)
        self.words = self._words()
        self.parts = parts(statement.text[:MAX_CLAIM])
        self.cited = [n for n in statement.marks if n in texts]
        self.invalid = [f"[{n or '?'}]" for n in statement.marks if n not in texts]
        self.others = [n for n in texts if n not in statement.marks]

    def _words(self) -> Words:
        text = without_marks(self.statement.text[:MAX_CLAIM])
        opening = _ATTRIBUTION.match(text)
        if opening:
            text = " " * opening.end() + text[opening.end() :]
        return words_of(fold(text))

    def claim(self) -> Claim:
        if not self.statement.marks:
            return self._uncited()
        if not self.cited:
            anywhere = self._search(list(self.texts))
            missing = [*self.invalid, *self._written(anywhere.found)]
            return self._made("unsupported", missing, anywhere)
        here = self._search(self.cited)
        self._add_differing(here, part_differences(self.words, self.parts, self.texts))
        if self._stands(here):
            return self._cited_well(here)
        return self._elsewhere(here) or self._flagged(here)

    def _uncited(self) -> Claim:
        found = self._search(list(self.texts))
        return self._made("uncited", self._written(found.found), found)

    def _stands(self, findings: _Findings) -> bool:
        if findings.differing or len(findings.found) < len(self.details):
            return False
        foreign = self._checkable_as_sentence() and findings.best_share < _NOT_HERE
        return not (foreign and self._verbatim_in_other())

    def _checkable_as_sentence(self) -> bool:
        return self.statement.kind != "code" and len(self.words) >= 6

    def _verbatim_in_other(self) -> bool:
        return any(
            found is not None and found.near_verbatim and found.share >= _ELSEWHERE
            for n in self.others
            if (found := align(self.words, self.texts[n].words))
        )

    def _cited_well(self, findings: _Findings) -> Claim:
        if self.invalid:
            status: ClaimStatus = "partial" if self.details or findings.verbatim else "unsupported"
            return self._made(status, self.invalid, findings)
        telling = any(not self._is_subject(detail) for detail in self.details)
        checked = telling or findings.verbatim is not None
        return self._made("verified" if checked else "prose", [], findings)

    def _is_subject(self, detail: Detail) -> bool:
        """A plain name in the title of a cited page: that the page is about it proves nothing."""
        plain = detail.kind == "identifier" and detail.needle.isalnum()
        if detail.kind != "name" and not plain:
            return False
        if self.statement.text[max(0, detail.start - 1) : detail.start] in _QUOTES:
            return False
        return any(locate(detail, self.texts[n].title) for n in self.cited)

    def _elsewhere(self, here: _Findings) -> Claim | None:
        """Misattributed: another source has it all, or something where the cited has nothing."""
        best: tuple[float, _Findings] | None = None
        reworded = bool(here.differing) and len(here.found) == len(self.details)
        for n in self.others:
            there = self._search([n])
            if there.differing:
                continue
            complete = len(there.found) == len(self.details)
            verbatim = there.verbatim is not None and there.best_share >= _ELSEWHERE
            better = verbatim or (complete and bool(self.details) and not reworded)
            if not better and (here.found or not there.found):
                continue
            score = 2.0 * better + verbatim + len(there.found) / (len(self.details) + 1)
            if best is None or score > best[0]:
                best = (score, there)
        if best is None:
            return None
        missing = [*self.invalid, *self._written(here.found)]
        return self._made("misattributed", missing, best[1])

    def _flagged(self, here: _Findings) -> Claim:
        missing = [*self.invalid, *self._written(here.found)]
        for each in here.differing:
            if not any(each.covers(written) for written in missing):
                missing.append(each.written)
        spread = self._search(self.others) if not here.found else _Findings()
        if not here.found and spread.found:
            return self._made("misattributed", missing, spread)
        stands = bool(here.found) or here.verbatim is not None
        return self._made("partial" if stands else "unsupported", missing, here)

    def _search(self, numbers: list[int]) -> _Findings:
        """Look the claim up in these sources, the one with its own wording first."""
        findings = _Findings()
        alignments = self._alignments(numbers)
        for n, alignment in alignments.items():
            findings.best_share = max(findings.best_share, alignment.share)
            best = findings.verbatim
            if alignment.near_verbatim and (best is None or alignment.share > best[1].share):
                findings.verbatim = (n, alignment)
        first = findings.verbatim[0] if findings.verbatim else None
        order = sorted(numbers, key=lambda n: n != first)
        for k, detail in enumerate(self.details):
            hit = self._locate(detail, order, alignments)
            if hit is not None:
                findings.found[k] = hit
        if findings.verbatim:
            self._compare(findings)
        else:
            for n, alignment in alignments.items():
                source = self.texts[n].words
                self._add_differing(findings, rearranged(self.words, source, alignment))
            self._add_differing(findings, self._denied(numbers))
        self._add_differing(findings, self._turned_round(numbers))
        if self.statement.kind == "row":
            texts = [self.texts[n] for n in numbers]
            self._add_differing(findings, row_differences(self.words, texts))
        return findings

    def _denied(self, numbers: list[int]) -> list[Difference]:
        if self.statement.kind == "code" or len(self.parts) > 1:
            return []
        return denied(self.words, [self.texts[n].words for n in numbers])

    def _turned_round(self, numbers: list[int]) -> list[Difference]:
        found = [turned_round(self.words, self.texts[n].words) for n in numbers]
        said = any(said for _, said in found)
        return [] if said else [each for wrong, _ in found for each in wrong]

    def _add_differing(self, findings: _Findings, differing: list[Difference]) -> None:
        findings.differing += [each for each in differing if each not in findings.differing]
        for k in list(findings.found):
            if any(each.covers(self.details[k].needle) for each in differing):
                del findings.found[k]

    def _locate(
        self, detail: Detail, order: list[int], alignments: Mapping[int, Alignment]
    ) -> tuple[int, tuple[Span, ...]] | None:
        if order and is_spelled_out(detail, self.words):
            return order[0], ()
        for n in order:
            spans = locate(detail, self.texts[n], self._near(n, alignments.get(n)))
            if spans:
                return n, spans
        return None

    def _alignments(self, numbers: list[int]) -> dict[int, Alignment]:
        if self.statement.kind == "code" or len(self.words) < 4:
            return {}
        found = {n: align(self.words, self.texts[n].words) for n in numbers}
        return {n: alignment for n, alignment in found.items() if alignment}

    def _near(self, n: int, alignment: Alignment | None) -> int:
        return self.texts[n].words.starts[alignment.first] if alignment else 0

    def _compare(self, findings: _Findings) -> None:
        assert findings.verbatim is not None
        n, alignment = findings.verbatim
        source = self.texts[n].words
        differing = differences(self.words, source, alignment)
        origin = self.words.folded.origin
        differing = [
            each
            for each in differing
            if not cites_another(self.parts, origin(each.start, each.end)[0], n, self.texts)
        ]
        others = replaced(self.words, source, alignment)
        low = source.starts[max(0, alignment.first - 1)]
        high = source.ends[min(alignment.last, len(source) - 1)]
        for k, detail in enumerate(self.details):
            if k not in findings.found:
                continue
            at, spans = findings.found[k]
            swapped = (
                detail.kind in ("code", "identifier")
                and self._touches(detail, others)
                and not (at == n and all(low <= start <= high for start, _ in spans))
            )
            if swapped and not cites_another(self.parts, detail.start, n, self.texts):
                del findings.found[k]
        self._add_differing(findings, differing)

    def _touches(self, detail: Detail, ranges: list[tuple[int, int]]) -> bool:
        """Whether a detail stands, in part at least, where the source has other words."""
        words = self.words
        for first, last in ranges:
            low, _ = words.folded.origin(*words.span(first, first))
            _, high = words.folded.origin(*words.span(last - 1, last - 1))
            if low < detail.end and detail.start < high:
                return True
        return False

    def _written(self, found: Mapping[int, object] | tuple[()]) -> list[str]:
        missing: list[str] = []
        for k, detail in enumerate(self.details):
            if k in found:
                continue
            missing += self._parts(detail)
        return list(dict.fromkeys(missing))

    def _parts(self, detail: Detail) -> list[str]:
        if detail.name is None or not self.cited:
            return [detail.text]
        parts = missing_parts(detail, [self.texts[n] for n in self.cited])
        if len(parts) == len(detail.name.parts) or not parts:
            return [detail.text]
        return [detail.needle[low:high] for low, high in parts]

    def _made(self, status: ClaimStatus, missing: list[str], findings: _Findings) -> Claim:
        evidence = []
        if findings.verbatim and not findings.found:
            n, alignment = findings.verbatim
            words = self.texts[n].words
            evidence.append(self._evidence(n, words.span(alignment.first, alignment.last - 1)))
        for n, spans in findings.found.values():
            evidence += [self._evidence(n, span) for span in spans]
        return Claim(
            text=self.statement.text, status=status, missing=tuple(missing),
            sources=tuple(n for n in self.statement.marks if n != UNKNOWN),
            evidence=tuple(dict.fromkeys(evidence)),
            start=self.statement.start, end=self.statement.end, item=self.statement.item,
        )  # fmt: skip

    def _evidence(self, n: int, span: Span) -> Evidence:
        start, end = self.texts[n].folded.origin(*span)
        return Evidence(source=n, start=start, end=end)
