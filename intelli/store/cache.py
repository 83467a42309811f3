"""A cache of JSON values by text keys that survives any damage and never unpickles anything."""

from __future__ import annotations

import json
import shutil
import sqlite3
import zlib
from functools import cache
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

SIZE_LIMIT = 512 * 1024 * 1024
"""Bytes on disk, beyond which the oldest values go."""
BUSY_SECONDS = 2.0
LEVEL = 3
"""Of zlib: text shrinks to about a third, at 100 MB a second."""


class Cache:
    """`get` and `set` never raise for what is on disk: a value that cannot be had is a miss, one
    that cannot be kept is dropped, and a damaged database is set aside as `<directory>.damaged`.

    The database opens with the first use.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._store: Any = None
        self._guard = Lock()

    def get(self, key: str) -> Any:
        """The value, None when there is none that is whole and not expired."""
        try:
            return self._open().get(key)
        except Exception as error:  # noqa: BLE001 - diskcache raises what sqlite, zlib or json do
            self._give_up(key, error)
            return None

    def set(self, key: str, value: object, expire_s: float | None) -> None:
        """Keep a JSON value for `expire_s` seconds, None for as long as there is room. Raises
        TypeError for a value that is not JSON."""
        packed = zlib.compress(json.dumps(value).encode(), LEVEL)
        try:
            self._open().set(key, packed, expire=expire_s)
        except Exception as error:  # noqa: BLE001 - as above; a full disk costs the speed, not the run
            self._give_up(None, error)

    def open(self) -> None:
        """Open the database ahead of its first use; it takes tens of milliseconds."""
        try:
            self._open()
        except Exception as error:  # noqa: BLE001 - as above
            self._give_up(None, error)

    def close(self) -> None:
        with self._guard:
            self._close()

    def __enter__(self) -> Cache:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _open(self) -> Any:
        with self._guard:
            if self._store is None:
                import diskcache

                # diskcache makes its files readable for all: only the directory protects them.
                self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._directory.chmod(0o700)
                self._store = diskcache.Cache(
                    str(self._directory),
                    timeout=BUSY_SECONDS,
                    disk=_json_disk(),
                    size_limit=SIZE_LIMIT,
                )
            return self._store

    def _give_up(self, key: str | None, error: Exception) -> None:
        """Remove what is broken, so that it is broken once."""
        with self._guard:
            if _is_damage(error):
                self._close()
                self._set_aside()
            elif key is not None and self._store is not None and isinstance(error, _BROKEN):
                try:
                    self._store.delete(key)
                except Exception:  # noqa: BLE001 - as above; the next look meets it again
                    self._close()

    def _close(self) -> None:
        if self._store is not None:
            store, self._store = self._store, None
            store.close()

    def _set_aside(self) -> None:
        aside = self._directory.with_name(f"{self._directory.name}.damaged")
        shutil.rmtree(aside, ignore_errors=True)
        try:
            self._directory.rename(aside)
        except OSError:
            shutil.rmtree(self._directory, ignore_errors=True)


_BROKEN = (ValueError, TypeError, zlib.error)
"""What reading a value raises that is not what was stored."""


def _is_damage(error: Exception) -> bool:
    """A database that will not heal by itself, unlike one that is busy, full or read-only."""
    if isinstance(error, sqlite3.OperationalError):
        return str(error).startswith(("no such", "malformed"))
    return isinstance(error, sqlite3.DatabaseError)


@cache
def _json_disk() -> type:
    import diskcache
    from diskcache.core import MODE_BINARY, MODE_RAW

    class JSONDisk(diskcache.Disk):  # type: ignore[misc]
        """Text keys and compressed JSON alone; the modes that diskcache unpickles are refused,
        because whoever can write the database could run code through them (CVE-2025-69872)."""

        def put(self, key: object) -> tuple[object, bool]:
            if not isinstance(key, str):
                raise TypeError(f"not a text key: {key!r:.80}")
            return key, True

        def get(self, key: object, raw: object) -> object:
            if not (raw and isinstance(key, str)):
                raise ValueError("a key that this cache did not write")
            return key

        def fetch(self, mode: int, filename: str | None, value: object, read: bool) -> object:
            if mode not in (MODE_RAW, MODE_BINARY):
                raise ValueError("a value that this cache did not write")
            packed = super().fetch(mode, filename, value, False)
            if not isinstance(packed, bytes):
                raise ValueError("a value that this cache did not write")
            return json.loads(zlib.decompress(packed))

    return JSONDisk
