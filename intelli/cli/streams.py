"""The two streams: results on stdout, everything else on stderr, and how each may look."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from intelli.errors import IntelliError, StoreError
from intelli.progress import hear

if TYPE_CHECKING:
    from intelli.events import Emit, Event

DEFAULT_MAX_CHARS = 8000
UNVERIFIED_EXIT, NOT_SAVED_EXIT = 8, 9


class Streams:
    """What one command may print; the options `--json`, `--events`, `--quiet` and `-v`."""

    def __init__(
        self,
        *,
        as_json: bool = False,
        events: bool = False,
        quiet: bool = False,
        verbose: bool = False,
    ) -> None:
        self.as_json = as_json
        self.events = events
        self.quiet = quiet or as_json
        self.verbose = verbose
        self.unsaved = False
        hear(self._indexing)

    def result(self, text: str, *, file: Path | None = None, whole: str | None = None) -> None:
        """The result; a reader that has gone away is no error. `file` gets `whole`, which the
        limit of standard output does not cut."""
        write(sys.stdout, text)
        self._save(text if whole is None else whole, file)

    def passage(self, note: str, text: str, hits: Iterable[tuple[int, int]], rest: str) -> None:
        """A part of a stored text as it is, on a terminal with every hit marked, and below it what
        shows the rest, if there is one."""
        from intelli.show.text import clean, marked

        shown = marked(text, hits) if may_style(sys.stdout) else clean(text)
        end = f"\n{rest}" if rest else "" if text.endswith("\n") else "\n"
        self.result(f"{note}{shown}{end}")

    def document(self, document: dict[str, Any], *, file: Path | None = None) -> None:
        """One JSON document, in ASCII where the stream knows no better."""
        from intelli.show.documents import dump

        encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
        self.result(dump(document, ascii_only=encoding != "utf8"), file=file)

    def json_line(self, document: dict[str, Any]) -> None:
        """One of many JSON documents, on a line of its own."""
        from intelli.show.documents import dump

        write(sys.stdout, dump(document, ascii_only=True, indent=None))

    def markdown(self, text: str, *, file: Path | None = None, whole: str | None = None) -> None:
        """Markdown: typeset on a terminal, as it is anywhere else."""
        from intelli.show.text import clean

        whole = text if whole is None else whole
        if not may_style(sys.stdout):
            self.result(clean(text), file=file, whole=clean(whole))
            return
        from intelli.report_text import CUT
        from intelli.show.terminal import typeset

        body, cut, tail = text.partition(CUT)
        typeset(sys.stdout, body)
        write(sys.stdout, clean(cut + tail))
        self._save(clean(whole), file)

    def _save(self, text: str, file: Path | None) -> None:
        """Write the file of `-o`; the result is out by then, so a full disk only sets `unsaved`."""
        if file is None:
            return
        try:
            file.write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            self.unsaved = True
            self.error(StoreError(f"cannot write {file}: {error.strerror}", code="not-saved"))

    def say(self, text: str) -> None:
        """A message for people."""
        if not self.quiet and not self.events:
            from intelli.show.text import clean

            write(sys.stderr, clean(text) + "\n")

    def _indexing(self, done: int, of: int) -> None:
        from intelli.show.text import indexing

        self.say(indexing(done, of))

    def error(self, error: IntelliError) -> None:
        """The thing, the reason and the next step."""
        from intelli.show.text import line

        if self.events:
            import json

            body = {"event": "error", "code": error.code, "message": error.message}
            write(sys.stderr, json.dumps({**body, "hint": error.hint}) + "\n")
            return
        write(sys.stderr, f"intelli: {line(error.message)}\n")
        if error.hint:
            write(sys.stderr, f"  {line(error.hint)}\n")

    @contextlib.contextmanager
    def progress(self) -> Iterator[Listener]:
        """The listener that fits the stream: moving, plain, JSON lines or silent."""
        listener = self._listener()
        try:
            yield listener
        finally:
            listener.stop()

    def _listener(self) -> Listener:
        if self.events:
            from intelli.show.plain import JsonLines

            return Listener(JsonLines(_line_to_stderr))
        if self.quiet:
            from intelli.events import silent

            return Listener(silent)
        if may_move(sys.stderr):
            from intelli.show.terminal import live_progress

            return Listener(live_progress(sys.stderr))
        from intelli.show.plain import PlainLines

        return Listener(PlainLines(_line_to_stderr, verbose=self.verbose))


class Listener:
    """A listener of any kind; `beat` and `stop` do nothing for those that need neither."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit

    def __call__(self, event: Event) -> None:
        self._emit(event)

    def beat(self) -> None:
        beat = getattr(self._emit, "beat", None)
        if beat:
            beat()

    def stop(self) -> None:
        stop = getattr(self._emit, "stop", None)
        if stop:
            stop()


def may_style(stream: TextIO | None) -> bool:
    """Whether escape codes may reach the stream: it is a terminal and NO_COLOR is not set."""
    from intelli.settings import variable

    terminal = stream is not None and not stream.closed and stream.isatty()
    return terminal and not variable("NO_COLOR") and variable("TERM") != "dumb"


def may_move(stream: TextIO | None) -> bool:
    """Whether the stream can be redrawn and nobody asked it to keep still."""
    from intelli.settings import variable

    return may_style(stream) and not variable("CI")


def _line_to_stderr(text: str) -> None:
    from intelli.show.text import clean

    write(sys.stderr, clean(text) + "\n")


def write(stream: TextIO | None, text: str) -> None:
    """Write and flush; what the stream's encoding lacks becomes `?`, a closed pipe is quiet."""
    if stream is None:  # closed before the start
        if text and stream is sys.stdout and sys.stderr is not None:
            raise UnwritableError("standard output is closed", code="stdout")
        return
    encoding = stream.encoding or "ascii"
    try:
        stream.write(text.encode(encoding, "replace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        silence(stream)
    except OSError as error:
        if stream is sys.stderr:
            silence(stream)
            return  # nowhere is left to say it
        silence(stream)
        message = f"cannot write to standard output: {error.strerror}"
        raise UnwritableError(message, code="stdout", hint="the session is kept") from error


class UnwritableError(IntelliError):
    """Standard output takes no more."""


def silence(stream: TextIO) -> None:
    """Point the stream's descriptor at nothing, so that the flush at exit raises nothing."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
