"""`intelli refresh`: a session on its pages as they are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intelli.cli import options as opt
from intelli.cli.again import as_before, carry_out_again, finished, run_from
from intelli.cli.asking import Asked
from intelli.cli.inputs import store_at
from intelli.cli.streams import DEFAULT_MAX_CHARS, Streams
from intelli.errors import FetchFailed
from intelli.inputs import deadline_of, docs_of, settings_options

if TYPE_CHECKING:
    from intelli.compare.refetching import Refetched
    from intelli.pipeline import Run
    from intelli.store import StoredSession
    from intelli.toolbox import Toolbox


def refresh(
    session: opt.SessionName,
    docs: opt.Docs = None,
    engine: opt.Engine = None,
    cache_dir: opt.CacheDir = None,
    budget: opt.Budget = None,
    budget_unknown_ok: opt.BudgetUnknownOk = False,
    timeout: opt.Timeout = None,
    allow_private: opt.AllowPrivate = False,
    strict: opt.Strict = False,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    output: opt.Output = None,
    json: opt.Json = False,
    events: opt.Events = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> int:
    """Fetch a session's pages again, and write a new report only if one of them changed.

    Pages are asked for with what is known of them; only changed ones are extracted, and paid for.

    \b
    Example:
      intelli refresh latest
    """
    from intelli.job import Job

    overrides = settings_options(
        engine=engine, cache_dir=cache_dir, budget=budget, allow_private=allow_private
    )
    stored = finished(store_at(cache_dir).open(session))
    asked = Asked(
        query=stored.query,
        settings=as_before(overrides, stored),
        job=Job(
            docs=docs_of(stored.docs, docs),
            urls=stored.urls,
            search=False,
            asks=True,
            budget_unknown_ok=budget_unknown_ok,
        ),
        streams=Streams(as_json=json, events=events, quiet=quiet, verbose=verbose),
        timeout=deadline_of(timeout),
        strict=strict,
        max_chars=max_chars or DEFAULT_MAX_CHARS,
        output=output,
    )
    return carry_out_again(asked, _Refresh(asked, stored))


class _Refresh:
    """A run on the pages as they are now; none where all are as they were."""

    def __init__(self, asked: Asked, stored: StoredSession) -> None:
        self._asked = asked
        self.stored = stored
        self.facts: dict[str, object] = {}
        self.unchanged = ""

    async def prepare(self, tools: Toolbox) -> Run | None:
        """Raises FetchFailed when no page can be reached."""
        from intelli.compare.refetching import numbered, refetch

        answer, sources = numbered(self.stored)
        found = await refetch(sources, tools)
        self.facts = {"refreshed": dict(found.counts)}
        if found.unreachable and not (found.unchanged or found.differs):
            raise FetchFailed(
                f"none of {len(found.unreachable)} pages could be reached",
                code="fetch-failed",
                hint="the session stays as it is; try again later",
            )
        if not found.differs:
            since = self.stored.timestamp[:16].replace("T", " ")
            show = f"intelli show{self._asked.settings.cache_option} {self.stored.name}"
            self.unchanged = f"nothing changed since {since}: {_counts(found)}\n\n{show}\n"
            return None
        self._asked.streams.say(f"pages: {_counts(found)}")
        if self.stored.engine not in (None, tools.settings.engine):
            self._asked.streams.say(
                f"engine {tools.settings.engine} goes on with what engine {self.stored.engine} made"
            )
        new = {s.n: s for group in found.groups.values() for s in group}
        known = tuple(new.get(source.n, source) for source in sources)
        return run_from(self._asked, self.stored, tools, answer, known, "refresh")


def _counts(found: Refetched) -> str:
    """`8 unchanged, 1 changed, 1 gone`."""
    parts = [f"{number} {name}" for name, number in found.counts.items() if number]
    return ", ".join(parts) or "none to fetch"
