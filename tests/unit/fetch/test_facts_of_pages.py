"""What a page says of itself is kept with it."""

from __future__ import annotations

from collections.abc import Callable

from intelli.records import Page
from intelli.store.layout import parse_source, render_source
from tests.world import World
from tests.world import pages as made

Fetch = Callable[..., Page]
TEXT = [
    "The pump moves 12 litres a minute at a pressure of 3 bar, measured at the outlet.",
    "Its valve opens at 4 bar and closes again at 3.5 bar, which the manual calls hysteresis.",
]


def test_a_page_says_who_wrote_it_and_when_and_the_store_keeps_it(
    world: World, fetch: Fetch
) -> None:
    body = made.article("Pumps", TEXT).body.replace(
        b"</head>",
        b'<meta name="author" content="Ada Pump">'
        b'<meta property="article:published_time" content="2026-03-01T08:00:00Z">'
        b'<meta property="article:modified_time" content="2026-04-02T08:00:00Z"></head>',
    )
    page = fetch(world.site.add("/dated", made.Page(body=body)))
    assert (page.author, page.published, page.modified) == ("Ada Pump", "2026-03-01", "2026-04-02")
    kept = parse_source(render_source(page))
    assert (kept.author, kept.published, kept.modified) == ("Ada Pump", "2026-03-01", "2026-04-02")
