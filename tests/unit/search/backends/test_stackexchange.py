"""Stack Exchange: which site, what an item says, and when to wait."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path

import pytest

from intelli.errors import NoLinks
from intelli.events import Event
from intelli.net.client import Network
from intelli.records import Query
from intelli.search.backend import Equipment
from intelli.search.pacing import paused
from intelli.search.refusals import RefusedError
from intelli.search.stage import open_search
from intelli.setting_table import BACKEND_URLS, variable_of
from intelli.settings import load
from tests.unit.search.backends.asking import Canned, ask, asked, filled, links, refusal

NOBODY = dict.fromkeys(
    (variable_of(f"backends.{n}.url") for n in BACKEND_URLS), "http://127.0.0.1:9/"
)


def body(**fields: object) -> bytes:
    return json.dumps({"items": [], "quota_remaining": 9, **fields}).encode()


ITEM = {"title": "Is 1 &lt; 2 in &quot;C&quot;?", "link": "https://stackoverflow.com/q/1"}


def test_score_answers_and_the_accepted_one_are_told() -> None:
    (link,) = ask("stackexchange", filled("stackexchange")).links
    assert (link.points, link.comments, link.published) == (31, 2, "2026-02-01")
    assert link.snippet.startswith("[accepted answer] The pump")
    (other,) = links("stackexchange", body(items=[{**ITEM, "body": "<pre>a</pre><p>b</p>"}]))
    assert (other.title, other.snippet) == ('Is 1 < 2 in "C"?', "a b")


@pytest.mark.parametrize(
    ("query", "site"),
    [
        (Query(text="pump"), "stackoverflow"),
        (Query(text="pump site:unix.stackexchange.com"), "unix.stackexchange.com"),
        (Query(text="pump", domains=("https://serverfault.com/",)), "serverfault.com"),
        (Query(text="pump", only_domains=("superuser.com",)), "superuser.com"),
        (Query(text="pump", domains=("example.org",)), "stackoverflow"),
    ],
)
def test_the_site_is_that_of_the_query_or_of_the_setting(query: Query, site: str) -> None:
    service = filled("stackexchange")
    ask("stackexchange", service, query)
    sent = asked(service)[0]
    assert (sent.query["site"], sent.query["q"]) == (site, "pump")
    assert sent.path == "/2.3/search/advanced"


def test_another_site_can_be_set() -> None:
    service = filled("stackexchange")
    ask("stackexchange", service, "pump", site="askubuntu")
    assert asked(service)[0].query["site"] == "askubuntu"


@pytest.mark.parametrize("status", [200, 400])
def test_throttling_is_a_limit_whatever_the_status(status: int) -> None:
    said = "too many requests from here, more requests available in 84 seconds"
    error = {"error_id": 502, "error_name": "throttle_violation", "error_message": said}
    found = refusal("stackexchange", Canned(json.dumps(error).encode(), status=status))
    assert isinstance(found, RefusedError)
    assert (found.code, found.retry_after) == ("rate-limit", 84.0)
    assert "STACKEXCHANGE_KEY" in found.hint


def test_another_error_is_said_in_the_services_words() -> None:
    error = {"error_id": 400, "error_name": "bad_parameter", "error_message": "No site found"}
    found = refusal("stackexchange", Canned(json.dumps(error).encode(), status=400))
    assert (found.code, found.message, found.retryable) == ("bad_parameter", "No site found", False)


@pytest.mark.parametrize(
    ("fields", "pause"), [({"backoff": 40}, 40), ({"quota_remaining": 0}, 86400)]
)
def test_a_good_answer_may_ask_to_be_left_alone_by_all_processes(
    fields: dict[str, object], pause: int, home: Path
) -> None:
    service = Canned(body(items=[ITEM], **fields))

    async def run() -> list[str]:
        await service.server.start()
        chosen = {"backends.stackexchange.url": service.url, "search.timeout": 2.0}
        settings = load(chosen, environ=NOBODY, cwd=home)
        said = []
        async with Network(allow_private=False, max_bytes=10**6) as network:
            equipment = Equipment(settings=settings, network=network)
            for text in ("pump", "well"):  # two searches that share nothing but the disk
                events: list[Event] = []
                with suppress(NoLinks):
                    await open_search(equipment, ("stackexchange",))(
                        Query(text=text), events.append
                    )
                said.append(" ".join(map(str, events)))
        await service.server.stop()
        return said

    first, second = asyncio.run(run())
    assert "links=1" in first
    assert "left alone for another" in second
    assert len(asked(service)) == 1
    (paused_one,) = paused()
    assert paused_one.name == "stackexchange" and not paused_one.challenged
    assert pause - 30 < paused_one.until - time.time() <= pause


@pytest.mark.parametrize("text", ['{"error": {"message": "slow down"}}', "<html>slow down</html>"])
def test_a_limit_of_what_stands_before_the_service_is_one_too(text: str) -> None:
    service = Canned(text.encode(), status=429, headers={"Retry-After": "70"})
    found = refusal("stackexchange", service)
    assert isinstance(found, RefusedError)
    assert (found.code, found.retry_after) == ("rate-limit", 70.0)
    assert found.message.startswith("HTTP 429")
