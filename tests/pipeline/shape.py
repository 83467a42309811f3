"""The shape of the documents that `--json` prints, key by key, as scripts rely on it."""

from __future__ import annotations

from typing import Any

Number = (int, float)
MaybeText = (str, type(None))
MaybeNumber = (int, float, type(None))

STATUSES = {"ok", "failed", "duplicate", "irrelevant", "late", "blocked"}
TYPES = {"official-docs", "reference", "tutorial", "blog", "forum", "paper", "code", "other", None}
VERDICTS = {
    "ok", "thin", "challenge", "login", "paywall", "soft-404", "js-shell", "binary", "truncated",
    None,
}  # fmt: skip
CLAIMS = {"verified", "partial", "misattributed", "unsupported", "uncited", "prose"}

SOURCE = {
    "n": int, "ref": str, "url": str, "title": str, "type": MaybeText, "published": MaybeText,
    "fetched": MaybeText, "status": str, "verdict": MaybeText, "error": MaybeText,
    "via": MaybeText, "score": MaybeNumber, "chars": int, "extraction_chars": int,
    "source_path": MaybeText, "extraction_path": MaybeText,
}  # fmt: skip
EVIDENCE = {"source": int, "start": int, "end": int}
CLAIM = {"text": str, "sources": [int], "status": str, "missing": [str], "evidence": [EVIDENCE]}
SPEND = {"usd": MaybeNumber, "input_tokens": int, "output_tokens": int}
RESEARCH = {
    "schema": int, "outcome": str, "query": str, "focus": str, "engine": str, "session": str,
    "path": str, "summary": str, "sources": [SOURCE], "claims": [CLAIM],
    "conflicts": [{
        "topic": str, "kind": str, "preferred": (int, type(None)),
        "positions": [{"statement": str, "sources": [int]}],
    }],
    "related": [{"session": str, "query": str, "timestamp": str, "why": str}],
    "usage": {**SPEND, "by_role": dict},
    "timing": {"wall_s": Number, "stages": {
        "search": Number, "fetch": Number, "extract": Number, "collate": Number, "suggest": Number,
    }},
    "warnings": [str],
    "error": (dict, type(None)),
}  # fmt: skip


def check_shape(value: Any, shape: Any, where: str = "document") -> None:
    """Every key of `shape` is in `value` with a value of its kind; more keys may be there."""
    if isinstance(shape, dict):
        assert isinstance(value, dict), where
        assert shape.keys() <= value.keys(), f"{where} lacks {shape.keys() - value.keys()}"
        for key, inner in shape.items():
            check_shape(value[key], inner, f"{where}.{key}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for i, item in enumerate(value):
            check_shape(item, shape[0], f"{where}[{i}]")
    else:
        assert isinstance(value, shape), f"{where} is {value!r}"
        assert not isinstance(value, bool), where


def check_research(document: Any) -> None:
    """A `research --json` document with the words that its fields may hold."""
    check_shape(document, RESEARCH)
    assert document["schema"] == 1
    for role, spend in document["usage"]["by_role"].items():
        check_shape(spend, {"calls": int, **SPEND}, role)
    for source in document["sources"]:
        assert source["status"] in STATUSES
        assert source["verdict"] in VERDICTS
        assert source["type"] in TYPES
    assert {claim["status"] for claim in document["claims"]} <= CLAIMS
