"""Response bodies in pieces: decoded by us, both sizes capped, so that a bomb ends early."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from intelli.errors import FetchError

PIECE = 65_536
ACCEPT_ENCODING = "gzip, deflate"
_OURS = frozenset({"gzip", "x-gzip", "deflate"})
_COMPRESSIONS = _OURS | {
    "br",
    "zstd",
    "compress",
    "x-compress",
    "dcb",
    "dcz",
    "lzma",
    "xz",
    "bzip2",
}
_TEXT_TYPES = ("text/", "application/xhtml", "application/xml", "application/json",
               "application/javascript", "application/ld+json", "application/rss",
               "application/atom", "application/yaml", "application/x-ndjson",
               "application/markdown", "message/", "model/gltf+json")  # fmt: skip


def is_text(media_type: str, head: bytes) -> bool:
    """Whether a part of the body is still of use: its first bytes decide against its label."""
    if head.startswith((b"%PDF-", b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff")):
        return False
    labelled = not media_type or media_type.startswith(_TEXT_TYPES)
    return labelled or media_type.endswith(("+xml", "+json"))


class Decoder:
    """Undoes a Content-Encoding piece by piece, never more than PIECE bytes at a time.

    What is no compression (`none`, `utf-8`, `aws-chunked`, …) is a mistake and changes nothing, as
    in browsers. Raises FetchError `bad-encoding` for a compression we did not ask for and for
    broken data."""

    def __init__(self, encoding: str) -> None:
        named = [name.strip() for name in encoding.lower().split(",")]
        applied = [name for name in named if name in _COMPRESSIONS]
        if len(applied) > 1 or not _OURS.issuperset(applied):
            shown = ", ".join(applied)[:80]
            raise FetchError(f"content encoding not asked for: {shown}", code="bad-encoding")
        self._encoding = "".join(applied)
        self._plain = not applied
        self._inflater: zlib._Decompress | None = None
        self._fed = False

    @property
    def is_complete(self) -> bool:
        """False when the compressed stream ended before its own end mark."""
        return self._plain or not self._fed or (self._inflater is not None and self._inflater.eof)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decoded pieces of `data`."""
        if self._plain:
            yield from (data[i : i + PIECE] for i in range(0, len(data), PIECE))
            return
        self._fed = True
        try:
            yield from self._inflate(data)
        except zlib.error as error:
            raise FetchError("the compressed body is broken", code="bad-encoding") from error

    def _inflate(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inflater is None:
                self._inflater = self._new_inflater(data)
            elif self._inflater.eof:
                if self._encoding == "deflate" or not data.startswith(b"\x1f\x8b"):
                    return  # padding behind the stream
                self._inflater = self._new_inflater(data)
            piece = self._inflater.decompress(data, PIECE)
            if piece:
                yield piece
            data = self._inflater.unconsumed_tail or self._inflater.unused_data

    def _new_inflater(self, data: bytes) -> zlib._Decompress:
        if self._encoding != "deflate":
            return zlib.decompressobj(zlib.MAX_WBITS | 16)
        # Servers send "deflate" with and without the zlib header (RFC 9110, 8.4.1.2).
        has_header = data[0] & 0x0F == 8 and (len(data) < 2 or (data[0] * 256 + data[1]) % 31 == 0)
        return zlib.decompressobj(zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


class Meter:
    """Decodes a body as it comes and lets at most `max_bytes` through."""

    def __init__(self, decoder: Decoder, max_bytes: int) -> None:
        self._decoder = decoder
        self._max_bytes = max_bytes
        self._room = self._wire = max_bytes

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decoded pieces of `data`.

        Raises FetchError `too-large` after the last piece that fits; also when that much came over
        the wire, as compressed data can go on for ever without yielding a byte."""
        self._wire -= len(data)
        for piece in self._decoder.feed(data):
            yield piece[: self._room]
            self._room -= len(piece)
            if self._room < 0:
                raise too_large(self._max_bytes)
        if self._wire < 0:
            raise too_large(self._max_bytes)


def too_large(max_bytes: int) -> FetchError:
    return FetchError(f"the body is larger than {max_bytes:,} bytes", code="too-large")
