"""Pages, questions and measures that the tests of whole runs share."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.world import Exchange, Run, World
from tests.world.pages import MARKDOWN, Page, markdown

Q = "how many litres a minute does the pump move"


def fact(n: int) -> str:
    """What the page of pump `n` says and no other page does."""
    return f"The pump model P{n} moves {11 + n} litres a minute at {n}.5 bar."


def words(n: int) -> list[str]:
    start = f"Start the pump with --rate-{n} and clean its filter every {20 + n} days of use."
    return [fact(n), start, f"Its housing P{n} is made of brass, and its motor is quiet."]


def pump(world: World, n: int, **behaviour: Any) -> str:
    """Serve the page of pump `n` and let every search find it; its address.

    It is Markdown, for which the command needs no parser: that halves the time of a run.
    """
    page = Page(body=markdown(f"Pump {n}", words(n)).encode(), content_type=MARKDOWN, **behaviour)
    return world.serve(f"/p{n}", page, title=f"Pump {n}", facts=words(n))


def pumps(world: World, count: int, **behaviour: Any) -> list[str]:
    return [pump(world, n, **behaviour) for n in range(1, count + 1)]


def asks(world: World, role: str) -> list[Exchange]:
    """When the model was asked in a role, in the order of the requests."""
    log = world.model.server.log.exchanges
    return [exchange for exchange in log if exchange.request.json["model"] == role]


def asked_about(world: World, n: int) -> int:
    """How often the model was asked to extract from the page of pump `n`."""
    return sum(fact(n) in ask.user for ask in world.model.asked("extract"))


def peak(exchanges: Iterable[Exchange]) -> int:
    """The most that were open at once."""
    steps = []
    for exchange in exchanges:
        assert exchange.finished is not None, "still open"
        steps += [(exchange.started, 1), (exchange.finished, -1)]
    return max(accumulate(change for _, change in sorted(steps)))


def statuses(document: Any) -> dict[int, str]:
    return {source["n"]: source["status"] for source in document["sources"]}


def failed(run: Run, code: int, outcome: str) -> Any:
    """The document of a run that failed as it should have: one document, an error, its reason."""
    assert (run.code, run.json["outcome"]) == (code, outcome), run.stdout + run.stderr
    error = run.json["error"]
    assert error["code"] and error["message"] and isinstance(error["retryable"], bool)
    assert isinstance(error["hint"], str)
    assert run.stderr.startswith("intelli: "), "errors are said even where nothing else is"
    assert len(run.stderr.splitlines()) <= 2, run.stderr
    return run.json


def resume_command(stderr: str) -> str:
    """The command in a message that finishes a stopped run, as it would be copied."""
    found = re.findall(r"intelli resume [^\s`]+", stderr)
    assert found, stderr
    return str(found[-1])


def texts_below(*folders: Path) -> str:
    """Everything that was written below some folders."""
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)
