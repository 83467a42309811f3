"""What a reader leaves out of a document that is too long is said in it, and by the verdict."""

from __future__ import annotations

import pytest

from intelli.fetch.verdict import judge
from intelli.net.client import Response
from intelli.text.readers import read
from tests.unit.text.office.test_sheets import workbook
from tests.unit.text.test_pdf import line, pdf

ITEM = "<item><title>Gate</title><description>It opens at noon.</description></item>"
MAIL = (
    "From a@b.test Mon Jan  1 00:00:00 2024\nFrom: a@b.test\nTo: c@d.test\nSubject: Gate\n\nNoon.\n"
)
ROW = '<row><c t="inlineStr"><is><t>gate</t></is></c><c><v>1</v></c></row>'
LONG = {
    "3 more lines": ("text/csv", ("a,b\n" + "1,2\n" * 20_002).encode()),
    "7 more entries": (
        "application/rss+xml",
        f"<rss><channel>{ITEM * 507}</channel></rss>".encode(),
    ),
    "9 more messages": ("application/mbox", (MAIL * 509).encode()),
    "Rows of a sheet after the first 20,000": ("application/zip", workbook(ROW * 20_001)),
    "2 more pages": (
        "application/pdf",
        pdf([line("The gate opens at noon, and closes in the evening.", 700)] * 3_002),
    ),
}


@pytest.mark.parametrize("said", LONG)
def test_what_is_left_out_is_said(said: str) -> None:
    kind, body = LONG[said]
    document = read(body, kind, "https://a.test/x")
    assert document.text.endswith(f"({said} are not shown.)")
    response = Response(status=200, url="https://a.test/x", headers={}, body=body)
    assert judge(response, document).verdict == "truncated"


def test_of_a_document_in_bounds_nothing_is_left_out() -> None:
    for kind, body in (
        ("text/csv", ("a,b\n" + "1,2\n" * 19_999).encode()),
        ("application/rss+xml", f"<rss><channel>{ITEM * 500}</channel></rss>".encode()),
        ("application/mbox", (MAIL * 500).encode()),
        ("application/zip", workbook(ROW * 20_000)),
    ):
        document = read(body, kind, "https://a.test/x")
        assert "not shown" not in document.text and "cut" not in document.signals, kind
