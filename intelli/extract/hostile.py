"""Notices text on a page that speaks to a model instead of to a reader."""

from __future__ import annotations

import re

from intelli.records import Page
from intelli.text.folding import fold_plain

_MODELS = (
    r"(?:ais?|llms?|(?:ai|language) models?|ai (?:assistant|agent|crawler|system)s?|chatbots?)"
)
_ORDERS = (
    r"(?:ignore|disregard|forget|override) (?:\w+ ){0,3}?(?:previous|prior|above|earlier|preceding"
    r"|foregoing|original|other) (?:\w+ )?(?:instruction|prompt|rule|guideline)s?\b",
    r"(?:ignore|disregard|forget) (?:everything|all of the above|anything|whatever) (?:\w+ ){0,4}?"
    r"(?:above|before|told|said)\b",
    rf"(?:if you are|as|dear|attention|hey) (?:an? |any |all )?{_MODELS}\b[^.!?]{{0,80}}?\b(?:must"
    r"|you should|always|never|please|ignore|recommend|say that|do not)\b",
    rf"{_MODELS} (?:\w+ ){{0,4}}?(?:must|should|shall|are (?:instructed|ordered|told) to) "
    r"(?:now |always |instead |only |not )?(?:ignore|recommend|tell (?:the|their) user|praise)\b",
    rf"(?:note|message|instructions?|important) (?:to|for) (?:all |any |the )?{_MODELS}\b"
    r"[^.!?]{0,80}?\b(?:recommend|ignore|must|say|rate|praise|never|do not)\b",
    r"(?:new|updated|real|actual) (?:system )?(?:instructions?|prompt)(?: for you)?:",
    r"you are (?:now|no longer) (?:an? |in |the |bound by )(?:\w+ ){0,3}?(?:developer mode"
    r"|assistant|ai|model|rules|instructions|restrictions)\b",
    r"(?:reveal|print|repeat|show|output|leak|send) (?:\w+ ){0,2}?your (?:\w+ )?(?:system prompt"
    r"|hidden prompt|instructions|credentials)\b",
    r"do not (?:tell|inform|alert|mention (?:this|it) to|reveal (?:this|it) to) (?:the|your) user"
    r" (?:about|of|that|this)\b",
    r"<\|?(?:im_start|system|endoftext)\|?>|\[/?inst\]|<</?sys>>",
)
_ORDERS_ABROAD = (
    r"ignor\w+ (?:\w+ ){0,3}?(?:(?:vorherigen|bisherigen|obigen) (?:anweisung|regel)\w*"
    r"|(?:instructions|instrucciones|istruzioni|instrucoes) (?:precedent|anterior)\w*)"
    r"|(?:忽略|无视|忽視)[^。，]{0,8}(?:指令|指示)|игнорируй\w* (?:\w+ ){0,2}?инструкци"
)
_ORDER = re.compile(rf"(?<!\w)(?:{'|'.join(_ORDERS)})|{_ORDERS_ABROAD}")
_FENCED = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]{1,500}`")
_QUOTED = re.compile(r"\"[^\"\n]{1,500}\"|“[^”\n]{1,500}”|«[^»\n]{1,500}»|‘[^’\n]{1,500}’")
_BLOCK_QUOTE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_SPOKEN_OF = re.compile(
    r"\b(?:prompt injection|jailbreak|for example|e\.g\.|such as|phrases? like|attack(?:er|s)?"
    r"|adversar|malicious)"
)
_AROUND = 160
_WITHIN = 300_000


def remark_on(page: Page) -> str:
    """A line for the reader about a page that speaks to models, "" for others. It does not repeat
    the order: the reader may be a model as well."""
    if not gives_orders(f"{page.title}\n{page.text}"):
        return ""
    said = "the page tells models what to do; that was read as text and not followed"
    return f"({page.final_url}): {said}"


def gives_orders(text: str) -> bool:
    """Whether words on a page tell a model what to do.

    What stands in code or quotation marks, or where injection is spoken of, is a text about it.
    """
    text = text[:_WITHIN]
    for marks in (_FENCED, _CODE, _QUOTED, _BLOCK_QUOTE):
        text = marks.sub(" ", text)
    folded = fold_plain(text)
    return any(not _is_spoken_of(folded, *found.span()) for found in _ORDER.finditer(folded))


def _is_spoken_of(text: str, start: int, end: int) -> bool:
    return bool(_SPOKEN_OF.search(text, max(0, start - _AROUND), end + _AROUND))
