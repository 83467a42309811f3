"""Short claims against sentences that say the opposite in other words."""

from __future__ import annotations

import pytest

from intelli.collate.verify import verify

PAGE = (
    "The Orrin gauge, as of now, does not support IPv6 in its small relay. Its lamp"
    " is blue when the relay supports TLS, and cannot be seen otherwise."
)


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        ("It supports IPv6", "partial"),
        ("IPv6 is supported by it", "verified"),
        ("It does not support IPv6", "verified"),
        ("It supports TLS", "verified"),
        ("It does not support TLS", "partial"),
    ],
)
def test_a_claim_that_every_sentence_with_its_words_denies_is_flagged(
    claim: str, status: str
) -> None:
    (found,) = verify(f"{claim} [1].", {1: PAGE})
    assert found.status == status


def test_one_source_that_says_it_is_enough() -> None:
    (claim,) = verify("It supports IPv6 [1][2].", {1: PAGE, 2: "The gauge supports IPv6."})
    assert claim.status == "verified"
