"""A cache may forget, but it never fails, and it never runs what somebody put into it."""

from __future__ import annotations

import pickle
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from intelli.store.cache import Cache

VALUE = {"url": "https://a.test/", "text": "words " * 20_000, "n": [1, 2.5, None, True]}


class Bomb:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[Cache]:
    with Cache(tmp_path / "pages") as made:
        yield made


def database(tmp_path: Path) -> Path:
    return tmp_path / "pages" / "cache.db"


def change(tmp_path: Path, statement: str, *values: object) -> None:
    connection = sqlite3.connect(database(tmp_path))
    with connection:
        connection.execute(statement, values)
    connection.close()


def test_values_come_back_in_another_process_as_they_were(cache: Cache, tmp_path: Path) -> None:
    cache.set("page:ü", VALUE, None)
    cache.set("small", 0, 60)
    with Cache(tmp_path / "pages") as other:
        assert other.get("page:ü") == VALUE and other.get("small") == 0
    assert cache.get("unknown") is None


def test_values_expire(cache: Cache) -> None:
    cache.set("k", "old", -1)
    assert cache.get("k") is None
    cache.set("k", "new", 60)
    assert cache.get("k") == "new"


def test_the_directory_is_private_and_made_with_the_first_use(tmp_path: Path) -> None:
    with Cache(tmp_path / "deep" / "pages") as made:
        assert not (tmp_path / "deep").exists()
        made.set("k", 1, None)
        assert stat.S_IMODE((tmp_path / "deep" / "pages").stat().st_mode) == 0o700


def test_only_json_is_accepted(cache: Cache) -> None:
    with pytest.raises(TypeError):
        cache.set("k", object(), None)
    assert cache.get("k") is None


@pytest.mark.parametrize("mode", [4, 9])
def test_a_pickled_value_is_never_loaded(cache: Cache, tmp_path: Path, mode: int) -> None:
    cache.set("k", "v", None)
    bomb = pickle.dumps(Bomb(tmp_path / "ran"))
    change(tmp_path, "UPDATE Cache SET mode = ?, value = ? WHERE key = 'k'", mode, bomb)
    assert cache.get("k") is None
    assert not (tmp_path / "ran").exists()
    cache.set("k", "again", None)
    assert cache.get("k") == "again"


def test_a_pickled_value_in_a_file_is_never_loaded(cache: Cache, tmp_path: Path) -> None:
    cache.set("k", "v", None)
    (tmp_path / "pages" / "x.val").write_bytes(pickle.dumps(Bomb(tmp_path / "ran")))
    change(tmp_path, "UPDATE Cache SET mode = 4, value = NULL, filename = 'x.val'")
    assert cache.get("k") is None
    assert not (tmp_path / "ran").exists()


def test_a_pickled_key_is_never_loaded(cache: Cache, tmp_path: Path) -> None:
    cache.set("k", "v", None)
    change(tmp_path, "UPDATE Cache SET raw = 0, key = ?", pickle.dumps(Bomb(tmp_path / "ran")))
    assert cache.get("k") is None
    cache.set("other", "v", 60)
    assert cache.get("other") == "v"
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("value", [b"not zlib", b"x\x9c\x03\x00\x00\x00\x00\x01", 7, "text", None])
def test_a_broken_row_is_a_miss_and_goes(cache: Cache, tmp_path: Path, value: object) -> None:
    cache.set("k", "v", None)
    cache.set("fine", "v", None)
    change(tmp_path, "UPDATE Cache SET value = ? WHERE key = 'k'", value)
    assert cache.get("k") is None
    assert cache.get("fine") == "v"
    cache.set("k", "again", None)
    assert cache.get("k") == "again"


def test_a_missing_value_file_is_a_miss(cache: Cache, tmp_path: Path) -> None:
    big = [str(k * 7919) for k in range(50_000)]
    cache.set("k", big, None)
    (file,) = (tmp_path / "pages").rglob("*.val")
    file.unlink()
    assert cache.get("k") is None


def test_a_broken_database_is_set_aside(tmp_path: Path) -> None:
    with Cache(tmp_path / "pages") as made:
        made.set("k", "v", None)
    for file in (tmp_path / "pages").glob("cache.db*"):
        file.write_bytes(b"this is no database, whatever it says " * 200)
    with Cache(tmp_path / "pages") as made:
        assert made.get("k") is None
        made.set("k", "new", None)
        assert made.get("k") == "new"
    assert (tmp_path / "pages.damaged").is_dir()


def test_a_database_that_breaks_while_open_is_set_aside(cache: Cache, tmp_path: Path) -> None:
    cache.set("k", "v", None)
    change(tmp_path, "DROP TABLE Cache")
    assert cache.get("k") is None
    cache.set("k", "new", None)
    assert cache.get("k") == "new"


def test_a_directory_that_cannot_be_used_is_a_cache_that_forgets(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    with Cache(tmp_path / "file" / "pages") as made:
        made.set("k", "v", None)
        assert made.get("k") is None
    with Cache(tmp_path / "file") as made:
        made.set("k", "v", None)
        assert made.get("k") is None
    assert (tmp_path / "file").read_text() == "not a directory"


def test_a_busy_database_is_waited_for_and_then_a_miss(cache: Cache, tmp_path: Path) -> None:
    cache.set("k", "v", None)
    holder = sqlite3.connect(database(tmp_path))
    holder.execute("BEGIN EXCLUSIVE")
    cache.set("k", "not kept", None)
    holder.rollback()
    holder.close()
    assert cache.get("k") == "v"


def test_threads_share_one_cache(cache: Cache) -> None:
    def work(k: int) -> None:
        cache.set(f"k{k}", k, None)
        assert cache.get(f"k{k}") == k

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [cache.get(f"k{k}") for k in range(8)] == list(range(8))


def test_diskcache_is_imported_with_the_first_use_only() -> None:
    code = (
        "import sys, pathlib, intelli.store, intelli.store.cache as c\n"
        "c.Cache(pathlib.Path('nowhere'))\n"
        "heavy = {'diskcache', 'filelock', 'httpx2', 'lxml', 'litellm', 'rich', 'pydantic'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or None)\n"
    )
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
