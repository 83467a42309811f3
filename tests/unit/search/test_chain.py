"""The chain: order, falling back, deadlines, domain rules and duplicates."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from intelli.errors import BackendError, IntelliError, NoLinks, Stopped, UsageError
from intelli.events import LinksFound
from intelli.records import Answer, Link, Query
from intelli.search.chain import Search
from intelli.search.race import Source
from intelli.search.refusals import RefusedError
from intelli.search.rules import check_domains
from tests.unit.search.fixed import ASK, FOREVER, A, B, D, Fixed, found, run, warnings


def test_the_first_backend_with_links_answers() -> None:
    second = Fixed("two", [B])
    answer, events = run(ASK, Fixed("one", [A]), second)
    assert (answer.backend, answer.text) == ("one", "said")
    assert second.asked == []
    assert events == [LinksFound(backend="one", links=1)]


@pytest.mark.parametrize(
    "fault",
    [
        BackendError("it is closed", code="http-401"),
        RefusedError("busy", code="rate-limit", retry_after=900),
        TimeoutError(),
        KeyError("results"),
        RecursionError(),
        asyncio.CancelledError(),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_whatever_befalls_a_backend_the_next_one_is_asked(fault: BaseException) -> None:
    answer, events = run(ASK, Fixed("one", errors=[fault] * 9), Fixed("two", [B]))
    assert answer.backend == "two"
    assert warnings(events)[0].startswith("one ")


def test_failed_empty_and_useless_answers_move_on_and_say_so() -> None:
    answer, events = run(
        ASK,
        Fixed("one", errors=FOREVER),
        Fixed("two"),
        Fixed("three", ["ftp://a.example.org/", "javascript:alert(1)", "file:///etc/passwd"]),
        Fixed("four", [D]),
    )
    assert answer.backend == "four"
    said = warnings(events)
    assert said[:2] == ["one failed: it is closed", "two found nothing"]
    assert "three gave 3 links, none of them allowed" in said[2]


def test_nothing_at_all_names_every_backend_and_its_fate() -> None:
    busy = RefusedError("busy", code="rate-limit", retry_after=900)
    busy.hint = "wait"
    with pytest.raises(NoLinks) as caught:
        run(ASK, Fixed("one", errors=[busy] * 9), Fixed("two"))
    assert "one failed: busy" in caught.value.message
    assert "two found nothing" in caught.value.message
    assert (caught.value.exit_code, caught.value.outcome) == (3, "no-links")
    assert caught.value.retryable
    assert caught.value.hint == "wait"


@pytest.mark.parametrize("thorough", [False, True])
@pytest.mark.parametrize("error", [UsageError("wrong"), Stopped("the budget is spent")])
def test_what_ends_the_run_is_no_reason_to_fall_back(error: IntelliError, thorough: bool) -> None:
    second = Fixed("two", [B], delay=0.2)
    with pytest.raises(type(error), match=error.message):
        run(ASK, Fixed("one", errors=[error] * 9), second, thorough=thorough)
    assert len(second.asked) == int(thorough)


def test_a_slow_backend_leaves_room_for_the_next_and_may_still_win() -> None:
    slow = Fixed("slow", [A], delay=30.0)
    answer, events = run(ASK, slow, Fixed("two", [B]), limit=0.4)
    assert answer.backend == "two"
    assert warnings(events) == ["no answer from slow yet, asking two as well"]
    answer, _ = run(ASK, Fixed("slow", [A], delay=0.3), Fixed("two", [B], delay=30.0), limit=0.5)
    assert answer.backend == "slow"


@pytest.mark.parametrize("thorough", [False, True])
def test_the_deadline_is_no_abort_and_is_never_waited_past(thorough: bool) -> None:
    with pytest.raises(NoLinks) as caught:
        run(ASK, Fixed("one", delay=60), Fixed("two", delay=60), limit=0.3, thorough=thorough)
    assert "one gave no answer within 0.3 s" in caught.value.message
    assert caught.value.retryable


def test_an_abort_is_no_timeout() -> None:
    async def abort() -> None:
        search = Search([Source(backend=Fixed("one", delay=60))], limit=50)
        task = asyncio.create_task(search(ASK, lambda _: None))
        await asyncio.sleep(0.05)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(abort())


def test_a_transport_that_ignores_its_end_does_not_hold_the_answer_back() -> None:
    class Deaf(Fixed):
        async def search(self, query: Query) -> Answer:
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                await asyncio.sleep(20)
            self.urls = ["finished"]
            return Answer(links=(Link(url=A),))

    async def both() -> None:
        search = Search([Source(backend=deaf), Source(backend=Fixed("two", [B]))], limit=1)
        answer = await search(ASK, lambda _: None)
        assert answer.backend == "two"

    deaf = Deaf("deaf")
    asyncio.run(both())
    assert deaf.urls == ()


def test_the_last_hope_is_waited_for_and_asked_once_more() -> None:
    busy = RefusedError("busy", code="rate-limit", retry_after=0.2)
    later = RefusedError("busy", code="rate-limit", retry_after=40)
    one, two = Fixed("one", [A], errors=[later] * 9), Fixed("two", [B], errors=[busy])
    answer, _ = run(ASK, one, two)
    assert (answer.backend, len(one.asked), len(two.asked)) == ("two", 1, 2)


@pytest.mark.parametrize(
    "error",
    [
        RefusedError("a bot check", code="challenge"),
        RefusedError("left alone", code="paused", retry_after=300),
        RefusedError("busy", code="rate-limit", retry_after=3600),
        BackendError("a bad key", code="http-401"),
    ],
    ids=lambda error: error.code,
)
def test_nobody_is_asked_again_who_shuts_us_out(error: BackendError) -> None:
    one = Fixed("one", [A], errors=[error])
    with pytest.raises(NoLinks):
        run(ASK, one)
    assert len(one.asked) == 1


def test_a_miss_of_a_special_service_is_followed_by_the_web_and_said() -> None:
    papers = Fixed("papers", family="papers")
    answer, events = run(ASK, papers, fallback=[Fixed("web", [A])])
    assert answer.backend == "web"
    assert "nothing from papers, searching the web instead" in warnings(events)
    answer, events = run(ASK, papers, fallback=[Fixed("web", [A])], thorough=True)
    assert answer.backend == "web"


def test_duplicates_are_dropped_before_the_cut() -> None:
    same = [
        "https://a.example.org/x?utm_source=m",
        "http://www.a.example.org/x/",
        "https://A.example.org/x#y",
    ]
    more = [f"https://b.example.org/{n}" for n in range(9)]
    urls = found(ASK, *same, *more)
    assert urls[0] == "https://a.example.org/x"
    assert urls[1:] == more[:5]
    assert len(urls) == 2 * ASK.urls


def test_links_are_ranked_anew() -> None:
    answer, _ = run(ASK, Fixed("one", ["mailto:x", A, B]))
    assert [link.rank for link in answer.links] == [1, 2]


def test_preferred_domains_come_first_with_their_subdomains() -> None:
    query = Query(text="pump", domains=("example.org",))
    urls = found(
        query, "https://x.example.com/", "https://docs.example.org/", "https://notexample.org/"
    )
    assert urls == [
        "https://docs.example.org/",
        "https://x.example.com/",
        "https://notexample.org/",
    ]


@pytest.mark.parametrize("spelling", ["https://Example.org/", "*.example.org", ".example.org"])
def test_only_and_excluded_domains_are_enforced_on_what_comes_back(spelling: str) -> None:
    query = Query(text="pump", only_domains=(spelling,), exclude_domains=("bad.example.org",))
    urls = found(
        query,
        "https://example.com/",
        A,
        "https://bad.example.org/",
        "https://very.bad.example.org/",
        "https://www.example.org/",
        "https://example.org@evil.example.com/",
    )
    assert urls == [A, "https://www.example.org/"]


def test_local_files_pass_only_from_the_index_of_local_files() -> None:
    query = Query(text="pump", only_domains=("example.org",))
    answer, _ = run(query, Fixed("docs", ["file:///home/u/a%20b.md"]))
    assert answer.links[0].url == "file:///home/u/a%20b.md"


def test_of_translations_the_one_in_the_language_of_the_question_is_read() -> None:
    pages = ["https://d.example.org/de/guide", "https://d.example.org/en/guide"]
    assert found(ASK, *pages) == [pages[1]]
    assert found(replace(ASK, text="größe der pumpe"), *pages) == [pages[0]]


@pytest.mark.parametrize(
    ("rules", "option"),
    [
        ({"only_domains": ("",)}, "--only-domain"),
        ({"only_domains": ("a.org", " ")}, "--only-domain"),
        ({"only_domains": ("foo bar",)}, "--only-domain"),
        ({"domains": ("https://",)}, "--domain"),
        ({"domains": ("a.org)(b",)}, "--domain"),
        ({"exclude_domains": ("*",)}, "--exclude-domain"),
        ({"exclude_domains": ("\x1b[31m",)}, "--exclude-domain"),
        ({"only_domains": ("a.org",), "exclude_domains": ("https://www.a.org/",)}, "--only-domain"),
        ({"only_domains": ("b.a.org", "a.org"), "exclude_domains": ("a.org",)}, "--only-domain"),
        ({"domains": ("a.org",), "exclude_domains": ("org",)}, "--domain"),
    ],
)
def test_domains_that_are_none_or_shut_each_other_out_are_refused(
    rules: dict[str, tuple[str, ...]], option: str
) -> None:
    with pytest.raises(UsageError, match=option):
        check_domains(replace(ASK, **rules))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rules",
    [
        {"only_domains": ("a.org",), "exclude_domains": ("b.a.org",)},
        {"only_domains": ("a.org", "b.org"), "exclude_domains": ("b.org",)},
        {"domains": ("*.a.org", "bücher.example", "localhost", "127.0.0.1:80", "[::1]", "gov")},
    ],
)
def test_domains_that_let_something_through_are_not(rules: dict[str, tuple[str, ...]]) -> None:
    check_domains(replace(ASK, **rules))  # type: ignore[arg-type]


def test_an_address_with_half_a_character_costs_no_other_link() -> None:
    odd = "https://a.example.org/\ud800?q=\udfff"
    assert found(ASK, odd, A) == ["https://a.example.org/%ED%A0%80?q=%ED%BF%BF", A]


@pytest.mark.parametrize(
    ("other", "blames"), [(Fixed("two", errors=FOREVER), False), (Fixed("two"), True)]
)
def test_the_words_are_blamed_only_where_somebody_understood_them(
    other: Fixed, blames: bool
) -> None:
    with pytest.raises(NoLinks) as caught:
        run(ASK, Fixed("one", errors=FOREVER), other)
    assert ("other words" in caught.value.hint) is blames
    assert "--backend" in caught.value.hint
