"""Code comes out as its author wrote it, fenced, whatever the page wraps around it."""

from __future__ import annotations

import pytest

from intelli.text.readers import read

FILLER = "Each listing shows one way to drive the pump from a script of your own. " * 3


def markdown(main: str) -> str:
    body = (
        f"<html><body><main><h1>Drive</h1><p>{FILLER}</p>{main}<p>{FILLER}</p></main></body></html>"
    )
    return read(body.encode(), "text/html", "https://water.test/").text


@pytest.mark.parametrize(
    ("html", "fenced"),
    [
        ("<pre>a  b\n\n\n  c</pre>", "```\na  b\n\n\n  c\n```"),
        ("<pre><code class='language-sh'>ls</code></pre>", "```sh\nls\n```"),
        (
            "<div class='highlight-python'><div><pre>x = 1</pre></div></div>",
            "```python\nx = 1\n```",
        ),
        ("<pre class='brush: js notranslate'>go()</pre>", "```js\ngo()\n```"),
        ("<pre data-lang='rust'>fn x() {}</pre>", "```rust\nfn x() {}\n```"),
        ("<pre class='sourceCode haskell'>main</pre>", "```haskell\nmain\n```"),
        ("<pre>a<br>  b<br/>c</pre>", "```\na\n  b\nc\n```"),
        ("<pre>f(<a href='t.html'>T</a>) <b>-></b> <em>U</em></pre>", "```\nf(T) -> U\n```"),
        ("<pre><code>```\nx\n```</code></pre>", "````\n```\nx\n```\n````"),
        ("<pre><div class='line'>a</div><div class='line'>  b</div></pre>", "```\na\n  b\n```"),
        ("<pre><span class='line'>a</span>\n<span class='line'>b</span></pre>", "```\na\nb\n```"),
        ("<pre><code><div>a</div><div></div><div>b</div></code></pre>", "```\na\n\nb\n```"),
        ("<pre><span class='x-code-line'>a</span>b\n</pre>", "```\na\nb\n```"),
        (
            "<pre><span class='lineno'>1</span>a\n<span class='lineno'>2</span>b</pre>",
            "```\na\nb\n```",
        ),
        ("<pre>ls<button>Copy</button></pre>", "```\nls\n```"),
        ("<pre><div>bash</div><code>ls\n</code><button>x</button></pre>", "```\nls\n```"),
        ("<pre><code># </code><b><code>ls</code></b></pre>", "```\n# ls\n```"),
        ("<pre class='line-numbers language-go'>x := 1</pre>", "```go\nx := 1\n```"),
        ("<blockquote><pre>x()\n  y()</pre></blockquote>", "```\nx()\n  y()\n```"),
        ("<div><code style='white-space: pre'>[a]\n  [b]</code></div>", "```\n[a]\n  [b]\n```"),
    ],
)
def test_a_listing_is_fenced_verbatim(html: str, fenced: str) -> None:
    assert f"\n{fenced}\n" in markdown(html)


def test_the_gutter_of_a_numbered_listing_is_left_out() -> None:
    text = markdown(
        "<table class='highlighttable'><tr><td class='linenos'><pre>1\n2</pre></td>"
        "<td class='code'><pre>def f():\n    pass</pre></td></tr></table>"
    )
    assert "```\ndef f():\n    pass\n```" in text
    assert "1\n2" not in text


def test_a_toolbar_goes_and_its_listing_stays() -> None:
    text = markdown("<div class='code-toolbar'><button>Copy code</button><pre>make</pre></div>")
    assert "```\nmake\n```" in text
    assert "Copy code" not in text


def test_code_in_a_sentence_is_a_span_that_holds_its_backticks() -> None:
    assert "Type ``a`b`` here" in markdown("<p>Type <code>a`b</code> here</p>")


def test_characters_of_code_are_not_escaped() -> None:
    assert "`*p < 1_000`" in markdown("<p>Test <code>*p &lt; 1_000</code> first</p>")
