"""What every search for papers, talk, code and articles does, whatever its protocol."""

from __future__ import annotations

import pytest

from intelli.errors import BackendError
from intelli.records import Query
from intelli.search.backend import BACKENDS
from intelli.search.refusals import RefusedError
from intelli.search.rules import select
from tests.unit.search.backends.asking import Canned, ask, asked, filled, refusal
from tests.world.search_verticals import EXAMPLES, VERTICALS
from tests.world.vertical import CHECKPOINT, DAY

NAMES = sorted(VERTICALS)
JSON_NAMES = sorted(set(NAMES) - {"arxiv", "grep", "sourcegraph"})


@pytest.mark.parametrize("name", NAMES)
def test_a_hit_becomes_a_link_with_its_address_and_snippet(name: str) -> None:
    answer = ask(name, filled(name))
    (link,) = answer.links
    assert (answer.backend, link.backend, link.rank) == (name, name, 1)
    assert link.url.partition("#")[0].endswith(
        EXAMPLES[name].url.partition("://")[2].partition("/")[2]
    )
    assert link.title
    assert "The pump drains its queue <every> 40 ms." in link.snippet


@pytest.mark.parametrize("name", NAMES)
def test_no_hit_is_an_answer_without_links(name: str) -> None:
    service = filled(name)
    service.modes.set("empty")
    assert ask(name, service).links == ()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("mode", "seconds"), [("limited", 1), ("limited-day", DAY)])
def test_a_limit_is_a_refusal_that_says_for_how_long(name: str, mode: str, seconds: int) -> None:
    service = filled(name)
    service.modes.set(mode)  # type: ignore[arg-type]
    error = refusal(name, service)
    assert isinstance(error, RefusedError)
    assert (error.code, error.retryable) == ("rate-limit", True)
    assert error.retry_after is not None
    assert seconds - 5 <= error.retry_after <= seconds


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_check_is_told_from_a_limit(name: str) -> None:
    service = filled(name)
    service.modes.set("challenge")
    assert refusal(name, service).code == "challenge"


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"grep", "sourcegraph"}))
def test_a_bot_check_in_a_good_status_is_found_in_the_body(name: str) -> None:
    assert refusal(name, Canned(CHECKPOINT)).code == "challenge"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["garbage", "500", "truncated"])
def test_what_is_no_answer_costs_the_backend_only(name: str, mode: str) -> None:
    service = filled(name)
    service.modes.set(mode)  # type: ignore[arg-type]
    assert refusal(name, service).code == ("http-500" if mode == "500" else "bad-answer")


@pytest.mark.parametrize("name", JSON_NAMES)
@pytest.mark.parametrize(
    "body",
    [b"[]", b"null", b"12", b'{"items": {}, "hits": 7, "data": "x", "query": []}', b"[" * 100_000],
)
def test_json_of_another_shape_is_an_error_not_a_fault(name: str, body: bytes) -> None:
    assert refusal(name, Canned(body)).code in ("bad-answer", "layout-changed")


@pytest.mark.parametrize("name", JSON_NAMES)
def test_an_error_with_a_good_status_is_an_error(name: str) -> None:
    error = refusal(name, Canned(b'{"error": {"message": "the index is away"}}'))
    assert "the index is away" in error.message
    limited = refusal(name, Canned(b'{"message": "Too Many Requests, try later"}'))
    assert limited.code == "rate-limit"


@pytest.mark.parametrize("name", JSON_NAMES)
def test_fields_of_wrong_types_are_left_out(name: str) -> None:
    for value in ("null", "[1]", "{}", '"text"', "12", "true", "1e400", "-1"):
        names = (
            "title url html_url link objectID story_id author created_at creation_date points score"
            " num_comments answer_count owner user authors abstract tldr externalIds openAccessPdf"
            " publicationDate year snippet timestamp body comment_text story_text text_matches"
            " repository private full_name description state path stargazers_count pushed_at"
            " accepted_answer_id comments pull_request repository_url"
        ).split()
        row = "{" + ", ".join(f'"{field}": {value}' for field in names) + "}"
        listed = f"[null, 7, [], {row}]"
        body = f'{{"total": 1, "items": {listed}, "hits": {listed}, "data": {listed},'
        body += f' "query": {{"search": {listed}}}}}'
        for link in ask(name, Canned(body.encode())).links:
            assert link.url.startswith("http")
            assert isinstance(link.title + link.snippet, str)


@pytest.mark.parametrize("name", NAMES)
def test_a_large_answer_is_read(name: str) -> None:
    service = filled(name)
    (hit,) = service.hits
    service.hits[:] = [hit] * 20
    service.hits[0] = type(hit)(url=hit.url, title="large", text="word " * 1_000_000)
    found = ask(name, service).links
    assert found
    assert all(len(link.snippet) <= 2000 for link in found)


@pytest.mark.parametrize("name", ["hn", "stackexchange", "semanticscholar", "github"])
@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "/relative", "//host/x", "http://", "ftp://h/"],
)
def test_addresses_that_are_no_pages_never_pass(name: str, url: str) -> None:
    service = filled(name)
    (hit,) = service.hits
    service.hits[:] = [type(hit)(url=url, title="odd", text="odd")]
    answer = ask(name, service)
    assert url not in {link.url for link in answer.links}
    assert all(link.url.startswith("https://") for link in answer.links)


@pytest.mark.parametrize("name", ["hn", "stackexchange", "semanticscholar", "github"])
def test_hosts_in_other_scripts_are_kept(name: str) -> None:
    service = filled(name)
    (hit,) = service.hits
    service.hits[:] = [type(hit)(url="https://пример.example/a", title="t", text="t")]
    answer = ask(name, service)
    (link,) = select(answer.links, Query(text="q"))
    assert link.url == "https://xn--e1afmkfd.example/a"


@pytest.mark.parametrize("name", NAMES)
def test_controls_in_texts_never_pass(name: str) -> None:
    if name == "arxiv":
        return  # XML cannot hold them
    service = filled(name)
    (hit,) = service.hits
    service.hits[:] = [
        type(hit)(
            url=hit.url, title="a\x1b[31mb\u202e", text="c\x00\x1b]0;d\u202ee", author="\x07f"
        )
    ]
    (link,) = ask(name, service).links
    shown = link.title + link.snippet + "".join(link.authors)
    assert not set(shown) & set("\x00\x07\x1b\u202e")


@pytest.mark.parametrize("name", NAMES)
def test_odd_questions_are_sent_whole_and_harm_nothing(name: str) -> None:
    for question in ("pump \ud800 lone", "a" * 3000, '" unclosed', "Ö & ? # %00 ' + пример", "?!"):
        service = filled(name)
        ask(name, service, question)
        assert asked(service)


def test_families_tell_verticals_from_the_web() -> None:
    families = {name: BACKENDS[name].family for name in NAMES}
    assert families == {
        "arxiv": "papers",
        "semanticscholar": "papers",
        "hn": "talk",
        "stackexchange": "talk",
        "github": "code",
        "grep": "code",
        "sourcegraph": "code",
        "wikipedia": "reference",
    }
    assert BACKENDS["arxiv"].interval == 3.0


KEYS = [
    ("stackexchange", "STACKEXCHANGE_KEY"),
    ("semanticscholar", "S2_API_KEY"),
    ("github", "GH_TOKEN"),
    ("sourcegraph", "SRC_ACCESS_TOKEN"),
]


@pytest.mark.parametrize(("name", "variable"), KEYS)
def test_a_key_is_sent_and_never_repeated(name: str, variable: str) -> None:
    service = Canned(b'{"message": "bad key sekrit-key-77 here"}', status=401)
    error = refusal(name, service, environ={variable: "sekrit-key-77"})
    request = asked(service)[0]
    assert "sekrit-key-77" in request.target + str(request.headers)
    assert "sekrit-key-77" not in f"{error} {error.message} {error.hint}"
    assert isinstance(error, BackendError)


@pytest.mark.parametrize(("name", "variable"), KEYS)
def test_with_a_key_too_a_search_costs_nothing(name: str, variable: str) -> None:
    assert ask(name, filled(name), environ={variable: "k"}, budget=0.0).links
