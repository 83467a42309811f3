"""`intelli batch`."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli import standard_input
from intelli.cli import options as opt
from intelli.cli.streams import Streams
from intelli.errors import UsageError
from intelli.inputs import Options, deadline_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from intelli.batch import Done, Question

File = Annotated[str, typer.Argument(metavar="FILE", help="A question a line; `-` reads them.")]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", min=1, max=50, help="Questions at once.")]
Budget = Annotated[
    float | None,
    typer.Option("--budget", metavar="USD", help="All together never spend more than this."),
]
On = Annotated[
    str | None,
    typer.Option("--on", metavar="dask://HOST:PORT", help="Run them on this Dask cluster."),
]
Reuse = Annotated[
    str, typer.Option("--reuse", metavar="AGE", help="How old an answer may be: 30m, 12h, 7d.")
]


def batch(
    file: File,
    focus: opt.Focus = "",
    urls: opt.Urls = None,
    docs: opt.Docs = None,
    domain: opt.Domain = None,
    only_domain: opt.OnlyDomain = None,
    exclude_domain: opt.ExcludeDomain = None,
    backend: opt.BackendNames = None,
    engine: opt.Engine = None,
    cache_dir: opt.CacheDir = None,
    jobs: Jobs = 2,
    on: On = None,
    reuse: Reuse = "1d",
    fresh: opt.Fresh = False,
    offline: opt.Offline = False,
    budget: Budget = None,
    budget_unknown_ok: opt.BudgetUnknownOk = False,
    timeout: opt.Timeout = None,
    allow_private: opt.AllowPrivate = False,
    quiet: opt.Quiet = False,
) -> int:
    """Research many questions, a few at a time; prints a JSON document a line as each is done.

    A line of FILE is a question, or a JSON object with `query` and options of its own. Stopped and
    started again, it asks only what has no answer yet.

    \b
    Examples:
      intelli batch questions.txt --focus "limits and versions" > answers.jsonl
      intelli batch questions.txt --jobs 4 --budget 5
      intelli batch questions.txt --on dask://10.0.0.5:8786 --cache-dir /shared/research
    """
    from intelli.batch import Batch, questions_of
    from intelli.cli.running import in_loop
    from intelli.settings import load

    limit = budget if budget is not None else load().limit("budget")
    if on is not None:
        _check_cluster(on, limit)
        cache_dir = str(load({"cache_dir": cache_dir}).cache_dir.resolve())
    common = Options(
        focus=focus,
        urls=urls,
        docs=docs,
        domain=domain,
        only_domain=only_domain,
        exclude_domain=exclude_domain,
        backend=backend,
        engine=engine,
        cache_dir=cache_dir,
        reuse=reuse,
        fresh=fresh,
        offline=offline,
        budget_unknown_ok=budget_unknown_ok,
        timeout=deadline_of(timeout),
        allow_private=allow_private,
    )
    questions = list(questions_of(_lines(file), common))
    if not questions:
        raise UsageError(f"there is no question in {file}", code="empty-query")
    telling = _Telling(len(questions), Streams(quiet=quiet))
    carry_out = Batch(jobs, limit, telling) if on is None else _on_cluster(on, telling)
    in_loop(Streams(quiet=True), lambda listener: carry_out(questions))
    return telling.exit_code()


def _on_cluster(
    address: str, telling: _Telling
) -> Callable[[Sequence[Question]], Coroutine[None, None, None]]:
    async def carry_out(questions: Sequence[Question]) -> None:
        from intelli.batch_on_dask import run_on

        await run_on(address, questions, telling)

    return carry_out


def _check_cluster(address: str, budget: float | None) -> None:
    """Raises UsageError for what is no address of a scheduler, and for what a cluster cannot do."""
    from importlib.util import find_spec

    if re.fullmatch(r"dask://[^\s/:]+:\d{1,5}", address) is None:
        hint = "write dask://HOST:PORT, as `dask scheduler` prints it"
        raise UsageError(f"--on {address!r} is no scheduler", code="bad-address", hint=hint)
    if budget is not None:
        hint = "leave --budget out, or give each line a `budget` of its own"
        raise UsageError("a cluster cannot keep one budget", code="budget-on-cluster", hint=hint)
    if find_spec("distributed") is None:
        hint = "pip install 'intelli[dask]', here and on the workers"
        raise UsageError("--on needs the package distributed", code="no-dask", hint=hint)


def _lines(file: str) -> list[str]:
    """Raises UsageError for a file that cannot be read."""
    if file == "-":
        return standard_input.read().splitlines()
    try:
        return Path(file).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise UsageError(f"cannot read {file}: {reason}", code="unreadable-file") from error


class _Telling:
    """A document for each question on standard output, a line for people on standard error."""

    def __init__(self, questions: int, streams: Streams) -> None:
        self._of = questions
        self._streams = streams
        self._codes: dict[int, int] = {}
        self._outcomes: Counter[str] = Counter()

    def __call__(self, done: Done) -> None:
        from intelli.show.documents import batch_document
        from intelli.show.plain import closing_line
        from intelli.show.text import line

        document = batch_document(done.question.line, done.question.text, done.research, done.error)
        self._codes[done.question.line] = done.exit_code
        self._outcomes[str(document["outcome"])] += 1
        self._streams.json_line(document)
        facts = closing_line(done.research) if done.research else str(document["outcome"])
        number = f"[{len(self._codes)}/{self._of}]"
        self._streams.say(f"{number} {line(done.question.text, 60)} · {facts}")

    def exit_code(self) -> int:
        """0, or that of the first question without a report."""
        counts = ", ".join(f"{number} {outcome}" for outcome, number in self._outcomes.items())
        self._streams.say(counts)
        return next((code for _, code in sorted(self._codes.items()) if code), 0)
