"""Tables come out as pipe tables with every cell under its column."""

from __future__ import annotations

from intelli.text.readers import read

FILLER = "The table lists what the operators wrote down during the wet season. " * 3


def markdown(table: str) -> str:
    body = (
        f"<html><body><main><h1>Log</h1><p>{FILLER}</p>{table}<p>{FILLER}</p></main></body></html>"
    )
    return read(body.encode(), "text/html", "https://water.test/").text


def test_a_table_without_header_cells_gets_a_head() -> None:
    text = markdown(
        "<table><tr><td>Day</td><td>Level</td></tr><tr><td>1</td><td>3.4</td></tr></table>"
    )
    assert "| Day | Level |\n| --- | --- |\n| 1 | 3.4 |" in text


def test_spans_are_repeated_so_that_no_value_slides() -> None:
    text = markdown(
        "<table><tr><th colspan='2'>Where</th><th>Level</th></tr>"
        "<tr><td rowspan='2'>North</td><td>a</td><td>1</td></tr>"
        "<tr><td>b</td><td>2</td></tr></table>"
    )
    assert "| Where | Where | Level |" in text
    assert "| North | a     | 1     |\n| North | b     | 2     |" in text


def test_blocks_in_a_cell_stay_on_one_line() -> None:
    text = markdown(
        "<table><tr><th>Mode</th><th>Use</th></tr><tr><td><code>a|b</code></td>"
        "<td><p>one<br>two</p><ul><li>x</li><li>y</li></ul></td></tr></table>"
    )
    assert "| `a\\|b` | one two x; y |" in text


def test_a_layout_table_is_not_a_table() -> None:
    text = markdown(
        "<table><tr><td><h2>Left</h2><p>Water</p></td><td><p>Land</p></td></tr></table>"
    )
    assert "## Left\n\nWater\n\nLand" in text


def test_a_caption_stands_above() -> None:
    text = markdown("<table><caption>Levels</caption><tr><th>a</th><th>b</th></tr></table>")
    assert "Levels\n\n| a | b |" in text


def test_a_huge_span_does_not_blow_up() -> None:
    cell = "<td rowspan='9999' colspan='9999'>x</td>"
    assert len(markdown(f"<table><tr>{cell * 50}</tr></table>")) < 100_000
