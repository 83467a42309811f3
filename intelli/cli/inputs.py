"""Arguments and options as the rest of the program wants them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from intelli import standard_input
from intelli.errors import IntelliError, UsageError
from intelli.records import Query
from intelli.settings import Settings, Value, load

if TYPE_CHECKING:
    from intelli.store import Store
    from intelli.toolbox import Job


def settings_for(job: Job, overrides: dict[str, Value], *, allow_private: bool) -> Settings:
    """Settings for a research run. With `--offline`, `auto` means the model only where it is
    served on this machine. Raises UsageError when something needs the network after all."""
    from intelli.toolbox import ENGINE_ROLES, is_on_loopback

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


def paths_of(docs: list[str] | None) -> tuple[Path, ...]:
    """What `--docs` names. Raises UsageError for a blank one, which would mean everything here."""
    if any(not path.strip() for path in docs or ()):
        raise UsageError("--docs names nothing", code="empty-path", hint="name a file or directory")
    return tuple(map(Path, docs or ()))


def docs_of(stored: tuple[Path, ...], given: list[str] | None) -> tuple[Path, ...]:
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


def age_of(text: str, option: str = "--reuse") -> timedelta:
    """`30m`, `12h` or `7d`. Raises UsageError for anything else."""
    match = re.fullmatch(r"(\d{1,5})\s*([mhd])", text.strip().lower())
    if match is None:
        raise UsageError(
            f"{option} {text!r} is no age", code="bad-age", hint="write it as 30m, 12h or 7d"
        )
    unit = {"m": "minutes", "h": "hours", "d": "days"}[match[2]]
    return timedelta(**{unit: int(match[1])})


def moment_of(text: str, option: str) -> datetime:
    """A date (2026-04-19, UTC), or an age (7d) counted back from now. Raises UsageError."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return datetime.now(UTC) - age_of(text, option)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def question(argument: str) -> str:
    """The question, from standard input for `-`. Raises UsageError when it is blank."""
    text = standard_input.read() if argument == "-" else argument
    text = text.strip()
    if not text:
        raise UsageError("the question is empty", code="empty-query", hint="say what to look for")
    return text


def query_of(
    text: str,
    focus: str,
    pages: int,
    domain: list[str] | None,
    only_domain: list[str] | None,
    exclude_domain: list[str] | None,
) -> Query:
    """The question with its options. Raises UsageError when it is blank."""
    return Query(
        text=question(text),
        focus=focus.strip(),
        urls=pages,
        domains=tuple(domain or ()),
        only_domains=tuple(only_domain or ()),
        exclude_domains=tuple(exclude_domain or ()),
    )


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
    from intelli.net.urls import clean, is_http

    return clean(address) if is_http(address) and "@" in address else address


def about(source: str, error: IntelliError) -> IntelliError:
    """The error with what it is about in front."""
    return IntelliError(f"{source}: {error.message}", code=error.code, hint=error.hint)


def settings_options(
    *,
    backend: list[str] | None = None,
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


def store_at(cache_dir: str | None) -> Store:
    """The sessions where the settings, or `--cache-dir`, say that they are."""
    from intelli.store import Store

    return Store(load({"cache_dir": cache_dir or None}).cache_dir)
