"""Judges whether a body is the page that was asked for, from measured facts and plain phrases."""

from __future__ import annotations

from collections.abc import Callable

from intelli.fetch import phrases
from intelli.net.client import Response
from intelli.records import Verdict, record
from intelli.text.document import Document

SHELL_CHARS = 250
"""Visible characters up to which a page with scripts has nothing to read until they ran."""
_BODY_LIMIT = 400_000


@record
class Facts:
    """What the tests look at; texts are in lower case. `machine` is tags and scripts of the raw
    body without the text between them, so that an article quoting a marker does not carry it."""

    status: int
    headers: dict[str, str]
    url: str
    title: str
    text: str
    visible: str
    visible_chars: float
    machine: str
    tail: str
    signals: dict[str, float]

    @property
    def has_code(self) -> bool:
        return self.signals.get("code_blocks", 0) > 0 or "```" in self.text

    @property
    def prose_chars(self) -> float:
        """Visible characters outside links: navigation says nothing of what a page is."""
        return self.visible_chars - self.signals.get("link_chars", 0)

    @property
    def opening(self) -> str:
        """Title and the first words: where a page says what it is."""
        return f"{self.title}\n{self.text[:200]}"


def judge(response: Response, document: Document) -> Verdict:
    """What the body is. A body without any text is `thin`, whatever its kind."""
    if document.kind == "binary":
        return "binary"
    if document.kind != "html":
        cut: Verdict = "truncated" if response.truncated else "ok"
        return cut if document.text.strip() else "thin"
    facts = _facts(response, document)
    for verdict, holds in _TESTS:
        if holds(facts):
            return verdict
    return "truncated" if response.truncated else "ok"


def _facts(response: Response, document: Document) -> Facts:
    raw = response.body[:_BODY_LIMIT].decode("utf-8", "replace").lower()
    visible = str(document.signals.get("body_head", document.text[:4000])).lower()
    numbers = {k: float(v) for k, v in document.signals.items() if isinstance(v, int | float)}
    return Facts(
        status=response.status,
        headers={name: value.lower() for name, value in response.headers.items()},
        url=response.url.lower(),
        title=str(document.signals.get("doc_title") or document.title).lower().strip(),
        text=document.text.lower().strip(),
        visible=visible,
        visible_chars=numbers.get("visible_chars", len(visible)),
        machine="".join(phrases.MACHINE.findall(raw)),
        tail=response.body[-200:].decode("utf-8", "replace").rstrip(),
        signals=numbers,
    )


def _is_challenge(facts: Facts) -> bool:
    headers = facts.headers
    if headers.get("cf-mitigated") == "challenge" or headers.get("x-amzn-waf-action"):
        return True
    if headers.get("x-datadome") == "protected" and facts.status == 403:
        return True
    if facts.visible_chars > 3000 or facts.has_code:
        return False
    if phrases.CHALLENGE_TITLE.search(facts.title):
        return True
    if facts.visible_chars < 1500 and phrases.CHALLENGE_MARKUP.search(facts.machine):
        return True
    if facts.visible_chars < 400 and phrases.CAPTCHA_WIDGET.search(facts.machine):
        return True
    return facts.visible_chars < 1000 and phrases.CHALLENGE.search(facts.visible) is not None


def _is_login(facts: Facts) -> bool:
    if facts.status == 401:
        return True
    if facts.has_code or facts.visible_chars == 0 or facts.prose_chars > 1200:
        return False
    named = phrases.LOGIN_TITLE.search(facts.title) or phrases.LOGIN_PATH.search(facts.url)
    if facts.signals.get("password_fields", 0) > 0:
        return bool(named) or facts.prose_chars < 250
    return facts.prose_chars < 800 and (
        phrases.LOGIN.search(f"{facts.title}\n{facts.visible}") is not None
    )


def _is_missing(facts: Facts) -> bool:
    if facts.has_code or facts.prose_chars > 1500:
        return False
    if phrases.NOT_FOUND.search(facts.title) or phrases.PARKED_MARKUP.search(facts.machine):
        return True
    if facts.prose_chars > 700:
        return False
    headings = phrases.HEADING.findall(facts.text)
    if any(phrases.NOT_FOUND.search(line) for line in (facts.visible[:160], *headings)):
        return True
    if phrases.PARKED.search(f"{facts.title}\n{facts.visible[:160]}"):
        return True
    return phrases.MOVED.search(f"{facts.title}\n{facts.visible[:300]}") is not None


def _is_paywall(facts: Facts) -> bool:
    if facts.has_code or len(facts.text) > 6000:
        return False
    if any(phrases.PAYWALL.search(part) for part in (facts.visible, facts.text[-1500:])):
        return True
    if len(facts.text) > 1500:
        return False
    is_teaser = facts.text.endswith(("...", "…")) and phrases.SUBSCRIPTION.search(facts.visible)
    return bool(is_teaser or phrases.NOT_FREE.search(facts.machine))


def _is_shell(facts: Facts) -> bool:
    if facts.visible_chars > SHELL_CHARS or len(facts.text) > SHELL_CHARS:
        return False
    if phrases.APP_ROOT.search(facts.machine):
        return True
    if facts.visible_chars < 40 and len(facts.title) > 3:
        return facts.signals.get("html_chars", 0) > 1000  # a name, but nothing under it
    return facts.signals.get("script_chars", 0) > 2000 or facts.signals.get("script_count", 0) > 3


def _is_thin(facts: Facts) -> bool:
    if len(facts.text) < 20 and facts.visible_chars < 40:
        return True
    return facts.visible_chars < 600 and phrases.THIN.search(facts.opening) is not None


def _ends_early(facts: Facts) -> bool:
    """HTML may leave out its end tags, but a whole page does not stop inside a tag or a word."""
    is_open = facts.signals.get("html_closed", 1) == 0
    return is_open and facts.signals.get("html_chars", 0) > 4000 and not facts.tail.endswith(">")


_TESTS: tuple[tuple[Verdict, Callable[[Facts], bool]], ...] = (
    ("truncated", _ends_early),
    ("challenge", _is_challenge),
    ("login", _is_login),
    ("soft-404", _is_missing),
    ("paywall", _is_paywall),
    ("js-shell", _is_shell),
    ("thin", _is_thin),
)
