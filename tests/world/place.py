"""A place to run the installed command in: its own home, its own project, nothing inherited."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from intelli.show.schema import EVENTS, NAMES, schema_of

COMMAND = str(Path(sys.executable).parent / "intelli")
PATIENCE = 60.0
"""Seconds after which a command that should have ended long ago is killed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a finished command left: its exit code, its two streams and how long it took."""

    code: int
    stdout: str
    stderr: str
    seconds: float
    command: str = ""
    """The name in `intelli schema` of what it prints."""

    @property
    def json(self) -> Any:
        """The document, which has to be as `intelli schema` says."""
        document = json.loads(self.stdout)
        if self.command in NAMES:
            validator(self.command).validate(document)
        return document

    @property
    def events(self) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.stderr.splitlines() if line.strip()]
        for line in lines:
            validator(EVENTS).validate(line)
        return lines


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema_of(name))


def _name_of(arguments: object) -> str:
    """What `intelli schema` calls the output of a command line."""
    words = [str(word) for word in arguments] if isinstance(arguments, list) else []
    if words[:1] != [COMMAND]:
        return ""
    two = " ".join(words[1:3])
    return two if two in NAMES else " ".join(words[1:2])


class Running:
    """A command that is still at work."""

    def __init__(self, process: subprocess.Popen[bytes], encoding: str) -> None:
        self.process = process
        self._encoding = encoding
        self._started = time.monotonic()

    def until(self, happened: Callable[[], object], patience: float = PATIENCE) -> None:
        """Wait for something in the world to happen; an early end of the command is an error."""
        deadline = time.monotonic() + patience
        while not happened():
            if self.process.poll() is not None:
                run = self.finish()
                raise AssertionError(f"ended with {run.code}: {run.stdout}{run.stderr}")
            assert time.monotonic() < deadline, "it never happened"
            time.sleep(0.005)

    def signal(self, number: int = signal.SIGINT) -> None:
        self.process.send_signal(number)

    def finish(self, patience: float = PATIENCE) -> Run:
        try:
            stdout, stderr = self.process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            stdout, stderr = self.process.communicate()
            raise AssertionError(f"did not end: {stdout!r} {stderr!r}") from None
        return Run(
            code=self.process.returncode,
            stdout=stdout.decode(self._encoding),
            stderr=stderr.decode(self._encoding),
            seconds=time.monotonic() - self._started,
            command=_name_of(self.process.args),
        )


class Place:
    """A home and a project below one directory, and the environment that points there."""

    def __init__(self, root: Path, env: Mapping[str, str]) -> None:
        self.root = root
        self.project = root / "project"
        self.project.mkdir(parents=True)
        self.env = {**home_env(root / "home"), **env}

    @property
    def cache(self) -> Path:
        return self.project / ".search"

    def sessions(self) -> list[Path]:
        """The session directories, oldest first; archives among them."""
        found = (
            [path for path in self.cache.iterdir() if path.is_dir()] if self.cache.is_dir() else []
        )
        return sorted(path for path in found if not path.name.startswith("."))

    def session(self) -> Path:
        """The only session there is."""
        (only,) = self.sessions()
        return only

    def start(self, *args: str, stdin: bytes | str | None = None, **env: str | None) -> Running:
        """Start `intelli ARGS`; a variable set to None is taken away."""
        process = subprocess.Popen(
            [COMMAND, *args],
            cwd=self.project,
            env=self._merged(env),
            stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if stdin is not None:
            assert process.stdin is not None
            process.stdin.write(stdin.encode() if isinstance(stdin, str) else stdin)
            process.stdin.close()
            process.stdin = None
        return Running(process, (env.get("PYTHONIOENCODING") or "utf-8").partition(":")[0])

    def run(self, *args: str, stdin: bytes | str | None = None, **env: str | None) -> Run:
        return self.start(*args, stdin=stdin, **env).finish()

    def run_together(self, *commands: Sequence[str]) -> list[Run]:
        """Run several commands at once; what they left, in their order."""
        return [running.finish() for running in [self.start(*command) for command in commands]]

    def shell(self, script: str, **env: str | None) -> Run:
        """Run a script in which `intelli` is the command, as a user types it."""
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.project,
            env=self._merged(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return Running(process, "utf-8").finish()

    def terminal(self, *args: str, **env: str | None) -> tuple[int, str]:
        """Run `intelli ARGS` on a terminal: its exit code and all that the terminal was sent."""
        near, far = pty.openpty()
        process = subprocess.Popen(
            [COMMAND, *args],
            cwd=self.project,
            env=self._merged({"TERM": "xterm-256color", **env}),
            stdin=far,
            stdout=far,
            stderr=far,
        )
        os.close(far)
        sent = bytearray()
        with contextlib.suppress(OSError):  # what reading from a closed terminal ends with
            while data := os.read(near, 65536):
                sent += data
        os.close(near)
        return process.wait(PATIENCE), sent.decode("utf-8")

    def _merged(self, env: Mapping[str, str | None]) -> dict[str, str]:
        merged = {**self.env, **env}
        return {name: value for name, value in merged.items() if value is not None}


def home_env(home: Path) -> dict[str, str]:
    """Variables of a user who has nothing: no key, no configuration, no colour, a fixed path."""
    home.mkdir(parents=True, exist_ok=True)
    directories = {
        f"XDG_{kind}_HOME": str(home / kind.lower())
        for kind in ("CONFIG", "CACHE", "STATE", "DATA")
    }
    path = os.pathsep.join([str(Path(COMMAND).parent), os.defpath])
    fixed = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1"}
    return {**fixed, **directories}
