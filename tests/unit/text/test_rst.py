"""reStructuredText becomes readable Markdown."""

from __future__ import annotations

from intelli.text.readers import read

SOURCE = """
=====
Weirs
=====

Intro with ``code``, :func:`~pump.start` and `a link
<https://w.test/>`_ over two lines. See docs_ too.

.. _docs: https://w.test/docs

Use
---

Like this::

    pump --slow
      now

.. code-block:: python
   :linenos:

   x = 1

.. note:: Mind the gap.

   It is wide.

.. toctree::

   hidden/page

.. A comment nobody reads.

Deeper
~~~~~~

Last.
"""


def test_title_headings_and_blocks() -> None:
    document = read(SOURCE.encode(), "text/x-rst", "https://w.test/x.rst")
    assert document.title == "Weirs"
    assert "## Use" in document.text
    assert "### Deeper" in document.text
    assert "Like this:\n\n```\npump --slow\n  now\n```" in document.text
    assert "```python\nx = 1\n```" in document.text
    assert "> **Note Mind the gap.**\n>\n> It is wide." in document.text


def test_inline_marks_and_links() -> None:
    text = read(SOURCE.encode(), "text/x-rst", "https://w.test/x.rst").text
    assert "Intro with `code`, `pump.start` and [a link](https://w.test/) over two lines." in text
    assert "See [docs](https://w.test/docs) too." in text


def test_what_is_not_text_is_dropped() -> None:
    text = read(SOURCE.encode(), "text/x-rst", "https://w.test/x.rst").text
    for gone in ("hidden/page", "comment", "linenos", ".. "):
        assert gone not in text
