"""The committed example is what the program writes today, and its claims hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from intelli.collate.verify import verify
from intelli.store import Store, StoredSession, load_research
from tests.data.write_example import write

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / ".search.example"


@pytest.fixture(scope="module")
def example() -> StoredSession:
    store = Store(EXAMPLE)
    (only,) = store.sessions()
    return store.open(only.name)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("example")
    write(folder / "search", folder / "place")
    (session,) = (path for path in (folder / "search").iterdir() if path.is_dir())
    return session


def test_its_claims_hold_today(example: StoredSession) -> None:
    research = load_research(example)
    assert research.report.claims
    assert verify(research.report.summary, example.texts()) == research.report.claims
    assert not [c for c in research.report.claims if c.status in ("partial", "unsupported")]


def test_its_evidence_stands_where_it_says(example: StoredSession) -> None:
    texts = example.texts()
    places = [e for claim in load_research(example).report.claims for e in claim.evidence]
    assert places
    assert all(0 <= e.start < e.end <= len(texts[e.source]) for e in places)


def test_it_has_the_files_that_a_run_writes(example: StoredSession, fresh: Path) -> None:
    assert _kinds(example.path) == _kinds(fresh)


@pytest.mark.parametrize("name", ["meta.json", "evidence.json"])
def test_its_documents_have_the_keys_that_a_run_writes(
    example: StoredSession, fresh: Path, name: str
) -> None:
    ours, today = (json.loads((path / name).read_text()) for path in (example.path, fresh))
    assert _shape(ours) == _shape(today)


def test_its_source_files_have_the_header_that_a_run_writes(
    example: StoredSession, fresh: Path
) -> None:
    for folder in ("sources", "extractions"):
        ours, today = (_header(path / folder) for path in (example.path, fresh))
        assert ours == today


def test_the_index_lists_it(example: StoredSession) -> None:
    index = json.loads((EXAMPLE / ".index.json").read_text())
    assert [entry["slug"] for entry in index["searches"]] == [example.name]


def _kinds(session: Path) -> set[str]:
    """Names at the top, and the folders of numbered files."""
    return {path.name for path in session.iterdir()}


def _shape(value: Any) -> Any:
    """Keys and the shape of what is below them; of a list, the union of its items' keys."""
    if isinstance(value, dict):
        return {key: _shape(inner) for key, inner in value.items() if key not in OPEN}
    if isinstance(value, list):
        return sorted({key for item in value if isinstance(item, dict) for key in item})
    return None


OPEN = {"by_role", "stages"}
"""Objects whose keys depend on the run."""


def _header(folder: Path) -> list[str]:
    first = sorted(folder.iterdir())[0].read_text(encoding="utf-8")
    head = first.partition("\n---\n")[0].splitlines()
    return [line.partition(":")[0] for line in head[1:]]
