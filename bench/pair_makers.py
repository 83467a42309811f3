"""Makes pairs whose better half is known: one failure each, on either side of a good pair."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from intelli.fetch.score import Reading

Spoil = Callable[[str, random.Random], str]
"""A good reading's text to a worse one; the same text when there is nothing to spoil."""

_FENCED = re.compile(r"^```.*?^```[ \t]*$", re.M | re.S)
_TABLE = re.compile(r"(?:^\|[^\n]*\n?){3,}", re.M)
_CHROME = ("Skip to content", "Copy page", "On this page", "Was this page helpful?", "Back to top",
           "Edit this page", "Previous page", "Next page", "Sign in")  # fmt: skip


def _blocks(text: str) -> list[str]:
    return re.split(r"\n{2,}", text)


def _cut(text: str, chance: random.Random) -> str:
    blocks = _blocks(text)
    return "\n\n".join(blocks[: max(1, int(len(blocks) * chance.uniform(0.3, 0.7)))])


def _without_code(text: str, chance: random.Random) -> str:
    del chance
    return _FENCED.sub("", text) if len(_FENCED.findall(text)) else text


def _without_a_tab(text: str, chance: random.Random) -> str:
    found = [match.span() for match in _FENCED.finditer(text)]
    if len(found) < 2:
        return text
    for start, end in sorted(chance.sample(found, (len(found) + 1) // 2), reverse=True):
        text = text[:start] + text[end:]
    return text


def _without_tables(text: str, chance: random.Random) -> str:
    del chance
    return _TABLE.sub("", text)


def _joined_code(text: str, chance: random.Random) -> str:
    """Code as a page shows it that lost its blocks: in the prose, every other line gone."""
    del chance
    return _FENCED.sub(lambda m: " ".join(m[0].splitlines()[1:-1][::2]), text)


def _components(text: str, chance: random.Random) -> str:
    blocks = _blocks(text)
    for n in range(0, len(blocks), 3):
        blocks[n] = f'<Section{chance.randrange(9)} data={{rows}} kind="x" />'
    return "\n\n".join(blocks)


def _directives(text: str, chance: random.Random) -> str:
    del chance
    blocks = _blocks(text)
    for n in range(1, len(blocks), 4):
        blocks[n] = "```{include} ../shared/part.md\n```"
    return "\n\n".join(blocks)


def _raw_tables(text: str, chance: random.Random) -> str:
    del chance

    def raw(match: re.Match[str]) -> str:
        rows = (line.strip("| ").split("|") for line in match[0].splitlines())
        cells = ("".join(f"<td>{cell.strip()}</td>" for cell in row) for row in rows)
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table>\n"

    return _TABLE.sub(raw, text)


def _twice(text: str, chance: random.Random) -> str:
    del chance
    blocks = _blocks(text)
    half = blocks[: max(1, len(blocks) // 2)]
    return "\n\n".join([*half, *blocks])


def _furnished(text: str, chance: random.Random) -> str:
    parts = chance.sample(_CHROME, 5)
    return "\n\n".join([*parts[:3], text, *parts[3:]])


def _navigated(text: str, chance: random.Random) -> str:
    links = [f"- [Section {chance.randrange(99)} of part {n}](/part/{n})" for n in range(60)]
    return "\n".join([*_CHROME[:3], *links]) + "\n\n" + text


WORSE_TWINS: Mapping[str, Spoil] = {
    "twin cut": _cut,
    "twin without code": _without_code,
    "twin without tabs": _without_a_tab,
    "twin without tables": _without_tables,
    "twin of components": _components,
    "twin of directives": _directives,
    "twin with raw tables": _raw_tables,
    "twin said twice": _twice,
}
WORSE_PAGES: Mapping[str, Spoil] = {
    "page cut": _cut,
    "page without code": _without_code,
    "page with code run together": _joined_code,
    "page without tables": _without_tables,
    "page said twice": _twice,
    "page with furniture": _furnished,
    "page with navigation": _navigated,
}


def made(
    good: Mapping[str, tuple[str, Reading, Reading]],
) -> Iterator[tuple[str, str, Reading, Reading, str]]:
    """(site, kind, page, twin, better) of every failure of every good pair, which are given as
    (site, page, twin) by id."""
    chance = random.Random(7)
    ids = sorted(good)
    for at, name in enumerate(ids):
        site, page, twin = good[name]
        for kind, spoil in WORSE_TWINS.items():
            text = spoil(page.text, chance)
            if text != page.text:
                yield site, kind, page, replace(twin, text=text), "html"
        for kind, spoil in WORSE_PAGES.items():
            text = spoil(twin.text, chance)
            if text != twin.text:
                yield site, kind, replace(page, text=text), twin, "markdown"
        other = good[ids[(at + 1) % len(ids)]][2]
        if other.title != twin.title:
            yield site, "twin of another page", page, other, "html"
        yield site, "twin with noise", page, replace(twin, noise=0.5), "html"
