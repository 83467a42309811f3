"""`intelli doctor`: what works here without doing anything, what would add to it, what is wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from intelli.cli import options as opt
from intelli.cli.streams import Streams
from intelli.records import ROLES
from intelli.settings import Settings, load, user_dir, user_file

if TYPE_CHECKING:
    from intelli.show.health import Check

EXTRAS = {
    "impersonate": ("curl_cffi", "pages that refuse what is no browser"),
    "browser": ("playwright", "pages that are empty without their scripts"),
    "mcp": ("mcp", "`intelli mcp`, the same for editors and agents"),
    "dask": ("distributed", "`intelli batch --on`, on a cluster"),
}
"""Extra to its package and to what it adds."""


def doctor(json: opt.Json = False) -> None:
    """Say what works here and what a key would add; touches no network.

    \b
    Example:
      intelli doctor
    """
    from intelli.show.documents import envelope
    from intelli.show.health import health_body, health_text

    checks = tuple(_checks(load()))
    streams = Streams(as_json=json)
    if json:
        streams.document(envelope("completed", checks=health_body(checks)))
        return
    width = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else 0
    streams.result(health_text(checks, width))


def _checks(settings: Settings) -> Iterator[Check]:
    for look in (_models, _search, _paused, _network, _extras, _sessions, _directories, _files):
        yield from look(settings)


def _models(settings: Settings) -> Iterator[Check]:
    from intelli.show.health import Check

    if settings.engine == "local":
        message = "local: embedded, extractive; needs no key and no network"
        yield Check(group="works", name="engine", message=message)
        choice = settings.model("extract")
        yield Check(
            group="adds",
            name=choice.key_name or "models.extract.api_key_env",
            message=f"reports that a model writes ({choice.model})",
            fix="docs/models.md has three lines for every provider, and for servers of your own",
        )
        return
    for role in ROLES:
        choice = settings.model(role)
        where = choice.endpoint or "through litellm"
        if settings.has_model(role):
            said = f"{choice.model} at {where}"
            yield Check(group="works", name=f"model {role}", message=said)
        elif role in ("extract", "collate"):
            said = f"{choice.model} has neither a key nor an address"
            fix = f"set {choice.key_name}, or --engine local"
            yield Check(group="problem", name=f"model {role}", message=said, fix=fix)


def _search(settings: Settings) -> Iterator[Check]:
    """The chain that a search takes, and the other services by what it takes to ask them."""
    from intelli.search.backend import BACKENDS, chain_of, key_name, lack_of
    from intelli.show.health import Check

    chain = chain_of(settings)
    unknown = [name for name in chain if name not in BACKENDS]
    if unknown:
        said = f"unknown: {', '.join(unknown)}"
        fix = f"`search.backends` may name {', '.join(BACKENDS)}"
        yield Check(group="problem", name="search", message=said, fix=fix)
    else:
        yield Check(group="works", name="search", message=" → ".join(chain))
    usable = []
    for name, entry in BACKENDS.items():
        if entry.family == "local" or name == "perplexity":  # it is the model of role search
            continue
        if lack := lack_of(name, settings):
            name_of_lack = lack.removeprefix("a key in ").removeprefix("an address in ").strip("`")
            yield Check(group="adds", name=name_of_lack, message=f"the search service {name}")
        else:
            keyed = settings.secret(key_name(name, settings))
            usable.append(f"{name} (your key)" if keyed else name)
    yield Check(group="works", name="with --backend", message=", ".join(usable))


def _paused(settings: Settings) -> Iterator[Check]:
    """The services that are left alone, because they refused or asked for a bot check."""
    from intelli.search.pacing import paused
    from intelli.show.health import Check

    for service in paused():
        why = "it asked for a bot check" if service.challenged else "its limit is reached"
        until = datetime.fromtimestamp(service.until).astimezone().isoformat(timespec="seconds")
        said = f"left alone until {until}: {why}"
        fix = "others are asked meanwhile; `--backend` names one"
        yield Check(group="problem", name=service.name, message=said, fix=fix)


def _network(settings: Settings) -> Iterator[Check]:
    """The proxies that are used; no password of one is shown."""
    from intelli.net.proxy import choose
    from intelli.show.health import Check

    routes = choose(settings.text("network.proxy"), settings.environ)
    for scheme, proxy in (("http", routes.http), ("https", routes.https)):
        if proxy is None:
            continue
        name = f"proxy for {scheme}"
        if proxy.problem:
            fix = "correct `network.proxy` or the variable"
            yield Check(group="problem", name=name, message=proxy.problem, fix=fix)
        else:
            yield Check(group="works", name=name, message=f"{proxy.host}:{proxy.port}")


def _extras(settings: Settings) -> Iterator[Check]:
    from intelli.show.health import Check

    for extra, (package, gain) in EXTRAS.items():
        if find_spec(package):
            yield Check(group="works", name=f"extra {extra}", message=gain)
        else:
            fix = f"pip install 'intelli[{extra}]'"
            yield Check(group="adds", name=f"extra {extra}", message=gain, fix=fix)


def _sessions(settings: Settings) -> Iterator[Check]:
    from intelli.show.health import Check
    from intelli.show.text import counted
    from intelli.store import Store

    path = settings.cache_dir
    if problem := _unwritable(path):
        fix = "name another with --cache-dir"
        yield Check(group="problem", name="sessions", message=problem, fix=fix)
        return
    sessions = Store(path).sessions()
    said = f"{path}, {counted(len(sessions), 'session')}"
    yield Check(group="works", name="sessions", message=said)
    stopped = [session.name for session in sessions if not session.finished]
    if stopped:
        said = f"{counted(len(stopped), 'run')} stopped before the report"
        fix = f"`intelli resume {stopped[0]}` finishes one, `intelli prune {stopped[0]}` removes it"
        yield Check(group="problem", name="sessions", message=said, fix=fix)


def _directories(settings: Settings) -> Iterator[Check]:
    """Where what is not a session is kept: pages and replies, pauses of services, trust."""
    from intelli.show.health import Check

    for kind, name in (("cache", "kept pages"), ("state", "state")):
        path = user_dir("cache" if kind == "cache" else "state")
        if problem := _unwritable(path):
            fix = "everything works without it, only slower; check its permissions"
            yield Check(group="problem", name=name, message=problem, fix=fix)
        else:
            yield Check(group="works", name=name, message=str(path))


def _files(settings: Settings) -> Iterator[Check]:
    from intelli.show.health import Check

    user = user_file(settings.environ)
    if user.is_file():
        yield Check(group="works", name="user file", message=str(user))
    else:
        fix = f"`intelli config init` writes {user}"
        yield Check(group="adds", name="user file", message="settings of your own", fix=fix)
    if settings.project:
        yield Check(group="works", name="project file", message=str(settings.project))


def _unwritable(path: Path) -> str:
    """Why nothing can be written to `path`, "" when it can; creates nothing."""
    nearest = next(p for p in (path, *path.absolute().parents) if p.exists())
    if not nearest.is_dir():
        return f"{nearest} is a file"
    return "" if os.access(nearest, os.W_OK) else f"{nearest} is not writable"
