"""Finds the element that holds the main content: what is likely, and what is declared."""

from __future__ import annotations

from dataclasses import dataclass

from lxml.html import HtmlElement

from intelli.text.html_opinion import second_opinion
from intelli.text.html_threads import Post, posts_of
from intelli.text.html_tree import body_of
from intelli.text.html_weights import Weight, weigh

HELD = 0.8
DECLARED = 0.75
MEAGRE = 200
AROUND = 0.3
ADDED = 0.4
_PARTS = frozenset(
    "dl dt dd ul ol li table thead tbody tr td th p blockquote pre code h1 h2 h3 a b i em strong "
    "span figure details summary".split()
)
_DECLARED = (
    ".//*[@itemprop='articleBody']", ".//article", ".//main", ".//*[@role='main']",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Content:
    """Where the content is: its element, the posts of a thread, the weights of the whole body."""

    element: HtmlElement
    posts: list[Post]
    weights: dict[HtmlElement, Weight]


def located(root: HtmlElement) -> Content:
    """Find the main content of a page that was rid of scripts and hidden elements."""
    body = body_of(root)
    weights = weigh(body)
    posts = posts_of(body, weights)
    if posts:
        return Content(_around(posts, weights), posts, weights)
    return Content(_widened(_chosen(body, weights), weights), [], weights)


def _around(posts: list[Post], weights: dict[HtmlElement, Weight]) -> HtmlElement:
    """The deepest element with all posts and most of what was kept."""
    common = set(posts[0].frame.iterancestors())
    for post in posts[1:]:
        common.intersection_update(post.frame.iterancestors())
    found = [element for element in common if element in weights]
    body = max(found, key=lambda element: weights[element].total)
    enough = [e for e in found if weights[e].kept >= HELD * weights[body].kept]
    return min(enough or [body], key=lambda element: sum(1 for _ in element.iter()))


def _chosen(body: HtmlElement, weights: dict[HtmlElement, Weight]) -> HtmlElement:
    total = weights[body].kept
    declared = _smallest_declared(body, weights, total)
    if declared is not None:
        return declared
    if total <= 0 or (total < MEAGRE and total < 0.3 * weights[body].total):
        opinion = second_opinion(body)
        return opinion if opinion is not None and opinion in weights else body
    return _deepest(body, weights, HELD * total)


def _widened(content: HtmlElement, weights: dict[HtmlElement, Weight]) -> HtmlElement:
    """The content with what little stands around it, and never just a part of a block."""
    for parent in list(content.iterancestors()):
        if parent not in weights:
            break
        adds_nothing = weights[parent].total == weights[content].total
        if content.tag in _PARTS or _adds_content(content, parent, weights):
            content = parent
        elif not adds_nothing:
            break
    return content


def _adds_content(
    content: HtmlElement, parent: HtmlElement, weights: dict[HtmlElement, Weight]
) -> bool:
    """Whether what stands beside the content is little, and partly content itself."""
    inner, outer = weights[content], weights[parent]
    extra, linked = outer.total - inner.total, outer.linked - inner.linked
    if extra > AROUND * inner.total or linked > 0.4 * extra:
        return False
    return outer.kept - inner.kept > ADDED * extra > 0


def _smallest_declared(
    body: HtmlElement, weights: dict[HtmlElement, Weight], total: float
) -> HtmlElement | None:
    found = [element for path in _DECLARED for element in body.iterfind(path)]
    if total < MEAGRE:
        found = [element for element in found if weights[element].total >= MEAGRE]
    else:
        found = [element for element in found if weights[element].kept >= DECLARED * total]
    return min(found, key=lambda element: weights[element].total, default=None)


def _deepest(body: HtmlElement, weights: dict[HtmlElement, Weight], least: float) -> HtmlElement:
    current = body
    while True:
        heavy = [child for child in current if child in weights and weights[child].kept >= least]
        if not heavy:
            return current
        current = heavy[0]
