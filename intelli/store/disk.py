"""Files that appear whole or not at all, reads that stay inside a root, and the two locks.

The cache lock orders everything that renames or lists sessions and is held for milliseconds. A run
lock is held as long as its run lives; the kernel drops it with the process, so no age or process
number has to be judged. A run lock is only taken or removed while the cache lock is held.

Where the disk of a cache has no locks, as over some networks, a file of this machine stands in for
each: dead holders and slow ones are still told apart, but other machines are not seen.
"""

from __future__ import annotations

import errno
import json
import os
import sys
import time
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
CANCELLED_WAIT = 1.0
"""The same for a run that is being ended."""
NO_LOCKS = "the disk has no file locks: runs on other machines are not kept apart from this one"
_LOCKLESS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})


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
    """As `write_bytes`, in UTF-8."""
    write_bytes(path, text.encode("utf-8", "replace"), lasting=lasting)


def write_bytes(path: Path, data: bytes, *, lasting: bool = True) -> None:
    """Replace `path` by a file with `data`. Raises OSError and then leaves no trace.

    A `lasting` file survives a power cut and costs a wait for the disk; any survives a kill.
    """
    temporary = path.with_name(TEMPORARY + os.urandom(8).hex())
    try:
        with temporary.open("xb") as file:
            file.write(data)
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
        real = real_file(path, root)
        return real.read_bytes().decode("utf-8", "replace") if real else None
    except OSError:
        return None


def real_file(path: Path, root: Path) -> Path | None:
    """The plain file that `path` leads to inside of `root`; None for all else."""
    try:
        real = path.resolve(strict=True)
        return real if real.is_relative_to(root.resolve()) and real.is_file() else None
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

    try:
        lock = _hold(cache_dir / CACHE_LOCK, LOCK_WAIT)
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

        try:
            return cls(_hold(directory / RUN_LOCK, 0))
        except Timeout:
            return None

    @property
    def is_of_disk(self) -> bool:
        """False where a file of this machine stands in."""
        return Path(self._lock.lock_file).name == RUN_LOCK

    def release(self, directory: Path | None = None) -> None:
        """Give the lock back; its file goes too when `directory` says where it is by now."""
        if directory is not None:
            with suppress(OSError):
                (directory / RUN_LOCK).unlink()
        if not self.is_of_disk:
            with suppress(OSError):  # whoever waits for it looks whether it is still there
                Path(self._lock.lock_file).unlink()
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


def _hold(path: Path, timeout: float) -> BaseFileLock:
    """Lock the file at `path`, or what stands in for it. Raises filelock.Timeout, OSError."""
    try:
        return _locked(path, timeout)
    except OSError as error:
        if error.errno not in _LOCKLESS:
            raise
    return _locked(_stand_in(path), timeout)


def _locked(path: Path, timeout: float) -> BaseFileLock:
    from filelock import FileLock

    lock = FileLock(path, thread_local=False, fallback_to_soft=False)
    lock.acquire(timeout=timeout, poll_interval=0.01, cancel_check=_GivenUp())
    return lock


class _GivenUp:
    """Whether the task that waits was cancelled a second ago: it cannot be told so before its next
    `await`, and what it still wants to save should not be lost over a lock held for milliseconds.
    """

    def __init__(self) -> None:
        self._since: float | None = None

    def __call__(self) -> bool:
        if not _is_cancelled():
            return False
        now = time.monotonic()
        self._since = self._since or now
        return now - self._since > CANCELLED_WAIT


def _is_cancelled() -> bool:
    asyncio = sys.modules.get("asyncio")  # the commands without a loop do not load it
    try:
        task = asyncio.current_task() if asyncio else None
    except RuntimeError:  # no loop in this thread
        return False
    return bool(task and task.cancelling())


def _stand_in(path: Path) -> Path:
    """A file in the directory for temporary files, which is a disk of this machine even where the
    user's home is not. Raises OSError where somebody else has made our place there."""
    import hashlib
    import tempfile

    user = os.getuid() if hasattr(os, "getuid") else ""
    place = Path(tempfile.gettempdir()) / f"intelli-locks-{user}"
    place.mkdir(mode=0o700, exist_ok=True)
    if place.is_symlink() or (user != "" and place.stat().st_uid != user):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
    name = os.fsencode(path.parent.resolve() / path.name)
    return place / f"{hashlib.sha256(name).hexdigest()[:32]}.lock"
