"""Recorded answers of services, where they lie beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.search.backends.asking import Canned, ask, links, refusal


@pytest.mark.parametrize(
    ("name", "file", "count"),
    [
        ("arxiv", "arxiv/search_testing_10.xml", 10),
        ("arxiv", "arxiv/id_single.xml", 1),
        ("arxiv", "arxiv/id_two.xml", 1),
        ("arxiv", "arxiv/id_old_style.xml", 1),
        ("arxiv", "arxiv/id_empty_feed.xml", 0),
        ("semanticscholar", "semanticscholar/search_paper_0.json", None),
        ("hn", "hackernews/synthetic_search_story.json", None),
        ("hn", "hackernews/synthetic_search_comment.json", None),
        ("stackexchange", "stackexchange/synthetic_search_advanced.json", None),
        ("stackexchange", "stackexchange/synthetic_backoff.json", 0),
        ("wikipedia", "wikipedia/synthetic_query_search.json", None),
        ("github", "github/synthetic_search_repositories.json", None),
        ("grep", "grep_app/synthetic_mcp_search.sse", 2),
        ("grep", "grep_app/synthetic_mcp_no_results.sse", 0),
        ("sourcegraph", "sourcegraph/synthetic_stream.sse", 1),
        ("sourcegraph", "sourcegraph/synthetic_stream_chunk_matches.sse", 1),
    ],
)
def test_recorded_results_are_read(name: str, file: str, count: int | None, fixtures: Path) -> None:
    found = links(name, (fixtures / file).read_bytes())
    assert found or count == 0
    assert count is None or len(found) == count
    assert all(link.url.startswith("http") and link.title for link in found)


@pytest.mark.parametrize(
    ("name", "file", "status", "code"),
    [
        ("arxiv", "arxiv/id_bad_400.xml", 400, "bad-query"),
        ("semanticscholar", "semanticscholar/synthetic_error_429.json", 429, "rate-limit"),
        ("semanticscholar", "semanticscholar/not_found_0.json", 404, "http-404"),
        ("stackexchange", "stackexchange/synthetic_error_throttle_400.json", 400, "rate-limit"),
        ("wikipedia", "wikipedia/synthetic_error_maxlag.json", 200, "maxlag"),
        ("github", "github/synthetic_error_403_rate.json", 403, "rate-limit"),
        ("github", "github/synthetic_error_401_code_search.json", 401, "http-401"),
        ("grep", "grep_app/synthetic_mcp_bad_args.sse", 200, "rpc-error"),
        ("grep", "grep_app/synthetic_rest_blocked_429.html", 429, "challenge"),
        ("sourcegraph", "sourcegraph/synthetic_stream_alert.sse", 200, "bad-query"),
        ("sourcegraph", "sourcegraph/synthetic_stream_error.sse", 200, "refused"),
    ],
)
def test_recorded_refusals_are_told_apart(
    name: str, file: str, status: int, code: str, fixtures: Path
) -> None:
    service = Canned((fixtures / file).read_bytes(), status=status)
    assert refusal(name, service).code == code


def test_recorded_private_code_is_withheld(fixtures: Path) -> None:
    body = (fixtures / "github" / "synthetic_search_code.json").read_bytes()
    answer = ask("github", Canned(body), "drain path:src", environ={"GITHUB_TOKEN": "t"})
    assert all("/blob/" in link.url for link in answer.links)
