"""The application: all commands put together, and what every error becomes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import typer

from intelli.cli.commands import COMMANDS, Commands
from intelli.cli.streams import Streams, UnwritableError, silence
from intelli.errors import IntelliError, Interrupted, RunError, StoreError, UsageError
from intelli.settings import variable


def build(arguments: Sequence[str]) -> typer.Typer:
    """The application; with only the command that is asked for, since importing and building all
    of them takes longer than `intelli list` needs for its work. The help and an unknown name need
    no command, only their names; the shell's completion may need any."""
    app = typer.Typer(
        name="intelli",
        rich_markup_mode=None,  # rich help doubles the start: docs/decisions/dependencies.md
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        help="Research on the web that a coding agent or a developer can trust.",
    )
    app.callback(cls=Commands, invoke_without_command=True)(root)
    asked = arguments[0] if arguments else ""
    needed = COMMANDS if is_completing() else {asked} & set(COMMANDS)
    for name in needed:
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(f"intelli.cli.{module}"), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    for name in [] if needed else COMMANDS:
        app.command(name)(_named)
    return app


def is_completing() -> bool:
    """Whether a shell asks what could come next."""
    return bool(variable("_INTELLI_COMPLETE"))


def _named() -> None:
    """Stands for a command of which only the name is needed."""


def root(
    version: bool = typer.Option(False, "--version", help="Print the version.", is_eager=True),
) -> None:
    """Research on the web that a coding agent or a developer can trust."""
    if version:
        from intelli.version import VERSION

        sys.stdout.write(f"intelli {VERSION}\n")
        raise typer.Exit


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit code. Every failure leaves as a message or a JSON document."""
    arguments = arguments or ["--help"]
    streams = Streams(as_json="--json" in arguments, events="--events" in arguments)
    try:
        command = typer.main.get_command(build(arguments))
        code = command.main(args=list(arguments), prog_name="intelli", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except typer.Exit as leave:
        return leave.exit_code
    except IntelliError as error:
        return fail(error, streams)
    except (KeyboardInterrupt, typer.Abort):
        return fail(Interrupted("interrupted", code="interrupted"), streams)
    except BrokenPipeError:
        silence(sys.stdout)
        return 0
    except UnwritableError as error:
        return fail(error, Streams(events=streams.events))
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        return fail(IntelliError(f"{error.strerror or error}{where}", code="system"), streams)
    except Exception as error:  # noqa: BLE001 - the last seam: a fault of ours is said as one
        return _fail_unknown(error, streams)


def fail(error: IntelliError, streams: Streams) -> int:
    """Say the error on stderr and, under `--json`, as the one document on stdout."""
    if streams.as_json and not getattr(error, "document_printed", False):
        from intelli.show.documents import envelope, outcome_of

        with suppress(UnwritableError):  # then the message on stderr is all there can be
            streams.document(envelope(outcome_of(error), error))
    streams.error(error)
    if isinstance(error, StoreError):  # what cannot be read where the settings point
        return UsageError.exit_code
    return error.exit_code if isinstance(error, RunError) else 1


def _fail_unknown(error: Exception, streams: Streams) -> int:
    usage = _usage_error(error)
    if usage is not None:
        return fail(usage, streams)
    ours = IntelliError(
        f"a fault of intelli: {type(error).__name__}: {error}",
        code="internal",
        hint="please report it with the command; -v prints where it happened",
    )
    code = fail(ours, streams)
    if "-v" in sys.argv or "--verbose" in sys.argv:
        import traceback

        traceback.print_exc()
    return code


def _usage_error(error: Exception) -> UsageError | None:
    """What the argument parser refused, in our words; its exit code is the same 2."""
    message = getattr(error, "format_message", None)
    if message is None:
        return None
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "intelli"
    return UsageError(str(message()), code="usage", hint=f"`{path} --help` shows what is allowed")
