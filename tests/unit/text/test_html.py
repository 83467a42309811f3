"""What becomes of an HTML page: the main content, and only that, as Markdown."""

from __future__ import annotations

import pytest

from intelli.text.readers import read

FILLER = "The pump house was rebuilt in stages, and each stage had to keep the water running. "


def page(main: str, *, head: str = "<title>Pump house</title>") -> bytes:
    """A page with navigation and footer around the main part."""
    return (
        f"<!doctype html><html lang='en'><head>{head}</head><body>"
        "<nav><ul><li><a href='/'>Start</a></li>"
        "<li><a href='/tours'>All our tours</a></li></ul></nav>"
        f"<main><h1>Pump house</h1><p>{FILLER * 3}</p>{main}<p>{FILLER * 2}</p></main>"
        "<footer>Imprint and legal notes</footer></body></html>"
    ).encode()


def markdown(main: str) -> str:
    return read(page(main), "text/html", "https://water.test/guide/pumps").text


def test_navigation_and_footer_are_gone_and_the_title_is_apart() -> None:
    document = read(page("<p>Valves close slowly.</p>"), "text/html", "https://water.test/")
    assert document.title == "Pump house"
    assert "Valves close slowly." in document.text
    assert not document.text.startswith("#")
    for chrome in ("All our tours", "Imprint"):
        assert chrome not in document.text


@pytest.mark.parametrize(
    "furniture",
    [
        "<div class='cookie-banner'>We bake cookies for you</div>",
        "<div class='share-buttons'><a href='#'>Post it</a> bake cookies</div>",
        "<div class='feedback'>Did this bake cookies for you?</div>",
        "<script>var text = 'bake cookies'</script>",
        "<div style='display: none'>bake cookies</div>",
        "<p hidden>bake cookies</p>",
        "<p style='font-size: 0'>bake cookies</p>",
        "<span style='font-size:1px'>bake cookies</span>",
        "<p style='opacity:0;'>bake cookies</p>",
        "<p style='position:absolute; left:-9999px'>bake cookies</p>",
        "<p style='color: #FFF; background-color: white'>bake cookies</p>",
        "<p style='color:transparent'>bake cookies</p>",
        "<span aria-hidden='true'>bake cookies</span>",
        "<!-- bake cookies -->",
        "<nav class='toc'><a href='#a'>bake cookies</a></nav>",
        "<form><input value='x'><button>bake cookies</button></form>",
        "<span class='sr-only'>bake cookies</span>",
    ],
)
def test_what_is_not_content_is_dropped(furniture: str) -> None:
    assert "bake cookies" not in markdown(furniture)


@pytest.mark.parametrize(
    "folded",
    [
        "<details><summary>Log</summary><p>gauge at zero</p></details>",
        "<div role='tabpanel' hidden><p>gauge at zero</p></div>",
        "<div class='accordion-body' style='display:none'><p>gauge at zero</p></div>",
    ],
)
def test_folded_parts_are_content(folded: str) -> None:
    assert "gauge at zero" in markdown(folded)


def test_a_page_hidden_until_its_script_runs_is_read() -> None:
    body = f"<body style='display:none'><h1>Weir</h1><p>{FILLER * 4}</p></body>"
    assert FILLER.strip() in read(body.encode(), "text/html", "https://water.test/").text


def test_a_page_whose_text_is_for_browsers_without_scripts_is_read() -> None:
    script = f"<script>{'var a = 1; ' * 2_000}</script>"
    body = f"<body>{script}<div id='app'></div><noscript><p>{FILLER * 40}</p></noscript></body>"
    assert FILLER.strip() in read(body.encode(), "text/html", "https://water.test/").text


def test_links_are_absolute_and_links_within_the_page_are_text() -> None:
    text = markdown("<p>See <a href='../parts?x=(1)'>parts</a> and <a href='#top'>above</a>.</p>")
    assert "[parts](https://water.test/parts?x=%281%29) and above." in text


def test_a_base_element_decides_where_links_lead() -> None:
    body = page("<p>See <a href='a'>this</a>.</p>", head="<base href='https://cdn.test/d/'>")
    assert "[this](https://cdn.test/d/a)" in read(body, "text/html", "https://water.test/").text


def test_script_links_lead_nowhere() -> None:
    assert "javascript" not in markdown("<p><a href='javascript:alert(1)'>Open</a> it.</p>")


def test_images_are_their_alternative_text() -> None:
    text = markdown("<p><img src='w.png' alt='A weir'><img src='data:image/png;base64,AAAA'></p>")
    assert "![A weir]()" in text
    assert "base64" not in text


def test_headings_keep_their_level_and_lose_their_permalink() -> None:
    text = markdown(
        "<h2 id='i'>Intake<a class='headerlink' href='#i'>¶</a></h2><p>Water comes in here.</p>"
        "<h4><a href='#o'>Out<code>let</code></a></h4><p>Water leaves here again.</p>"
    )
    assert "\n## Intake\n" in text
    assert "\n#### Out`let`\n" in text


def test_lists_nest_and_keep_their_numbers() -> None:
    text = markdown(
        "<ol start='3'><li>Open<ul><li>left</li><li>right</li></ul></li><li>Run</li></ol>"
    )
    assert "3. Open\n   - left\n   - right\n4. Run" in text


def test_a_code_block_in_a_list_stands_inside_its_item() -> None:
    text = markdown("<ol><li><p>Write:</p><pre>a: 1\n  b: 2</pre></li><li><p>Start.</p></li></ol>")
    assert "1. Write:\n\n   ```\n   a: 1\n     b: 2\n   ```\n\n2. Start." in text


def test_definitions_follow_their_terms() -> None:
    text = markdown("<dl><dt><code>--dry</code></dt><dd>Change nothing.</dd></dl>")
    assert "`--dry`\n: Change nothing." in text


def test_admonitions_are_quotes() -> None:
    text = markdown(
        "<div class='admonition warning'><p class='admonition-title'>Warning</p>"
        "<p>Drain it first.</p></div>"
    )
    assert "> **Warning**\n>\n> Drain it first." in text


def test_footnotes_are_marked() -> None:
    text = markdown("<p>It holds<sup><a href='#fn2'>2</a></sup> water.</p>")
    assert "It holds[^2] water." in text


def test_formulas_are_their_tex() -> None:
    text = markdown(
        "<p>Flow <span class='katex'><math><semantics><mi>Q</mi>"
        "<annotation encoding='application/x-tex'>Q = vA</annotation></semantics></math>"
        "<span aria-hidden='true'>Q=vA</span></span> holds.</p>"
    )
    assert "Flow $Q = vA$ holds." in text


def test_emphasis_does_not_take_in_its_blanks() -> None:
    assert "a **bold** word" in markdown("<p>a<b> bold </b>word</p>")


def test_text_that_looks_like_markup_stays_text() -> None:
    text = markdown("<p># not a heading</p><p>1. no list</p><p>a &lt;b&gt; c</p>")
    assert "\\# not a heading" in text
    assert "1\\. no list" in text
    assert "a \\<b> c" in text


def test_breaks_are_kept_and_two_of_them_part_paragraphs() -> None:
    assert "one  \ntwo\n\nthree" in markdown("<p>one<br>two<br><br>three</p>")


def test_characters_nobody_sees_are_gone() -> None:
    text = markdown("<p>pa\u200bss\u00adword\u202e \U000e0041is\u2066 it می\u200cخواهم</p>")
    assert "password is it می\u200cخواهم" in text


def test_streamed_parts_stand_where_their_script_puts_them() -> None:
    text = markdown(
        "<p>First.</p><template id='P:1'></template><p>Last.</p>"
        "<div hidden id='S:1'><p>Middle.</p></div><script>$RS('S:1','P:1')</script>".replace(
            "'", '"'
        )
    )
    assert text.index("First.") < text.index("Middle.") < text.index("Last.")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" \n\t",
        b"\0" * 50,
        b"<",
        b"<html></html>",
        b"<!-- only a comment -->",
        b"<html><head><title>T</title></head>",
        b"<script type='application/ld+json'>{broken",
        b"<script type='application/ld+json'>" + b"[" * 30_000,
        b"<base href='http://['><a href='http://['>x</a>",
        b"<table><tr><td rowspan='x' colspan='-3'>1</table>",
        b"<h1 role='heading' aria-level='x'>h</h1><div role='heading' aria-level='99'>g</div>",
        b"<ol start='99999999999999'><li>x</ol>",
    ],
)
def test_odd_pages_never_raise(body: bytes) -> None:
    assert read(body, "text/html", "https://water.test/").kind == "html"


@pytest.mark.parametrize(
    "style",
    ["font-size: 10px", "font-size:0.9em", "opacity: 0.5", "color: #fff; background: #000"],
)
def test_small_and_white_text_that_can_be_seen_is_content(style: str) -> None:
    assert "gauge at zero" in markdown(f"<p style='{style}'>The gauge at zero is dry.</p>")


def test_a_heading_whose_section_was_furniture_goes_with_it() -> None:
    text = markdown("") + "\n"
    body = page("<p>Valves close slowly.</p>").replace(
        b"</main>", b"<h3>Share this</h3><div class='share'><a href='/s'>Post it</a></div></main>"
    )
    assert read(body, "text/html", "https://water.test/guide/pumps").text.count("###") == 0
    assert text.count("###") == 0


def test_a_list_of_references_stays() -> None:
    links = "".join(f"<li><a href='/n/{n}'>Note {n} on gauges</a></li>" for n in range(5))
    body = page("").replace(b"</main>", f"<h2>See also</h2><ul>{links}</ul></main>".encode())
    text = read(body, "text/html", "https://water.test/").text
    assert "## See also" in text
    assert "[Note 4 on gauges](https://water.test/n/4)" in text


INVITATION = (
    "<div class='inline-cta'><p><a href='/club'>Join the club</a></p>"
    "<p>Read next: <a href='/weirs'>Weirs of the north</a></p></div>"
)


def test_boxes_between_the_paragraphs_that_are_no_prose_are_dropped() -> None:
    text = markdown(f"<p>{FILLER * 2}</p>{INVITATION}<p>{FILLER * 2}</p>")
    assert "Join the club" not in text
    assert "Weirs of the north" not in text


def test_boxes_go_too_from_a_page_that_is_a_third_links() -> None:
    links = "".join(f"<li><a href='/g/{n}'>Gauges by letter, {n}</a></li>" for n in range(26))
    main = f"<p>{FILLER * 4}</p>{INVITATION}<p>{FILLER * 4}</p><ul class='related-links'>"
    text = markdown(f"{main}{links}</ul>")
    assert "Gauges by letter" not in text
    assert "Join the club" not in text


def test_a_term_stays_with_its_definition() -> None:
    terms = "".join(f"<dt><a href='/v/{n}'>valve{n}</a></dt><dd>{FILLER}</dd>" for n in range(6))
    text = markdown(f"<dl>{terms}</dl>")
    assert all(f"valve{n}" in text for n in range(6))


def test_frames_show_what_is_for_browsers_without_them() -> None:
    body = b"<html><frameset><frame src='a'><noframes><p>No frames here.</p></noframes></frameset>"
    assert read(body, "text/html", "https://water.test/").text == "No frames here."


def test_signals_measure_the_whole_page() -> None:
    body = page(
        "<form><input type='password'><input type='hidden'></form><pre>x</pre><img src='a'>"
        "<script>abc</script><noscript>Turn it on</noscript>"
    )
    signals = read(body, "text/html", "https://water.test/").signals
    assert signals["password_fields"] == 1
    assert signals["inputs"] == 1
    assert signals["script_count"] == 1
    assert signals["script_chars"] == 3
    assert signals["noscript_chars"] == len("Turn it on")
    assert signals["code_blocks"] == 1
    assert signals["headings"] == 1
    assert signals["links"] == 2
    assert signals["html_closed"] == 1
    assert signals["doc_title"] == "Pump house"
    assert str(signals["body_head"]).startswith("Start All our tours Pump house")
    assert 0 < float(signals["text_chars"]) < float(signals["visible_chars"])


def test_a_page_cut_short_is_not_closed() -> None:
    assert read(b"<html><body><p>half", "text/html", "https://w.test/").signals["html_closed"] == 0
