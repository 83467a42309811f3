"""Converts a subtree of a page into Markdown blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lxml.html import HtmlElement

from intelli.text.fences import fence
from intelli.text.html_code import code_of, is_code_table, language_of
from intelli.text.html_inline import Inline, escape, fold, guard
from intelli.text.html_tables import cells_of, flat, is_layout, pipe_table, rows_of
from intelli.text.html_tree import BLOCKS, HEADINGS, VERBATIM, tag_of, text_of

_NOTES = frozenset(
    "admonition admonitionblock note warning tip important caution danger callout alert hint "
    "notice custom-block theme-admonition starlight-aside infobox-note seealso deprecated".split()
)
_NOTE_LIMIT = 4_000
_LABELS = re.compile(
    r"^(?:note|warning|tip|important|caution|danger|hint|see also|info)s?:?$", re.I
)

_SWITCH = re.compile(r"^(?:(?:expand|collapse)\b.{0,30}|(?:show|read|see) (?:more|less))$", re.I)


@dataclass(frozen=True, slots=True)
class Block:
    """One Markdown block, unindented. `kind` is `text`, `list`, `code`, `table`, `heading`,
    `quote` or `term`."""

    kind: str
    text: str


def to_markdown(root: HtmlElement, base: str) -> str:
    """The Markdown of everything below `root`; links become absolute against `base`."""
    blocks = Converter(root, base).inside(root)
    while len(blocks) > 1 and blocks[-1].kind == "heading":  # what it announced was furniture
        blocks.pop()
    return join(blocks)


def join(blocks: Iterable[Block]) -> str:
    """Blocks with a blank line between them."""
    return "\n\n".join(block.text for block in blocks)


class Converter:
    """Walks a tree once. Depth is bounded by the parser, so the walk recurses freely."""

    def __init__(self, root: HtmlElement, base: str) -> None:
        self._inline = Inline(base)
        self._holders = _holders_of_blocks(root)
        self._by_tag: dict[str, Callable[[HtmlElement], list[Block]]] = {
            "ul": self._list, "ol": self._list, "menu": self._list, "dir": self._list,
            "dl": self._definitions, "blockquote": self._quote, "table": self._table,
            "hr": lambda _: [], "summary": self._summary,
        }  # fmt: skip
        self._by_tag.update(dict.fromkeys(VERBATIM, self._code))
        self._by_tag.update(dict.fromkeys(HEADINGS, self._heading))

    def inside(self, element: HtmlElement) -> list[Block]:
        """The blocks an element holds; runs of inline content become paragraphs."""
        blocks: list[Block] = []
        run = [escape(element.text or "")]
        for child in element:
            if self._is_block(child):
                self._end_run(run, blocks)
                blocks.extend(self._block(child))
            else:
                run.append(self._inline.render(child))
            run.append(escape(child.tail or ""))
        self._end_run(run, blocks)
        return blocks

    def _is_block(self, element: HtmlElement) -> bool:
        return element.tag in BLOCKS or element.tag in {"hr", "svg"} or element in self._holders

    def _block(self, element: HtmlElement) -> list[Block]:
        handler = self._by_tag.get(tag_of(element))
        if handler is not None:
            return handler(element)
        if element.tag == "code":
            return self._code(element)
        if element.get("role") == "heading":
            return self._heading(element)
        if is_note(element):
            return self._note(element)
        return self.inside(element)

    @staticmethod
    def _end_run(run: list[str], blocks: list[Block]) -> None:
        text = fold("".join(run))
        run.clear()
        blocks.extend(Block("text", guard(part)) for part in text.split("\n\n") if part)

    def _heading(self, element: HtmlElement) -> list[Block]:
        text = plain(" ".join(block.text for block in self.inside(element)))
        if not text:
            return []
        level = element.tag[1] if element.tag in HEADINGS else element.get("aria-level") or "2"
        depth = min(6, max(1, int(level))) if level.isdigit() else 2
        return [Block("heading", f"{'#' * depth} {text}")]

    def _code(self, element: HtmlElement) -> list[Block]:
        code = code_of(element)
        return [Block("code", fence(code, language_of(element)))] if code else []

    def _summary(self, element: HtmlElement) -> list[Block]:
        blocks = self.inside(element)
        if len(blocks) != 1 or blocks[0].kind != "text" or "**" in blocks[0].text:
            return blocks
        text = blocks[0].text
        return [] if _SWITCH.match(text) else [Block("text", f"**{text}**")]

    def _quote(self, element: HtmlElement) -> list[Block]:
        return quoted(self.inside(element))

    def _note(self, element: HtmlElement) -> list[Block]:
        blocks = self.inside(element)
        if blocks and blocks[0].kind == "text" and _LABELS.match(blocks[0].text.strip("* ")):
            blocks[0] = Block("text", f"**{blocks[0].text.strip('* ')}**")
        return quoted(blocks)

    def _list(self, element: HtmlElement) -> list[Block]:
        items = [self._item(child) for child in element]
        items = [item for item in items if item]
        if not items:
            return []
        start = element.get("start") or "1"
        number = int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1
        ordered = element.tag == "ol"
        loose = any(b.kind not in {"text", "list"} for item in items for b in item) or any(
            sum(b.kind == "text" for b in item) > 1 for item in items
        )
        lines = [
            indented(_joined(item, loose), f"{number + n}. " if ordered else "- ")
            for n, item in enumerate(items)
        ]
        return [Block("list", ("\n\n" if loose else "\n").join(lines))]

    def _item(self, element: HtmlElement) -> list[Block]:
        if element.tag in {"ul", "ol", "dl"}:  # a list straight in a list
            return self._block(element)
        return self.inside(element) if element.tag not in {"script", "style", "template"} else []

    def _definitions(self, element: HtmlElement) -> list[Block]:
        blocks: list[Block] = []
        for child in element:
            if child.tag == "dt":
                blocks.extend(self._term(child))
            elif child.tag == "dd":
                _attach(self.inside(child), blocks)
            else:
                blocks.extend(
                    self._definitions(child) if child.tag == "div" else self._block(child)
                )
        return blocks

    def _term(self, element: HtmlElement) -> list[Block]:
        blocks = self.inside(element)
        if len(blocks) != 1 or blocks[0].kind != "text":
            return blocks
        text = blocks[0].text
        return [Block("term", text if "`" in text or "**" in text else f"**{text}**")]

    def _table(self, element: HtmlElement) -> list[Block]:
        if is_code_table(element):
            code = code_of(element)
            return [Block("code", fence(code, language_of(element)))] if code else []
        if is_note(element):
            return self._note(element)
        if is_layout(element):
            return self._layout(element)
        caption = element.find("caption")
        blocks = self.inside(caption) if caption is not None else []
        table = pipe_table(element, self._cell)
        return [*blocks, Block("table", table)] if table else blocks

    def _layout(self, element: HtmlElement) -> list[Block]:
        caption = element.find("caption")
        blocks = self.inside(caption) if caption is not None else []
        for row in rows_of(element):
            for cell in cells_of(row):
                blocks.extend(self.inside(cell))
        return blocks

    def _cell(self, element: HtmlElement) -> str:
        parts = []
        for block in self.inside(element):
            text = block.text
            if block.kind == "code":
                text = " ".join(
                    f"`{line.strip()}`" for line in text.split("\n")[1:-1] if line.strip()
                )
            elif block.kind == "heading":
                text = f"**{text.lstrip('# ')}**"
            elif block.kind == "table":
                text = re.sub(r"\|(?: ?---+ ?\|)+\n?", "", text).replace("|", " ")
            elif block.kind == "list":
                text = re.sub(r"\n\s*- ", "; ", text.removeprefix("- "))
            parts.append(flat(text))
        return " ".join(parts)


def is_note(element: HtmlElement) -> bool:
    """Whether an element is an admonition: a marked box of moderate size."""
    if element.tag not in {"div", "aside", "section", "table", "p", "details"}:
        return False
    names = set((element.get("class") or "").lower().split())
    if not names & _NOTES and element.get("role") != "note":
        return False
    return len(text_of(element)) <= _NOTE_LIMIT and element.find(".//h1") is None


def quoted(blocks: list[Block]) -> list[Block]:
    """Blocks as one block quote."""
    if all(block.kind == "code" for block in blocks):  # texinfo and javadoc indent code so
        return blocks
    lines = join(blocks).split("\n")
    text = "\n".join(f"> {line}" if line else ">" for line in lines)
    return [Block("quote", text)] if blocks else []


def indented(text: str, marker: str) -> str:
    """Text behind a list marker, its further lines under the first."""
    pad = " " * len(marker)
    first, *rest = text.split("\n")
    return "\n".join([marker + first, *(pad + line if line else "" for line in rest)])


def plain(text: str) -> str:
    """Heading text: one line, links as their text, no emphasis."""
    text = re.sub(r"!\[((?:[^\[\]])*)\]\([^()]*\)", "", text)
    text = re.sub(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()]*\)", r"\1", text)
    text = re.sub(r"\*\*|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)", "", text) if "`" not in text else text
    return " ".join(text.split()).rstrip("¶§#").strip()


def _attach(definition: list[Block], blocks: list[Block]) -> None:
    """Put a definition behind its term, on the term's next line where both are short text."""
    if blocks and blocks[-1].kind == "term" and definition and definition[0].kind == "text":
        blocks[-1] = Block("text", f"{blocks[-1].text}\n: {definition[0].text}")
        definition = definition[1:]
    blocks.extend(definition)


def _joined(item: list[Block], loose: bool) -> str:
    if not loose:
        return "\n".join(block.text for block in item)
    return join(item)


def _holders_of_blocks(root: HtmlElement) -> set[HtmlElement]:
    """Inline elements that hold blocks, and code elements that are blocks themselves."""
    holders: set[HtmlElement] = set()
    for element in root.iter():
        if element.tag in BLOCKS or element.tag == "hr" or element.get("role") == "heading":
            if element.get("role") == "heading":
                holders.add(element)
            parent = element.getparent()
            while parent is not None and parent not in holders and parent.tag not in BLOCKS:
                holders.add(parent)
                parent = parent.getparent()
        elif element.tag == "code" and _is_code_block(element):
            holders.add(element)
    return holders


def _is_code_block(element: HtmlElement) -> bool:
    if any(parent.tag in VERBATIM for parent in element.iterancestors()):
        return False
    style = (element.get("style") or "").replace(" ", "").lower()
    text = element.text_content().strip()
    if "white-space:pre" in style:
        return "\n" in text
    parent = element.getparent()
    if element.getprevious() is not None or element.getnext() is not None:
        return False
    if parent is None or (parent.text or "").strip():
        return False
    is_long = text.count("\n") >= 2 or element.find(".//br") is not None
    return is_long and not (element.tail or "").strip()
