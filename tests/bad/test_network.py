"""The network as a whole command uses it: what is kept between runs, proxies, permits."""

from __future__ import annotations

import asyncio
import signal
import socket
import sqlite3
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from intelli.events import silent
from intelli.net.client import ServiceRequest
from intelli.settings import load
from intelli.toolbox import Job, open_toolbox
from tests.pipeline.kit import Q, pumps
from tests.world import World
from tests.world.pages import plain
from tests.world.proxy import serve_proxy


def asked(world: World) -> list[str]:
    """The pages that were asked for, twins that were guessed aside."""
    return [path for path in world.site.server.log.paths() if not path.endswith(".md")]


def test_a_page_that_was_just_read_is_not_asked_for_again(world: World) -> None:
    url = world.article("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])
    place = world.place(model=False)
    first = place.run("fetch", url, "--json").json["pages"][0]
    second = place.run("fetch", url, "--json").json["pages"][0]
    assert first["markdown"] == second["markdown"]
    assert asked(world) == ["/pump"]
    assert place.run("fetch", url, "--fresh").code == 0
    assert asked(world) == ["/pump", "/pump"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("command", [("fetch",), ("extract", "--query", "pump")])
def test_a_stage_alone_that_is_interrupted_says_so(
    world: World, command: tuple[str, ...], number: signal.Signals
) -> None:
    url = world.site.add("/slow", plain("later", fault="hang"))
    running = world.place(model=False).start(*command, url, "--json")
    running.until(lambda: "/slow" in world.site.server.log.paths())
    running.signal(number)
    run = running.finish()
    assert (run.code, run.json["outcome"]) == (130, "interrupted")
    assert "Traceback" not in run.stderr


def test_nobody_waits_for_a_cache_that_another_process_holds(world: World) -> None:
    """As one does that was stopped in the middle of writing; diskcache tries for minutes."""
    url = world.article("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])
    place = world.place(model=False)
    assert place.run("fetch", url).code == 0
    database = sqlite3.connect(next(place.root.rglob("cache.db")), isolation_level=None)
    database.execute("begin exclusive")
    held = place.run("fetch", url, "--json")
    database.execute("commit")
    database.close()
    assert (held.code, held.json["pages"][0]["error"]) == (0, None)


def test_a_question_asked_again_reads_its_pages_from_the_cache(world: World) -> None:
    pumps(world, 3)
    place = world.place(model=False)
    assert place.run("research", Q).code == 0
    assert len(asked(world)) == 3
    again = place.run("research", Q, "--json")
    assert len(asked(world)) == 3
    assert [s["status"] for s in again.json["sources"]] == ["ok"] * 3
    assert place.run("research", Q, "--fresh").code == 0
    assert len(asked(world)) == 6


@pytest.mark.parametrize(
    "line", ['network.proxy = "http://127.0.0.1:2"', 'fetch.impersonate = "always"']
)
def test_a_project_sets_neither_a_proxy_nor_another_face(world: World, line: str) -> None:
    place = world.place(model=False)
    (place.project / "intelli.toml").write_text(line + "\n", encoding="utf-8")
    run = place.run("fetch", world.site.add("/a", plain("hello")), "--json")
    assert run.code == 2
    assert run.json["error"]["code"] == "untrusted-project"
    assert world.site.server.log.exchanges == []


def test_a_password_of_a_proxy_is_never_printed(world: World) -> None:
    place = world.place(model=False)
    secret, plain_one = "http://me:hush@127.0.0.1:2", "http://127.0.0.1:2"
    runs = [
        place.run("config", INTELLI_NETWORK__PROXY=plain_one, HTTP_PROXY=secret),
        place.run("doctor", HTTP_PROXY=secret, ALL_PROXY="socks5://me:hush@127.0.0.1:2"),
        place.run("fetch", "http://pumps.invalid/", "--json", HTTP_PROXY=secret, NO_PROXY="*",
                  INTELLI_FETCH__ROBOTS="maybe"),
    ]  # fmt: skip
    assert all("hush" not in run.stdout + run.stderr for run in runs)


def test_pages_and_services_take_the_proxy_of_the_environment(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The name leads to this machine: were the proxy left out, the page would come without it."""
    port = urlsplit(world.site.add("/a", plain("hello"), port=0)).port or 0
    lookup = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *more, **m: lookup("127.0.0.1", *more, **m)
    )
    for name in ("NO_PROXY", "no_proxy", "XDG_CACHE_HOME", "HTTP_PROXY"):
        monkeypatch.setenv(name, str(tmp_path) if name.startswith("XDG") else "")

    async def work() -> list[str]:
        async with serve_proxy(port) as proxy:
            environ = {
                "HTTP_PROXY": f"http://127.0.0.1:{proxy.port}",
                "INTELLI_FETCH__ALLOW_PRIVATE": "true",
            }
            settings = load(environ=environ, cwd=tmp_path)
            async with open_toolbox(settings, Job(search=False), silent) as tools:
                page = await tools.fetching.network.fetch(
                    f"http://pumps.test:{port}/a", accept="*/*", timeout=5
                )
                request = ServiceRequest(method="GET", url=f"http://models.test:{port}/a")
                answer = await tools.network.call(request)
            assert page.body == answer.body == b"hello"
            return proxy.asked

    assert asyncio.run(work()) == [f"CONNECT 127.0.0.1:{port}", f"CONNECT models.test:{port}"]
