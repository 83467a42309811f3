"""Where our own measures see no content, another extractor is asked where it is."""

from __future__ import annotations

from lxml import html

from intelli.text.html_opinion import second_opinion

MENU = "".join(f"<li><a href='/{n}'>Part {n} of the menu</a></li>" for n in range(60))
SENTENCES = (
    "The valve opens at 4 bar and closes at 3.5 bar, which the manual calls hysteresis of the "
    "outlet. It is oiled twice a year, and the seal is replaced after 900 hours of work."
)


def test_the_deepest_element_with_the_kept_lines_is_named() -> None:
    page = html.fromstring(
        f"<html><body><ul>{MENU}</ul><div id='b'><section><p>{SENTENCES}</p></section></div></body>"
    )
    found = second_opinion(page.find(".//body"))
    assert found is not None and found.text_content() == SENTENCES


def test_a_page_without_text_has_no_opinion() -> None:
    assert second_opinion(html.fromstring("<html><body><img src='a.png'></body>")) is None


def test_a_huge_page_is_not_looked_at_twice() -> None:
    page = html.fromstring(f"<html><body><p>{SENTENCES * 3000}</p></body></html>")
    assert second_opinion(page.find(".//body")) is None
