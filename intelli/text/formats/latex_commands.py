"""Walks LaTeX once and writes what its commands show."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"\\([A-Za-z@]+)\*?|\\(.)|([{}&])", re.S)
_LEVELS = {
    "part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5,
    "subparagraph": 6, "frametitle": 3, "framesubtitle": 4,
}  # fmt: skip
_DROPPED = {
    **dict.fromkeys(
        "label ref eqref autoref cref Cref pageref nameref vref cite citep citet citealp citealt "
        "citeauthor citeyear citeyearpar parencite textcite autocite footcite fullcite nocite "
        "bibliography bibliographystyle input include includeonly usepackage documentclass "
        "RequirePackage includegraphics vspace hspace index glossary pagestyle thispagestyle "
        "hypersetup graphicspath addbibresource vskip hskip phantomsection pagenumbering "
        "bookmarksetup lstset usetheme usecolortheme setlist hyphenation cline cmidrule "
        "rowcolor cellcolor pdfbookmark DeclareMathOperator definecolor setbeamertemplate "
        "tableofcontents usetikzlibrary institute date author thanks titlerunning affil email "
        "maketitle newtheorem theoremstyle bibitem color".split(), 1
    ),
    **dict.fromkeys(
        "setlength setcounter addtolength addtocounter addcontentsline newcommand renewcommand "
        "providecommand DeclareRobustCommand".split(), 2
    ),
    "newenvironment": 3, "renewenvironment": 3,
}  # fmt: skip
"""Commands whose arguments nobody reads, with how many of them there are at most."""

_LEADING = {
    "textcolor": 1, "colorbox": 1, "multicolumn": 2, "resizebox": 2, "multirow": 2, "parbox": 1,
    "raisebox": 1, "scalebox": 1,
}  # fmt: skip
"""Commands whose last argument is text, with how many stand before it."""

_SIGNS = {
    "ldots": "…", "dots": "…", "textellipsis": "…", "LaTeX": "LaTeX", "TeX": "TeX", "S": "§",
    "P": "¶", "copyright": "©", "textbackslash": "\\", "textasciitilde": "\u223c", "ss": "ß",
    "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å",
    "l": "ł", "L": "Ł", "i": "ı", "quad": " ", "qquad": " ", "textemdash": "—", "par": "\n\n",
    "textendash": "–", "textquotedblleft": "“", "textquotedblright": "”", "newline": "\n",
    "linebreak": "\n", "euro": "€", "textregistered": "®", "texttrademark": "™", "today": "",
    "textgreater": ">", "textless": "<", "textbar": "|", "textunderscore": "_", "and": ", ",
    "tabularnewline": "\x02", "pounds": "£", "dag": "†",
}  # fmt: skip
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328",
    "r": "\u030a",
}  # fmt: skip
_WRAPS = {
    "textbf": ("**", "**"), "emph": ("*", "*"), "textit": ("*", "*"), "texttt": ("`", "`"),
    "footnote": (" (", ")"), "footnotetext": (" (", ")"), "url": ("<", ">"),
    "caption": ("\n\n", "\n\n"), "title": ("", ""), "code": ("`", "`"), "path": ("`", "`"),
}  # fmt: skip
_LISTS = frozenset({"itemize", "enumerate", "description", "compactitem", "enumerate*", "itemize*"})
_GRIDS = frozenset({"tabular", "tabular*", "tabularx", "longtable", "tabulary", "supertabular"})
_DRAWINGS = frozenset({"tikzpicture", "picture", "pspicture", "forest"})
_OPTION = re.compile(r"\s*\[[^\]]{0,1000}\]")
_BLANK = re.compile(r"\s*")
_DEEPEST = 8


class Writer:
    """Reads its source once from left to right; arguments are found by their braces."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._ends = _matching(source)
        self._closers: dict[int, str] = {}
        self._lists: list[str] = []
        self._grids = 0
        self._out: list[str] = []
        self.title = ""

    def written(self) -> str:
        """The Markdown. A list's depth is marked by \\x05, cells and rows of tables by \\x01 and
        \\x02, tables by \\x03 and \\x04."""
        at = 0
        source = self._source
        while match := _TOKEN.search(source, at):
            self._out.append(source[at : match.start()])
            at = match.end()
            if match[1]:
                at = self._command(match[1], at)
            elif match[2]:
                at = self._escape(match[2], at)
            elif match[3] == "}":
                self._out.append(self._closers.pop(match.start(), ""))
            elif match[3] == "&":
                self._out.append("\x01" if self._grids else "&")
        self._out.append(source[at:])
        return "".join(self._out)

    def title_of_preamble(self) -> str:
        """The argument of `\\title`; empty for none."""
        found = re.search(r"\\title\s*(?:\[[^\]]{0,300}\])?\s*\{", self._source)
        if found is None:
            return ""
        start = found.end() - 1
        inner = self._source[start + 1 : self._ends.get(start, start + 1)]
        return Writer(inner).written().replace("\x02", " ")

    def _command(self, name: str, at: int) -> int:
        if name in ("begin", "end"):
            return self._environment(name, at)
        if name in _LEVELS:
            at = self._past_options(at)
            return self._wrapped(at, f"\n\n{'#' * _LEVELS[name]} ", "\n\n")
        if name == "item":
            return self._item(at)
        if name == "href":
            return self._href(at)
        if name in _LEADING:
            return self._past_arguments(at, _LEADING[name])
        if name in _DROPPED:
            return self._past_arguments(at, _DROPPED[name])
        if name in _ACCENTS and self._source[at : at + 1] == "{":
            return self._accent(_ACCENTS[name], at)
        if name in _WRAPS:
            return self._wrapped(self._past_options(at), *_WRAPS[name])
        self._out.append(_SIGNS.get(name, ""))
        if name in _SIGNS:
            return at + 1 if self._source[at : at + 1] == " " and name not in {"quad"} else at
        return self._past_options(at) if self._source[at : at + 1] == "[" else at

    def _escape(self, sign: str, at: int) -> int:
        if sign == "\\":
            self._out.append("\x02" if self._grids else "\n")
            return self._past_options(at) if self._source[at : at + 1] == "[" else at
        if sign in _ACCENTS:
            return self._accent(_ACCENTS[sign], at)
        self._out.append(
            {",": " ", ";": " ", " ": " ", ":": " ", "!": "", "/": "", "-": ""}.get(sign, sign)
        )
        return at

    def _accent(self, mark: str, at: int) -> int:
        found = re.compile(r"\s*(?:\{\\?(\w?)\}|\\([ij])\b|(\w))").match(self._source, at)
        if found is None:
            return at
        letter = found[1] or found[2] or found[3] or ""
        self._out.append(unicodedata.normalize("NFC", letter + mark) if letter else "")
        return found.end()

    def _environment(self, name: str, at: int) -> int:
        found = re.compile(r"\s*\{([A-Za-z*]{0,40})\}").match(self._source, at)
        if found is None:
            return at
        kind, at = found[1], found.end()
        if kind in _LISTS:
            self._open_list(name, kind)
        elif kind in _GRIDS:
            self._grids += 1 if name == "begin" else -1 if self._grids else 0
            self._out.append("\x03" if name == "begin" else "\x04")
            wide = kind in {"tabular*", "tabularx", "tabulary"}
            return self._past_arguments(at, 2 if wide else 1) if name == "begin" else at
        elif kind in _DRAWINGS and name == "begin":
            end = self._source.find(f"\\end{{{kind}}}", at)
            return end if end >= 0 else at
        else:
            self._out.append("\n\n")
        if name == "begin" and kind in {"minipage", "thebibliography", "multicols", "wrapfigure"}:
            return self._past_arguments(at, 1)
        return self._past_options(at) if name == "begin" else at

    def _open_list(self, name: str, kind: str) -> None:
        if name == "begin" and len(self._lists) < _DEEPEST:
            self._lists.append(kind)
        elif name == "end" and self._lists:
            self._lists.pop()
        self._out.append("\n\n" if not self._lists or len(self._lists) == 1 else "\n")

    def _item(self, at: int) -> int:
        depth = "\x05" * max(1, len(self._lists))
        mark = "1." if self._lists and self._lists[-1].startswith("enumerate") else "-"
        found = re.compile(r"\s*\[([^\]\n]{0,300})\]").match(self._source, at)
        self._out.append(f"\n{depth}{mark} ")
        if found:
            self._out.append(f"**{Writer(found[1]).written()}** ")
            return found.end()
        return at

    def _href(self, at: int) -> int:
        start = _after_blanks(self._source, at)
        end = self._ends.get(start)
        if end is None:
            return at
        address = "".join(self._source[start + 1 : end].split()).replace("\\", "")
        return self._wrapped(end + 1, "[", f"](<{address}>)")

    def _wrapped(self, at: int, before: str, after: str) -> int:
        """Go into the argument at `at`; `after` is written where it ends."""
        start = _after_blanks(self._source, at)
        end = self._ends.get(start)
        if end is None:
            return at
        if end > start + 1:
            self._out.append(before)
            self._closers[end] = after
        return start + 1

    def _past_options(self, at: int) -> int:
        found = _OPTION.match(self._source, at)
        return found.end() if found else at

    def _past_arguments(self, at: int, most: int) -> int:
        at = self._past_options(at)
        for _ in range(most):
            start = _after_blanks(self._source, at)
            if start not in self._ends:
                break
            at = self._past_options(self._ends[start] + 1)
        return at


def _after_blanks(source: str, at: int) -> int:
    found = _BLANK.match(source, at)
    return found.end() if found else at


def _matching(source: str) -> dict[int, int]:
    """Where each brace that opens is closed."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r"\\.|[{}]", source, re.S):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            ends[opened.pop()] = match.start()
    return ends
