"""Which sessions a rule removes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from intelli.store import Store
from intelli.store.pruning import Rules, outdated, size_of
from tests.world.sessions import write_session


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three sessions of three days, the newest with the longest source."""
    for day, size in (("2026-01-01", 1000), ("2026-02-01", 2000), ("2026-03-01", 4000)):
        write_session(tmp_path, f"question of {day}", {"http://a.test/": "x" * size}, day=day)
    return Store(tmp_path)


def days(store: Store, rules: Rules) -> list[str]:
    return [s.timestamp[:10] for s, _ in outdated(store.sessions(), rules, store.cache_dir)]


def test_without_a_rule_nothing_goes(store: Store) -> None:
    assert days(store, Rules()) == []


def test_what_is_older_goes_the_oldest_first(store: Store) -> None:
    rules = Rules(before=datetime(2026, 2, 15, tzinfo=UTC))
    assert days(store, rules) == ["2026-01-01", "2026-02-01"]


def test_the_newest_stay(store: Store) -> None:
    assert days(store, Rules(keep=1)) == ["2026-01-01", "2026-02-01"]
    assert len(days(store, Rules(keep=0))) == 3
    assert days(store, Rules(keep=3)) == []


def test_the_oldest_go_until_the_rest_fits(store: Store) -> None:
    total = sum(size_of(store.cache_dir / s.name) for s in store.sessions())
    assert days(store, Rules(max_bytes=total)) == []
    assert days(store, Rules(max_bytes=total - 1)) == ["2026-01-01"]
    assert len(days(store, Rules(max_bytes=100))) == 3
    assert days(store, Rules(max_bytes=10**9)) == []


def test_a_session_that_one_rule_names_goes(store: Store) -> None:
    rules = Rules(keep=2, before=datetime(2026, 2, 15, tzinfo=UTC))
    assert days(store, rules) == ["2026-01-01", "2026-02-01"]


def test_links_count_as_nothing(store: Store, tmp_path: Path) -> None:
    big = tmp_path.parent / "big"
    big.write_bytes(b"x" * 100_000)
    newest = store.open("latest").path
    (newest / "link.md").symlink_to(big)
    assert days(store, Rules(max_bytes=50_000)) == []
