"""A DOCX becomes Markdown: headings, lists, code, tables, links and notes."""

from __future__ import annotations

from intelli.text.document import Document
from intelli.text.readers import read
from tests.world.archives import WORD, archive, docx, paragraph, relations

STYLES = (
    f'<w:styles {WORD}><w:style w:styleId="H"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H"/></w:style>'
    '<w:style w:styleId="T"><w:name w:val="Title"/></w:style>'
    '<w:style w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>'
    '<w:style w:styleId="C"><w:name w:val="Source Code"/></w:style></w:styles>'
)
NUMBERING = (
    f'<w:numbering {WORD}><w:abstractNum w:abstractNumId="0">'
    '<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>'
    '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
    '<w:num w:numId="7"><w:abstractNumId w:val="0"/></w:num></w:numbering>'
)


def of(body: bytes) -> Document:
    return read(body, "application/octet-stream", "https://a.test/gates.docx")


def style(name: str) -> str:
    return f'<w:pStyle w:val="{name}"/>'


def item(text: str, level: int) -> str:
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="7"/></w:numPr>')


def test_styles_make_titles_headings_and_code() -> None:
    body = docx(
        paragraph("Gates", style("T"))
        + paragraph("Levels", style("Mine"))
        + paragraph("Water.", style("Loop"))
        + paragraph("if high:", style("C"))
        + paragraph("  open()", style("C")),
        styles=STYLES,
    )
    document = of(body)
    assert (document.kind, document.title) == ("docx", "Gates")
    assert document.text == "## Levels\n\nWater.\n\n```\nif high:\n  open()\n```"


def test_lists_keep_their_depth_and_marks() -> None:
    body = docx(item("first", 0) + item("inner", 1) + item("second", 0), numbering=NUMBERING)
    assert of(body).text == "1. first\n  - inner\n1. second"


def test_a_table_is_a_pipe_table_whatever_its_cells_hold() -> None:
    cell = f"<w:tc>{paragraph('a|b')}{paragraph('c')}</w:tc>"
    row = f"<w:tr>{cell}<w:tc>{paragraph('d')}</w:tc></w:tr>"
    text = of(docx(f"<w:tbl>{row}{row}</w:tbl>")).text
    assert text == "| a\\|b c | d |\n| --- | --- |\n| a\\|b c | d |"


def test_deleted_words_and_the_second_telling_of_a_box_are_left_out() -> None:
    body = docx(
        "<w:p><w:r><w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        '<w:ins><w:r><w:t xml:space="preserve"> and new</w:t></w:r></w:ins>'
        '<w:r><mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice><w:txbxContent>'
        f"{paragraph('boxed')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>"
        f"{paragraph('boxed')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert of(body).text == "kept and new\n\nboxed"


def test_notes_stand_at_the_end_and_links_lead_out() -> None:
    body = archive(
        {
            "word/document.xml": f"<w:document {WORD}><w:body><w:p><w:r><w:t>See</w:t></w:r><w:r>"
            '<w:footnoteReference w:id="2"/></w:r><w:hyperlink r:id="l1"><w:r>'
            '<w:t xml:space="preserve"> here</w:t></w:r></w:hyperlink></w:p></w:body>'
            "</w:document>",
            "word/_rels/document.xml.rels": relations({"l1": "https://b.test/x"}).replace(
                "/>", ' TargetMode="External"/>'
            ),
            "word/footnotes.xml": f'<w:footnotes {WORD}><w:footnote w:id="0" w:type="separator">'
            f'{paragraph("-")}</w:footnote><w:footnote w:id="2">{paragraph("Aside.")}'
            "</w:footnote></w:footnotes>",
        }
    )
    assert of(body).text == "See[^2][here](<https://b.test/x>)\n\n[^2]: Aside."


def test_what_the_file_says_of_itself_is_kept() -> None:
    core = "<p><title>Gate book</title><created>2023-04-05T10:00:00Z</created></p>"
    parts = {
        "word/document.xml": f"<w:document {WORD}><w:body>{paragraph('x')}</w:body></w:document>",
        "docProps/core.xml": core,
    }
    document = of(archive(parts))
    assert (document.title, document.published) == ("Gate book", "2023-04-05")
