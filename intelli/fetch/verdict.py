"""Judges whether a body is the page that was asked for, from measured facts and plain phrases.

What a wall or a check says of itself is nearly all that it says. So phrases count only where the
page says hardly anything else, and only in sentences of its own, not in those that it quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from intelli.fetch import absence, phrases, vendors
from intelli.fetch.facts import Facts, facts_of, sentences
from intelli.fetch.twin import is_note_of_absence
from intelli.net.client import Response
from intelli.records import Verdict, record
from intelli.text.document import Document

SHELL_CHARS = 250
"""Visible characters up to which a page with scripts has nothing to read until they ran."""

NOTICE_CHARS = 400
"""Characters up to which a text that is no HTML may be a notice in place of the page."""

MISSING_CHARS = 8_000
"""Characters of Markdown, links included, from which on a page has something to read."""


Test = tuple[Verdict, Callable[[Facts], str | None]]
_SAID_IN_TEXT = frozenset({"challenge", "login", "soft-404"})
_LETTER = re.compile(r"[^\W\d_]")


@record
class Judgement:
    """What a body is; `detail` says whose or of what kind in a word or two, or is ""."""

    verdict: Verdict
    detail: str = ""


def judge(response: Response, document: Document) -> Judgement:
    """What the body is. A body without any text is `thin`, whatever its kind."""
    if document.kind == "binary":
        return Judgement(verdict="binary")
    is_cut = response.truncated or "cut" in document.signals
    cut: Verdict = "truncated" if is_cut else "ok"
    if document.kind == "html":
        return _first(facts_of(response, document), _TESTS) or Judgement(verdict=cut)
    if not document.text.strip():
        return Judgement(verdict="thin")
    return _notice(response, document) or Judgement(verdict=cut)


def _first(facts: Facts, tests: Sequence[Test]) -> Judgement | None:
    for verdict, examine in tests:
        detail = examine(facts)
        if detail is not None:
            return Judgement(verdict=verdict, detail=detail)
    return None


def _notice(response: Response, document: Document) -> Judgement | None:
    """What a short text or JSON says that a service sends in place of the page, with status 200."""
    words = f"# {document.title}\n\n{document.text}" if document.title else document.text
    if document.kind == "markdown" and is_note_of_absence(words):
        return Judgement(verdict="soft-404")
    if document.kind == "json":
        words = _message(response.body)
    elif document.kind not in ("text", "markdown"):
        return None
    if len(words) > NOTICE_CHARS or not _LETTER.search(words):
        return None
    name = next(iter(sentences(words)), "").strip("# ")
    facts = facts_of(response, Document(text=words, kind="text", title=name))
    return _first(facts, [test for test in _TESTS if test[0] in _SAID_IN_TEXT])


def _message(body: bytes) -> str:
    """The words of a JSON object that says what went wrong and hardly anything else."""
    try:
        value = json.loads(body) if len(body) <= 3 * NOTICE_CHARS else None
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict) or len(value) > 4:
        return ""
    error = value.get("error")
    said = [*error.values()] if isinstance(error, dict) else [error]
    said += [value.get("message"), value.get("detail"), value.get("error_description")]
    return "\n".join(text for text in said if isinstance(text, str))


def _ends_early(facts: Facts) -> str | None:
    """HTML may leave out most end tags, but no page stops inside a tag, a word or a division."""
    is_open = facts.signals.get("html_closed", 1) == 0
    is_long = facts.signals.get("html_chars", 0) > 4000
    is_inside = not facts.tail.endswith(">") or facts.open_parts > 1
    return "" if is_open and is_long and is_inside else None


def _challenge(facts: Facts) -> str | None:
    owner = vendors.by_headers(facts.headers, facts.status)
    if owner:
        return owner
    if facts.visible_chars > 3000:
        return None
    if _is_named(facts, phrases.CHALLENGE_OWN_NAME):
        return _whose(facts)
    if facts.has_code:
        return None
    rest = facts.rest(phrases.CHALLENGE, phrases.CHALLENGE_TALK)
    owner = vendors.by_markup(facts.machine)
    is_named = _is_named(facts, phrases.CHALLENGE_NAME)
    is_said = bool(facts.matched(phrases.CHALLENGE))
    has_widget = vendors.WIDGET.search(facts.machine) is not None
    if (
        (owner and (is_named or is_said or rest <= 200))
        or (is_named and rest <= (1500 if is_said or facts.status >= 400 else 100))
        or (is_said and rest <= 350)
        or (facts.matched(phrases.CHALLENGE_TALK) and rest <= 100)
        or (has_widget and rest <= 60 and facts.prose_chars < 400 and not _is_form(facts))
    ):
        return owner or _whose(facts)
    return None


def _whose(facts: Facts) -> str:
    shown = f"{facts.title}\n{facts.said}"
    kinds = {
        "rate limit": phrases.RATE,
        "not for this region": phrases.REGION,
        "network filter": phrases.FILTER,
    }
    owner = vendors.by_name(shown, facts.machine, facts.headers.get("server", ""))
    return owner or next((kind for kind, words in kinds.items() if words.search(shown)), "")


def _is_form(facts: Facts) -> bool:
    """Whether a captcha guards what the visitor is to send, as on a contact form."""
    return facts.signals.get("inputs", 0) > 0 or "<textarea" in facts.machine


def _login(facts: Facts) -> str | None:
    if facts.status == 401:
        return ""
    if phrases.MESSAGE_TO_PROVIDER.search(facts.machine) and facts.prose_chars < 400:
        return "single sign-on"
    if facts.has_code or facts.visible_chars == 0 or facts.prose_chars > 3000:
        return None
    rest = facts.rest(phrases.LOGIN)
    is_named = _is_named(facts, phrases.LOGIN_NAME)
    is_sent = phrases.LOGIN_PATH.search(facts.url) is not None
    has_field = facts.signals.get("password_fields", 0) > 0
    if (
        (has_field and facts.prose_chars <= 1200 and (is_named or is_sent or rest <= 60))
        or (is_sent and is_named and rest <= 200)
        or (facts.matched(phrases.LOGIN) and rest <= 200)
    ):
        return ""
    return _consent(facts)


def _consent(facts: Facts) -> str | None:
    if _is_named(facts, phrases.ABOUT_CONSENT):
        return None
    if facts.matched(phrases.AGE) and facts.rest(phrases.AGE) <= 200:
        return "age"
    kept = sentences(facts.text)
    speaks_of_it = not kept or any(phrases.CONSENT_TALK.search(sentence) for sentence in kept)
    has_button = any(phrases.CONSENT_BUTTON.match(sentence) for sentence in facts.sentences)
    rest = facts.rest(phrases.CONSENT_TALK, phrases.CONSENT)
    said = bool(facts.matched(phrases.CONSENT)) or (
        has_button and len("".join(facts.matched(phrases.CONSENT_TALK))) > 2 * rest
    )
    return "consent" if said and speaks_of_it and rest <= 300 else None


def _missing(facts: Facts) -> str | None:
    if absence.PARKED_MARKUP.search(facts.machine) and facts.prose_chars <= 1500:
        return "parked domain"
    if facts.has_code or facts.prose_chars > 1500 or len(facts.text) > MISSING_CHARS:
        return None
    rest = facts.rest(absence.NOT_FOUND, absence.ABSENCE, absence.NOT_FOUND_TALK)
    shown = (*facts.names, *facts.sentences)
    is_named = any(absence.NOT_FOUND_NAME.search(part) for part in shown)
    is_said = bool(facts.matched(absence.NOT_FOUND))
    is_vague = bool(facts.matched(absence.ABSENCE)) and rest <= 90
    is_explained = facts.share(absence.EXPLANATION, absence.NOT_FOUND_TALK) > 0.3
    if (is_said and rest <= 350) or (not is_explained and (is_vague or (is_named and rest <= 700))):
        return ""
    shown = (*facts.names, *facts.sentences[:3])
    if any(absence.PARKED.search(part) for part in shown) and facts.rest(absence.PARKED) <= 200:
        return "parked domain"
    is_moved = any(absence.MOVED.search(part) for part in shown)
    return "moved" if is_moved and facts.rest(absence.MOVED) <= 150 else None


def _paywall(facts: Facts) -> str | None:
    if facts.has_code or len(facts.text) > 12_000:
        return None
    own = sentences(facts.text)
    said = (*own, *facts.sentences)
    if any(absence.PAYWALL_ORDER.search(sentence) for sentence in said):
        return ""
    if len(facts.text) <= 6000 and any(absence.PAYWALL.search(sentence) for sentence in own):
        return ""
    if len(facts.text) > 1500:
        return None
    is_teaser = facts.text.endswith(("...", "…")) and absence.SUBSCRIPTION.search(facts.said)
    return "" if is_teaser or absence.NOT_FREE.search(facts.machine) else None


def _shell(facts: Facts) -> str | None:
    if facts.visible_chars > SHELL_CHARS or len(facts.text) > SHELL_CHARS:
        return None
    if facts.rest(absence.SCRIPT_ORDER) > 60:
        return None
    frames = absence.SHELLS.items()
    frame = next((name for name, marks in frames if marks.search(facts.machine)), None)
    if frame is not None or facts.matched(absence.SCRIPT_ORDER):
        return frame or ""
    if facts.visible_chars < 40 and len(facts.title) > 3:
        is_large = facts.signals.get("html_chars", 0) > 1000
        has_script = absence.OWN_SCRIPT.search(facts.machine) is not None
        return "" if is_large or has_script else None  # a name, but nothing under it
    script = facts.signals.get("script_chars", 0) > 2000 or facts.signals.get("script_count", 0) > 3
    return "" if script else None


def _thin(facts: Facts) -> str | None:
    if len(facts.text) < 20 and facts.visible_chars < 40:
        return ""
    is_named = _is_named(facts, absence.THIN_NAME)
    is_said = bool(facts.matched(absence.THIN))
    rest = facts.rest(absence.THIN)
    return "" if (is_named and rest <= 60) or (is_said and rest <= 200) else None


def _is_named(facts: Facts, names: re.Pattern[str]) -> bool:
    return any(names.search(name) for name in facts.names)


_TESTS: tuple[Test, ...] = (
    ("truncated", _ends_early),
    ("challenge", _challenge),
    ("paywall", _paywall),
    ("login", _login),
    ("soft-404", _missing),
    ("js-shell", _shell),
    ("thin", _thin),
)
