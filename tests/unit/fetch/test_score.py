"""Two readings of one page: what makes one the better."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from intelli.fetch.score import Reading, candidate, compare, looks_unfinished
from intelli.records import Candidate

ROOT = Path(__file__).parents[3]
PROSE = "\n\n".join(
    [
        "The pump moves 12 litres a minute at a pressure of 3 bar, measured at the outlet.",
        "Its valve opens at 4 bar and closes at 3.5 bar, which the manual calls hysteresis.",
        "Replace the seal after 900 hours, or at the first sign of water under the housing.",
        "Never run it dry: the bearing is cooled by the water that flows around the shaft.",
    ]
)
CODE = "```sh\npump start --rate 12\npump watch --every 5s\npump stop --drain\n```"
TABLE = "| part | hours |\n| --- | --- |\n| seal | 900 |\n| bearing | 4000 |\n| valve | 12000 |"
WHOLE = f"{PROSE}\n\n## Use\n\n{CODE}\n\n## Parts\n\n{TABLE}"
OTHER = "\n\n".join(
    [
        "Tides turn twice a day and the harbour master prints a calendar of them each autumn.",
        "Boats longer than nine metres moor at the outer quay, shorter ones along the canal.",
        "Visitors pay at the office, which is open from eight until noon in every season.",
    ]
)


def better(page: str, twin: str, **of_twin: float) -> Candidate:
    pair = compare(
        Reading(via="html", text=page),
        Reading(via="markdown", text=twin, **of_twin),  # type: ignore[arg-type]
    )
    return max(pair, key=lambda each: each.score)


def test_equal_readings_go_to_the_one_the_site_wrote() -> None:
    assert better(WHOLE, WHOLE).via == "markdown"


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("completeness", WHOLE[: len(WHOLE) // 3]),
        ("missing-code", WHOLE.replace(CODE, "")),
        ("missing-tables", WHOLE.replace(TABLE, "seal 900 bearing 4000 valve 12000 part hours")),
        ("repeats", f"{PROSE}\n\n{WHOLE}"),
        ("markup", f'<div class="x"><span>\n\n{WHOLE}\n\n</span></div><p><a href="/">up</a></p>'),
        ("directives", f"{WHOLE}\n\n```{{toctree}}\na\n```\n\n{{{{< include a.md >}}}}"),
        ("unlike", OTHER),
        ("empty", ""),
    ],
)
def test_a_twin_that_lacks_or_litters_loses_for_that_reason(name: str, twin: str) -> None:
    pair = compare(Reading(via="html", text=WHOLE), Reading(via="markdown", text=twin))
    assert pair[0].score > pair[1].score
    lost = pair[0].reasons.get(name, 0.0) - pair[1].reasons.get(name, 0.0)
    assert lost > 0.06


@pytest.mark.parametrize("of_twin", [{"noise": 0.4}, {"leftovers": 6}])
def test_a_twin_full_of_machinery_loses_to_a_whole_page(of_twin: dict[str, float]) -> None:
    assert better(WHOLE, WHOLE, **of_twin).via == "html"


def test_a_page_that_lost_its_code_loses() -> None:
    assert better(WHOLE.replace(CODE, "pump"), WHOLE).via == "markdown"


def test_furniture_in_the_page_counts_against_it() -> None:
    furniture = "Skip to content\n\nCopy page\n\n{}\n\nWas this page helpful?\n\nBack to top"
    page, _ = compare(
        Reading(via="html", text=furniture.format(WHOLE)), Reading(via="markdown", text=WHOLE)
    )
    assert page.reasons["chrome"] < 0


def test_navigation_in_the_page_is_nothing_that_the_twin_lacks() -> None:
    links = "\n".join(f"- [Chapter {n} of the harbour book](/chapter/{n})" for n in range(60))
    pair = compare(
        Reading(via="html", text=f"{links}\n\n{WHOLE}"), Reading(via="markdown", text=WHOLE)
    )
    assert pair[1].score > pair[0].score
    assert pair[0].reasons["links"] < 0


def test_pages_that_are_lists_of_links_are_compared_by_them() -> None:
    links = "\n".join(f"- [Chapter {word}](/c/{word})" for word in OTHER.split()[:20])
    toctree = "```{toctree}\nintro\nvalves\n```\n\n- {ref}`search`"
    assert better(links, toctree).via == "html"


def test_length_alone_wins_nothing() -> None:
    padded = WHOLE + "".join(f"\n\n{line}" for line in PROSE.splitlines() if line) * 5
    assert better(WHOLE, padded).via == "html"
    assert better(padded, WHOLE).via == "markdown"


def test_a_short_page_that_is_part_of_its_twin_is_of_the_same_page() -> None:
    part = Reading(via="html", text=PROSE.splitlines()[0])
    _, twin = compare(part, Reading(via="markdown", text=f"{WHOLE}\n\n{OTHER}"))
    assert "unlike" not in twin.reasons


@pytest.mark.parametrize("verdict", ["challenge", "js-shell", "soft-404", "truncated"])
def test_a_page_that_is_none_cannot_win(verdict: str) -> None:
    page = Reading(via="html", text=OTHER, verdict=verdict)  # type: ignore[arg-type]
    pair = compare(page, Reading(via="markdown", text=WHOLE))
    assert pair[1].score > pair[0].score


def test_the_reasons_add_up_to_the_score() -> None:
    for each in compare(
        Reading(via="html", text=WHOLE), Reading(via="markdown", text=f"<div>{PROSE}</div>")
    ):
        assert sum(each.reasons.values()) == pytest.approx(each.score, abs=1e-6)
    assert candidate(Reading(via="html", text=WHOLE)).score == pytest.approx(1.0)


def test_code_is_compared_whatever_its_layout() -> None:
    quoted = WHOLE.replace(CODE, "\n".join(f"    {line}" for line in CODE.splitlines()[1:-1]))
    assert "missing-code" not in {
        name
        for each in compare(Reading(via="html", text=WHOLE), Reading(via="md", text=quoted))
        for name in each.reasons
    }


def test_a_stub_looks_unfinished_and_a_page_does_not() -> None:
    assert looks_unfinished(Reading(via="markdown", text="All about pumps."))
    assert looks_unfinished(Reading(via="markdown", text=WHOLE, leftovers=20, noise=0.5))
    assert not looks_unfinished(Reading(via="markdown", text=WHOLE))


def test_labelled_pairs_are_chosen_as_people_did() -> None:
    directory = ROOT / "../shared/bench/pairs"
    if not directory.is_dir():
        pytest.skip("the labelled pairs are not here")
    bench = runpy.run_path(str(ROOT / "bench/pairs.py"))
    labels = (directory / "labels.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in labels.splitlines()]
    wrong = []
    for row in rows:
        page, twin = bench["candidates"](directory, row)
        choice = "markdown" if twin is not None and twin.score > page.score else "html"
        if row["better"] not in (choice, "tie"):
            wrong.append(row["id"])
    assert len(wrong) <= 3
