"""Whether mirrored pages are told from other versions of a page, and what the look costs.

    python bench/copies.py [DIRECTORY]

DIRECTORY (default: `../shared/bench/qa` beside the project) is that of `bench/qa.py`. Of each page
of over 4,000 characters a mirror is made (other furniture around it, its links rewritten, its
blank lines doubled) and a version for one figure in the middle of each fifth of its text (that
figure counted up by one).
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from qa import DEFAULT, rows

from intelli.text.likeness import Print, is_copy, print_of

SHORTEST = 4_000
PARTS = 5
FIGURE = re.compile(r"(?<![\w.,])\d{1,6}(?![\w.,]*\d)")
HEAD = (
    "[Home](/) [Docs](/docs) [About](/about)\n\nA mirror of pages that many people read often.\n\n"
)
FOOT = "\n\nThe people who keep this mirror thank all those who pay for the electricity of it."


def main() -> int:
    """Prints the shares found and the time a page takes; 2 when the data is missing."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    if not (directory / "pages.jsonl").is_file():
        print(f"no data: {directory} has no pages.jsonl; give its directory as argument")
        return 2
    texts = [row["text"] for row in rows(directory / "pages.jsonl")]
    texts = [text for text in texts if len(text) >= SHORTEST]
    began = time.process_time()
    prints = [print_of(text) for text in texts]
    each = (time.process_time() - began) * 1000 / len(texts)
    mirrors = [is_copy(made, print_of(_mirror(t))) for made, t in zip(prints, texts, strict=True)]
    versions = list(_versions(texts, prints))
    others = [is_copy(one, other) for one, other in combinations(prints, 2)]
    print(f"mirrors called copies    {sum(mirrors)} of {len(mirrors)}")
    print(f"versions called copies   {sum(versions)} of {len(versions)}")
    print(f"other pages called so    {sum(others)} of {len(others)}")
    print(
        f"CPU {each:.1f} ms a page, {sum(map(len, texts)) / len(texts):,.0f} characters on average"
    )
    return 0


def _mirror(text: str) -> str:
    linked = re.sub(r"\]\(https?://[^/)]*", "](https://mirror.example", text)
    return HEAD + linked.replace("\n\n", "\n\n\n") + FOOT


def _versions(texts: list[str], prints: list[Print]) -> Iterator[bool]:
    for text, made in zip(texts, prints, strict=True):
        size = len(text) // PARTS
        for part in range(PARTS):
            found = FIGURE.search(text, part * size + size // 2, (part + 1) * size)
            if found:
                changed = f"{text[: found.start()]}{int(found[0]) + 1}{text[found.end() :]}"
                yield is_copy(made, print_of(changed))


if __name__ == "__main__":
    sys.exit(main())
