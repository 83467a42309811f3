"""Turns the macros of mdoc, the language of BSD manual pages, into plain words."""

from __future__ import annotations

from intelli.text.formats.roff_page import Page

_PAIRS = {
    "Op": "[]", "Aq": "<>", "Bq": "[]", "Brq": "{}", "Pq": "()", "Dq": "“”", "Sq": "‘’",
    "Qq": '""', "Ql": "``",
}  # fmt: skip
_OPENING = {"Oo": "[", "Ao": "<", "Bo": "[", "Bro": "{", "Po": "(", "Do": "“", "So": "‘", "Qo": '"'}
_CLOSING = {"Oc": "]", "Ac": ">", "Bc": "]", "Brc": "}", "Pc": ")", "Dc": "”", "Sc": "’", "Qc": '"'}
_WORDS = frozenset(
    "Ar Cm Ic Pa Ev Va Vt Ft Em Sy Li An Ad Ms Tn No Er Dv Fa Cd St Ux Bx Nx Fx Ox Lk Mt Bt Ud In "
    "Fd Lb Rv Ex Sm Bk Ek Hf Fr".split()
)
_SYSTEMS = {"Ux": "UNIX", "Bx": "BSD", "Nx": "NetBSD", "Fx": "FreeBSD", "Ox": "OpenBSD"}
_BLOCKS = frozenset(
    "Dd Dt Os Nd Nm Xr Fl Fn Fo Fc Bl It El Bd Ed D1 Dl Ns Ap Rs Re Pf Xo Xc".split()
)
MDOC_INLINE = (
    _WORDS | _BLOCKS | frozenset(_PAIRS) | frozenset(_OPENING) | frozenset(_CLOSING)
)  # fmt: skip
"""The macros that are known here; all may stand in the arguments of another."""

_SHOWN = {**_OPENING, **_CLOSING, **_SYSTEMS, "Nd": "—", "Fc": ")"}
_OPENED = tuple("[<{(“‘`")
_GLUE = {"Ns": "", "Pf": "", "Ap": "'"}
"""Macros that join their neighbours, with what they put between them."""

_CALLS = frozenset({"Fl", "Nm", "Fo", "Fn", "Xr"})
_PUNCTUATION = frozenset(".,:;)]?!")
_QUIET = frozenset("Sm Bk Ek Hf Rs Re Os Xo Xc Ex Rv".split())


def mdoc_line(name: str, words: list[str], page: Page) -> None:
    """One line of mdoc."""
    if name == "Dd":
        return
    if name == "Dt":
        page.headed(words[:2])
    elif name == "Bd":
        page.paragraph()
        if {"-literal", "-unfilled"} & set(words):
            page.open_code()
    elif name == "Ed":
        page.close_code()
        page.paragraph()
    elif name in {"Bl", "El"}:
        page.paragraph()
    elif name == "It":
        page.paragraph()
        term = phrase(words, page)
        page.lead = f"- **{term}**: " if term else "- "
    elif name in {"D1", "Dl"}:
        page.open_code()
        page.text(phrase(words, page))
        page.close_code()
    elif name not in _QUIET:
        page.text(phrase([name, *words], page))


def phrase(words: list[str], page: Page) -> str:
    """The words of a line in which every macro does its work."""
    out: list[str] = []
    closing: list[str] = []
    glue = False
    place = 0
    after = _trailing(words)
    words = words[: len(words) - len(after)]
    while place < len(words):
        word = words[place]
        place += 1
        if word in _GLUE:
            out.append(_GLUE[word])
            glue = True
            continue
        piece, place, end = _piece(word, words, place, page)
        if end:
            closing.append(end)
        if not piece:
            continue
        tight = glue or not out or word in _PUNCTUATION or word in _CLOSING
        out.append(piece if tight or out[-1].endswith(_OPENED) else f" {piece}")
        glue = False
    return "".join([*out, *reversed(closing), *after])


def _trailing(words: list[str]) -> list[str]:
    """Marks at the end of a line stand outside of what it encloses."""
    start = len(words)
    while start and words[start - 1] in _PUNCTUATION:
        start -= 1
    return words[start:]


def _piece(word: str, words: list[str], place: int, page: Page) -> tuple[str, int, str]:
    """What a word shows, the place behind what that took, and what ends the line for it."""
    if word in _PAIRS:
        pair = _PAIRS[word]
        return pair[0], place, pair[1]
    if word in _SHOWN:
        return _SHOWN[word], place, ""
    if word in _CALLS:
        return _called(word, words, place, page)
    is_macro = word in _WORDS or word in _QUIET or word[:1] == "%"
    return ("" if is_macro else word), place, ""


def _called(word: str, words: list[str], place: int, page: Page) -> tuple[str, int, str]:
    """The macros that do something to the words behind them."""
    following = words[place] if place < len(words) else ""
    named = "" if following in MDOC_INLINE or following in _PUNCTUATION else following
    after = place + bool(named)
    if word == "Fl":
        return f"-{named}", after, ""
    if word == "Nm":
        page.name = page.name or named
        return named or page.name, after, ""
    if word == "Fo":
        return f"{named}(", after, ""
    if word == "Fn":
        return f"{named}({', '.join(words[after:])})", len(words), ""
    section = words[after] if after < len(words) else ""
    has_section = section[:1].isdigit()
    return (f"{named}({section})" if has_section else named), after + has_section, ""
