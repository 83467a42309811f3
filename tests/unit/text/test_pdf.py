"""PDFs give their text page by page, or say why they do not."""

from __future__ import annotations

import pytest

from intelli.text.pdf_layout import mended
from intelli.text.readers import read

TEXT = "The gate opens when the water stands high enough in the upper basin."


def pdf(pages: list[str], *, info: str = "", trailer: str = "") -> bytes:
    """A PDF of content streams; F1 is Helvetica, F2 its bold, F3 Courier."""
    fonts = ("Helvetica", "Helvetica-Bold", "Courier")
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "", f"<<{info}>>"]
    objects += [f"<</Type/Font/Subtype/Type1/BaseFont/{name}>>" for name in fonts]
    kids = []
    for content in pages:
        objects.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {len(objects)} 0 R"
            "/Resources<</Font<</F1 4 0 R/F2 5 0 R/F3 6 0 R>>>>>>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(pages)}>>"
    out, offsets = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    ending = f"trailer<</Size {len(objects) + 1}/Root 1 0 R/Info 3 0 R{trailer}>>"
    return f"{out}{ending}\nstartxref\n{out.rindex('xref')}\n%%EOF".encode("latin-1")


def line(text: str, y: int, *, font: str = "F1", size: int = 10, x: int = 50) -> str:
    return f"BT /{font} {size} Tf {x} {y} Td ({text}) Tj ET\n"


def text_of(*lines: str) -> str:
    return read(pdf(["".join(lines)]), "application/pdf", "https://a.test/x.pdf").text


def test_each_page_stands_behind_its_number() -> None:
    body = pdf([line(f"{TEXT} One", 700), line(f"{TEXT} Two", 700)])
    text = read(body, "application/octet-stream", "https://a.test/x").text
    assert text == f"<!-- page 1 -->\n\n{TEXT} One\n\n<!-- page 2 -->\n\n{TEXT} Two"


def test_larger_lines_are_headings() -> None:
    text = text_of(
        line("Basins", 750, size=20),
        line("Upper basin", 700, size=14),
        *(line(TEXT, y) for y in (660, 648, 636)),
    )
    assert "# Basins\n\n## Upper basin\n\n" in text


def test_lines_of_fixed_pitch_are_code_with_its_indent() -> None:
    text = text_of(
        *(line(TEXT, y) for y in (700, 688)),
        line("if high:", 650, font="F3"),
        line("open\\(\\)", 638, font="F3", x=74),
    )
    assert "```\nif high:\n    open()\n```" in text


def test_rows_of_cells_are_a_table() -> None:
    rows = [("Day", "Level", "Gate"), ("1", "3.4", "shut"), ("2", "3.9", "open")]
    parts = [
        f"1 0 0 1 {50 + 150 * n} {600 - 14 * r} Tm ({cell}) Tj "
        for r, row in enumerate(rows)
        for n, cell in enumerate(row)
    ]
    text = text_of(line(TEXT, 700), f"BT /F1 10 Tf {''.join(parts)} ET")
    assert "| Day | Level | Gate |\n| --- | --- | --- |\n| 1 | 3.4 | shut |" in text


def test_heads_that_repeat_on_most_pages_are_dropped() -> None:
    pages = [
        line(f"Handbook {n}", 780) + line(f"{TEXT} {name}", 700) + line("More.", 650)
        for n, name in enumerate("abcde")
    ]
    text = read(pdf(pages), "application/pdf", "https://a.test/").text
    assert "Handbook" not in text
    assert text.count(TEXT) == 5


def test_title_and_date_come_from_the_document() -> None:
    body = pdf([line(TEXT, 700)], info="/Title(Gate book)/CreationDate(D:20230405120000Z)")
    document = read(body, "application/pdf", "https://a.test/")
    assert (document.title, document.published) == ("Gate book", "2023-04-05")


def test_without_a_title_the_largest_line_names_it() -> None:
    body = pdf([line("Gate book", 750, size=24) + line(TEXT, 700)], info="/Title(untitled)")
    assert read(body, "application/pdf", "https://a.test/").title == "Gate book"


LOCKED = (
    f"/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<{'41' * 32}>/U<{'42' * 32}>>>"
    f"/ID[<{'43' * 16}><{'43' * 16}>]"
)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (pdf(["0 0 100 100 re f", "0 0 9 9 re f"]), "pdf-scanned"),
        (pdf([line(TEXT, 700)], trailer=LOCKED), "pdf-encrypted"),
        (b"%PDF-1.7\nnothing of a document", "pdf-broken"),
        (pdf([line(TEXT, 700)])[:60], "pdf-broken"),
    ],
)
def test_a_pdf_without_text_says_why(body: bytes, error: str) -> None:
    document = read(body, "application/pdf", "https://a.test/")
    assert (document.kind, document.text, document.error) == ("pdf", "", error)


def test_a_title_that_heads_every_page_is_still_the_title() -> None:
    pages = [line("Gate book", 780, size=24) + line(TEXT, 700) for _ in range(5)]
    assert read(pdf(pages), "application/pdf", "https://a.test/").title == "Gate book"


def test_text_of_the_page_does_not_become_its_title() -> None:
    long = pdf([line("Gate book", 750, size=24) + line(TEXT, 700)], info=f"/Title({TEXT * 3})")
    assert read(long, "application/pdf", "https://a.test/").title == "Gate book"
    apart = line(TEXT, 780) + line("Part one", 700, size=14) + line("1. Two", 500, size=14)
    assert read(pdf([apart]), "application/pdf", "https://a.test/").title == ""


def test_a_line_of_code_may_have_a_blank_in_its_middle() -> None:
    text = text_of(*(line(TEXT, y) for y in (700, 688)), line("put down the gate", 650, font="F3"))
    assert "```\nput down the gate\n```" in text


def test_a_numbered_bold_line_is_a_heading_though_it_is_a_little_smaller() -> None:
    text = text_of(
        line("2.1 Upper basin", 700, font="F2", size=9), *(line(TEXT, y) for y in (660, 648))
    )
    assert "# 2.1 Upper basin\n" in text


def test_prose_that_pages_repeat_stays() -> None:
    prose = f"{TEXT} Nobody opens it by hand, as the chain is too heavy."
    pages = [line(prose, 780, size=8) + line(f"Page text {n}", 700) for n in range(5)]
    assert read(pdf(pages), "application/pdf", "https://a.test/").text.count("by hand") == 5


def test_a_word_that_was_parted_is_whole_again_and_a_path_keeps_its_hyphen() -> None:
    assert mended("an under\ufffetow in /usr/lib64\ufffegate") == "an undertow in /usr/lib64-gate"


def test_pages_that_are_alike_are_not_taken_for_heads_and_feet() -> None:
    forms = [
        line(f"Name: person {n}", 700) + line(TEXT, 680) + line("Signed in Harwich", 660)
        for n in range(6)
    ]
    text = read(pdf(forms), "application/pdf", "https://a.test/x.pdf").text
    assert text.count(TEXT) == text.count("Signed in Harwich") == 6
    assert "Name: person 5" in text
    lone = read(pdf([line(TEXT, 700)] * 5), "application/pdf", "https://a.test/x.pdf").text
    assert lone.count(TEXT) == 5


def test_a_head_and_a_foot_around_a_picture_are_no_text() -> None:
    around = line("The gate manual", 780) + line("Harwich 2026", 20)
    written = [
        around + "".join(line(f"{TEXT} {n} {k}", 600 - 20 * k) for k in range(4)) for n in "ab"
    ]
    pages = [*written, around, *written, around]
    text = read(pdf(pages), "application/pdf", "https://a.test/x.pdf").text
    assert "Harwich 2026" not in text and text.count(TEXT) == 16


def test_little_text_is_text_where_there_is_no_picture_and_else_a_stamp() -> None:
    picture = "BI /W 1 /H 1 /CS /G /BPC 8 ID x EI\n"
    short = line("Dummy page", 700)
    documents = [read(pdf([body]), "application/pdf", "x") for body in (short, picture + short)]
    assert documents[0].text.endswith("Dummy page") and documents[0].error is None
    assert documents[1].error == "pdf-scanned"
