"""Removes characters that are not there to be read: controls, zero-width, direction marks."""

from __future__ import annotations

import re

_GONE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)
# Joiners spell words in Persian and Indic scripts and build emoji; between ASCII they only hide.
_JOINERS = re.compile("(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])")
_BLANKS = re.compile("[\u00a0\u2007\u202f]")
_BREAKS = re.compile("\r\n?|[\x85\u2028\u2029]")


def clean(text: str) -> str:
    """The text with plain blanks and `\\n` line ends and without what a reader cannot see."""
    if text.isascii() and "\r" not in text and text.isprintable():
        return text
    text = _BREAKS.sub("\n", text)
    return _BLANKS.sub(" ", _JOINERS.sub("", _GONE.sub("", text)))
