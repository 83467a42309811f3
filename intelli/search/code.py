"""What the searches for code have in common: the piece of code in a question, and snippets."""

from __future__ import annotations

import re

from intelli.search.keywords import keywords, parts, qualifier
from intelli.text.characters import clean
from intelli.text.snippets import cut

SNIPPET = 500
_TICKED = re.compile(r"`([^`\n]+)`")
_QUOTED = re.compile(r'"([^"\n]+)"')
_IDENTIFIER = re.compile(r"\w*(?:[a-z][A-Z]|\w_\w|\w\.\w|::|->|\(|=|<)\S*")


def literal(text: str) -> str:
    """The piece of code that a question names: what stands in back-ticks or quotes, else its
    longest word that only code has, else its words."""
    marked = _TICKED.search(text) or _QUOTED.search(text)
    if marked:
        return marked[1].strip()
    words = [part for part in parts(text) if not qualifier(part)[0]]
    of_code = [word.strip("?,;:!") for word in words if _IDENTIFIER.match(word)]
    if of_code and len(words) > 1:
        return max(of_code, key=len)
    return " ".join(words if len(words) < 2 else _plain(text))


def snippet(line: int, code: str) -> str:
    """`line 27: …` and the lines of code that follow, cut at the end of one."""
    text = f"line {line}: {clean(code).strip()}"
    head = text[:SNIPPET]
    end = head.rfind("\n")
    return text if len(text) <= SNIPPET else head[:end] if end > 0 else cut(text, SNIPPET)


def _plain(text: str) -> list[str]:
    return [word for word in keywords(text) if not qualifier(word)[0]]
