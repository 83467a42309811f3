"""AsciiDoc becomes Markdown."""

from __future__ import annotations

import pytest

from intelli.text.readers import read

SOURCE = """// licence
= Gate book
Ada Gate <ada@gate.test>
v1.0, 2023-04-05
:pump: Big Pump

[#use]
== Use

Start the {pump} with `gate -v`, see <<use,below>> and https://gate.test/x[the site]. +
It is *loud*\\*.

////
hidden
////

[source,python]
----
x = 1  # <1>
----
<1> The level

NOTE: Mind the gap.

[WARNING]
====
Deep water.
====

* one
** inner
. first
Level:: How high

.Levels
[cols="1,1",options="header"]
|===
|Day |Level

|1
|a\\|b
|===
"""
TEXT = """## Use

Start the Big Pump with `gate -v`, see below and [the site](<https://gate.test/x>).
It is **loud***.

```python
x = 1
```

1. The level

**Note:** Mind the gap.

> **Warning**
>
> Deep water.

- one
  - inner
1. first
- **Level**: How high

**Levels**

| Day | Level |
| --- | --- |
| 1 | a\\|b |"""


def test_the_whole_of_it() -> None:
    document = read(SOURCE.encode(), "text/plain", "https://a.test/gates.adoc")
    assert (document.kind, document.title) == ("asciidoc", "Gate book")
    assert document.text.replace("  \n", "\n") == TEXT


def test_it_is_known_by_its_look() -> None:
    assert read(SOURCE.encode(), "text/plain", "https://a.test/gates").kind == "asciidoc"


@pytest.mark.parametrize("line", ["|===", "----", "====\n----", "[", "a::", ":a:", "|===\n9*|"])
def test_what_is_never_closed_ends_with_the_text(line: str) -> None:
    assert read(f"= A\n\n{line}\n".encode(), "", "https://a.test/x.adoc").kind == "asciidoc"
