"""Sourcegraph: its stream, broken anywhere, and the addresses of files."""

from __future__ import annotations

from typing import Any

import pytest

from intelli.records import Query
from intelli.search.refusals import RefusedError
from tests.unit.search.backends.asking import Canned, ask, asked, filled, refusal
from tests.world.search_code import event

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DONE = event("done", {})


def match(**fields: Any) -> dict[str, Any]:
    lines = [{"line": "def drain(self):", "lineNumber": 26, "offsetAndLengths": [[4, 5]]}]
    usual = {
        "type": "content",
        "repository": "github.com/acme/pumps",
        "path": "src/drain.py",
        "commit": COMMIT,
        "lineMatches": lines,
    }
    return usual | fields


def found(*matches: Any) -> bytes:
    return event("matches", list(matches))


def test_both_forms_of_matches_lead_to_a_line() -> None:
    chunk = {"content": "drain()\n  b", "contentStart": {"line": 8}, "ranges": []}
    second = match(path="b c.py", lineMatches=None, chunkMatches=[chunk], repoStars=9)
    one, two = ask("sourcegraph", Canned(found(match(), second) + DONE)).links
    assert one.url == f"https://github.com/acme/pumps/blob/{COMMIT}/src/drain.py#L27"
    assert (one.title, one.snippet) == ("acme/pumps: src/drain.py", "line 27: def drain(self):")
    assert two.url.endswith("/b%20c.py#L9")
    assert (two.snippet, two.points) == ("line 9: drain()\n  b", 9)


@pytest.mark.parametrize(
    ("fields", "start"),
    [
        ({"repository": "gitlab.com/a/b"}, f"https://gitlab.com/a/b/-/blob/{COMMIT}/"),
        ({"commit": None}, "https://github.com/acme/pumps/blob/HEAD/"),
        ({"commit": "../../x"}, "https://github.com/acme/pumps/blob/HEAD/"),
        ({"repository": "npm/left-pad"}, "http://127.0.0.1:"),
    ],
)
def test_files_are_read_where_their_host_shows_them(fields: dict[str, Any], start: str) -> None:
    (link,) = ask("sourcegraph", Canned(found(match(**fields)) + DONE)).links
    assert link.url.startswith(start)


def test_other_kinds_of_match_and_odd_ones_are_passed_over() -> None:
    path = match(type="path", lineMatches=None)
    odd = [{"type": "repo"}, match(type="symbol"), match(path=None), None, 7, match(path=7)]
    (link,) = ask("sourcegraph", Canned(found(*odd, path) + DONE)).links
    assert link.snippet == ""
    assert "#" not in link.url


def test_the_reply_ends_with_done_though_the_connection_stays_open() -> None:
    service = Canned(pieces=[found(match()), event("progress", {"done": True}), DONE])
    assert len(ask("sourcegraph", service).links) == 1


def test_the_reply_ends_with_enough_files() -> None:
    many = [match(path=f"{n}.py") for n in range(90)]
    service = Canned(pieces=[found(*many)])
    assert len(ask("sourcegraph", service, Query(text="drain", urls=3)).links) == 6


def test_pieces_may_end_inside_of_a_character() -> None:
    body = found(match(path="söurce/🚰.py")) + DONE
    for size in (1, 3):
        pieces = [body[n : n + size] for n in range(0, len(body), size)]
        (link,) = ask("sourcegraph", Canned(pieces=pieces)).links
        assert link.title == "acme/pumps: söurce/🚰.py"


def test_what_came_before_the_break_counts() -> None:
    body = found(match())
    assert len(ask("sourcegraph", Canned(body + body[:40])).links) == 1
    assert refusal("sourcegraph", Canned(body[:40])).code == "bad-answer"
    assert refusal("sourcegraph", Canned(event("progress", {"done": False}))).code == "bad-answer"


def test_advice_is_no_error_but_a_query_that_cannot_be_read_is() -> None:
    advice = event("alert", {"title": "Too many repositories", "description": "narrow it"})
    assert len(ask("sourcegraph", Canned(advice + found(match()) + DONE)).links) == 1
    assert ask("sourcegraph", Canned(advice + DONE)).links == ()
    fatal = event("alert", {"title": "Unable To Process Query", "description": "bad regexp"})
    error = refusal("sourcegraph", Canned(fatal + DONE))
    assert (error.code, error.retryable) == ("bad-query", False)
    assert "bad regexp" in error.message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"message": "context deadline exceeded"}', "refused"),
        (b'{"message": "rate limit exceeded"}', "rate-limit"),
        (b"not json at all", "refused"),
    ],
)
def test_errors_in_the_stream_are_errors(data: bytes, code: str) -> None:
    error = refusal("sourcegraph", Canned(b"event: error\ndata: " + data + b"\n\n" + DONE))
    assert isinstance(error, RefusedError)
    assert error.code == code


@pytest.mark.parametrize(
    ("question", "end"),
    [
        ("how does a pump drain", "type:file count:20 timeout:20s pump drain"),
        ("drain_queue( lang:go -repo:a/b", 'timeout:20s "drain_queue("'),
        ('where is `say("x\\n")` count:5 type:path', 'timeout:20s "say(\\"x\\\\n\\")"'),
    ],
)
def test_filters_stand_and_code_is_a_phrase(question: str, end: str) -> None:
    service = filled("sourcegraph")
    ask("sourcegraph", service, question)
    sent = asked(service)[0].query["q"]
    assert sent.endswith(end)
    for part in question.split():
        if part.partition(":")[0].lstrip("-") in ("lang", "repo", "count", "type"):
            assert part in sent.split()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"<!DOCTYPE html><title>Just a moment...</title>", "challenge"),
        (b"<!DOCTYPE html><p>Welcome</p>", "bad-answer"),
        (b'{"error": {"message": "The rate limit of this address is reached"}}', "rate-limit"),
        (b"", "bad-answer"),
    ],
)
def test_what_is_no_stream_at_all_is_named(body: bytes, code: str) -> None:
    assert refusal("sourcegraph", Canned(body)).code == code


def test_code_that_speaks_of_limits_is_none_where_the_stream_breaks_off() -> None:
    spoken = event("progress", {"done": False}) + b"event: matches\ndata: [{rate limit exceeded"
    assert refusal("sourcegraph", Canned(spoken)).code == "bad-answer"
