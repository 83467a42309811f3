"""Secure connections: the name is checked although an address is connected to."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from intelli.errors import FetchError
from intelli.net import transport
from intelli.net.client import Network, Policy, Response
from intelli.net.proxy import choose
from tests.world.certificates import make_certificate
from tests.world.proxy import serve_proxy


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def trusted(certificate: Path) -> Iterator[None]:
    """As long as it lasts, the test's certificate is one that we trust."""
    transport.tls_context.cache_clear()
    transport.tls_context().load_verify_locations(certificate)
    yield
    transport.tls_context.cache_clear()


@asynccontextmanager
async def server(certificate: Path | None) -> AsyncIterator[int]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.read(65_536)
        host = head.partition(b"ost: ")[2].partition(b"\r\n")[0]
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(host), host))
        await writer.drain()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
    if context and certificate:
        context.load_cert_chain(certificate)
    listening = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with listening:
        yield listening.sockets[0].getsockname()[1]


async def here(host: str, port: int) -> Sequence[str]:
    assert host and port
    return ["127.0.0.1"]


def fetch(host: str, certificate: Path | None) -> Response:
    async def work() -> Response:
        async with (
            server(certificate) as port,
            Network(allow_private=True, max_bytes=9_000, lookup=here) as network,
        ):
            return await network.fetch(f"https://{host}:{port}/", accept="*/*", timeout=5)

    return asyncio.run(work())


@pytest.mark.usefixtures("trusted")
def test_a_trusted_certificate_of_the_name_is_enough(certificate: Path) -> None:
    assert fetch("pumps.test", certificate).body.startswith(b"pumps.test:")


@pytest.mark.usefixtures("trusted")
def test_a_certificate_of_another_name_is_refused(certificate: Path) -> None:
    with pytest.raises(FetchError) as caught:
        fetch("valves.test", certificate)
    assert caught.value.code == "tls"


def test_a_certificate_nobody_vouches_for_is_refused(certificate: Path) -> None:
    with pytest.raises(FetchError) as caught:
        fetch("pumps.test", certificate)
    assert caught.value.code == "tls"


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_cannot_be_read_are_named(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    named = tmp_path / "own.pem"
    if content is not None:
        named.write_text(content, encoding="utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(named))
    transport.tls_context.cache_clear()
    with pytest.raises(FetchError) as caught:
        fetch("pumps.test", certificate)
    transport.tls_context.cache_clear()
    assert caught.value.code == "tls"
    assert "SSL_CERT_FILE" in caught.value.hint


def test_plain_http_behind_https_is_refused() -> None:
    with pytest.raises(FetchError) as caught:
        fetch("pumps.test", None)
    assert caught.value.code == "tls"


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize(("host", "code"), [("pumps.test", ""), ("valves.test", "tls")])
def test_the_name_is_checked_through_a_proxy_as_well(
    certificate: Path, host: str, code: str
) -> None:
    async def work() -> tuple[list[str], str]:
        async with server(certificate) as port, serve_proxy(port) as proxy:
            policy = Policy(proxies=choose(f"http://127.0.0.1:{proxy.port}", {}))
            async with Network(
                allow_private=True, max_bytes=9_000, policy=policy, lookup=here
            ) as network:
                try:
                    page = await network.fetch(f"https://{host}/", accept="*/*", timeout=5)
                    assert page.body == host.encode()
                except FetchError as error:
                    return proxy.asked, error.code
            return proxy.asked, ""

    assert asyncio.run(work()) == (["CONNECT 127.0.0.1:443"], code)
