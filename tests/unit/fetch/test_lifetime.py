"""How long pages are used again, by what their servers say of them."""

from __future__ import annotations

import pytest

from intelli.fetch.lifetime import LONGEST, lifetime

NOW = 1_784_889_000.0  # Fri, 24 Jul 2026 10:30:00 GMT


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, LONGEST),
        ({"cache-control": "max-age=60"}, 60),
        ({"cache-control": "public, Max-Age=\"60\""}, 60),
        ({"cache-control": "max-age=31536000"}, LONGEST),
        ({"cache-control": "max-age=60", "age": "45"}, 15),
        ({"cache-control": "max-age=60", "age": "90"}, 0),
        ({"cache-control": "max-age=0, must-revalidate"}, 0),
        ({"cache-control": "max-age=-1"}, 0),
        ({"cache-control": "max-age=soon"}, 0),
        ({"cache-control": "max-age=" + "9" * 400}, LONGEST),
        ({"cache-control": "s-maxage=1, private"}, LONGEST),
        ({"cache-control": "no-cache"}, 0),
        ({"pragma": "no-cache"}, 0),
        ({"cache-control": "max-age=5", "pragma": "no-cache"}, 5),
        ({"cache-control": "No-Store"}, None),
        ({"cache-control": "private, no-store, max-age=60"}, None),
        ({"vary": "*"}, None),
        ({"vary": "Accept, Accept-Encoding"}, LONGEST),
        ({"expires": "Fri, 24 Jul 2026 10:40:00 GMT"}, 600),
        (
            {
                "expires": "Fri, 24 Jul 2026 08:10:00 GMT",
                "date": "Fri, 24 Jul 2026 08:00:00 GMT",
            },
            600,
        ),
        ({"expires": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0),
        ({"expires": "0"}, 0),
        ({"expires": "Fri, 24 Jul 2026 10:40:00 GMT", "cache-control": "max-age=5"}, 5),
        ({"expires": "9" * 100}, 0),
    ],
)  # fmt: skip
def test_the_server_may_shorten_the_hour(headers: dict[str, str], seconds: float | None) -> None:
    assert lifetime(headers, NOW) == seconds
