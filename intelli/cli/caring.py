"""What is done with stored sessions as a whole: `intelli export` and `intelli prune`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import options as opt
from intelli.cli.inputs import store_at
from intelli.cli.streams import DEFAULT_MAX_CHARS, NOT_SAVED_EXIT, Streams
from intelli.errors import UsageError
from intelli.inputs import age_of

if TYPE_CHECKING:
    from intelli.store import StoredSession

Zip = Annotated[
    bool, typer.Option("--zip", help="All files of the session in one archive instead.")
]
OlderThan = Annotated[
    str | None,
    typer.Option("--older-than", help="Remove what is older: 12h, 30d.", metavar="AGE"),
]
Keep = Annotated[
    int | None, typer.Option("--keep", help="Keep this many of the newest.", metavar="N", min=0)
]
MaxSize = Annotated[
    str | None,
    typer.Option(
        "--max-size", help="Remove the oldest until the rest fits: 500MB, 2GB.", metavar="SIZE"
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would go; remove nothing.")]
Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SESSION]...", help="Sessions to remove, by name, hash or `latest`."),
]
_SIZE = re.compile(r"([0-9]{1,9}(?:\.[0-9]+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)


def export(
    session: opt.SessionName,
    output: opt.Output = None,
    zip: Zip = False,  # noqa: A002 - the option's name
    cache_dir: opt.CacheDir = None,
    json: opt.Json = False,
) -> int:
    """Write a session as one HTML file that stands alone, or as a zip archive.

    The file opens without a network; each citation leads to the stored passage it rests on.

    \b
    Examples:
      intelli export latest
      intelli export 3f7a2c -o report.html
      intelli export 3f7a2c --zip
    """
    from intelli.show.documents import envelope

    stored = store_at(cache_dir).open(session)
    target = output or Path(f"{stored.name}.{'zip' if zip else 'html'}")
    try:
        size = (_write_zip if zip else write_page)(stored, target)
    except OSError as error:
        raise UsageError(
            f"cannot write {target}: {error.strerror}",
            code="not-written",
            hint="name another file with -o",
        ) from error
    streams = Streams(as_json=json)
    if json:
        streams.document(envelope("completed", session=stored.name, path=str(target), bytes=size))
    else:
        streams.result(f"{target}\n")
    return NOT_SAVED_EXIT if streams.unsaved else 0


def write_page(stored: StoredSession, target: Path) -> int:
    """The session as one HTML file; its size in bytes. Raises OSError."""
    from intelli.show.page import page
    from intelli.store import load_research

    texts = {source.n: source.text for source in stored.sources if source.text}
    return _write(target, page(load_research(stored), texts).encode("utf-8", "replace"))


def _write_zip(stored: StoredSession, target: Path) -> int:
    from intelli.store.archiving import zip_of

    return _write(target, zip_of(stored.path))


def _write(target: Path, data: bytes) -> int:
    """Whole or not at all, where it is a file and no pipe or device."""
    from intelli.store.disk import write_bytes

    if target.exists() and not target.is_file():
        target.write_bytes(data)
    else:
        write_bytes(target.resolve(), data)
    return len(data)


def prune(
    sessions: Names = None,
    older_than: OlderThan = None,
    keep: Keep = None,
    max_size: MaxSize = None,
    dry_run: DryRun = False,
    cache_dir: opt.CacheDir = None,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    json: opt.Json = False,
) -> int:
    """Remove sessions: the named ones, or by age, number and size. Runs at work stay.

    \b
    Examples:
      intelli prune --older-than 90d --dry-run
      intelli prune --keep 200 --max-size 2GB
      intelli prune 3f7a2c
    """
    from intelli.show.documents import envelope
    from intelli.show.listing import pruned_text
    from intelli.store.pruning import Rules, outdated, size_of

    if bool(sessions) == any(rule is not None for rule in (older_than, keep, max_size)):
        raise UsageError(
            "name sessions, or give a rule: --older-than, --keep, --max-size",
            code="usage",
            hint="`intelli prune --older-than 90d --dry-run` removes nothing yet",
        )
    store = store_at(cache_dir)
    if sessions:
        names = dict.fromkeys(store.resolve(ref).name for ref in sessions)
        going = [(name, size_of(store.cache_dir / name)) for name in names]
    else:
        rules = Rules(
            before=datetime.now(UTC) - age_of(older_than, "--older-than", "hd")
            if older_than
            else None,
            keep=keep,
            max_bytes=_bytes_of(max_size) if max_size else None,
        )
        found = outdated(store.sessions(), rules, store.cache_dir)
        going = [(session.name, size) for session, size in found]
    streams = Streams(as_json=json)
    if not dry_run:
        removed = set(store.remove(name for name, _ in going))
        busy = [
            name for name, _ in going if name not in removed and (store.cache_dir / name).is_dir()
        ]
        going = [(name, size) for name, size in going if name in removed]
        if busy and sessions:
            raise UsageError(
                f"{busy[0]} is being written by a run", code="session-running", retryable=True
            )
    if json:
        bodies = [{"session": name, "bytes": size} for name, size in going]
        streams.document(envelope("completed", removed=bodies, dry_run=dry_run))
    else:
        limit = max_chars or DEFAULT_MAX_CHARS
        streams.result(pruned_text(going, limit, dry_run=dry_run))
    return 0


def _bytes_of(text: str) -> int:
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"no size: {text!r}", code="bad-size", hint="write 500MB or 2GB")
    return int(float(match[1]) * 1000 ** " kmgt".index(match[2].lower() or " "))
