"""The search model as a backend, against a chat server on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from intelli import setting_table
from intelli.errors import BackendError
from intelli.events import silent
from intelli.model.client import Models
from intelli.model.ledger import Ledger
from intelli.net.client import Network
from intelli.records import Answer, Query
from intelli.search.backend import Equipment, chain_of, make
from intelli.settings import load

QUERY = Query(text="how do pumps drain", focus="timing", only_domains=("example.org",))


def chat(text: str, **more: object) -> bytes:
    annotations = more.pop("annotations", [])
    message = {"role": "assistant", "content": text, "annotations": annotations}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], **more}).encode()


@pytest.fixture
def ask(serve: Callable[..., Any], home: Path) -> Callable[..., tuple[Answer, list[Any]]]:
    async def run(replies: tuple[Any, ...]) -> tuple[Answer, list[Any]]:
        async with serve(*replies) as site, Network(allow_private=False, max_bytes=10**6) as net:
            settings = load({"models.search.api_base": site.url}, environ={}, cwd=home)
            models = Models(settings, net, Ledger(None), silent)
            backend = make("perplexity", Equipment(settings=settings, network=net, models=models))
            answer = await backend.search(QUERY)
            return answer, [json.loads(request.body) for request in site.requests]

    return lambda *replies: asyncio.run(asyncio.wait_for(run(replies), 30))


def test_links_of_the_text_come_first_then_every_kind_of_citation(
    ask: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    body = chat(
        "Pumps drain [often](https://b.example.org/often) [1].\n\n## Sources\n- a.example.org/x\n",
        search_results=[
            {"url": "https://c.example.org/", "title": "See", "date": "2026-03-01"},
            {"url": "https://b.example.org/often", "title": "B", "snippet": "every 40 ms"},
        ],
        annotations=[{"type": "url_citation", "url_citation": {"url": "https://d.example.org/"}}],
        citations=["https://e.example.org/", "https://c.example.org/"],
    )
    answer, _ = ask(reply([body]))
    assert [link.url for link in answer.links] == [
        "https://b.example.org/often",
        "https://a.example.org/x",
        "https://c.example.org/",
        "https://d.example.org/",
        "https://e.example.org/",
    ]
    assert [link.rank for link in answer.links] == [1, 2, 3, 4, 5]
    assert answer.links[0].snippet == "every 40 ms"
    assert (answer.links[2].title, answer.links[2].published) == ("See", "2026-03-01")
    assert answer.text == "Pumps drain [often](https://b.example.org/often) [1]."


def test_the_prompt_has_query_focus_and_domains(
    ask: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    _, (request,) = ask(reply([chat("see a.example.org/x")]))
    prompt = request["messages"][-1]["content"]
    assert "how do pumps drain site:example.org" in prompt
    assert "timing" in prompt


def test_a_valid_answer_without_links_is_asked_for_once_more(
    ask: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    answer, requests = ask(reply([chat("I know.")]), reply([chat("see a.example.org/x")]))
    assert [link.url for link in answer.links] == ["https://a.example.org/x"]
    assert len(requests) == 2


def test_two_answers_without_links_are_an_empty_answer(
    ask: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    answer, requests = ask(reply([chat("I know.")]))
    assert answer.links == () and len(requests) == 2


def test_a_failing_model_is_a_failing_backend(
    ask: Callable[..., Any], reply: Callable[..., Any]
) -> None:
    refusal = reply([b'{"error": {"code": 402, "message": "no credit"}}'], 402)
    with pytest.raises(BackendError, match="no credit"):
        ask(refusal)


def at_perplexity(home: Path, environ: dict[str, str]) -> tuple[list[tuple[str, int]], str]:
    """The hosts that a search looks up, and what it says when it finds none."""
    asked: list[tuple[str, int]] = []

    async def lookup(host: str, port: int) -> list[str]:
        asked.append((host, port))
        raise OSError("no such host")

    async def run() -> str:
        settings = load(environ={"INTELLI_MODEL__ATTEMPTS": "1", **environ}, cwd=home)
        async with Network(allow_private=False, max_bytes=1000, lookup=lookup) as net:
            models = Models(settings, net, Ledger(None), silent)
            first = chain_of(settings)[0]
            backend = make(first, Equipment(settings=settings, network=net, models=models))
            with pytest.raises(BackendError) as caught:
                await backend.search(QUERY)
            return caught.value.message

    said = asyncio.run(asyncio.wait_for(run(), 20))
    return asked, said


@pytest.mark.parametrize(
    "environ",
    [
        {"PERPLEXITY_API_KEY": "pplx-4711"},
        {"PERPLEXITY_API_KEY": "pplx-4711", "OPENROUTER_API_KEY": "  "},
        {
            "PERPLEXITY_API_KEY": "pplx-4711",
            "OPENROUTER_API_KEY": "sk-or-1",
            "INTELLI_MODELS__SEARCH__MODEL": "perplexity/sonar-pro",
        },
    ],
)
def test_a_key_of_perplexity_alone_makes_it_the_search(environ: dict[str, str], home: Path) -> None:
    asked, said = at_perplexity(home, environ)
    assert set(asked) == {("api.perplexity.ai", 443)}
    assert "perplexity/sonar" in said
    assert "pplx-4711" not in said


def test_a_key_of_openrouter_goes_before_one_of_perplexity(home: Path) -> None:
    keys = {"PERPLEXITY_API_KEY": "pplx-4711", "OPENROUTER_API_KEY": "sk-or-1"}
    asked, _ = at_perplexity(home, keys)
    assert set(asked) == {("openrouter.ai", 443)}


def test_a_key_that_the_user_named_is_not_sent_to_perplexity_instead(home: Path) -> None:
    environ = {
        "PERPLEXITY_API_KEY": "pplx-4711",
        "MINE": "sk-or-1",
        "INTELLI_MODELS__SEARCH__API_KEY_ENV": "MINE",
    }
    asked, _ = at_perplexity(home, environ)
    assert set(asked) == {("openrouter.ai", 443)}


def test_its_own_answers_have_sources_and_itemised_costs(
    serve: Callable[..., Any],
    reply: Callable[..., Any],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = chat(
        "Every 40 ms.[1]",
        citations=["https://a.example.org/x"],
        search_results=[
            {"url": "https://a.example.org/x", "title": "X", "date": "2026-03-01", "snippet": "40"}
        ],
        usage={
            "prompt_tokens": 12,
            "completion_tokens": 5,
            "cost": {"request_cost": 0.005, "total_cost": 0.00504},
        },
    )

    async def run() -> tuple[Answer, Ledger, Any]:
        async with serve(reply([body])) as site, Network(allow_private=False, max_bytes=10**6) as n:
            monkeypatch.setitem(setting_table.PROVIDER_URLS, "perplexity", site.url)
            settings = load(environ={"PERPLEXITY_API_KEY": "pplx-4711"}, cwd=home)
            ledger = Ledger(None)
            models = Models(settings, n, ledger, silent)
            backend = make("perplexity", Equipment(settings=settings, network=n, models=models))
            return await backend.search(QUERY), ledger, site.requests[-1]

    answer, ledger, request = asyncio.run(asyncio.wait_for(run(), 20))
    (link,) = answer.links
    assert (link.title, link.published, link.snippet) == ("X", "2026-03-01", "40")
    assert ledger.usage.by_role["search"].usd == 0.00504
    sent = json.loads(request.body)
    assert (sent["model"], sent["search_domain_filter"]) == ("sonar", ["example.org"])
    assert request.headers["authorization"] == "Bearer pplx-4711"
