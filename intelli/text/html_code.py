"""Turns code elements into fenced blocks: text verbatim, gutters and buttons gone."""

from __future__ import annotations

import itertools
import re

from lxml.html import HtmlElement

from intelli.text.html_tree import ancestors, classes

_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:linenos?|linenodiv|line-?numbers?(?:-rows)?|gutter|lnt?|hljs-ln-numbers|"
    r"rouge-gutter|lineno-container|code-?line-?number|blob-num|ln|hljs-ln-n|linenum|ln-num)"
    r"(?:$|[\s_-])"
)
_TOOLS = re.compile(
    r"(?:^|[\s_-])(?:copy|copy-?btn|copy-?button|copy-?code|clipboard|zeroclipboard|toolbar|"
    r"copybtn|btn-copy|code-?copy|sr-only|visually-hidden|hidden-copy)(?:$|[\s_-])"
)
_LINE = re.compile(r"(?:^|\s)(?:line|row|[\w-]*code-?line|(?:ec|view|cm|token)-line)(?:\s|$)")
_NAMED = re.compile(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight|brush:?|(?:gatsby-)?code|src|syntax|sourcecode)"
    r"[-_\s:]+([a-z][a-z0-9+#.-]*)"
)
_HIGHLIGHTED = re.compile(r"\b(?:sourcecode|src|hljs|brush|prettyprint|programlisting|highlight)\b")
_KNOWN = frozenset(
    "bash sh shell zsh fish console powershell python python3 py pycon ipython javascript js jsx "
    "typescript ts tsx json json5 jsonc yaml yml toml ini xml html css scss sass less sql c cpp "
    "c++ csharp cs java kotlin scala groovy go golang rust rs ruby rb php perl lua r julia swift "
    "objc objective-c dart elixir erlang haskell hs ocaml fsharp clojure lisp scheme vim diff "
    "patch dockerfile docker makefile make cmake nginx apache http graphql protobuf proto hcl "
    "terraform nix tex latex markdown md rst asciidoc text plaintext vue svelte astro zig nim "
    "solidity wasm asm nasm llvm matlab fortran ada pascal prolog tcl awk sed jinja django "
    "handlebars liquid batch bat cmd properties csv regex console-session".split()
)
_NOT_LANGUAGES = frozenset(
    "default none text plain plaintext plain-text txt output block blocks wrapper container "
    "example examples sample snippet box line lines inner body content code notranslate "
    "nohighlight no-highlight highlight hljs source sourcecode source-code toolbar copy area "
    "title header "
    "unknown undefined auto guess section group tabs tab pre listing literal numbers number "
    "background dark light theme editor view basic on off".split()
)
_BREAKING = frozenset({"div", "p", "li", "tr", "table", "ol", "ul", "section"})
_AROUND = frozenset({"div", "button", "header", "figcaption", "svg", "p"})
_SKIPPED = frozenset(
    {"button", "script", "style", "svg", "select", "input", "textarea", "template"}
)


def is_code_table(element: HtmlElement) -> bool:
    """Whether a table only sets a line-number gutter beside code."""
    if element.tag != "table":
        return False
    names = classes(element)
    marked = re.search(r"highlighttable|rouge-table|lntable|syntaxhighlighter|hljs-ln", names)
    return bool(marked) or any(_GUTTER.search(classes(cell)) for cell in element.iterfind(".//td"))


def code_of(element: HtmlElement) -> str:
    """The text of a code element as its author wrote it, without blank first and last lines."""
    listing = _Listing()
    listing.take(_only_code(element))
    text = listing.text().replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def language_of(element: HtmlElement) -> str:
    """The language that the element, its code child or a near ancestor names, else nothing."""
    inner = element.find(".//code")
    near = [element] if inner is None else [inner, element]
    parents = [parent for parent in ancestors(element, 3) if parent is not element]
    for candidate in [*near, *(p for p in parents if _is_wrapper(p))]:
        if found := _declared(candidate):
            return found
    return ""


def _only_code(element: HtmlElement) -> HtmlElement:
    """The code inside a listing whose other children are its caption and its buttons."""
    inner = [child for child in element if child.tag == "code"]
    loose = (element.text or "") + "".join(child.tail or "" for child in element)
    others = all(child.tag in _AROUND for child in element if child.tag != "code")
    alone = element.tag == "pre" and len(inner) == 1 and others and not loose.strip()
    return inner[0] if alone else element


def _is_wrapper(element: HtmlElement) -> bool:
    # Counted by hand: `len` walks all children, and some parents hold thousands of listings.
    return sum(1 for _ in itertools.islice(element, 5)) < 5


def _declared(element: HtmlElement) -> str:
    for key in ("data-language", "data-lang", "data-code-language", "lang-name"):
        if (value := (element.get(key) or "").strip().lower()) and _plausible(value):
            return value
    names = (element.get("class") or "").lower()
    for match in _NAMED.finditer(names):
        if _plausible(match[1]):
            return match[1]
    if element.tag in {"pre", "code", "div"} and _HIGHLIGHTED.search(names):
        return next((name for name in names.split() if name in _KNOWN), "")
    return ""


def _plausible(name: str) -> bool:
    return (
        name not in _NOT_LANGUAGES
        and len(name) <= 20
        and re.fullmatch(r"[a-z][a-z0-9+#.-]*", name) is not None
        and not name.endswith("-")
    )


class _Listing:
    """Collects code. Where each line is an element, the line end between two may be missing."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._line_over = False

    def text(self) -> str:
        return "".join(self._parts)

    def take(self, element: HtmlElement) -> None:
        self._add(element.text)
        for child in element:
            if child.tag == "br":
                self._add("\n")
            elif not _is_furniture(child):
                self._take_child(child)
            self._add(child.tail)

    def _take_child(self, child: HtmlElement) -> None:
        is_line = child.tag in _BREAKING or _is_line(child)
        if is_line and (self._line_over or not self._at_line_start()):
            self._parts.append("\n")
            self._line_over = False
        before = len(self._parts)
        self.take(child)
        if is_line:
            empty = len(self._parts) == before
            self._line_over = empty or self._line_over or not self._at_line_start()

    def _add(self, text: str | None) -> None:
        if not text:
            return
        if self._line_over and not text.startswith(("\n", "\r")):
            self._parts.append("\n")
        self._line_over = False
        self._parts.append(text)

    def _at_line_start(self) -> bool:
        return not self._parts or self._parts[-1].endswith("\n")


def _is_line(element: HtmlElement) -> bool:
    return (
        element.get("data-line") is not None
        or _LINE.search((element.get("class") or "").lower()) is not None
    )


def _is_furniture(element: HtmlElement) -> bool:
    if element.tag in _SKIPPED or not isinstance(element.tag, str):
        return True
    names = classes(element)
    if _GUTTER.search(names):
        # The same class names the whole listing on some sites and only its numbers on others.
        return not any(mark.isalpha() for mark in element.text_content())
    if _TOOLS.search(names):
        return len(element.text_content()) <= 40
    return element.get("aria-hidden") == "true" and element.text_content().strip().isdigit()
