"""What a command asks for beyond the settings, apart from what carries it out: commands that find
their answer on disk load only this."""

from __future__ import annotations

from pathlib import Path

from intelli.net import urls
from intelli.net.guard import is_local_name
from intelli.records import Role, record
from intelli.settings import Settings

ENGINE_ROLES: tuple[Role, ...] = ("extract", "collate")


@record
class Job:
    """What a command asks of the toolbox beyond the settings."""

    docs: tuple[Path, ...] = ()
    urls: tuple[str, ...] = ()
    offline: bool = False
    budget_unknown_ok: bool = False
    search: bool = True
    """False for commands that search nothing."""
    reads: bool = True
    """False where no page is read after the search, so that nothing is made ready for it."""
    collates: bool = True
    """False where no money has to be kept for a report."""
    thorough: bool = False
    """Several backends of the chain at once instead of one after the other."""
    judge: bool = False
    """A model rates what the search found before any of it is read."""
    fresh: bool = False
    """Nothing that was kept is used again."""
    asks: bool = False
    """Every page that was kept is confirmed by its server."""


def is_on_loopback(settings: Settings, role: Role) -> bool:
    """Whether calling the role leaves this machine alone."""
    host = urls.host(settings.model(role).endpoint or "")
    return host in ("127.0.0.1", "::1", "[::1]") or is_local_name(host)
