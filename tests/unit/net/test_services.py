"""Calls to services the user configured, whole and in pieces."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from intelli.errors import FetchError
from intelli.net.client import Network, Response, ServiceRequest
from tests.world import World
from tests.world.pages import Page, plain, redirect


def call(url: str, *, offline: bool = False, **parts: Any) -> Response:
    async def work() -> Response:
        async with Network(allow_private=False, max_bytes=10, offline=offline) as network:
            return await network.call(ServiceRequest(**{"method": "POST", "url": url, **parts}))

    return asyncio.run(work())


def refusal(url: str, **parts: Any) -> FetchError:
    with pytest.raises(FetchError) as caught:
        call(url, **parts)
    return caught.value


def test_a_call_carries_headers_and_content(world: World) -> None:
    url = world.site.add("/v1/chat", plain("a longer answer than a page may have"))
    answer = call(url, headers={"Authorization": "Bearer k"}, content=b'{"a": 1}')
    request = world.site.server.log.exchanges[0].request
    assert answer.body == b"a longer answer than a page may have"
    assert request.method == "POST"
    assert request.headers["authorization"] == "Bearer k"
    assert request.json == {"a": 1}


def test_a_status_is_an_answer(world: World) -> None:
    answer = call(world.site.add("/a", plain("no", status=402, headers={"Retry-After": "1"})))
    assert (answer.status, answer.headers["retry-after"]) == (402, "1")
    assert len(world.site.server.log.exchanges) == 1


def test_a_key_is_not_carried_to_where_a_redirect_points(world: World) -> None:
    url = world.site.add("/a", redirect("/b"), port=0)
    assert call(url, headers={"Authorization": "Bearer k"}).status == 302
    assert world.site.server.log.of("/b") == []


@pytest.mark.parametrize("fault", ["hang", "stall", "drip"])
def test_the_deadline_covers_the_body(world: World, fault: Any) -> None:
    url = world.site.add("/a", plain("x" * 5_000, fault=fault))
    error = refusal(url, timeout=0.5)
    assert (error.code, error.retryable) == ("timeout", True)


def test_an_answer_has_a_limit(world: World) -> None:
    url = world.site.add("/a", plain("x", fault="endless"))
    assert refusal(url, max_bytes=30_000).code == "too-large"


def test_half_an_answer_is_an_error(world: World) -> None:
    url = world.site.add("/a", Page(body=b'{"a": ', fault="short", content_type="application/json"))
    assert refusal(url).code == "connection"


def test_a_call_that_was_cut_off_is_not_made_twice(world: World) -> None:
    assert refusal(world.site.add("/a", Page(fault="reset"))).code == "connection"
    assert len(world.site.server.log.exchanges) == 1


def test_no_key_stands_in_an_error() -> None:
    error = refusal("http://127.0.0.1:9/v1?key=secret", headers={"Authorization": "secret"})
    assert "secret" not in error.message + error.hint


@pytest.mark.parametrize(
    "url", ["https://api.example/v1", "http://10.0.0.1/v1", "http://a.example/"]
)
def test_offline_calls_stay_on_this_machine(url: str) -> None:
    assert refusal(url, offline=True).code == "offline"


def test_offline_calls_to_this_machine_are_made(world: World) -> None:
    url = world.site.add("/a", plain("hello"), port=0)
    assert call(url, offline=True).body == b"hello"
    assert call(url.replace("127.0.0.1", "localhost"), offline=True).body == b"hello"


def test_a_body_can_be_read_while_it_arrives(world: World) -> None:
    url = world.site.add("/a", Page(body=b"data: one\n\n" * 40, fault="drip", step=0.01))

    async def work() -> list[bytes]:
        pieces: list[bytes] = []
        async with (
            Network(allow_private=False, max_bytes=10) as network,
            network.stream(ServiceRequest(method="POST", url=url)) as answer,
        ):
            assert answer.status == 200
            async for piece in answer.chunks:
                pieces.append(piece)
                if len(b"".join(pieces)) > 100:
                    break
        return pieces

    pieces = asyncio.run(work())
    assert len(pieces) > 1
    assert 100 < len(b"".join(pieces)) < 440


def test_a_stream_that_stalls_ends_at_the_deadline(world: World) -> None:
    url = world.site.add("/a", plain("x" * 1_000, fault="stall"))

    async def work() -> str:
        request = ServiceRequest(method="POST", url=url, timeout=0.5)
        async with Network(allow_private=False, max_bytes=10) as network:
            with pytest.raises(FetchError) as caught:
                async with network.stream(request) as answer:
                    async for _ in answer.chunks:
                        pass
            return caught.value.code

    assert asyncio.run(work()) == "timeout"


def test_a_network_can_be_used_again_after_it_was_closed(world: World) -> None:
    url = world.site.add("/a", plain("hello"))

    async def work() -> bytes:
        network = Network(allow_private=False, max_bytes=10)
        await network.call(ServiceRequest(method="GET", url=url))
        await network.aclose()
        answer = await network.call(ServiceRequest(method="GET", url=url))
        await network.aclose()
        return answer.body

    assert asyncio.run(work()) == b"hello"
