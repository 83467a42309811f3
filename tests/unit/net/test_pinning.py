"""Which addresses are connected to. Names and connections are replaced: nothing leaves here."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from urllib.parse import urlsplit

import pytest

from intelli.errors import FetchError
from intelli.net.client import Network, Response, ServiceRequest
from tests.world import World
from tests.world.pages import Page, plain, redirect

PUBLIC = "93.184.215.14"


class Names:
    """A name service that answers from a list, one answer after the other."""

    def __init__(self, **answers: Sequence[Sequence[str]]) -> None:
        self.answers = {name.replace("_", "."): list(turns) for name, turns in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        assert port > 0
        self.asked.append(host)
        turns = self.answers[host]
        return turns.pop(0) if len(turns) > 1 else turns[0]


class Wires:
    """Notes where a connection was wanted; opens one to `port` of this machine, or none."""

    def __init__(self, port: int | None = None, broken: Sequence[str] = ()) -> None:
        self.port = port
        self.broken = broken
        self.wanted: list[str] = []

    async def __call__(self, address: str, port: int, patience: float | None) -> object:
        from intelli.net.sockets import open_stream

        self.wanted.append(address)
        if self.port is None or address in self.broken:
            raise OSError("no connection in this test")
        return await open_stream("127.0.0.1", self.port, patience)


def fetch(url: str, names: Names, wires: Wires, *, allow_private: bool = False) -> Response:
    async def work() -> Response:
        async with Network(
            allow_private=allow_private,
            max_bytes=100_000,
            lookup=names,
            connect=wires,  # type: ignore[arg-type]
        ) as network:
            return await network.fetch(url, accept="*/*", timeout=5)

    return asyncio.run(work())


def port_of(url: str) -> int:
    return urlsplit(url).port or 0


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost/", "http://localhost./", "http://a.localhost:8080/",
        "http://2130706433/", "http://0x7f.1/", "http://017700000001/", "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/", "http://[::ffff:127.0.0.1]/", "http://10.1.2.3/",
        "http://192.168.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[fe80::1]/",
        "http://metadata.google.internal/computeMetadata/v1/", "http://[64:ff9b::7f00:1]/",
        "http://0/", "http://100.64.0.1/", "http://１２７.０.０.１/", "http://user@127.0.0.1/",
    ],
)  # fmt: skip
def test_a_refused_address_is_never_connected_to(url: str) -> None:
    names, wires = Names(), Wires()
    with pytest.raises(FetchError) as caught:
        fetch(url, names, wires)
    assert caught.value.code == "private-address"
    assert (names.asked, wires.wanted) == ([], [])


@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        ["10.0.0.1"],
        ["::1"],
        [PUBLIC, "192.168.0.1"],
        ["169.254.169.254"],
        ["fd00::1"],
    ],
)
def test_a_name_of_a_refused_address_is_never_connected_to(answer: list[str]) -> None:
    wires = Wires()
    with pytest.raises(FetchError) as caught:
        fetch("http://inside.example/", Names(inside_example=[answer]), wires)
    assert caught.value.code == "private-address"
    assert wires.wanted == []


@pytest.mark.parametrize(
    "url",
    ["http://169.254.169.254/", "http://[fd00:ec2::254]/", "http://metadata/", "http://0.0.0.0/"],
)
def test_the_permit_does_not_open_link_local_addresses(url: str) -> None:
    wires = Wires()
    with pytest.raises(FetchError) as caught:
        fetch(url, Names(metadata=[["10.0.0.1"]]), wires, allow_private=True)
    assert (caught.value.code, caught.value.hint) == ("private-address", "")
    assert wires.wanted == []


def test_the_refusal_of_a_private_address_names_the_permit() -> None:
    with pytest.raises(FetchError) as caught:
        fetch("http://10.0.0.1/", Names(), Wires())
    assert "--allow-private" in caught.value.hint


def test_a_public_name_cannot_redirect_inside(world: World) -> None:
    url = world.site.add("/a", redirect("http://127.0.0.1:1/secret"), port=0)
    wires = Wires(port_of(url))
    with pytest.raises(FetchError) as caught:
        fetch("http://outside.example/a", Names(outside_example=[[PUBLIC]]), wires)
    assert caught.value.code == "private-address"
    assert wires.wanted == [PUBLIC]


def test_a_name_that_changes_its_mind_is_not_asked_again(world: World) -> None:
    url = world.site.add("/a", plain("hello"), port=0)
    names = Names(rebinding_example=[[PUBLIC], ["127.0.0.1"]])
    wires = Wires(port_of(url))
    assert fetch("http://rebinding.example/a", names, wires).body == b"hello"
    assert names.asked == ["rebinding.example"]
    assert wires.wanted == [PUBLIC]
    assert world.site.server.log.exchanges[0].request.host == "rebinding.example"


def test_the_next_address_of_a_host_is_tried(world: World) -> None:
    url = world.site.add("/a", plain("hello"), port=0)
    names = Names(two_example=[["2606:4700::1111", PUBLIC]])
    wires = Wires(port_of(url), broken=["2606:4700::1111"])
    assert fetch("http://two.example/a", names, wires).body == b"hello"
    assert wires.wanted == ["2606:4700::1111", PUBLIC]


def test_a_public_host_gets_two_requests_at_once(world: World) -> None:
    urls = [world.site.add(f"/{n}", Page(body=b"x", delay=0.1), port=0) for n in range(8)]
    names = Names(busy_example=[[PUBLIC]])

    async def work() -> None:
        async with (
            Network(
                allow_private=False,
                max_bytes=9_000,
                lookup=names,
                connect=Wires(port_of(urls[0])),  # type: ignore[arg-type]
            ) as network,
            asyncio.TaskGroup() as group,
        ):
            for n in range(8):
                url = f"http://busy.example/{n}"
                group.create_task(network.fetch(url, accept="*/*", timeout=9))

    asyncio.run(work())
    assert len(world.site.server.log.exchanges) == 8
    assert world.site.server.log.peak == 2


def test_a_connection_of_a_service_is_never_one_for_a_page(world: World) -> None:
    url = world.site.add("/a", plain("hello"), port=0)

    async def work() -> str:
        async with Network(allow_private=False, max_bytes=9_000) as network:
            answer = await network.call(ServiceRequest(method="GET", url=url))
            assert answer.body == b"hello"
            with pytest.raises(FetchError) as caught:
                await network.fetch(url, accept="*/*", timeout=5)
            return caught.value.code

    assert asyncio.run(work()) == "private-address"


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:169.254.169.254]/",
        "http://0xa9fea9fe/",
        "http://metadata.google.internal/",
        "http://link.example/",
        "//169.254.169.254/",
    ],
)
def test_no_redirect_leads_to_metadata_even_with_the_permit(world: World, target: str) -> None:
    url = world.site.add("/a", redirect(target), port=0)
    names = Names(outside_example=[[PUBLIC]], link_example=[["169.254.169.254"]])
    wires = Wires(port_of(url))
    with pytest.raises(FetchError) as caught:
        fetch("http://outside.example/a", names, wires, allow_private=True)
    assert caught.value.code == "private-address"
    assert wires.wanted == [PUBLIC]


@pytest.mark.parametrize(
    "host",
    ["10.0.0.1.", "127.0.0.1..", "127。0。0。1", "127.0.0.1%2f", "①②⑦.0.0.1", "LOCALHOST..",
     "[::ffff:7f00:1]", "[::127.0.0.1]", "[2002:7f00:1::]", "[64:ff9b:1::7f00:1]", "[fec0::1]",
     "[2001:0:1::]", "0300.0250.0.1", "3232235521", "224.0.0.1", "255.255.255.255"],
)  # fmt: skip
def test_no_spelling_hides_a_refused_address(host: str) -> None:
    wires = Wires()
    with pytest.raises(FetchError) as caught:
        fetch(f"http://{host}/", Names(), wires)
    assert caught.value.code in ("private-address", "bad-url")
    assert wires.wanted == []


def test_ports_of_other_services_are_refused_before_a_connection() -> None:
    wires = Wires()
    with pytest.raises(FetchError) as caught:
        fetch("http://mail.example:25/", Names(mail_example=[[PUBLIC]]), wires)
    assert (caught.value.code, wires.wanted) == ("connection", [])
