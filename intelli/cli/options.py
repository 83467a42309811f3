"""The options that commands share, each defined once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

QueryText = Annotated[
    str, typer.Argument(metavar="QUERY", help="The question; `-` reads it from standard input.")
]
Focus = Annotated[str, typer.Option(help="What to keep from each page.", metavar="TEXT")]
Urls = Annotated[
    int | None, typer.Option(help="Pages wanted (default 10, at most `max_urls`).", metavar="N")
]
Url = Annotated[
    list[str] | None,
    typer.Option(
        "--url", help="Research this page instead of searching; repeatable.", metavar="URL"
    ),
]
Docs = Annotated[
    list[str] | None,
    typer.Option("--docs", help="Research local files instead; repeatable.", metavar="PATH"),
]
Domain = Annotated[
    list[str] | None, typer.Option("--domain", help="Prefer this site; repeatable.", metavar="D")
]
OnlyDomain = Annotated[
    list[str] | None,
    typer.Option("--only-domain", help="Accept no other site; repeatable.", metavar="D"),
]
ExcludeDomain = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude-domain", help="Accept nothing from this site; repeatable.", metavar="D"
    ),
]
BackendNames = Annotated[
    list[str] | None,
    typer.Option("--backend", help="Search service to use, in order; repeatable.", metavar="NAME"),
]
Engine = Annotated[
    str | None, typer.Option(help="auto, llm or local (default auto).", metavar="NAME")
]
CacheDir = Annotated[
    str | None, typer.Option(help="Where sessions are kept (default .search).", metavar="DIR")
]
Budget = Annotated[
    float | None, typer.Option(help="Never spend more than this many dollars.", metavar="USD")
]
BudgetUnknownOk = Annotated[
    bool, typer.Option("--budget-unknown-ok", help="Go on although no price is known.")
]
Timeout = Annotated[
    float | None, typer.Option(help="Seconds for the whole run.", metavar="SECONDS", min=0.1)
]
AllowPrivate = Annotated[
    bool,
    typer.Option("--allow-private", help="Permit loopback and private addresses of pages."),
]
Offline = Annotated[
    bool, typer.Option("--offline", help="Touch no network: read --docs, or stored pages.")
]
Reuse = Annotated[
    str | None,
    typer.Option(
        "--reuse",
        help="Answer from a session of the same question not older than AGE: 30m, 12h, 7d.",
        metavar="AGE",
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Reuse nothing, resume nothing.")]
Thorough = Annotated[
    bool, typer.Option("--thorough", help="Ask several search services at once and merge.")
]
Judge = Annotated[
    bool,
    typer.Option("--judge", help="With --thorough: a model rates the results before reading."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Say what would be done and what it costs, then stop.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Exit 8 when verification flags something.")]
MaxChars = Annotated[
    int | None,
    typer.Option(help="At most this many characters on stdout.", metavar="N", min=200),
]


def _writable(path: Path | None) -> Path | None:
    """Refuse a file that cannot be written now, rather than after the work is paid for."""
    if path is None:
        return None
    problem = "is a directory" if path.is_dir() else ""
    if not path.absolute().parent.is_dir():
        problem = "has no directory to stand in"
    elif not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        problem = "cannot be written"
    if problem:
        raise typer.BadParameter(f"{path} {problem}")
    return path


Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        help="Write the result to a file as well.",
        metavar="FILE",
        callback=_writable,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Events = Annotated[bool, typer.Option("--events", help="Progress as JSON lines on stderr.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Only errors on stderr.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Say more on stderr.")]
SessionName = Annotated[
    str, typer.Argument(metavar="SESSION", help="Directory name, six-digit hash, or `latest`.")
]
Against = Annotated[
    str, typer.Option("--against", help="The session whose sources count.", metavar="SESSION")
]
