"""`intelli verify` and `intelli check`: no network, no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from intelli import standard_input
from intelli.cli import options as opt
from intelli.cli.inputs import with_room
from intelli.cli.streams import DEFAULT_MAX_CHARS, UNVERIFIED_EXIT, Streams
from intelli.errors import UsageError
from intelli.records import Claim
from intelli.settings import load

TextFile = Annotated[
    str, typer.Argument(metavar="FILE", help="The text to check; `-` reads standard input.")
]


def verify(
    session: opt.SessionName,
    cache_dir: opt.CacheDir = None,
    strict: opt.Strict = False,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
) -> int:
    """Verify a stored report against its stored sources.

    \b
    Example:
      intelli verify latest --strict
    """
    from intelli.collate.verify import verify as locate
    from intelli.report_text import statements_only
    from intelli.store import Store

    stored = Store(_cache_dir(cache_dir)).open(session)
    claims = locate(statements_only(stored.report), stored.texts())
    return _print(claims, Streams(as_json=json), max_chars or DEFAULT_MAX_CHARS, strict=strict)


def check(
    file: TextFile,
    against: opt.Against,
    cache_dir: opt.CacheDir = None,
    strict: opt.Strict = False,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
) -> int:
    """Verify any text, with [n] marks or without, against the sources of a session.

    \b
    Example:
      intelli check answer.md --against latest
    """
    from intelli.collate.verify import verify as locate
    from intelli.store import Store

    text = _read(file)
    if not text.strip():
        raise UsageError(f"there is nothing to check in {file}", code="empty-input")
    texts: Mapping[int, str] = Store(_cache_dir(cache_dir)).open(against).texts()
    claims = locate(text, texts)
    return _print(claims, Streams(as_json=json), max_chars or DEFAULT_MAX_CHARS, strict=strict)


def _cache_dir(given: str | None) -> Path:
    return load({"cache_dir": given or None}).cache_dir


def _read(file: str) -> str:
    if file == "-":
        return standard_input.read()
    try:
        data = Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}", code="unreadable-file") from error
    return data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")


def _print(claims: Sequence[Claim], streams: Streams, max_chars: int, *, strict: bool) -> int:
    from intelli.report_text import FLAGGED, flag_line, totals_line
    from intelli.show.documents import claims_document
    from intelli.show.listing import pack
    from intelli.show.text import clean

    flagged = [claim for claim in claims if claim.status in FLAGGED]
    if streams.as_json:
        document = claims_document(claims)
        if strict and flagged:
            document["outcome"] = "unverified"
        streams.document(document)
    else:
        lines = [clean(line) for line in (totals_line(claims), *map(flag_line, flagged))]
        streams.result(pack(lines, "", max_chars, with_room))
    return UNVERIFIED_EXIT if strict and flagged else 0
