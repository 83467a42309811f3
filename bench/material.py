"""What the measured runs read: prose that differs on every page. Import it before the tests."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

QUERY = "how does the night watch of the harbour crane schedule its lifts"

_SUBJECTS = ("The night watch", "A crane driver", "The lift planner", "The harbour office")
_VERBS = ("schedules", "postpones", "records", "divides", "checks")
_OBJECTS = ("the heavy lifts", "the waiting ships", "the spare hoist", "the tide table")
_ENDS = (
    "before the shift begins",
    "whenever the wind drops below the limit",
    "as soon as the quay is clear",
    "unless the foreman objects",
)


def fact(page: int, n: int) -> str:
    """One sentence that stands on one page only."""
    return (
        f"{_SUBJECTS[(page + n) % 4]} {_VERBS[(page * 3 + n) % 5]} {_OBJECTS[(page + n * 7) % 4]}"
        f" of berth {page} after {n + 2} hours and {page * 5 + n} lifts,"
        f" {_ENDS[(page * 2 + n) % 4]}."
    )


def paragraphs(page: int, count: int) -> list[str]:
    """`count` paragraphs of four sentences each."""
    return [" ".join(fact(page, 4 * n + k) for k in range(4)) for n in range(count)]
