"""`intelli config`: what is set, a file to fill in, and trust in a project's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import options as opt
from intelli.cli.streams import Streams
from intelli.errors import UsageError
from intelli.records import ROLES
from intelli.setting_help import template, toml
from intelli.settings import Settings, Value, find_project, load, user_dir, user_file

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
    lines = [_line(key, value, settings.origins[key]) for key, value in _effective(settings)]
    lines += ["", f"# user file: {_files(settings)['user']}"]
    if settings.project:
        lines.append(f"# project file: {settings.project}")
    streams.result("\n".join(lines) + "\n")


def _line(key: str, value: Value, origin: str) -> str:
    unset = value is None
    return f"{'# ' if unset else ''}{key} = {'(not set)' if unset else toml(value)}  # {origin}"


def _effective(settings: Settings) -> Iterable[tuple[str, Value]]:
    """Every key with its value, and for models what is really used: inherited or by default."""
    values: dict[str, Value] = dict(settings.values)
    for role in ROLES:
        choice = settings.model(role)
        values[f"models.{role}.model"] = choice.model
        values[f"models.{role}.api_base"] = choice.api_base
        values[f"models.{role}.api_key_env"] = choice.key_name
    return sorted(values.items())


def _files(settings: Settings) -> dict[str, str | None]:
    project = str(settings.project) if settings.project else None
    return {"user": str(user_file(settings.environ)), "project": project}


def init(
    project: Annotated[
        bool, typer.Option("--project", help="Write intelli.toml here instead, for this project.")
    ] = False,
    json: opt.Json = False,
) -> None:
    """Write a configuration file in which every setting is a comment with its meaning.

    \b
    Example:
      intelli config init
    """
    from intelli.show.documents import envelope

    path = Path("intelli.toml") if project else user_file()
    _write_new(path, template(project=project))
    streams = Streams(as_json=json)
    if json:
        streams.document(envelope("completed", written=str(path)))
    else:
        streams.result(f"written: {path}\n")


def _write_new(path: Path, text: str) -> None:
    """Only the user may read it. Raises UsageError where there is a file already."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(text, encoding="utf-8")
    except FileExistsError as error:
        raise UsageError(
            f"{path} is there already, and stays as it is",
            code="exists",
            hint="`intelli config` shows what it sets; move it away for a new one",
        ) from error
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}", code="not-saved") from error


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


config = typer.Typer(
    rich_markup_mode=None,
    help="""Show each setting and where it came from; write a file of them; trust a project's.

    \b
    Examples:
      intelli config
      intelli config init
    """,
)
config.callback(invoke_without_command=True)(show)
config.command()(init)
config.command()(trust)
