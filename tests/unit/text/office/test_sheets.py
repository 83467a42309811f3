"""Workbooks become a table for each sheet, with numbers as the cells show them."""

from __future__ import annotations

import pytest

from intelli.text.readers import read
from tests.world.archives import archive, relations

STYLES = (
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0.0%"/>'
    '<numFmt numFmtId="171" formatCode="&quot;day&quot; #,##0"/></numFmts><cellXfs>'
    '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs>'
    "</styleSheet>"
)


def workbook(rows: str, *, strings: str = "", state: str = "") -> bytes:
    sheet = f'<sheet name="Levels" state="{state}" r:id="r1"/>'
    return archive(
        {
            "xl/workbook.xml": f'<workbook xmlns:r="urn:r"><sheets>{sheet}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                {"r1": "sheets/one.xml", "r2": "sharedStrings.xml"}
            ),
            "xl/sheets/one.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>",
            "xl/sharedStrings.xml": f"<sst>{strings}</sst>",
            "xl/styles.xml": STYLES,
        }
    )


def text_of(body: bytes) -> str:
    return read(body, "application/vnd.ms-excel", "https://a.test/levels.xlsx").text


def test_cells_stand_in_their_columns_under_the_name_of_the_sheet() -> None:
    rows = (
        '<row><c r="A1" t="s"><v>0</v></c></row>'
        '<row><c r="A2" t="inlineStr"><is><t>Day</t></is></c><c r="C2" t="s"><v>1</v></c></row>'
        '<row><c r="C3"><v>3.4000000000000004</v></c><c r="A3"><v>1.0</v></c></row>'
    )
    strings = (
        "<si><t>Upper basin</t></si><si><r><t>Le</t></r><r><t>vel</t></r><rPh><t>x</t></rPh></si>"
    )
    text = text_of(workbook(rows, strings=strings))
    assert text.startswith("## Levels\n\nUpper basin\n\n| Day | Level |")


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ('<c s="1"><v>45021</v></c>', "2023-04-05"),
        ('<c s="2"><v>0.125</v></c>', "12.5%"),
        ('<c s="3"><v>7</v></c>', "7"),
        ("<c><v>0.30000000000000004</v></c>", "0.3"),
        ('<c t="b"><v>1</v></c>', "TRUE"),
        ('<c t="e"><v>#N/A</v></c>', "#N/A"),
        ('<c s="99999"><v>2</v></c>', "2"),
        ('<c t="s"><v>999</v></c>', ""),
        ("<c><v>nan</v></c>", ""),
        ('<c s="1"><v>99999999999</v></c>', "99999999999"),
    ],
)
def test_a_number_reads_as_its_cell_shows_it(cell: str, shown: str) -> None:
    text = text_of(workbook(f"<row><c><v>0</v></c>{cell}</row>"))
    assert text.splitlines()[2] == (f"| 0 | {shown} |" if shown else "| 0 |")


def test_hidden_sheets_are_left_out() -> None:
    assert text_of(workbook("<row><c><v>1</v></c></row>", state="veryHidden")) == ""


def test_cells_far_out_do_not_make_a_wide_table() -> None:
    text = text_of(workbook('<row><c r="XFD1"><v>1</v></c><c r="ZZZZZZ1"><v>2</v></c></row>'))
    assert len(text) < 100
