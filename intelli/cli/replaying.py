"""`intelli replay`: a session from what it stores, whole or one stage with another model."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from intelli.cli import options as opt
from intelli.cli.again import as_before, carry_out_again, finished, run_from
from intelli.cli.asking import Asked
from intelli.cli.inputs import store_at
from intelli.cli.streams import DEFAULT_MAX_CHARS, UNVERIFIED_EXIT, Streams
from intelli.errors import UsageError
from intelli.inputs import deadline_of, settings_options
from intelli.records import Source
from intelli.settings import Settings, Value, load

if TYPE_CHECKING:
    from intelli.pipeline import Run
    from intelli.store import StoredSession
    from intelli.toolbox import Toolbox

Stage = Annotated[
    str | None,
    typer.Option("--stage", help="Run only this anew: extract or collate.", metavar="STAGE"),
]
Model = Annotated[
    str | None,
    typer.Option("--model", help="The model of that stage, as provider/name.", metavar="NAME"),
]
_STAGES = ("extract", "collate")


def replay(
    session: opt.SessionName,
    stage: Stage = None,
    model: Model = None,
    cache_dir: opt.CacheDir = None,
    budget: opt.Budget = None,
    budget_unknown_ok: opt.BudgetUnknownOk = False,
    timeout: opt.Timeout = None,
    strict: opt.Strict = False,
    max_chars: opt.MaxChars = DEFAULT_MAX_CHARS,
    output: opt.Output = None,
    json: opt.Json = False,
    events: opt.Events = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
) -> int:
    """Compute a report again from what its session stores, and say whether it is the same.

    With --stage, that stage is run anew on the same pages, as a session of its own.

    \b
    Examples:
      intelli replay latest
      intelli replay latest --stage collate --model openrouter/minimax/minimax-m2.7
    """
    from intelli.job import Job

    if stage is not None and stage not in _STAGES:
        raise UsageError(
            f"--stage {stage!r} is none of the stages", code="bad-stage", hint="extract or collate"
        )
    if model and not stage:
        raise UsageError(
            "--model needs the stage that it is for",
            code="usage",
            hint="add --stage extract or --stage collate",
        )
    stored = store_at(cache_dir).open(session)
    overrides = settings_options(cache_dir=cache_dir, budget=budget)
    asked = Asked(
        query=stored.query,
        settings=_with_model(overrides, stored, stage or "", model),
        job=Job(search=False, budget_unknown_ok=budget_unknown_ok),
        streams=Streams(as_json=json, events=events, quiet=quiet, verbose=verbose),
        timeout=deadline_of(timeout),
        strict=strict,
        max_chars=max_chars or DEFAULT_MAX_CHARS,
        output=output,
    )
    if stage is None:
        return _replay(asked, stored)
    return carry_out_again(asked, _Stage(asked, finished(stored), stage))


class _Stage:
    """A run of one stage on the stored pages."""

    def __init__(self, asked: Asked, stored: StoredSession, stage: str) -> None:
        self._asked = asked
        self.stored = stored
        self._stage = stage
        self.facts: dict[str, object] = {}
        self.unchanged = ""

    async def prepare(self, tools: Toolbox) -> Run | None:
        from intelli.compare.refetching import numbered

        answer, sources = numbered(self.stored)
        if self._stage == "extract":
            sources = tuple(_unextracted(source) for source in sources)
        answer = replace(answer, links=answer.links[: max(s.n for s in sources)])
        how = f"replay --stage {self._stage}"
        return run_from(self._asked, self.stored, tools, answer, sources, how)


def _unextracted(source: Source) -> Source:
    """A page that is to be extracted anew."""
    if source.page is None or source.status == "duplicate":
        return source
    return replace(source, status="late", extract=None, failure=None)


def _with_model(
    overrides: dict[str, Value], stored: StoredSession, stage: str, model: str | None
) -> Settings:
    """Settings in which `model` does the stage and the others do what they did."""
    settings = as_before(overrides, stored)
    if model is None:
        return settings
    chosen: dict[str, Value] = {f"models.{stage}.model": model, "engine": "llm"}
    if stage == "collate" and not settings.has_model("extract"):
        chosen["models.extract.model"] = model  # which nothing asks for
    if stage == "extract":
        chosen["models.collate.model"] = settings.model("collate").model
    return load({**overrides, **chosen})


def _replay(asked: Asked, stored: StoredSession) -> int:
    """Say whether the report comes out as it is stored; the session stays as it is."""
    from intelli.compare.replaying import replay as compute
    from intelli.show.difference import replay_text

    done = asyncio.run(compute(stored))
    if asked.streams.as_json:
        from intelli.show.documents import envelope

        body: dict[str, Any] = {
            "session": stored.name,
            "identical": done.identical,
            "difference": list(done.difference),
            "report": done.text,
        }
        differs = asked.strict and not done.identical
        document = envelope("unverified" if differs else "completed", **body)
        asked.streams.document(document, file=asked.output)
    else:
        text = replay_text(stored.name, done.difference, asked.max_chars)
        asked.streams.result(text, file=asked.output, whole=done.text)
    return UNVERIFIED_EXIT if asked.strict and not done.identical else 0
