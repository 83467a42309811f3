"""Resolves the escapes of roff: fonts vanish, special characters become themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NAMED = {
    "aq": "'", "dq": '"', "cq": "’", "oq": "‘", "lq": "“", "rq": "”", "bu": "•", "em": "—",
    "en": "–", "hy": "-", "mi": "−", "pl": "+", "mu": "×", "di": "÷", "+-": "±", "eq": "=",
    "==": "≡", ">=": "≥", "<=": "≤", "!=": "≠", "->": "→", "<-": "←", "ua": "↑", "da": "↓",
    "rg": "®", "co": "©", "tm": "™", "de": "°", "fm": "′", "sd": "″", "sq": "□", "ru": "_",
    "ul": "_", "br": "|", "ba": "|", "bv": "|", "or": "|", "rs": "\\", "sl": "/", "at": "@",
    "sh": "#", "ti": "~", "ha": "^", "ga": "`", "ac": "´", "Do": "$", "ct": "¢", "Eu": "€",
    "eu": "€", "Po": "£", "Ye": "¥", "sc": "§", "ps": "¶", "dg": "†", "dd": "‡", "Fo": "«",
    "Fc": "»", "fo": "‹", "fc": "›", "Bq": "„", "bq": "‚", "lB": "[", "rB": "]", "lC": "{",
    "rC": "}", "la": "⟨", "ra": "⟩", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "o/": "ø", "O/": "Ø", "oa": "å", "oA": "Å", "12": "½", "14": "¼", "34": "¾", "if": "∞",
    "*a": "α", "*b": "β", "*g": "γ", "*d": "δ", "*p": "π", "*m": "μ", "mc": "µ", "OK": "✓",
    "CR": "↵", "ci": "○", "lh": "☜", "rh": "☞", "bs": "☺", "no": "¬", "tf": "∴", "te": "∃",
    "fa": "∀", "mo": "∈", "sr": "√", "is": "∫", "~=": "≅", "~~": "≈", "ap": "∼", "r!": "¡",
    "r?": "¿", "-D": "Ð", "Sd": "ð", "TP": "Þ", "Tp": "þ", "S1": "¹", "S2": "²", "S3": "³",
    "nb": "", "space": " ",
}  # fmt: skip
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", ":": "\u0308", "~": "\u0303", ",": "\u0327",
    "v": "\u030c",
}  # fmt: skip
_STRINGS = {"lq": "“", "rq": "”", "R": "®", "Tm": "™", "Aq": "'", "C+": "C++", "Lt": "<", "Gt": ">"}
_SINGLE = {
    "-": "-", " ": " ", "~": " ", "0": " ", "e": "\\", "\\": "\\", "E": "\\", "'": "´", "`": "`",
    "t": "\t", "_": "_", ".": ".",
}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:"
    r"\((?P<two>..)|\[(?P<long>[^\]\n]{1,40})\]|"
    r"\*(?:\((?P<s2>..)|\[(?P<s3>[^\]\n]{1,40})\]|(?P<s1>.))|"
    r"[fFgkmMnVY][+-]?(?:\(..|\[[^\]\n]{0,40}\]|.)|"
    r"s(?:[+-]?\d\d?|[+-]?\(\d\d|\[[^\]\n]{0,9}\]|'[^'\n]{0,9}')|"
    r"N'(?P<code>\d{1,7})'|"
    r"[AbBCDhHlLoRSvwxXZ]'[^'\n]{0,200}'|"
    r"z?(?P<one>.))"
)
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*\\[\"#].*$")


def resolved(text: str, strings: Mapping[str, str]) -> str:
    """The text without escapes; `strings` are those that the page defines itself."""
    if "\\" not in text:
        return text

    def replaced(match: re.Match[str]) -> str:
        if name := match["two"] or match["long"]:
            return _named(name)
        if name := match["s1"] or match["s2"] or match["s3"]:
            return strings.get(name, _STRINGS.get(name, ""))
        if code := match["code"]:
            return chr(int(code)) if int(code) < 0xD800 else ""
        return _SINGLE.get(match["one"] or "", "")

    return _ESCAPE.sub(replaced, text)


def without_comment(line: str) -> str:
    """The line up to the mark of a comment."""
    return _COMMENT.sub("", line) if "\\" in line else line


def _named(name: str) -> str:
    if (sign := _NAMED.get(name)) is not None:
        return sign
    if name[0] in "uU" and re.fullmatch(r"[uU][0-9A-Fa-f]{4,5}", name):
        code = int(name[1:], 16)
        return "" if 0xD800 <= code <= 0xDFFF else chr(code)
    if len(name) == 2 and name[0] in _ACCENTS:
        return name[1] + _ACCENTS[name[0]]
    return ""
