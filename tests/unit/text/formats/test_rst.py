"""reStructuredText becomes readable Markdown."""

from __future__ import annotations

import pytest

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


def test_tables_of_every_notation_become_pipe_tables() -> None:
    source = """
.. list-table:: Options
   :header-rows: 1

   * - Option
     - Default
   * - ``wait``
     - 30 s
       or a|b

.. csv-table::
   :header: "Gate", "State"

   "upper, left", shut

+------+-------+
| Name | Level |
+======+=======+
| east | 3     |
+------+-------+

=====  =====
Day    Flow
=====  =====
one    low
       water
=====  =====
"""
    text = read(source.encode(), "text/x-rst", "https://w.test/x.rst").text
    assert "**Options**\n\n| Option | Default |\n| --- | --- |\n| `wait` | 30 s or a\\|b |" in text
    assert "| Gate | State |\n| --- | --- |\n| upper, left | shut |" in text
    assert "| Name | Level |\n| --- | --- |\n| east | 3 |" in text
    assert "| Day | Flow |\n| --- | --- |\n| one | low water |" in text


def test_code_inside_a_directive_keeps_its_fence() -> None:
    source = ".. note::\n\n   Run:\n\n   .. code-block:: sh\n\n      make all\n"
    text = read(source.encode(), "text/x-rst", "https://w.test/x.rst").text
    assert "> ```sh\n> make all\n> ```" in text


@pytest.mark.parametrize("unit", [":", ":a", "a.", "`    ", "``a", " ", ":a:`b ", ".. _`"])
def test_a_row_of_signs_takes_no_longer_than_its_length(unit: str) -> None:
    """A hundred thousand colons once took half a minute, in which nothing else could go on."""
    body = ("Gate\n====\n\n`" + unit * (200_000 // len(unit))).encode()
    assert read(body, "text/x-rst", "https://a.test/x.rst").title == "Gate"
