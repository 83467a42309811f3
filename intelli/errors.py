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

from typing import ClassVar, TypeVar

E = TypeVar("E", bound="IntelliError")


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
    """The error with `secret` blotted out: servers like to repeat a key that they refuse."""
    if secret:
        error.message = error.message.replace(secret, "[key]")
        error.args = (error.message,)
    return error


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


class ExtractError(PageError):
    """The page was there, but the engine could not extract from it."""


class BackendError(IntelliError):
    """Costs one search backend; `retryable` says whether asking later may help."""


class ModelError(IntelliError):
    """A call to a model failed for good (retries are already spent)."""


class StoreError(IntelliError):
    """Something could not be read from or written to the cache directory."""


class RunError(IntelliError):
    """Costs the run. `document_printed` once the JSON document that reports it is out."""

    exit_code: ClassVar[int] = 1
    outcome: ClassVar[str] = "error"
    document_printed: bool = False


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
