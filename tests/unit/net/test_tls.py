"""Secure connections: the name is checked although an address is connected to."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from intelli.errors import FetchError
from intelli.net import transport
from intelli.net.client import Network, Response


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and self-signed certificate of the host pumps.test in one file."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("making a certificate takes openssl")
    both = tmp_path_factory.mktemp("tls") / "pumps.pem"
    subprocess.run(
        [
            *(program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=pumps.test", "-addext", "subjectAltName=DNS:pumps.test"),
            *("-keyout", str(both.with_suffix(".key")), "-out", str(both)),
        ],
        check=True,
        capture_output=True,
    )
    both.write_text(both.read_text() + both.with_suffix(".key").read_text())
    return both


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


def test_plain_http_behind_https_is_refused() -> None:
    with pytest.raises(FetchError) as caught:
        fetch("pumps.test", None)
    assert caught.value.code == "tls"
