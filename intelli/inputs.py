"""What a user asks for, as the records that the rest of the program wants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import TypedDict

from intelli.errors import UsageError
from intelli.job import ENGINE_ROLES, Job, is_on_loopback
from intelli.net.urls import clean, is_http
from intelli.records import Query
from intelli.settings import Settings, Value, load


class Options(TypedDict, total=False):
    """What a run may be told beside its question, named as the options of `intelli research`; None
    and an empty list are as if it were left out."""

    focus: str
    """What to keep from each page."""
    urls: int | None
    """Pages wanted."""
    url: Sequence[str] | None
    """Pages to read instead of searching."""
    docs: Sequence[str | Path] | None
    """Local files to read instead."""
    domain: Sequence[str] | None
    only_domain: Sequence[str] | None
    exclude_domain: Sequence[str] | None
    backend: Sequence[str] | None
    """Search services to use, in order."""
    engine: str | None
    cache_dir: str | None
    thorough: bool
    judge: bool
    reuse: str | None
    """Answer from a session not older than this: `30m`, `12h`, `7d`."""
    fresh: bool
    offline: bool
    budget: float | None
    """US dollars."""
    budget_unknown_ok: bool
    timeout: float | None
    """Seconds for the whole run."""
    allow_private: bool


def settings_for(job: Job, overrides: dict[str, Value], *, allow_private: bool) -> Settings:
    """Settings for a research run. With `--offline`, `auto` means the model only where it is
    served on this machine. Raises UsageError when something needs the network after all."""
    overrides = {**overrides, "fetch.allow_private": True if allow_private else None}
    settings = load(overrides)
    if not job.offline:
        return settings
    _check_offline(job, overrides)
    if settings.text("engine") != "auto" or all(is_on_loopback(settings, r) for r in ENGINE_ROLES):
        return settings
    return load({**overrides, "engine": "local"})


def _check_offline(job: Job, overrides: dict[str, Value]) -> None:
    """Raises UsageError for a page or a service that was asked for and would need the network."""
    named = overrides.get("search.backends")
    remote = [name for name in named if name != "cache"] if isinstance(named, tuple) else []
    if (job.urls or remote) and not job.docs:
        what = "--url" if job.urls else f"--backend {remote[0]}"
        raise UsageError(
            f"--offline, but {what} needs the network",
            code="offline",
            hint="leave it out to search the stored pages, or name local files with --docs PATH",
        )


def settings_options(
    *,
    backend: Sequence[str] | None = None,
    cache_dir: str | None = None,
    allow_private: bool = False,
    **others: Value,
) -> dict[str, Value]:
    """Options as settings; what was not given stays out."""
    return {
        **others,
        "cache_dir": cache_dir or None,
        "search.backends": tuple(backend) if backend else None,
        "fetch.allow_private": True if allow_private else None,
    }


def deadline_of(seconds: float | None) -> float | None:
    """Raises UsageError for what is no span of time."""
    if seconds is not None and not 0 < seconds < 1e9:
        raise UsageError(f"--timeout {seconds} is no number of seconds", code="bad-timeout")
    return seconds


def judged(judge: bool, thorough: bool) -> bool:
    """Whether results are to be judged. Raises UsageError where there is little to judge."""
    if judge and not thorough:
        raise UsageError(
            "--judge rates what several services found, and goes with --thorough",
            code="judge-alone",
            hint="add --thorough, or leave --judge out",
        )
    return judge


def paths_of(docs: Sequence[str | Path] | None) -> tuple[Path, ...]:
    """What `--docs` names. Raises UsageError for a blank one, which would mean everything here."""
    if any(not str(path).strip() for path in docs or ()):
        raise UsageError("--docs names nothing", code="empty-path", hint="name a file or directory")
    return tuple(map(Path, docs or ()))


def docs_of(stored: tuple[Path, ...], given: Sequence[str | Path] | None) -> tuple[Path, ...]:
    """The local files of a stopped run. A session may come with a cloned repository, so it may
    not name files outside of the working directory; the user may. Raises UsageError."""
    if given:
        return paths_of(given)
    here = Path.cwd().resolve()
    outside = next((path for path in stored if not path.resolve().is_relative_to(here)), None)
    if outside is not None:
        raise UsageError(
            f"the session reads {outside}, which is outside of the working directory",
            code="docs-outside",
            hint=f"if that is meant, add --docs {outside}",
        )
    return stored


_AGES = {"m": "30m", "h": "12h", "d": "7d"}


def age_of(text: str, option: str = "--reuse", units: str = "mhd") -> timedelta:
    """`30m`, `12h` or `7d`. Raises UsageError for anything else."""
    match = re.fullmatch(rf"(\d{{1,5}})\s*([{units}])", text.strip().lower())
    if match is None:
        *some, last = (_AGES[unit] for unit in units)
        raise UsageError(
            f"{option} {text!r} is no age",
            code="bad-age",
            hint=f"write it as {', '.join(some)} or {last}",
        )
    unit = {"m": "minutes", "h": "hours", "d": "days"}[match[2]]
    return timedelta(**{unit: int(match[1])})


def question_of(text: str) -> str:
    """Raises UsageError when it is blank."""
    text = text.strip()
    if not text:
        raise UsageError("the question is empty", code="empty-query", hint="say what to look for")
    return text


def query_of(text: str, pages: int, options: Options) -> Query:
    """The question with its options. Raises UsageError when it is blank, and for domains that are
    none or shut each other out."""
    query = Query(
        text=question_of(text),
        focus=options.get("focus", "").strip(),
        urls=pages,
        domains=tuple(options.get("domain") or ()),
        only_domains=tuple(options.get("only_domain") or ()),
        exclude_domains=tuple(options.get("exclude_domain") or ()),
    )
    if query.domains or query.only_domains or query.exclude_domains:
        from intelli.search.rules import check_domains

        check_domains(query)
    return query


def pages_wanted(settings: Settings) -> int:
    """Raises UsageError when more are asked for than are allowed."""
    wanted, most = settings.count("urls"), settings.count("max_urls")
    if wanted > most:
        raise UsageError(
            f"{wanted} pages are wanted, at most {most} are allowed",
            code="too-many-pages",
            hint="ask for fewer, or raise `max_urls`",
        )
    return wanted


def without_userinfo(address: str) -> str:
    """A name and password in an address would end in files, messages and the network."""
    return clean(address) if is_http(address) and "@" in address else address
