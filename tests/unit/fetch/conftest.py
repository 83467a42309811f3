"""Fetches pages of the world as a run would, the reader in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from intelli.fetch.page import fetch_page
from intelli.fetch.tools import FetchTools
from intelli.net.client import Network
from intelli.records import Link, Page
from intelli.text import readers
from intelli.text.document import Document

Fetch = Callable[..., Page]


class InlineReader:
    """The real reader without its child process: quick, and these pages are harmless."""

    async def read(self, body: bytes, content_type: str, url: str) -> Document:
        return readers.read(body, content_type, url)


@pytest.fixture
def fetch() -> Fetch:
    def run(url: str, *, timeout: float = 10.0, title: str = "", **more: Any) -> Page:
        async def work() -> Page:
            async with Network(allow_private=True, max_bytes=1_000_000) as network:
                tools = FetchTools(network=network, reader=InlineReader(), timeout=timeout, **more)
                return await fetch_page(Link(url=url, title=title), tools)

        return asyncio.run(work())

    return run
