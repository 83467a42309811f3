"""Trust in a project's settings: a cloned repository must not be able to send a key elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from intelli.errors import UsageError
from intelli.setting_table import TABLE

FILE = "trusted.json"
"""In the user's state directory: paths, and the SHA-256 of each file when it was trusted."""


def refuse_untrusted(path: Path, values: Mapping[str, object], state: Path) -> None:
    """Raises UsageError naming a key of `values` that the file at `path` may not set, unless the
    user trusts the file as it is."""
    guarded = [key for key, value in values.items() if _is_guarded(key, value, path.parent)]
    if guarded and not is_trusted(path, state):
        raise UsageError(
            f"{path} sets `{guarded[0]}`, which a project's file may not do before you trust it",
            code="untrusted-project",
            hint="read the file, then run `intelli config trust`, or remove the key",
        )


def expanded(key: str, path: str) -> Path:
    """The path with `~` replaced. Raises UsageError for a user that there is not."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise UsageError(f"`{key}` {path!r}: {error}", code="bad-setting") from error


def refuse_link(cache_dir: Path, is_given: bool) -> None:
    """A cloned repository may bring a cache directory that is a link to anywhere: it is followed
    only where the user named it, which `is_given` (by the project or by default) says it was not.
    """
    if not is_given or not cache_dir.is_symlink():
        return
    raise UsageError(
        f"{cache_dir} is a link to {cache_dir.resolve()}",
        code="linked-cache",
        hint="name the directory with --cache-dir if that is meant",
    )


def _is_guarded(key: str, value: object, root: Path) -> bool:
    if key == "cache_dir" and isinstance(value, str) and value.isprintable():
        return not (root / expanded(key, value)).resolve().is_relative_to(root.resolve())
    return key in TABLE and TABLE[key].guarded


def is_trusted(path: Path, state: Path) -> bool:
    """Trust is of a file as it is: any change to it ends it."""
    return _trusted(state).get(str(path.resolve())) == _fingerprint(path)


def trust(path: Path, state: Path) -> None:
    """Remember the file at `path` as it is now. Raises OSError."""
    file = state / FILE
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    data = {**_trusted(state), str(path.resolve()): _fingerprint(path)}
    partial = file.with_suffix(f".{os.getpid()}.tmp")
    partial.write_text(json.dumps(data, indent=1), encoding="utf-8")
    partial.replace(file)


def _fingerprint(path: Path) -> str:
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()


def _trusted(state: Path) -> dict[str, str]:
    try:
        data = json.loads((state / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in data.items()} if isinstance(data, dict) else {}
