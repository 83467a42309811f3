"""Sites of documentation whose HTML is whole: it is read without what surrounds it."""

from __future__ import annotations

import pytest

from tests.unit.fetch.conftest import Internet
from tests.world import World
from tests.world import pages as made

DOCS_RS = """<!DOCTYPE html><html lang="en"><head><title>pump in pumper - Rust</title></head>
<body class="rustdoc fn"><div class="nav-container"><form><ul class="pure-menu-list"><li>
<a class="crate-name" href="/pumper/latest">pumper-1.2.0</a><ul><li>Links</li><li><a href="/r">
Repository</a></li><li>Dependencies</li><li><a href="/serde">serde ^1 normal</a></li></ul></li></ul>
</form></div><nav class="sidebar"><h2><a href="index.html">In pumper</a></h2></nav><main>
<section id="main-content" class="content"><div class="main-heading"><h1>Function
<span class="fn">pump</span><button id="copy-path" title="Copy">Copy item path</button></h1>
<rustdoc-toolbar></rustdoc-toolbar><span><a class="src" href="../s#3">Source</a></span></div>
<pre class="rust item-decl">
<code>pub fn pump(litres: <a href="x">u32</a>) -&gt; <a href="y">Result</a>
</code></pre><details class="top-doc" open><summary class="hideme"><span>Expand description</span>
</summary>
<div class="docblock"><p>Moves <code>litres</code> of water.</p><h2 id="panics">
<a class="doc-anchor" href="#panics">§</a>
Panics</h2><p>When the valve is shut.</p><div class="example-wrap"><pre class="rust"><code>
<span class="kw">let </span>p = pump(<span class="number">12</span>)?;</code></pre></div></div>
</details>
</section></main></body></html>"""
PKG_GO_DEV = """<!DOCTYPE html><html lang="en"><head><title>pump package - Go Packages</title>
</head>
<body><header class="go-Header"><nav><a href="/">Go</a><a href="/why">Why Go</a></nav></header>
<main class="go-Main"><aside class="go-Main-aside"><nav><a href="#i">Index</a></nav></aside>
<article class="go-Main-article"><div class="UnitDoc"><h2>Documentation <a href="#d">¶</a></h2>
<h3>Overview <a href="#o">¶</a></h3><p>Package pump moves water.</p><h4 id="Move"><span>func
<a href="s">Move</a></span> <a href="#Move">¶</a></h4><div>
<pre>func Move(litres <a href="b">int</a>) error
</pre></div><p>Move moves the litres uphill and blocks until they are there.</p></div></article>
</main>
<footer class="go-Footer"><ul><li><a href="/tos">Terms of Service</a></li></ul></footer></body>
</html>"""
READ_THE_DOCS = """<!DOCTYPE html><html lang="en"><head><title>Pumping &mdash; pumper</title></head>
<body class="wy-body-for-nav"><nav class="wy-nav-side"><ul><li><a href="i">Install</a></li></ul>
</nav>
<section class="wy-nav-content-wrap"><div class="rst-content"><div role="navigation"><ul
class="wy-breadcrumbs"><li><a href="_sources/pump.rst.txt">View page source</a></li></ul></div>
<div role="main" class="document"><div itemprop="articleBody"><section id="pumping"><h1>Pumping
<a class="headerlink" href="#pumping"></a></h1><p>Moves water.</p><dl class="py function"><dt
class="sig sig-object py"><span class="sig-name">pump</span><span>(</span><em>litres=12</em>
<span>)</span><a class="headerlink" href="#p"></a></dt><dd><p>Pumps and waits for the end.</p></dd>
</dl></section></div></div><footer><p>&#169; Copyright.</p>Built with <a href="s">Sphinx</a>
</footer>
</div></section></body></html>"""


@pytest.mark.parametrize(
    ("via", "url", "body", "kept", "dropped"),
    [
        (
            "rustdoc", "http://docs.rs/pumper/latest/pumper/fn.pump.html", DOCS_RS,
            ("pub fn pump(litres: u32) -> Result", "let p = pump(12)?;", "## Panics", "`litres`"),
            ("serde", "Repository", "In pumper", "§", "Copy item", "Expand", "Source"),
        ),
        (
            "html", "http://pkg.go.dev/example.com/pump?tab=doc", PKG_GO_DEV,
            ("func Move(litres int) error", "#### func Move", "blocks until"),
            ("Why Go", "Terms of Service"),
        ),
        (
            "html", "http://pumper.readthedocs.io/en/latest/pump.html", READ_THE_DOCS,
            ("Moves water.", "pump(*litres=12*", "Pumps and waits"),
            ("Install", "View page source", "Built with"),
        ),
    ],
)  # fmt: skip
def test_its_code_is_kept_and_its_navigation_is_not(
    world: World,
    internet: Internet,
    via: str,
    url: str,
    body: str,
    kept: tuple[str, ...],
    dropped: tuple[str, ...],
) -> None:
    world.site.fallback = made.missing()
    path = "/" + url.partition("?")[0].split("/", 3)[3]
    world.site.add(path, made.Page(body=body.encode()))
    page = internet.get(url)
    assert (page.via, page.verdict) == (via, "ok")
    for text in kept:
        assert text in page.text
    for text in dropped:
        assert text not in page.text


@pytest.mark.parametrize("host", ["docs.rs", "doc.rust-lang.org"])
def test_what_is_no_page_of_rustdoc_is_read_as_it_is(
    world: World, internet: Internet, host: str
) -> None:
    text = ["A page about pumps that has nothing of rustdoc in it, but more than enough to read."]
    world.site.add("/std/guide.html", made.article("Guide", text))
    page = internet.get(f"http://{host}/std/guide.html")
    assert (page.via, page.title) == ("html", "Guide")
    assert page.tried == ("rustdoc: bad-answer: this is no page of rustdoc",)
