"""The client that asks as a browser asks, over TLS and HTTP/2: in a process of its own, since
curl_cffi reads which certificates to trust when it is imported."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.world.certificates import make_certificate
from tests.world.http2 import serve_http2

pytest.importorskip("curl_cffi")

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import asyncio, json, sys
from intelli.errors import FetchError
from intelli.net.client import Network, Policy

async def here(host, port):
    return ["127.0.0.1"]

async def main():
    policy = Policy(impersonate="always")
    network = Network(allow_private=True, max_bytes=200_000, policy=policy, lookup=here)
    async with network:
        for url in sys.argv[1:]:
            try:
                page = await network.fetch(url, accept="*/*", timeout=10)
                print(json.dumps([page.status, len(page.body), page.truncated]))
            except FetchError as error:
                print(json.dumps(error.code))

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"))


async def run(urls: list[str], trusted: Path | None) -> list[Any]:
    variables = {"SSL_CERT_FILE": str(trusted)} if trusted else {}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SCRIPT, *urls),
        cwd=ROOT,
        env=variables,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return [json.loads(line) for line in out.decode().splitlines()]


def test_an_endless_page_is_left_and_its_host_answers_on(certificate: Path) -> None:
    async def work() -> None:
        bodies = {"/endless": None, "/short": b"hello"}
        async with serve_http2(certificate, bodies) as seen:
            site = f"https://pumps.test:{seen.port}"
            paths = ["/short", *["/endless"] * 4, "/short"]
            found = await run([site + path for path in paths], certificate)
        cut = [200, 200_000, True]
        assert found == [[200, 5, False], cut, cut, cut, cut, [200, 5, False]]
        assert seen.paths == paths  # none was asked for twice, and all over HTTP/2

    asyncio.run(work())


@pytest.mark.parametrize(("host", "is_trusted"), [("valves.test", True), ("pumps.test", False)])
def test_a_certificate_that_does_not_fit_is_refused(
    certificate: Path, host: str, is_trusted: bool
) -> None:
    async def work() -> None:
        async with serve_http2(certificate, {"/": b"hello"}) as seen:
            urls = [f"https://{host}:{seen.port}/"]
            assert await run(urls, certificate if is_trusted else None) == ["tls"]
            assert seen.paths == []

    asyncio.run(work())
