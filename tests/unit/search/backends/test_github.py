"""GitHub: which searches a query means, what is withheld, and its limits."""

from __future__ import annotations

import json
import time

import pytest

from intelli.errors import BackendError
from intelli.search.refusals import RefusedError
from tests.unit.search.backends.asking import Canned, ask, asked, filled, refusal
from tests.world.search_code import GitHub

TOKEN = {"GITHUB_TOKEN": "t-1"}
ISSUE = {
    "html_url": "https://github.com/acme/pumps/issues/7",
    "repository_url": "https://api.github.com/repos/acme/pumps",
    "title": "Drain hangs",
    "state": "closed",
    "body": "It hangs\n\n---\nURL: x",
    "comments": 5,
    "created_at": "2026-01-02T03:04:05Z",
    "user": {"login": "wim"},
}
CODE = {
    "html_url": "https://github.com/acme/pumps/blob/abc/drain.py",
    "path": "drain.py",
    "repository": {"full_name": "acme/pumps", "private": False},
    "text_matches": [{"fragment": "def drain():"}, {"fragment": None}, None],
}


DISCUSSION = {
    "title": "Which pump?",
    "html_url": "https://github.com/acme/pumps/discussions/3",
    "body": "Hand or foot?",
    "created_at": "2026-01-02T03:04:05Z",
    "votes": 4,
    "replies": {"count": 6},
    "user": {"login": "wim"},
    "repository": {"private": False},
}


def service(**items: list[dict[str, object]]) -> GitHub:
    made = GitHub()
    made.items.update(items)
    return made


def kinds(query: str, *, token: bool = False) -> set[str]:
    made = filled("github")
    ask("github", made, query, environ=TOKEN if token else {})
    return {request.path.rpartition("/")[2] for request in asked(made)}


@pytest.mark.parametrize(
    ("query", "searches"),
    [
        ("hand pump", {"repositories", "issues"}),
        ("hand pump stars:>50", {"repositories"}),
        ("hand pump in:readme", {"repositories"}),
        ("drain hangs is:issue", {"issues"}),
        ("drain in:title repo:acme/pumps", {"issues"}),
        ("drain repo:acme/pumps", {"repositories", "issues"}),
        ("drain path:src", {"repositories", "issues"}),
    ],
)
def test_qualifiers_say_what_is_searched(query: str, searches: set[str]) -> None:
    assert kinds(query) == searches


def test_code_and_discussions_are_searched_with_a_token_only() -> None:
    everything = {"repositories", "issues", "code", "graphql"}
    assert kinds("hand pump", token=True) == everything
    assert kinds("hand pump category:ideas", token=True) == {"graphql"}
    assert kinds("drain path:src", token=True) == {"code"}


def test_qualifiers_and_phrases_are_passed_through() -> None:
    made = filled("github")
    ask("github", made, 'how does "hand pump" drain repo:acme/pumps in:title')
    assert asked(made)[0].query["q"] == 'repo:acme/pumps in:title "hand pump" drain'


def test_long_questions_are_cut_between_words_and_keep_their_qualifiers() -> None:
    made = filled("github")
    ask("github", made, "wellspring " * 60 + "stars:>5")
    sent = asked(made)[0].query["q"]
    assert len(sent) <= 256
    assert sent.startswith("stars:>5 wellspring")
    assert sent.endswith("wellspring")


def test_stars_state_and_comments_are_told() -> None:
    made = service(issues=[ISSUE])
    made.hits = filled("github").hits
    links = {link.url: link for link in ask("github", made).links}
    assert links["https://github.com/acme/pumps"].points == 420
    issue = links[str(ISSUE["html_url"])]
    assert issue.snippet == "[closed issue] It hangs --- URL: x"
    assert (issue.comments, issue.published, issue.authors) == (5, "2026-01-02", ("wim",))


def test_code_shows_its_fragments() -> None:
    (link,) = ask("github", service(code=[CODE]), environ=TOKEN).links
    assert (link.title, link.snippet) == ("acme/pumps: drain.py", "def drain():")


def test_discussions_have_votes_and_replies() -> None:
    (link,) = ask("github", service(discussions=[DISCUSSION, {}]), environ=TOKEN).links
    assert (link.points, link.comments, link.snippet) == (4, 6, "[discussion] Hand or foot?")


def test_what_graphql_refuses_with_a_good_status_is_an_error() -> None:
    body = b'{"data": null, "errors": [{"type": "RATE_LIMITED", "message": "API rate limit hit"}]}'
    error = refusal("github", Canned(body), "pump category:ideas", environ=TOKEN)
    assert error.code == "rate-limit"


@pytest.mark.parametrize("private", [True, None, "false", 0])
def test_what_is_not_surely_public_is_withheld(private: object) -> None:
    repository = {"html_url": "https://github.com/a/b", "full_name": "a/b", "private": private}
    code = {**CODE, "repository": {"full_name": "a/b", "private": private}}
    issue = {**ISSUE, "repository": {"private": private}}
    talk = {**DISCUSSION, "repository": {"private": private}}
    made = service(repositories=[repository], code=[code], issues=[issue], discussions=[talk])
    assert ask("github", made, environ=TOKEN).links == ()


def test_issues_are_asked_for_as_public_where_a_token_could_see_more() -> None:
    made = filled("github")
    ask("github", made, environ=TOKEN)
    (issues,) = (request for request in asked(made) if request.path.endswith("issues"))
    assert issues.query["q"].endswith(" is:public")
    assert issues.headers["authorization"] == "Bearer t-1"


@pytest.mark.parametrize(
    ("status", "headers", "message", "wait"),
    [
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "+90"}, "limit", 90),
        (429, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "+90"}, "limit", 90),
        (403, {"Retry-After": "30"}, "You have exceeded a secondary rate limit", 30),
        (403, {}, "You have exceeded a secondary rate limit", 60),
        (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-50"}, "limit", 0),
    ],
)
def test_limits_say_for_how_long(
    status: int, headers: dict[str, str], message: str, wait: int
) -> None:
    sent = {
        name: str(int(time.time()) + int(value)) if value[0] in "+-" else value
        for name, value in headers.items()
    }
    body = json.dumps({"message": message}).encode()
    error = refusal("github", Canned(body, status=status, headers=sent))
    assert isinstance(error, RefusedError)
    assert error.code == "rate-limit"
    assert error.retry_after is not None
    assert wait - 5 <= error.retry_after <= wait
    assert "GITHUB_TOKEN" in error.hint


def test_a_forbidden_request_is_no_limit() -> None:
    headers = {"X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "99"}
    error = refusal("github", Canned(b'{"message": "Forbidden"}', status=403, headers=headers))
    assert (error.code, error.retryable) == ("http-403", False)


def test_a_query_that_cannot_be_read_is_said() -> None:
    body = {"message": "Validation Failed", "errors": [{"message": "OR between qualifiers"}]}
    error = refusal("github", Canned(json.dumps(body).encode(), status=422))
    assert type(error) is BackendError
    assert (error.code, error.retryable) == ("bad-query", False)
    assert "OR between qualifiers" in error.message


def test_what_one_search_refuses_costs_nothing_while_another_has_links() -> None:
    made = service(issues=[ISSUE])
    made.hits = filled("github").hits
    made.modes.set("500", "ok")
    assert len(ask("github", made).links) == 1
    assert len(asked(made)) == 2
    broken = filled("github")
    broken.modes.set("500")
    assert refusal("github", broken).code == "http-500"
