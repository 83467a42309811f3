"""Addresses in lists of sources and in other text that claims nothing: only real ones pass."""

from __future__ import annotations

import pytest

from intelli.collate.verify import verify

MANUAL = """# Tide gauge manual

> Source: https://gauge.example/manual

---

The gauge reports every 90 seconds.
"""
LISTED = """The gauge reports every 90 seconds. [1]

## Sources

1. [Manual](https://gauge.example/manual/)
2. https://gauge.example/manual#reports
3. https://gauge.example/made-up

[1]: https://nowhere.example/a
"""


def test_listed_addresses_that_are_no_source_are_unsupported() -> None:
    claims = verify(LISTED, {1: MANUAL})
    assert [claim.status for claim in claims] == ["verified", "unsupported", "unsupported"]
    assert [claim.item for claim in claims] == [1, 2, 3]
    for claim in claims[1:]:
        assert claim.missing == (claim.text,) == (LISTED[claim.start : claim.end],)
    assert [claim.text.rpartition("/")[2] for claim in claims[1:]] == ["made-up", "a"]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("https://gauge.example/manual#section-2", "verified"),
        ("http://www.gauge.example/manual/", "verified"),
        ("https://gauge.example/caf%C3%A9_(bar)", "verified"),
        ("https://gauge.example/café_(bar)", "verified"),
        ("https://gauge.example/manual2", "unsupported"),
        ("https://gauge.example/manual?x=1", "unsupported"),
    ],
)
def test_an_address_is_the_same_page_in_another_form(address: str, status: str) -> None:
    pages = {
        1: f"{MANUAL}\nSee https://gauge.example/caf%C3%A9_(bar) and <https://gauge.example/x>."
    }
    (claim,) = verify(f"More is at {address} [1].", pages)
    assert claim.status == status
