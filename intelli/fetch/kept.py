"""Pages that came a short while ago: answered from the user's cache, or confirmed by the server."""

from __future__ import annotations

import base64
import binascii
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Self

from intelli.fetch.lifetime import LONGEST, lifetime
from intelli.net import urls
from intelli.net.client import Network, Response
from intelli.net.messages import Known
from intelli.records import record
from intelli.store.beside import CacheBeside
from intelli.store.cache import Cache

KEPT_SECONDS = 7 * 86400.0
"""How long a page that the server may confirm stays on disk."""
MAX_BODY = 5_000_000
"""Bytes of a body that is kept."""
_HEADERS = ("content-type", "content-language", "link", "etag", "last-modified", "refresh")
"""What of an answer's head is kept; above all no cookies."""
_VALIDATORS = {"etag": "if-none-match", "last-modified": "if-modified-since"}


@record
class Kept:
    """A response, when it came or was last confirmed, and until when it need not be again; both in
    seconds of the epoch."""

    response: Response
    at: float
    until: float

    def shown(self, now: float) -> Response:
        """The response with its age."""
        moment = datetime.fromtimestamp(self.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return replace(self.response, fetched=moment, age_s=max(0.0, now - self.at))

    @property
    def known(self) -> Known:
        headers = self.response.headers
        sent = {
            ours: value
            for own, ours in _VALIDATORS.items()
            if (value := headers.get(own)) and value.isascii() and value.isprintable()
        }
        return Known(url=self.response.url, headers=sent)

    def packed(self) -> dict[str, object]:
        """As JSON; a body that is no text in base 64."""
        body = self.response.body
        try:
            coded = {"text": body.decode()}
        except UnicodeDecodeError:
            coded = {"base64": base64.b64encode(body).decode("ascii")}
        return {
            "url": self.response.url,
            "headers": dict(self.response.headers),
            "at": self.at,
            "until": self.until,
            **coded,
        }


class KeptPages:
    """`Network.fetch` behind a cache. A page is answered for an hour, or as much less as its server
    allows, without asking anybody; after that with the server's word that it is still the same.

    What the cache has not found in time is fetched. `permit` keeps what `--allow-private` opened
    from runs without it; `asks` has the server confirm also what is new enough."""

    def __init__(self, network: Network, cache: Cache, *, permit: bool, asks: bool = False) -> None:
        self._asks = asks
        self._network = network
        self._beside = CacheBeside(cache)
        self._permit = permit

    async def __aenter__(self) -> Self:
        await self._beside.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._beside.__aexit__()

    def warm(self) -> None:
        """Open the cache ahead of the first page; returns at once, from any thread."""
        self._beside.warm()

    async def written(self) -> None:
        """Wait until all that was to be kept by now is on disk."""
        await self._beside.written()

    async def fetch(self, url: str, *, accept: str, timeout: float) -> Response:
        """The page, as `Network.fetch` gives it; one from the cache says how old it is."""
        began = time.monotonic()
        key = self._key(url, accept)
        kept = await self._beside.look(key, unpacked)
        now = time.time()
        is_new = kept is not None and kept.at <= now < min(kept.until, kept.at + LONGEST)
        if kept is not None and is_new and not self._asks:
            return kept.shown(now)
        left = max(0.001, timeout - (time.monotonic() - began))
        known = kept.known if kept is not None else None
        response = await self._network.fetch(url, accept=accept, timeout=left, known=known)
        if kept is not None and response.status == 304 and response.url == kept.response.url:
            fields = {**response.headers, **kept.response.headers}
            response = replace(kept.response, headers=fields)
        self._keep(key, response)
        return response

    def forget(self, url: str, accept: str) -> None:
        """Drop what came from an address: it was not the page, and another time it may be."""
        self._beside.keep(self._key(url, accept), lambda: None, 1.0)

    def _key(self, url: str, accept: str) -> str:
        return f"{'permit' if self._permit else 'public'}\n{accept}\n{urls.clean(url)}"

    def _keep(self, key: str, response: Response) -> None:
        seconds = lifetime(response.headers, time.time())
        has_validator = any(name in response.headers for name in _VALIDATORS)
        if seconds is None or (seconds <= 0 and not has_validator) or not _is_worth(response):
            return
        headers = {name: response.headers[name] for name in _HEADERS if name in response.headers}
        now = time.time()
        kept = Kept(response=replace(response, headers=headers), at=now, until=now + seconds)
        expire = KEPT_SECONDS if has_validator else seconds
        self._beside.keep(key, kept.packed, expire)


def unpacked(value: Any) -> Kept | None:
    """What `Kept.packed` made, None for anything else."""
    try:
        body = value["text"].encode() if "text" in value else base64.b64decode(value["base64"])
        headers = {str(name): str(text) for name, text in value["headers"].items()}
        response = Response(status=200, url=str(value["url"]), headers=headers, body=body)
        return Kept(response=response, at=float(value["at"]), until=float(value["until"]))
    except (TypeError, KeyError, AttributeError, ValueError, binascii.Error):
        return None


def _is_worth(response: Response) -> bool:
    """Whether it may be the page and whole: errors, named checks and halves are not kept."""
    if response.status != 200 or response.truncated or len(response.body) > MAX_BODY:
        return False
    from intelli.fetch import vendors  # hundreds of patterns, loaded beside the search

    return not vendors.by_headers(response.headers, response.status)
