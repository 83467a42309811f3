"""robots.txt: which paths a site wants no program to read (RFC 9309)."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from urllib.parse import quote, urlsplit

from intelli.errors import FetchError
from intelli.net.messages import Response

MAX_BYTES = 512_000
"""Of a file that are read; crawlers must read 500 KiB at least."""
PATIENCE = 5.0
"""Seconds for one file, in all."""
AGENT = "intelli"
_LINE = re.compile(r"[ \t]*([A-Za-z-]{1,20})[ \t]*:[ \t]*([^#\r\n]{0,2000})")
_SAFE = "!$%&'()*+,-./:;=?@[]_~|"

Rule = tuple[bool, str]
"""Whether what matches may be read, and the pattern."""


class Rules:
    """The rules of one file that are meant for us: the longest pattern that matches decides, and
    of two equally long ones the one that allows."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        # Sorted so that the first match decides.
        self._rules = sorted(rules, key=lambda rule: (-len(rule[1]), not rule[0]))

    def allow(self, url: str) -> bool:
        parts = urlsplit(url)
        target = _normal((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))
        for is_allowed, pattern in self._rules:
            if matches(pattern, target):
                return is_allowed
        return True


EVERYTHING = Rules(())
NOTHING = Rules(((False, "/"),))


def parse(text: str, agent: str = AGENT) -> Rules:
    """The rules for `agent`: of all groups that name it, else of those that name `*`."""
    ours: list[Rule] = []
    everyone: list[Rule] = []
    is_named = False
    for names, rules in _groups(text):
        if agent in names:
            is_named = True
            ours += rules
        if "*" in names:
            everyone += rules
    return Rules(ours if is_named else everyone)


def matches(pattern: str, target: str) -> bool:
    """Whether `target` begins with `pattern`, in which `*` stands for anything and a last `$` for
    the end. Each piece is looked for once, so the time is that of a search."""
    is_anchored = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not target.startswith(first):
        return False
    position = len(first)
    if not others:
        return not is_anchored or position == len(target)
    *middle, last = others
    for piece in middle:
        found = target.find(piece, position)
        if found < 0:
            return False
        position = found + len(piece)
    if is_anchored:
        return target.endswith(last) and len(target) - len(last) >= position
    return target.find(last, position) >= 0


class Robots:
    """The files of a run's sites, each read once. `read` fetches an address like a page."""

    def __init__(self, read: Callable[[str, float], Awaitable[Response]]) -> None:
        self._read = read
        self._rules: dict[str, Rules] = {}
        self._reading: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def check(self, url: str) -> None:
        """Raises FetchError `robots` for a page that its site does not want to be read."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        async with self._reading[site]:
            if site not in self._rules:
                self._rules[site] = await self._load(f"{site}/robots.txt")
        if not self._rules[site].allow(url):
            raise FetchError(
                f"the robots.txt of {parts.netloc} asks not to read this page",
                code="robots",
                hint="`fetch.robots = false` reads it all the same",
            )

    async def _load(self, url: str) -> Rules:
        """A file that is not there allows everything, one that cannot be had nothing."""
        try:
            response = await self._read(url, PATIENCE)
        except FetchError as error:
            if error.code in ("private-address", "bad-url", "too-many-redirects"):
                return EVERYTHING
            return NOTHING
        if response.status >= 500 or response.status == 429:
            return NOTHING
        if response.status != 200:
            return EVERYTHING
        return parse(response.body[:MAX_BYTES].decode("utf-8-sig", "replace"))


def _groups(text: str) -> Iterator[tuple[set[str], Sequence[Rule]]]:
    """(names in lower case, rules) of each group; lines that are neither end no group."""
    names: set[str] = set()
    rules: list[Rule] = []
    for line in text.splitlines():
        match = _LINE.match(line)
        field, value = (match[1].lower(), match[2].strip()) if match else ("", "")
        if field == "user-agent":
            if rules:
                yield names, rules
                names, rules = set(), []
            names.add(re.split(r"[^a-z_-]", value.lower(), maxsplit=1)[0] if value != "*" else "*")
        elif field in ("allow", "disallow") and names:
            if value:
                rules.append((field == "allow", _normal(value)))
            elif not rules:  # "Disallow:" allows everything, and ends the list of names
                rules.append((True, "/"))
    if names:
        yield names, rules


def _normal(path: str) -> str:
    """Escapes spelt one way (RFC 9309, 2.2.2)."""
    return re.sub(r"%[0-9a-fA-F]{2}", lambda match: match[0].upper(), quote(path, safe=_SAFE))
