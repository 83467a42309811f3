"""Articles, papers and packages that their own host answers better at another address."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.fetch.conftest import Internet
from tests.world import World
from tests.world import pages as made

REGISTRY = "crates" + ".io"
PAGE = ["What people see of the page: a pump moves water uphill and takes 40 watts to do it."]


def data(value: Any, **behaviour: Any) -> made.Page:
    return made.Page(body=json.dumps(value).encode(), content_type="application/json", **behaviour)


ARTICLE = {
    "parse": {
        "title": "Hydraulic ram",
        "displaytitle": "<i>Hydraulic</i> ram",
        "text": "<div class='mw-parser-output'><p>A <b>ram</b> lifts water.</p><h2>History</h2>"
        "<p>It was built in 1796 and lifted water to a height of 30 metres without any fuel.</p>"
        "<table><tr><th>Part</th><th>Mass</th></tr><tr><td>Valve</td><td>3 kg</td></tr></table>"
        "</div>",
    }
}
REVISION = {"query": {"pages": [{"revisions": [{"timestamp": "2026-02-03T04:05:06Z"}]}]}}


@pytest.mark.parametrize("host", ["en.wikipedia.org", "en.m.wikipedia.org"])
def test_an_article_of_wikipedia_is_its_text_with_the_day_of_the_last_edit(
    world: World, internet: Internet, host: str
) -> None:
    world.site.add("/w/api.php", data(ARTICLE), data(REVISION))
    page = internet.get(f"http://{host}/wiki/Ram_pump#History")
    assert (page.via, page.title, page.published) == ("wikipedia", "Hydraulic ram", "2026-02-03")
    assert page.final_url == "http://en.wikipedia.org/wiki/Hydraulic_ram"
    assert "## History" in page.text.replace("### ", "## ") and "| Valve | 3 kg |" in page.text
    first, second = [exchange.request.query for exchange in world.site.server.log.exchanges]
    assert (first["page"], second["titles"]) == ("Ram_pump", "Hydraulic ram")
    assert set(internet.names) == {"en.wikipedia.org"}


def test_an_article_that_the_api_does_not_give_is_its_page(
    world: World, internet: Internet
) -> None:
    world.site.add("/w/api.php", data({"error": {"code": "missingtitle", "info": "no such page"}}))
    world.site.add("/wiki/Ram", made.article("Ram", PAGE))
    page = internet.get("http://de.wikipedia.org/wiki/Ram")
    assert page.via == "html"
    assert page.tried == ("wikipedia: empty: no such page",)


ABSTRACT = made.article(
    "[2301.00001] On pumps",
    ["Abstract: pumps are studied."],
    head='<meta name="citation_title" content="On &amp; off pumps" />'
    '<meta name="citation_author" content="Lovelace, Ada" />'
    '<meta name="citation_author" content="Babbage, Charles" />'
    '<meta name="citation_date" content="2023/01/01" />',
)
BODY = [
    f"Section {n} says how the pump of kind {n} behaves at {n} bar of pressure." for n in range(60)
]


@pytest.mark.parametrize(
    "url",
    ["http://arxiv.org/abs/2301.00001v2", "http://www.arxiv.org/pdf/2301.00001v2.pdf",
     "http://export.arxiv.org/html/2301.00001v2", "http://ar5iv.labs.arxiv.org/html/2301.00001v2"],
)  # fmt: skip
def test_every_address_of_a_paper_is_the_whole_paper(
    world: World, internet: Internet, url: str
) -> None:
    world.site.add("/abs/2301.00001v2", ABSTRACT)
    world.site.add("/html/2301.00001v2", made.article("On pumps", BODY))
    page = internet.get(url)
    assert (page.via, page.title, page.published) == ("arxiv", "On & off pumps", "2023-01-01")
    assert page.text.startswith("By Lovelace, Ada, Babbage, Charles")
    assert BODY[-1] in page.text
    assert page.final_url == "http://arxiv.org/abs/2301.00001v2"
    assert set(internet.names) == {"arxiv.org"}


def test_a_paper_without_html_is_its_pdf(world: World, internet: Internet) -> None:
    world.site.add("/abs/hep-th/9901001", ABSTRACT)
    world.site.add("/html/hep-th/9901001", made.missing())
    world.site.add("/pdf/hep-th/9901001", made.pdf(BODY[:45]))
    page = internet.get("http://arxiv.org/abs/hep-th/9901001")
    assert page.via == "arxiv"
    assert "the pump of kind 44" in page.text


def test_a_paper_in_no_form_is_its_abstract(world: World, internet: Internet) -> None:
    world.site.add("/abs/2301.00001", ABSTRACT)
    page = internet.get("http://arxiv.org/abs/2301.00001")
    assert page.via == "html"
    assert "pumps are studied" in page.text
    assert page.tried[0].startswith("arxiv: http-404")


CRATE = {
    "crate": {"name": "pumper", "description": "Drives pumps.", "max_stable_version": "1.2.0",
              "downloads": 12345, "repository": "https://git.example/pumper"},
    "versions": [
        {"num": "2.0.0-rc.1", "created_at": "2026-03-01T00:00:00Z", "license": "MIT"},
        {"num": "1.2.0", "created_at": "2026-01-01T00:00:00Z", "license": "MIT OR Apache-2.0",
         "rust_version": "1.75", "features": {"std": [], "async": ["dep:x"]},
         "published_by": {"name": "Ada"}},
        {"num": "1.1.0", "created_at": "2025-01-01T00:00:00Z", "yanked": True, "license": "MIT"},
    ],
}  # fmt: skip


def serve_crate(world: World, version: str) -> None:
    base = "/api/v1/crates/pumper"
    needs = [{"crate_id": "serde", "req": "^1", "kind": "normal", "optional": True},
             {"crate_id": "criterion", "req": "^0.5", "kind": "dev"}]  # fmt: skip
    world.site.add(base, data(CRATE))
    world.site.add(f"{base}/{version}/dependencies", data({"dependencies": needs}))
    world.site.add(f"{base}/{version}/readme", made.redirect("/static/readme.html"))
    readme = (
        b"<h1>pumper</h1><p>Start a pump with <code>Pump::new()</code>.</p><h2>Use</h2><p>Go.</p>"
    )
    world.site.add("/static/readme.html", made.Page(body=readme))


def test_a_rust_package_is_what_its_registry_knows(world: World, internet: Internet) -> None:
    serve_crate(world, "1.2.0")
    page = internet.get(f"http://{REGISTRY}/crates/pumper")
    assert (page.via, page.title, page.published) == ("crates", "pumper 1.2.0", "2026-01-01")
    assert page.text.startswith("Drives pumps.\n\n- License: MIT OR Apache-2.0")
    for line in ("- Rust version: 1.75", "- Features: async, std", "- Downloads: 12,345",
                 "- 1.1.0, 2025-01-01, yanked", "- `serde, ^1` (optional)"):  # fmt: skip
        assert line in page.text.splitlines()
    assert "criterion" not in page.text
    assert "`Pump::new()`" in page.text and "#### Use" in page.text


def test_the_version_in_the_address_counts(world: World, internet: Internet) -> None:
    serve_crate(world, "2.0.0-rc.1")
    page = internet.get(f"http://www.{REGISTRY}/crates/pumper/2.0.0-rc.1")
    assert (page.title, page.published) == ("pumper 2.0.0-rc.1", "2026-03-01")


DOC = {
    "doc": {
        "title": "pump()", "modified": "2026-01-07T00:00:00.000Z",
        "baseline": {"baseline": "high", "baseline_low_date": "2015-07-29"},
        "body": [
            {"type": "prose", "value": {"title": None, "content":
             "<p>The <code>pump()</code> method moves water from one place to another.</p>"}},
            {"type": "prose", "value": {"title": "Syntax", "content":
             "<pre class='brush: js notranslate'><code>pump(litres)</code></pre>"}},
            {"type": "browser_compatibility", "value": {"title": "Browser compatibility",
             "query": "javascript.builtins.Water.pump"}},
            {"type": "specifications", "value": {"title": "Specifications", "specifications": [
             {"title": "Water Spec", "bcdSpecificationURL": "https://spec.example/#pump"}]}},
        ],
    }
}  # fmt: skip
SUPPORT = {
    "browsers": {"chrome": {"name": "Chrome"}, "safari": {"name": "Safari"}},
    "data": {
        "__compat": {"support": {
            "chrome": {"version_added": "41"},
            "safari": [{"version_added": "9", "partial_implementation": True},
                       {"version_added": "7", "flags": [{}]}]}},
        "hot_water": {"__compat": {"support": {
            "chrome": {"version_added": False}, "safari": {"version_added": None}}}},
    },
}  # fmt: skip
PUMP = "/en-US/docs/Web/JavaScript/Reference/pump"


def test_a_page_of_mdn_has_its_table_of_browsers(world: World, internet: Internet) -> None:
    world.site.add(f"{PUMP}/index.json", data(DOC))
    world.mdn.documents["/current/javascript.builtins.Water.pump.json"] = SUPPORT
    page = internet.get(f"http://developer.mozilla.org{PUMP}#syntax")
    assert (page.via, page.title, page.published) == ("mdn", "pump()", "2026-01-07")
    assert page.text.startswith("Baseline: widely available since 2015-07-29.\n\nThe `pump()`")
    lines = page.text.splitlines()
    assert "## Syntax" in lines and "pump(litres)" in lines
    assert "| Feature | Chrome | Safari |" in lines
    assert "| pump | 41 | 9 (partly) |" in lines
    assert "| hot_water | no | ? |" in lines
    assert "[Water Spec](https://spec.example/#pump)" in page.text


def test_a_page_of_mdn_does_without_its_table(world: World, internet: Internet) -> None:
    world.site.add(f"{PUMP}/index.json", data(DOC))
    page = internet.get(f"http://developer.mozilla.org{PUMP}/")
    assert page.via == "mdn"
    assert "Browser compatibility" not in page.text and "## Specifications" in page.text


@pytest.mark.parametrize("query", ["../../x", "a/b", "", "a?b", "http://x"])
def test_a_page_of_mdn_cannot_choose_the_address_of_its_table(
    world: World, internet: Internet, query: str
) -> None:
    section = {"type": "browser_compatibility", "value": {"title": "B", "query": query}}
    body = [*DOC["doc"]["body"][:2], section]  # type: ignore[index]
    world.site.add(f"{PUMP}/index.json", data({"doc": {"title": "pump()", "body": body}}))
    assert internet.get(f"http://developer.mozilla.org{PUMP}").via == "mdn"
    assert world.mdn.server.log.paths() == []


@pytest.mark.parametrize(
    "answer",
    [
        [],
        7,
        {"doc": {"title": "x", "body": [4, {"value": 3}]}},
        {"crate": []},
        {"parse": {"text": 4}},
        {"query": []},
    ],
)
def test_no_answer_is_trusted(world: World, internet: Internet, answer: Any) -> None:
    world.site.add("/w/api.php", data(answer))
    world.site.add("/api/v1/crates/pumper", data(answer))
    world.site.add(f"{PUMP}/index.json", data(answer))
    world.site.add(PUMP, made.article("pump()", PAGE))
    world.site.add("/wiki/Ram", made.article("Ram", PAGE))
    world.site.add("/crates/pumper", made.article("pumper", PAGE))
    assert internet.get("http://en.wikipedia.org/wiki/Ram").via == "html"
    assert internet.get(f"http://developer.mozilla.org{PUMP}").via == "html"
    assert internet.get(f"http://{REGISTRY}/crates/pumper").via == "html"
