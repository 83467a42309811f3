"""The world keeps its promises: a test that leans on a broken server proves nothing."""

from __future__ import annotations

import gzip
import http.client
import json
import threading
import time
from urllib.parse import urlsplit

import pytest

from tests.world import Say, World, refuse
from tests.world.http import Server
from tests.world.pages import Page, article, pdf_bytes, plain


def ask(
    server: Server, path: str, *, body: object = None, timeout: float = 2.0, **headers: str
) -> tuple[http.client.HTTPResponse, bytes]:
    """One request over a connection of its own."""
    place = urlsplit(server.url())
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=timeout)
    try:
        data = None if body is None else json.dumps(body)
        connection.request("GET" if data is None else "POST", path, data, headers)
        response = connection.getresponse()
        return response, response.read()
    finally:
        connection.close()


def chat(world: World, role: str, prompt: str, **more: object) -> tuple[int, str]:
    body = {"model": role, "messages": [{"role": "user", "content": prompt}], **more}
    response, data = ask(world.model.server, "/v1/chat/completions", body=body)
    return response.status, data.decode()


def test_a_page_is_served_and_recorded(world: World) -> None:
    world.site.add("/a", plain("hello", delay=0.05))
    response, body = ask(world.site.server, "/a", Accept="text/plain")
    (seen,) = world.site.server.log.of("/a")
    deadline = time.monotonic() + 10  # the server notes the end a moment after the client has it
    while (seen.finished is None or seen.status is None) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert (response.status, body, seen.status) == (200, b"hello", 200)
    assert seen.request.headers["accept"] == "text/plain"
    assert seen.finished is not None and seen.finished - seen.started >= 0.04


def test_answers_come_in_turn_and_the_last_one_stays(world: World) -> None:
    world.site.add("/a", Page(status=503), plain("well again"))
    assert [ask(world.site.server, "/a")[0].status for _ in range(3)] == [503, 200, 200]


def test_the_peak_counts_what_is_open_at_once(world: World) -> None:
    world.site.add("/a", plain("x", delay=0.2))
    threads = [threading.Thread(target=ask, args=(world.site.server, "/a")) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert world.site.server.log.peak == 5


@pytest.mark.parametrize("fault", ["hang", "stall", "drip"])
def test_a_page_that_does_not_finish_is_noticed_when_the_client_leaves(
    world: World, fault: str
) -> None:
    world.site.add("/a", plain("x" * 1000, fault=fault))
    with pytest.raises(TimeoutError):
        # A drip keeps the socket busy, so the client's patience has to be counted by hand.
        ask(world.site.server, "/a", timeout=0.02 if fault == "drip" else 0.2)
    deadline = time.monotonic() + 5
    while world.site.server.log.open and time.monotonic() < deadline:
        time.sleep(0.01)
    assert world.site.server.log.open == 0


@pytest.mark.parametrize("fault", ["reset", "reset-midway", "short"])
def test_a_broken_answer_is_broken(world: World, fault: str) -> None:
    world.site.add("/a", plain("x" * 1000, fault=fault))
    with pytest.raises((ConnectionError, http.client.IncompleteRead)):
        ask(world.site.server, "/a")


def test_gzip_and_a_body_without_length_arrive_whole(world: World) -> None:
    world.site.add("/zip", plain("packed", gzip=True))
    world.site.add("/open", plain("open ended", fault="no-length"))
    assert gzip.decompress(ask(world.site.server, "/zip")[1]) == b"packed"
    assert ask(world.site.server, "/open")[1] == b"open ended"


def test_markdown_goes_only_to_those_who_accept_it(world: World) -> None:
    world.site.add("/a", article("T", ["p"], twin="# T"))
    response, body = ask(world.site.server, "/a", Accept="text/markdown, text/html;q=0.9")
    assert (response.getheader("content-type"), body) == ("text/markdown; charset=utf-8", b"# T")
    assert b"<h1>T</h1>" in ask(world.site.server, "/a")[1]


def test_the_pdf_is_one() -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf_bytes(["Pump (model 7)", "moves 12 litres"]))
    text = document[0].get_textpage().get_text_range()
    document.close()
    assert "Pump (model 7)" in text and "moves 12 litres" in text


def test_the_model_answers_from_the_pages_it_is_shown(world: World) -> None:
    fact = "The pump moves 12 litres a minute."
    url = world.article("/a", "Pumps", [fact])
    assert url in chat(world, "search", "how fast is the pump?")[1]
    assert fact in chat(world, "extract", f"the page:\n{fact}\nend")[1]
    assert "NOTHING RELEVANT" in chat(world, "extract", "something else")[1]
    assert f"{fact} [3]" in chat(world, "collate", f"## [3] Pumps\n{fact}")[1]
    assert [a.role for a in world.model.asks] == ["search", "extract", "extract", "collate"]


def test_the_model_fails_as_scripted(world: World) -> None:
    world.model.say("extract", refuse(429, retry_after="0"), Say(text="fine", cost=None))
    assert chat(world, "extract", "x")[0] == 429
    status, text = chat(world, "extract", "x")
    assert (status, json.loads(text)["usage"].get("cost")) == (200, None)
    world.model.when("extract", "poison", Say(error={"code": 502, "message": "away"}))
    assert json.loads(chat(world, "extract", "poison")[1])["error"]["code"] == 502


def test_a_stream_carries_the_links_in_the_chunk_that_was_asked_for(world: World) -> None:
    world.model.say("search", Say(text="abc", citations=("http://x.test/",), links_in=2))
    _, text = chat(world, "search", "x", stream=True)
    data = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
    assert data[-1] == "[DONE]"
    chunks = [json.loads(part) for part in data[:-1]]
    assert [i for i, chunk in enumerate(chunks) if "citations" in chunk] == [2]
    assert "".join(c["choices"][0]["delta"]["content"] for c in chunks) == "abc"
    assert chunks[-1]["usage"]["cost"] == 0.001


def test_searches_find_what_is_served(world: World) -> None:
    url = world.article("/a", "Pumps", ["p"])
    call = {"id": 7, "params": {"name": "web_search_exa", "arguments": {"query": "q"}}}
    sse = ask(world.exa.server, "/mcp", body=call)[1].decode()
    assert sse.startswith("event: message\ndata: ") and url in sse
    world.exa.modes.set("limited", "quota", "json")
    assert ask(world.exa.server, "/mcp", body=call)[0].status == 429
    assert json.loads(ask(world.exa.server, "/mcp", body=call)[1][21:])["result"]["isError"]
    world.duckduckgo.modes.set("uddg", "direct", "challenge-202")
    pages = [ask(world.duckduckgo.server, "/html/?q=pump") for _ in range(3)]
    assert b"uddg=http%3A%2F%2F127.0.0.1" in pages[0][1] and url.encode() in pages[1][1]
    assert pages[2][0].status == 202 and b"challenge-form" in pages[2][1]


def test_a_fault_of_the_world_is_not_swallowed() -> None:
    def broken(ask: object) -> str:
        raise LookupError(ask)

    with pytest.raises(LookupError), World() as world:
        world.model.say("extract", Say(text=broken))
        with pytest.raises(http.client.RemoteDisconnected):
            chat(world, "extract", "x")
