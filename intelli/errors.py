"""Every way a run can go wrong; the class answers one question: how much is lost?

IntelliError                  code, message, hint, retryable
├── PageError                 one page: its lane turns it into a Failure
│   ├── FetchError              nothing usable came from the address
│   └── ExtractError            the engine could not read the page
├── BackendError              one search backend: the chain goes on to the next
├── ModelError                one call to a model: the stage decides what that costs
├── StoreError                what could not be written: the report still goes to stdout
└── RunError                  the run; carries the outcome and exit code of the contract
    ├── UsageError              2  wrong flag, setting or input
    ├── NothingFound            3  no usable link, no such session or ref, no match
    ├── FetchFailed             4  every fetch failed
    ├── ExtractionFailed        5  every extraction failed
    ├── CollationFailed         6  the extractions are kept
    ├── Stopped                 7  budget or deadline
    └── Interrupted           130  Ctrl-C or SIGTERM
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, TypeVar

if TYPE_CHECKING:
    from intelli.records import Research, Spend

E = TypeVar("E", bound="IntelliError")
_TELLING = 4
"""Characters: fewer of a key at the end of a message are there by chance."""
_PREFIX = 8
"""Characters of a key by which its beginning is recognised anywhere."""
_GAP = r"(?:\s|\\{1,4}(?:[nrt]|u[0-9a-f]{4})|[\u00ad\u200b-\u200d\u2060\ufeff]){0,40}"
"""What may stand inside of a key that somebody broke into lines, as text or inside JSON."""
_GAPS = re.compile(_GAP)


class IntelliError(Exception):
    """A failure a user may meet: `code` is short and stable, `hint` the next step to take."""

    def __init__(
        self, message: str, *, code: str = "error", hint: str = "", retryable: bool = False
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.hint = hint
        self.retryable = retryable


def without_secret(error: E, secret: str | None) -> E:
    """The error with `secret` blotted out of its message: servers like to repeat a key that they
    refuse."""
    if secret:
        error.message = masked(error.message, secret)
        error.args = (error.message,)
    return error


def masked(text: str, secret: str | None) -> str:
    """`text` with `[key]` in place of `secret` and of every beginning of it that tells something,
    also where lines are broken inside of it or the text is cut in the middle."""
    if not secret or not text:
        return text
    whole = len(secret) if len(secret) < _PREFIX else _PREFIX
    start = _GAP.join(map(re.escape, secret[:whole]))
    parts, position = [], 0
    for match in re.finditer(start, text):
        if match.start() >= position:
            parts += [text[position : match.start()], "[key]"]
            position = _end_of(text, match.end(), secret[whole:])
    text = "".join([*parts, text[position:]])
    lengths = range(whole - 1, _TELLING - 1, -1)
    cut_off = next((n for n in lengths if text.endswith(secret[:n])), 0)
    return text[:-cut_off] + "[key]" if cut_off else text


def _end_of(text: str, position: int, rest: str) -> int:
    """Where in `text` the last character of `rest` stands that follows from `position` on."""
    for char in rest:
        gap = _GAPS.match(text, position)
        after = gap.end() if gap else position
        if text[after : after + 1] != char:
            break
        position = after + 1
    return position


def first_of(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """One error out of a group: the others were cancelled because of it."""
    error = errors.exceptions[0]
    return first_of(error) if isinstance(error, BaseExceptionGroup) else error


class PageError(IntelliError):
    """Costs one page."""


class FetchError(PageError):
    """No usable body: `code` as in the contract (`http-403`, `timeout`, `private-address`, …);
    `verdict` says what the body was, None when none came."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "error",
        hint: str = "",
        retryable: bool = False,
        verdict: str | None = None,
    ) -> None:
        super().__init__(message, code=code, hint=hint, retryable=retryable)
        self.verdict = verdict
        self.tried: tuple[str, ...] = ()
        """What else was asked and gave nothing, as `way: code: reason`."""


class ExtractError(PageError):
    """The page was there, but the engine could not extract from it."""


class BackendError(IntelliError):
    """Costs one search backend; `retryable` says whether asking later may help."""


class ModelError(IntelliError):
    """A call to a model failed for good (retries are already spent); `spend` is what the server
    says that it has cost all the same."""

    spend: Spend | None = None


class StoreError(IntelliError):
    """Something could not be read from or written to the cache directory."""


class RunError(IntelliError):
    """Costs the run. `research` is what is known of one that had begun; `document_printed` once
    the JSON document that reports it is out."""

    exit_code: ClassVar[int] = 1
    outcome: ClassVar[str] = "error"
    document_printed: bool = False
    research: Research | None = None


class UsageError(RunError):
    """Names the word or key that is wrong and says what is allowed."""

    exit_code = 2
    outcome = "usage"


class NothingFound(RunError):
    """Nothing to work on: `outcome` is `no-links` for a search, else `not-found`."""

    exit_code = 3
    outcome = "not-found"


class NoLinks(NothingFound):
    """The search stage ended without a usable link."""

    outcome = "no-links"


class FetchFailed(RunError):
    """No page could be fetched."""

    exit_code = 4
    outcome = "fetch-failed"


class ExtractionFailed(RunError):
    """Pages came, but nothing could be extracted from any."""

    exit_code = 5
    outcome = "extraction-failed"


class CollationFailed(RunError):
    """No report; the extractions are on disk and `intelli resume` finishes the run."""

    exit_code = 6
    outcome = "collation-failed"


class Stopped(RunError):
    """The budget or the deadline ended the run; what was done is kept."""

    exit_code = 7
    outcome = "stopped"


class Interrupted(RunError):
    """The user or the system asked the run to end; what was done is kept."""

    exit_code = 130
    outcome = "interrupted"
