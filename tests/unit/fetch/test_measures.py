"""What is counted in a text: its words without navigation, its code without directives."""

from __future__ import annotations

import pytest

from intelli.fetch.measures import measure, missing_code

PROSE = " ".join(f"word{n}" for n in range(40))


@pytest.mark.parametrize(
    "line", ["- [Valves](/valves)", "  * [Valves](/valves)", "3. [Valves](/valves) |"]
)
def test_list_items_made_of_links_are_no_content(line: str) -> None:
    assert "valves" not in measure(f"{PROSE}\n\n{line}").words


@pytest.mark.parametrize(
    "line", ["- [Valves](/valves) close", "[Valves](/valves),", "Read [Valves](/valves)."]
)
def test_links_within_what_is_said_are_content(line: str) -> None:
    assert "valves" in measure(f"{PROSE}\n\n{line}").words


def test_definitions_of_links_are_not_said() -> None:
    assert "pypi" not in measure(f"{PROSE}\n\n[PyPI]: https://pumps.test/ 'PyPI'").words


def test_an_index_is_measured_by_its_links() -> None:
    assert {"valves", "seals"} <= measure("- [Valves](/v)\n- [Seals](/s)").words


@pytest.mark.parametrize("opening", ["```sh", "```", "```{python}", "```{code-block} sh", "~~~"])
def test_fences_hold_code(opening: str) -> None:
    fence = opening[:3]
    assert measure(f"{opening}\npump start --rate 3\n{fence}").code_lines == ("pumpstart--rate3",)


@pytest.mark.parametrize("opening", ["```{toctree}", "```{include} a.md", "~~~{note}"])
def test_fences_of_directives_hold_none(opening: str) -> None:
    text = measure(f"{opening}\nintro/first-steps\n{opening[:3]}")
    assert text.code_lines == ()
    assert missing_code(measure(PROSE), text) == 0.0


@pytest.mark.parametrize(
    "unit", ["=#::@", "a@", "<a@", "[a](", "[a](b(", '[a](b "', "{{<", "`", "|"]
)
def test_a_row_of_signs_is_measured_in_no_longer_than_its_length(unit: str) -> None:
    assert measure("<begin" + unit * (300_000 // len(unit))).code_lines == ()
