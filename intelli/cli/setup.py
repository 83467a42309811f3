"""`intelli config` and `intelli doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from intelli.cli import options as opt
from intelli.cli.streams import Streams
from intelli.errors import UsageError
from intelli.records import ROLES
from intelli.settings import Settings, find_project, load, user_dir, user_file

if TYPE_CHECKING:
    from collections.abc import Iterable


def show(context: typer.Context, json: opt.Json = False) -> None:
    """Show each setting and where it came from.

    \b
    Example:
      intelli config
    """
    if context.invoked_subcommand is not None:
        return
    from intelli.show.documents import envelope

    settings = load()
    streams = Streams(as_json=json)
    if json:
        body = {
            key: {"value": value, "origin": settings.origins[key]}
            for key, value in _effective(settings)
        }
        streams.document(envelope("completed", settings=body, files=_files(settings)))
        return
    lines = [
        f"{'# ' if value is None else ''}{key} = {_toml(value)}  # {settings.origins[key]}"
        for key, value in _effective(settings)
    ]
    lines += ["", f"# user file: {_files(settings)['user']}"]
    if settings.project:
        lines.append(f"# project file: {settings.project}")
    streams.result("\n".join(lines) + "\n")


def _effective(settings: Settings) -> Iterable[tuple[str, object]]:
    """Every key with its value, and for models what is really used: inherited or by default."""
    values: dict[str, object] = dict(settings.values)
    for role in ROLES:
        choice = settings.model(role)
        values[f"models.{role}.model"] = choice.model
        values[f"models.{role}.api_base"] = choice.api_base
        values[f"models.{role}.api_key_env"] = choice.key_name
    return sorted(values.items())


def _files(settings: Settings) -> dict[str, str | None]:
    project = str(settings.project) if settings.project else None
    return {"user": str(user_file(settings.environ)), "project": project}


def _toml(value: object) -> str:
    if value is None:
        return "(not set)"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{part}"' for part in value) + "]"
    if isinstance(value, float):
        return f"{value:g}"
    return f'"{value}"' if isinstance(value, str) else str(value)


def trust(json: opt.Json = False) -> None:
    """Trust this project's `intelli.toml` as it is now; any later change ends the trust.

    \b
    Example:
      intelli config trust
    """
    from intelli.show.documents import envelope
    from intelli.trust import trust as remember

    project = find_project(Path.cwd())
    if project is None:
        raise UsageError(
            "there is no intelli.toml here or above", code="no-project", hint="nothing to trust"
        )
    remember(project, user_dir("state"))
    streams = Streams(as_json=json)
    if json:
        streams.document(envelope("completed", trusted=str(project)))
    else:
        streams.result(f"trusted as it is now: {project}\n")


def doctor(json: opt.Json = False) -> None:
    """Say what works here and what a key would add; touches no network.

    \b
    Example:
      intelli doctor
    """
    from intelli.show.documents import envelope

    checks = list(_checks(load()))
    streams = Streams(as_json=json)
    if json:
        body = [{"name": n, "ok": ok, "message": m, "hint": h} for n, ok, m, h in checks]
        streams.document(envelope("completed", checks=body))
        return
    width = max(len(name) for name, *_ in checks)
    for name, ok, message, hint in checks:
        fix = f" — {hint}" if hint else ""
        streams.result(f"{'ok' if ok else '! '} {name:<{width}}  {message}{fix}\n")


def _checks(settings: Settings) -> Iterable[tuple[str, bool, str, str]]:
    """(name, ok, message, what to do) line by line."""
    from intelli.search.backend import BACKENDS, chain_of

    engines = {"local": "local: embedded, needs no key", "llm": "llm: the models below"}
    yield "engine", True, engines[settings.engine], ""
    for role in ("search", "extract", "collate", "suggest"):
        choice = settings.model(role)
        if settings.has_model(role):
            where = choice.endpoint or "through litellm"
            yield f"model {role}", True, f"{choice.model} at {where}", ""
        else:
            yield (
                f"model {role}",
                True,
                "none",
                f"set {choice.key_name} to use {choice.model}",
            )
    chain = chain_of(settings)
    unknown = [name for name in chain if name not in BACKENDS]
    hint = f"known: {', '.join(BACKENDS)}" if unknown else ""
    yield "search", not unknown, " → ".join(chain), hint
    yield from _backends(settings)
    yield from _paused()
    yield from _network_checks(settings)
    yield from _store_checks(settings)
    user = user_file(settings.environ)
    yield "user file", True, str(user) if user.is_file() else f"none ({user})", ""
    yield "project file", True, str(settings.project or "none"), ""


def _network_checks(settings: Settings) -> Iterable[tuple[str, bool, str, str]]:
    """How pages and services are reached; no password of a proxy is shown."""
    from intelli.net.impersonating import is_installed
    from intelli.net.proxy import choose

    wanted = settings.text("fetch.impersonate")
    lacks = wanted != "off" and not is_installed()
    message = "not installed" if lacks else {"refused": "after a refusal"}.get(wanted, wanted)
    yield "impersonation", True, message, "pip install 'intelli[impersonate]'" if lacks else ""
    routes = choose(settings.text("network.proxy"), settings.environ)
    for scheme, proxy in (("http", routes.http), ("https", routes.https)):
        if proxy is not None:
            shown = proxy.problem or f"{proxy.host}:{proxy.port}"
            yield f"proxy for {scheme}", not proxy.problem, shown, ""


def _backends(settings: Settings) -> Iterable[tuple[str, bool, str, str]]:
    """The search services by what it takes to ask them."""
    from intelli.search.backend import BACKENDS, key_name, lack_of

    groups: dict[str, list[str]] = {"without a key": [], "with your key": [], "not usable yet": []}
    for name, entry in BACKENDS.items():
        variable = key_name(name, settings)
        if entry.family == "local" or name == "perplexity":  # it is the search model above
            continue
        if lack := lack_of(name, settings):
            groups["not usable yet"].append(f"{name} ({lack.removeprefix('a key in ')})")
        elif settings.secret(variable):
            groups["with your key"].append(f"{name} ({variable})")
        else:
            groups["without a key"].append(name)
    for group, members in groups.items():
        yield f"backends {group}", True, ", ".join(members) or "none", ""


def _paused() -> Iterable[tuple[str, bool, str, str]]:
    """The services that are left alone, because they refused or asked for a bot check."""
    from datetime import datetime

    from intelli.search.pacing import paused

    for service in paused():
        why = "it asked for a bot check" if service.challenged else "its limit is reached"
        until = datetime.fromtimestamp(service.until).astimezone().isoformat(timespec="seconds")
        yield f"{service.name} paused", False, f"until {until}: {why}", ""


def _store_checks(settings: Settings) -> Iterable[tuple[str, bool, str, str]]:
    from intelli.show.text import counted
    from intelli.store import Store

    path = settings.cache_dir
    problem = _unwritable(path)
    count = len(Store(path).sessions()) if not problem else 0
    message = problem or f"{path}, {counted(count, 'session')}"
    yield "sessions", not problem, message, "name another with --cache-dir" if problem else ""
    state = user_dir("state")
    problem = _unwritable(state)
    yield "state", not problem, problem or str(state), "check its permissions" if problem else ""


def _unwritable(path: Path) -> str:
    """Why nothing can be written to `path`, "" when it can; creates nothing."""
    import os

    nearest = next(p for p in (path, *path.absolute().parents) if p.exists())
    if not nearest.is_dir():
        return f"{nearest} is a file"
    return "" if os.access(nearest, os.W_OK) else f"{nearest} is not writable"


config = typer.Typer(
    rich_markup_mode=None, help="Show each setting and where it came from; trust a project."
)
config.callback(invoke_without_command=True)(show)
config.command()(trust)
