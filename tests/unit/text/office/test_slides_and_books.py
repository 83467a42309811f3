"""Presentations, OpenDocument files and EPUB books become Markdown in their own order."""

from __future__ import annotations

from intelli.text.document import Document
from intelli.text.readers import read
from tests.world.archives import archive, relations

ODF = 'xmlns:o="urn:o" xmlns:t="urn:t" xmlns:k="urn:k" xmlns:d="urn:d" xmlns:x="urn:x"'


def of(entries: dict[str, str]) -> Document:
    return read(archive(entries), "", "https://a.test/file")


def shape(text: str, kind: str = "") -> str:
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return f'<p:sp><p:nvPr><p:ph type="{kind}"/></p:nvPr><p:txBody>{lines}</p:txBody></p:sp>'


def slide(shapes: str) -> str:
    return (
        f'<p:sld xmlns:p="urn:p" xmlns:a="urn:a"><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>'
        "</p:sld>"
    )


def test_slides_come_in_the_order_in_which_they_are_shown() -> None:
    row = "<a:tr>{}</a:tr>".format("".join(f"<a:tc><a:p><a:t>{c}</a:t></a:p></a:tc>" for c in "ab"))
    document = of(
        {
            "ppt/presentation.xml": '<p:presentation xmlns:p="urn:p" xmlns:r="urn:r"><p:sldIdLst>'
            '<p:sldId id="9" r:id="r2"/><p:sldId id="8" r:id="r1"/></p:sldIdLst></p:presentation>',
            "ppt/_rels/presentation.xml.rels": relations(
                {"r1": "slides/one.xml", "r2": "/ppt/slides/two.xml"}
            ),
            "ppt/slides/one.xml": slide(
                f"<p:graphicFrame><a:tbl>{row}{row}</a:tbl></p:graphicFrame>" + shape("7", "sldNum")
            ),
            "ppt/slides/two.xml": slide(
                f"{shape('Gates', 'title')}<p:grpSp>{shape('high' + chr(10) + 'low')}</p:grpSp>"
            ),
        }
    )
    assert document.kind == "pptx"
    assert document.text == (
        "<!-- slide 1 -->\n\n## Gates\n\n- high\n- low\n\n"
        "<!-- slide 2 -->\n\n## Slide 2\n\n| a | b |\n| --- | --- |\n| a | b |"
    )


def test_an_opendocument_text_keeps_headings_lists_and_notes() -> None:
    document = of(
        {
            "content.xml": f"<o:document {ODF}><o:body><o:text>"
            '<t:tracked-changes><t:p>gone</t:p></t:tracked-changes><t:h t:outline-level="2">Gates'
            "</t:h><t:p>Water<t:s t:c='2'/>runs<t:note><t:note-citation>1</t:note-citation>"
            "<t:note-body><t:p>Aside.</t:p></t:note-body></t:note>.</t:p><t:list><t:list-item>"
            "<t:p>one</t:p><t:list><t:list-item><t:p>inner</t:p></t:list-item></t:list>"
            '</t:list-item></t:list><t:p t:style-name="Preformatted_20_Text">x  = 1</t:p>'
            "</o:text></o:body></o:document>",
            "styles.xml": f'<o:s {ODF}><x:style x:name="Preformatted_20_Text"/></o:s>',
        }
    )
    assert document.kind == "odt"
    assert document.text == (
        "## Gates\n\nWater runs[^1].\n\n- one\n  - inner\n\n```\nx  = 1\n```\n\n[^1]: Aside."
    )


def test_repeated_cells_of_a_sheet_are_bounded() -> None:
    cell = '<k:table-cell k:number-columns-repeated="16384"><t:p>x</t:p></k:table-cell>'
    row = f'<k:table-row k:number-rows-repeated="1048576">{cell}</k:table-row>' * 500
    document = of(
        {
            "content.xml": f"<o:document {ODF}><o:body><o:spreadsheet>"
            f'<k:table k:name="Levels">{row}</k:table></o:spreadsheet></o:body></o:document>'
        }
    )
    assert document.kind == "ods"
    assert document.text.startswith("## Levels\n\n| x | x |")
    assert len(document.text) < 5_000_000


def book(encryption: str = "") -> dict[str, str]:
    return {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfile full-path="in/book.opf"/></c>',
        "META-INF/encryption.xml": f"<e>{encryption}</e>",
        "in/book.opf": "<package><metadata><title>Gate tales</title><language>en</language>"
        '<date>2001-02-03</date></metadata><manifest><item id="b" href="b%20b.xhtml" '
        'media-type="application/xhtml+xml"/><item id="a" href="a.xhtml" '
        'media-type="application/xhtml+xml"/><item id="n" href="n.xhtml" properties="nav" '
        'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="n"/>'
        '<itemref idref="b"/><itemref idref="a"/></spine></package>',
        "in/b b.xhtml": '<body><h1>One</h1><p>See <a href="a.xhtml">two</a>.</p></body>',
        "in/a.xhtml": "<html><head><style>p{}</style></head><body><p>Two.</p></body></html>",
        "in/n.xhtml": "<html><body><ol><li>Contents</li></ol></body></html>",
    }


def test_chapters_of_a_book_come_in_the_order_of_its_spine() -> None:
    document = of(book())
    assert (document.kind, document.title) == ("epub", "Gate tales")
    assert (document.language, document.published) == ("en", "2001-02-03")
    assert document.text == "# One\n\nSee two.\n\nTwo."


def test_a_locked_book_says_so_and_scrambled_fonts_do_not_matter() -> None:
    reference = '<CipherReference URI="in/{}"/>'
    assert of(book(reference.format("font.otf"))).error is None
    assert of(book(reference.format("a.xhtml"))).error == "office-encrypted"
