"""Writing the session as the run goes on, and going on without when the disk refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from intelli.errors import StoreError
from intelli.events import Emit, Warned
from intelli.records import Answer, Extract, Page, Research, Source, Usage

if TYPE_CHECKING:
    from intelli.store.meta import Origin
    from intelli.store.writing import Session

NOT_SAVED = "not-saved"


class Saving:
    """A session that may fail to be written: the first StoreError is said once and ends the
    writing, never the run. `session` None means that nothing is to be written at all."""

    def __init__(self, session: Session | None, emit: Emit) -> None:
        self._session = session
        self._emit = emit
        self._said = ""
        self.problem: StoreError | None = None

    @property
    def name(self) -> str:
        return self._session.name if self._session else ""

    @property
    def path(self) -> str:
        return str(self._session.path) if self._session else ""

    def links(self, answer: Answer) -> None:
        self._try(lambda session: session.save_links(answer))

    def begin_from(self, origin: Origin, answer: Answer, sources: Iterable[Source]) -> None:
        self._try(lambda session: session.begin_from(origin, answer, sources))

    def page(self, n: int, page: Page) -> None:
        self._try(lambda session: session.save_page(n, page))

    def extract(self, n: int, extract: Extract) -> None:
        self._try(lambda session: session.save_extract(n, extract))

    def outcome(self, source: Source) -> None:
        self._try(lambda session: session.save_outcome(source))

    def llms_full(self, host: str, text: str) -> None:
        self._try(lambda session: session.save_llms_full(host, text))

    def usage(self, usage: Usage) -> None:
        self._try(lambda session: session.save_usage(usage))

    def finish(self, research: Research) -> Research:
        """The finished run as saved, or with outcome `not-saved` and the reason."""
        saved: list[Research] = []
        self._try(lambda session: saved.append(session.finish(research)))
        if saved or self.problem is None:
            return saved[0] if saved else research
        warnings = dict.fromkeys((*research.warnings, _without(self.problem)))
        return replace(research, outcome=NOT_SAVED, session="", path="", warnings=tuple(warnings))

    def stop(self, research: Research) -> Research:
        """Leave an unfinished run as `intelli resume` needs it; a run that wrote nothing names
        no session."""
        kept: list[Research] = []
        self._try(lambda session: kept.append(session.stop(research)))
        return kept[0] if kept else replace(research, session="", path="")

    def close(self) -> None:
        """Let go of the session, whatever became of the run."""
        if self._session is not None:
            self._session.close()

    def fail(self, error: StoreError) -> None:
        """Go on without saving."""
        self.problem = error
        self._session = None
        self._emit(Warned(message=_without(error)))

    def _try(self, write: Callable[[Session], object]) -> None:
        if self._session is None:
            return
        try:
            write(self._session)
        except StoreError as error:
            self.fail(error)
        else:
            self._say_once(self._session.warning)

    def _say_once(self, warning: str) -> None:
        if warning and warning != self._said:
            self._said = warning
            self._emit(Warned(message=warning))


def _without(problem: StoreError) -> str:
    return f"{problem.message}; the run is not saved"
