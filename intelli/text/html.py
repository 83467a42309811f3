"""Reads an HTML page: its main content as Markdown, and what it says about itself."""

from __future__ import annotations

from intelli.text.characters import clean
from intelli.text.document import Document


def warm() -> None:
    """Import the parsers now: they take a moment."""
    from intelli.text import html_blocks, html_locating, html_metadata, html_pruning  # noqa: F401


def read_html(text: str, url: str) -> Document:
    """The page's Markdown, metadata and signals."""
    from intelli.text.html_blocks import to_markdown
    from intelli.text.html_cleaning import remove_consent, remove_hidden, remove_unshown
    from intelli.text.html_hiding import Hiding
    from intelli.text.html_locating import located
    from intelli.text.html_math import settle_formulas
    from intelli.text.html_metadata import metadata_of
    from intelli.text.html_pruning import prune
    from intelli.text.html_signals import count_raw, count_visible
    from intelli.text.html_streaming import settle_streamed
    from intelli.text.html_threads import drop_between, settle_posts
    from intelli.text.html_tree import parse

    root = parse(text)
    signals = count_raw(root, text)
    about = metadata_of(root, url)
    settle_formulas(root)
    settle_streamed(root)
    hiding = Hiding(root)
    remove_unshown(root)
    remove_hidden(root, hiding)
    signals |= count_visible(root)
    remove_consent(root)
    content = located(root)
    if content.posts:
        drop_between(content.element, content.posts, content.weights)
        settle_posts(content.posts)
    prune(content.element, content.weights, is_thread=bool(content.posts))
    markdown = clean(to_markdown(content.element, about.base)).strip()
    title = clean(about.title)
    return Document(
        text=_without_title(markdown, title),
        kind="html",
        title=title,
        published=about.published,
        modified=about.modified,
        author=clean(about.author or "") or None,
        language=about.language,
        canonical=about.canonical,
        alternate=about.alternate,
        signals=signals | {"text_chars": len(markdown)},
    )


def _without_title(markdown: str, title: str) -> str:
    first, _, rest = markdown.partition("\n")
    if first.startswith("# ") and first.removeprefix("# ").strip() == title:
        return rest.lstrip("\n")
    return markdown
