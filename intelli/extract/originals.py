"""Which pages of a run are one text: a mirrored page is paid for once."""

from __future__ import annotations

from collections import defaultdict

from intelli.records import Page, record
from intelli.text.likeness import Print, is_copy, print_of


@record
class Twin:
    """The number of the source that came first, and how much alike they are."""

    n: int
    likeness: str


class Originals:
    """The pages of a run by what they say, each under the number of its source."""

    def __init__(self) -> None:
        self._digests: dict[str, int] = {}
        self._prints: dict[int, Print] = {}
        self._copies: defaultdict[int, set[int]] = defaultdict(set)

    def twin(self, n: int, page: Page) -> Twin | None:
        """The page that came first with the text of page `n`; None when that is page `n` itself.

        It looks and takes note in one step: of two pages that come together only one is new.
        """
        found = self._same(n, page) or self._alike(n, page)
        if found:
            self._copies[found.n].add(n)
        elif page.digest:
            self._digests[page.digest] = n
        return found

    def _same(self, n: int, page: Page) -> Twin | None:
        first = self._digests.get(page.digest, n)
        return Twin(n=first, likeness="the same text") if first != n else None

    def _alike(self, n: int, page: Page) -> Twin | None:
        made = print_of(page.text)
        for first, other in self._prints.items():
            if first != n and is_copy(made, other):
                return Twin(n=first, likeness="nearly the same text")
        self._prints[n] = made
        return None

    def forget(self, n: int) -> None:
        """Let another page with the text of page `n` take its place."""
        self._digests = {digest: m for digest, m in self._digests.items() if m != n}
        self._prints.pop(n, None)

    def remarks(self) -> list[str]:
        """One line for each text that several pages have: they are one witness, not several."""
        return [_remark([first, *sorted(found)]) for first, found in sorted(self._copies.items())]


def _remark(numbers: list[int]) -> str:
    listed = f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
    return f"sources {listed} have one text: {len(numbers)} sources, 1 origin"
