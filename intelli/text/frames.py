"""How the reader and its child process speak: length-prefixed frames over pipes."""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass

from intelli.text.document import Document

SIZE = struct.Struct(">I")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One page to parse; `limit` is in seconds."""

    body: bytes
    content_type: str
    url: str
    limit: float


def frame(payload: bytes) -> bytes:
    """The payload behind its length, four bytes big-endian."""
    return SIZE.pack(len(payload)) + payload


def pack_job(job: Job) -> bytes:
    """Two frames: what is known about the body as JSON, then the body."""
    facts = {"content_type": job.content_type, "url": job.url, "limit": job.limit}
    return frame(json.dumps(facts).encode()) + frame(job.body)


def unpack_job(facts: bytes, body: bytes) -> Job:
    """The reverse of `pack_job`, given its two payloads."""
    return Job(body=body, **json.loads(facts))


def pack_document(document: Document) -> bytes:
    """One frame of JSON. ASCII only, so that a lone surrogate cannot break it."""
    return frame(json.dumps(asdict(document)).encode())


def unpack_document(payload: bytes) -> Document:
    """The reverse of `pack_document`, given its payload."""
    return Document(**json.loads(payload))
