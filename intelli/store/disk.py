"""Files that appear whole or not at all, reads that stay inside a root, and the two locks.

The cache lock orders everything that renames or lists sessions and is held for milliseconds. A run
lock is held as long as its run lives; the kernel drops it with the process, so no age or process
number has to be judged. A run lock is only taken or removed while the cache lock is held.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from intelli.errors import StoreError

if TYPE_CHECKING:
    from filelock import BaseFileLock

TEMPORARY = ".tmp-"
TRASH = ".trash-"
CACHE_LOCK = ".lock"
RUN_LOCK = ".run.lock"
LOCK_WAIT = 30.0
"""Seconds to wait for the cache lock, which nobody holds over a request or a model call."""


@contextmanager
def reporting(path: Path, action: str = "save to") -> Iterator[None]:
    """Turn an OSError into a StoreError that names the path and the reason."""
    try:
        yield
    except OSError as error:
        where = error.filename or path
        reason = error.strerror or str(error)
        raise StoreError(
            f"cannot {action} {path}: {reason} ({where})",
            code="not-saved",
            hint="free space or choose another directory with --cache-dir",
        ) from error


# --- writing ------------------------------------------------------------------------------------


def write_text(path: Path, text: str, *, lasting: bool = True) -> None:
    """Replace `path` by a file with `text` in UTF-8. Raises OSError and then leaves no trace.

    A `lasting` file survives a power cut and costs a wait for the disk; any survives a kill.
    """
    temporary = path.with_name(TEMPORARY + os.urandom(8).hex())
    try:
        with temporary.open("xb") as file:
            file.write(text.encode("utf-8", "replace"))
            file.flush()
            if lasting:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:  # Ctrl-C must not leave a half-written file either
        with suppress(OSError):
            temporary.unlink()
        raise
    if lasting:
        sync_directory(path.parent)


def write_json(path: Path, data: object, *, lasting: bool = True) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=1)
    write_text(path, text + "\n", lasting=lasting)


def sync_directory(directory: Path) -> None:
    """Make renames in `directory` last through a power cut, where the system offers it."""
    if os.name != "posix":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sweep(directory: Path) -> None:
    """Remove what a crash left half written in `directory`; its writers must be known dead."""
    for path in directory.glob(TEMPORARY + "*"):
        with suppress(OSError):
            path.unlink()


def make_cache_dir(cache_dir: Path) -> None:
    """Create the directory if need be; one that is still empty is kept out of version control."""
    cache_dir.mkdir(parents=True, exist_ok=True)
    with os.scandir(cache_dir) as entries:
        is_empty = next(entries, None) is None
    if is_empty:
        write_text(cache_dir / ".gitignore", "*\n")


# --- reading ------------------------------------------------------------------------------------


def read_text(path: Path, root: Path) -> str | None:
    """The file with its line ends as they are, so that offsets hold.

    None when it is missing, unreadable, not a plain file, or leads out of `root` by a link.
    """
    try:
        real = path.resolve(strict=True)
        if not real.is_relative_to(root.resolve()) or not real.is_file():
            return None
        return real.read_bytes().decode("utf-8", "replace")
    except (OSError, RuntimeError):  # RuntimeError: links in a circle
        return None


def read_json(path: Path, root: Path) -> dict[str, Any] | None:
    """A JSON object, None when it is missing or damaged."""
    text = read_text(path, root)
    if text is None:
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


# --- locks --------------------------------------------------------------------------------------


@contextmanager
def cache_lock(cache_dir: Path) -> Iterator[None]:
    """Hold the lock of a cache directory, which must exist. Raises StoreError after 30 s."""
    from filelock import Timeout

    lock = _file_lock(cache_dir / CACHE_LOCK)
    try:
        lock.acquire(timeout=LOCK_WAIT, poll_interval=0.01)
    except Timeout as error:
        raise StoreError(
            f"{cache_dir} is locked by another process", code="locked", retryable=True
        ) from error
    try:
        yield
    finally:
        lock.release()


class RunLock:
    """The mark of a live run on its directory; it follows the directory when that is renamed."""

    def __init__(self, lock: BaseFileLock) -> None:
        self._lock = lock

    @classmethod
    def acquire(cls, directory: Path) -> RunLock | None:
        """Take the lock of `directory`, None when a live run has it. Raises OSError."""
        from filelock import Timeout

        lock = _file_lock(directory / RUN_LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return None
        return cls(lock)

    def release(self, directory: Path | None = None) -> None:
        """Give the lock back; its file goes too when `directory` says where it is by now."""
        if directory is not None:
            with suppress(OSError):
                (directory / RUN_LOCK).unlink()
        self._lock.release()


def is_live(directory: Path) -> bool:
    """Whether a run holds `directory`. The caller holds the cache lock."""
    if not (directory / RUN_LOCK).is_file():
        return False
    lock = RunLock.acquire(directory)
    if lock is not None:
        lock.release()
    return lock is None


def probe(directory: Path) -> bool:
    """`is_live` for callers without the cache lock; False where a lock cannot be had."""
    if not (directory / RUN_LOCK).is_file():
        return False
    try:
        with cache_lock(directory.parent):
            return is_live(directory)
    except (OSError, StoreError):
        return False


def _file_lock(path: Path) -> BaseFileLock:
    from filelock import FileLock

    return FileLock(path, thread_local=False, fallback_to_soft=False)
