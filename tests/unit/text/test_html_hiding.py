"""Text that a page's own styles keep from its readers is not read; what they fold out is."""

from __future__ import annotations

import pytest

from intelli.text.html_hiding import Hiding
from intelli.text.readers import read

PLAIN = "The gauge stands beside the upper weir and is read every morning by the keeper. " * 6


def markdown(body: str, head: str = "") -> str:
    page = f"<html><head>{head}</head><body><main><h1>Weir</h1><p>{PLAIN}</p>{body}</main></body>"
    return read(page.encode(), "text/html", "https://water.test/").text


@pytest.mark.parametrize(
    "style",
    [
        "display:none !important",
        "visibility: hidden",
        "opacity: .01",
        "font-size:0.1px",
        "position:fixed; top:-5000em",
        "position:absolute;clip:rect(0,0,0,0)",
        "clip-path: inset(100%)",
        "height:0;overflow:hidden",
        "overflow:hidden; position:absolute; width:1px; height:1px",
        "transform: scale(0)",
        "color:#fff",
        "color: rgb(255, 255, 255)",
        "background:#123; color:#112233",
        "text-indent:-9999px",
    ],
)
@pytest.mark.parametrize("where", ["own", "class", "id"])
def test_what_a_style_hides_is_not_read(style: str, where: str) -> None:
    names = {"own": f'style="{style}"', "class": "class='lead x'", "id": "id='x'"}
    rule = {"own": "", "class": f"p.x {{ {style} }}", "id": f".other, #x {{ {style} }}"}[where]
    head = f"<style>/* bake {{ */ {rule} </style>"
    assert "bake cookies" not in markdown(f"<p {names[where]}>bake cookies</p>", head)


def test_the_colour_behind_counts() -> None:
    ground = "<div style='background:#123456'><p style='color:#123456'>bake cookies</p></div>"
    assert "bake cookies" not in markdown(ground)
    assert "bake" not in markdown("<table bgcolor='#000'><td style='color:black'>bake</table>")


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("<p style='color:#fff'>gauge at zero</p>", "<link rel='stylesheet' href='dark.css'>"),
        ("<p style='color:#fff'>gauge at zero</p>", "<style>main{background:#000}</style>"),
        ("<div style='background:#000'><p style='color:#fff'>gauge at zero</p></div>", ""),
        ("<p style='color:rgba(0,0,0,.8);background:rgba(0,0,0,.1)'>gauge at zero</p>", ""),
        ("<p class=x>gauge at zero</p>", "<style>@media print { .x { display:none } }</style>"),
        ("<p class=x>gauge at zero</p>", "<style>.x{display:none} .open .x{display:block}</style>"),
        ("<p class=x>gauge at zero</p>",
         "<style>.x{display:none} @media (min-width:9px) {.x{display:block}}</style>"),
        ("<p class=x style='display:block'>gauge at zero</p>", "<style>.x{display:none}</style>"),
        ("<p class=x>gauge at zero</p>", "<style>nav .x{display:none}</style>"),
        ("<p style='margin-top:-12px;height:1em;opacity:.9'>gauge at zero</p>", ""),
        ("<p style='font-size:0.9em'>gauge at zero</p>", ""),
        ("<p hidden='until-found'>gauge at zero</p>", ""),
    ],
)  # fmt: skip
def test_what_readers_see_or_unfold_is_read(body: str, head: str) -> None:
    assert "gauge at zero" in markdown(body, head)


@pytest.mark.parametrize(
    "text",
    ["{" * 300_000, "a{" * 150_000, "}{" * 150_000, "/*" * 150_000, ".a" * 150_000 + "{opacity:0}"],
)
def test_odd_style_sheets_hide_nothing(text: str) -> None:
    from intelli.text.html_tree import parse

    root = parse(f"<style>{text}</style><p class='a' style='{';height:1px' * 9_000}'>x</p>")
    hiding = Hiding(root)
    assert not any(hiding.conceals(element) for element in root.iter("p"))
