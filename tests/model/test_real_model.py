"""A real model writes the report: usage is counted, and what it invents is flagged.

The model is far too small to be right; that is what makes it a good test of everything else.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world.place import Place, Run

pytestmark = [pytest.mark.model, pytest.mark.timeout(600)]
PUMP = """# Pump P7

The pump P7 moves 12 litres per minute at 3 bar. It needs firmware 2.4 or later.

```
pump --rate 12 --pressure 3
```
"""
TANK = """# Tank T4

The tank T4 holds 800 litres. It feeds the pump P7 through the valve V2.
"""
VALVE = """# Valve V2

The valve V2 opens in 40 milliseconds. It was introduced on 4 March 2021.
"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("xllamacpp", reason="`make test-model` installs it")
    server = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("serve.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.stdin.close()
        server.stdout.close()
        server.wait(20)


@pytest.fixture(scope="module")
def place(address: str, tmp_path_factory: pytest.TempPathFactory) -> Place:
    env = {
        "INTELLI_MODELS__EXTRACT__MODEL": "local/smollm2",
        "INTELLI_MODELS__EXTRACT__API_BASE": f"{address}/v1",
        "INTELLI_MODELS__EXTRACT__MAX_TOKENS": "160",
        "INTELLI_MODELS__COLLATE__MAX_TOKENS": "200",
        "INTELLI_MODEL__TIMEOUT": "240",
        "INTELLI_EXTRACT__CONCURRENCY": "1",
    }
    place = Place(tmp_path_factory.mktemp("model"), env)
    docs = place.project / "docs"
    docs.mkdir()
    (docs / "pump.md").write_text(PUMP, encoding="utf-8")
    (docs / "valve.md").write_text(VALVE, encoding="utf-8")
    (docs / "tank.md").write_text(TANK, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def run(place: Place) -> Run:
    question = "How many litres does the pump P7 move, and how fast is the valve V2?"
    running = place.start("research", question, "--docs", "docs", "--offline", "--json")
    return running.finish(patience=500)


def test_a_report_is_written(place: Place, run: Run) -> None:
    assert run.code == 0, run.stderr
    assert run.json["engine"] == "llm"
    assert run.json["summary"].strip()
    assert (place.session() / "report.md").is_file()
    assert all(is_read(source) for source in run.json["sources"]), run.json["sources"]


def is_read(source: dict[str, object]) -> bool:
    """A small model may find nothing on a page, or invent all that it says of it."""
    return source["status"] in ("ok", "irrelevant") or source["error"] == "empty-extraction"


def test_usage_is_counted_and_an_unknown_price_is_no_price(run: Run) -> None:
    usage = run.json["usage"]
    assert usage["by_role"]["extract"]["calls"] == 3
    # A small model may cut its report off or ramble; a report is asked for again once, not more.
    assert usage["by_role"]["collate"]["calls"] in (1, 2)
    assert usage["input_tokens"] > 500
    assert usage["output_tokens"] > 20
    assert usage["usd"] is None


def test_every_claim_of_the_model_has_a_status(run: Run) -> None:
    known = {"verified", "partial", "misattributed", "unsupported", "uncited", "prose"}
    assert {claim["status"] for claim in run.json["claims"]} <= known


def test_what_a_model_invents_is_flagged(address: str, place: Place, run: Run) -> None:
    """The model is asked for details that the sources do not hold, and makes them up."""
    import urllib.request

    prompt = (
        "Write three short sentences with invented figures, dates and version numbers about a "
        "space station called Quorra. End every sentence with the mark [1]."
    )
    body = {"messages": [{"role": "user", "content": prompt}], "max_tokens": 120, "seed": 7}
    request = urllib.request.Request(
        f"{address}/v1/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=200) as response:
        text = json.load(response)["choices"][0]["message"]["content"]
    invented = text + "\n\nThe station Quorra weighs 7,431 tonnes since 9 May 1987. [1]\n"
    (place.project / "invented.md").write_text(invented, encoding="utf-8")
    checked = place.run("check", "invented.md", "--against", run.json["session"], "--json")
    assert checked.code == 0, checked.stderr
    claims = checked.json["claims"]
    flagged = [c for c in claims if c["status"] in ("partial", "misattributed", "unsupported")]
    assert any("7,431" in missing for c in flagged for missing in c["missing"]), claims
    assert checked.json["totals"]["verified"] == 0, claims
