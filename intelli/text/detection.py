"""Guesses the encoding of undeclared one-byte text from the letters that languages write with."""

from __future__ import annotations

import re

FOREIGN = 0.03
"""Share of the characters above ASCII that may be none of the language's."""

DENSE = 0.65
"""Share of a word with such letters that they may make up; other scripts write them in rows."""

# Letters beyond ASCII in common words of each language, lower case (Unicode CLDR, main exemplars).
_WESTERN = {
    "en": "éèêàâçïôöüñ",
    "fr": "àâæçèéêëîïôœùûüÿ",
    "de": "äöüßé",
    "es": "áéíñóúü",
    "pt": "àáâãçéêíóôõúü",
    "it": "àèéìîòóù",
    "nl": "áéèëïóöüêç",
    "sv": "åäöéàü",
    "fi": "åäöšž",
    "da": "æøåéóôü",
    "no": "æøåéòôàó",
    "nb": "æøåéòôàó",
    "is": "áðéíóúýþæö",
    "ca": "àçèéíïòóúü",
    "gl": "áéíñóúüï",
    "ga": "áéíóú",
}
_CENTRAL = {
    "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "pl": "ąćęłńóśźż",
    "hu": "áéíóöőúüű",
    "hr": "čćđšž",
    "sl": "čšž",
    "ro": "ăâîşţșț",
}
_TURKISH = {"tr": "çğıöşüâîû\u0307"}
_FAMILIES = (
    ("cp1252", _WESTERN),
    ("cp1250", _CENTRAL),
    ("iso8859-2", _CENTRAL),
    ("cp1254", _TURKISH),
)

_TAG = re.compile(rb"<[^>]*>")
_LANGUAGE = re.compile(rb"<html\b[^>]*?\blang\s*=\s*[\"']?([a-z]{2,3})\b", re.I)
_NUMERALS = "¹²³¼½¾ªºµ"
"""Word characters to `re`, but no letters of a word."""

_LETTER = rf"[^\W\d_{_NUMERALS}]"
_WORD = re.compile(rf"(?:{_LETTER})*[^\W\d_{_NUMERALS}\x00-\x7f](?:{_LETTER})*")
_COMMON_SIGNS = frozenset("«»‹›“”„‘’‚–—…•·€£°§©®™¿¡×†\xa0\xad" + _NUMERALS)
_INNER_SIGNS = "’‘–—·\xa0\xad"
_MISPLACED = re.compile(
    rf"(?<={_LETTER})(?:[^\w\s\x00-\x7f{_INNER_SIGNS}]|[{_NUMERALS}])(?={_LETTER})"
    rf"|(?<={_LETTER})[¹¿£¥¡¼½¾]"
    rf"|(?<={_LETTER})(?<!\b[mM])(?<!\b[cdkm]m)³"
    rf"|[ìù](?={_LETTER})"
)
"""Signs inside a word or glued to its end, and letters that Western words only end with."""


def guess(body: bytes) -> str | None:
    """The Python name of the one encoding whose reading looks like one language; None when none
    does. The page's own `lang` comes first, then Western languages, Central European, Turkish."""
    text = _TAG.sub(b" ", body)
    language = _language(body)
    for encoding, languages in _FAMILIES:
        if language in languages and _fits(text, encoding, {language: languages[language]}):
            return encoding
    known = language in {"", "en"} or any(language in languages for _, languages in _FAMILIES)
    if not known:
        return None
    return next((name for name, languages in _FAMILIES if _fits(text, name, languages)), None)


def _language(body: bytes) -> str:
    match = _LANGUAGE.search(body[:4_096])
    # Templates say "en" over text of every language.
    name = match[1].decode("ascii").lower() if match else ""
    return "" if name == "en" else name


def _fits(body: bytes, encoding: str, languages: dict[str, str]) -> bool:
    """Whether all that is not ASCII are letters of one language inside words, and usual signs."""
    text = body.decode(encoding, "replace")
    words = _WORD.findall(text)
    letters = [mark for word in words for mark in word.lower() if mark > "\x7f"]
    longer = [word for word in words if len(word) > 1]
    high = sum(mark > "\x7f" for word in longer for mark in word)
    if high > DENSE * sum(map(len, longer)):
        return False
    signs = [mark for mark in text if mark > "\x7f" and not _is_letter(mark)]
    odd = sum(mark not in _COMMON_SIGNS for mark in signs) + len(_MISPLACED.findall(text))
    allowed = FOREIGN * (len(letters) + len(signs))
    return any(
        odd + sum(mark not in alphabet for mark in letters) <= allowed
        for alphabet in languages.values()
    )


def _is_letter(mark: str) -> bool:
    return (mark.isalpha() or mark == "\u0307") and mark not in _NUMERALS
