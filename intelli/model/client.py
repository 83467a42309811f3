"""Asking a model by role: retries, deadline, budget and usage in one place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from intelli.errors import ModelError, Stopped, UsageError, without_secret
from intelli.events import Emit, Spent, Warned
from intelli.model import by_litellm, openai
from intelli.model.extras import NO_EXTRAS, Extras
from intelli.model.fields import RefusedFields, fields_of
from intelli.model.kept import KeptReplies
from intelli.model.ledger import Ledger
from intelli.model.prices import CHARS_PER_TOKEN, ceiling_of, price_of
from intelli.model.prompts import Prompt, shortened
from intelli.model.refusals import RefusedError, TooLargeError
from intelli.model.reply import Citation, Reply
from intelli.model.retry import with_retries
from intelli.net.client import Network
from intelli.records import Role, Spend
from intelli.settings import ModelChoice, Settings

__all__ = ["Citation", "Extras", "Memory", "Models", "Prompt", "Reply"]

T = TypeVar("T")
KEY_REFUSED = frozenset({"model-401", "model-402", "model-403"})
SHORTENED: frozenset[Role] = frozenset({"extract", "collate"})
"""Roles whose first call is made smaller rather than left out where the budget has no room."""
LEAST_SHARE = 0.1
LEAST_CHARS, LEAST_TOKENS = 1000, 200
"""A call that would be smaller than these is of no use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What is known from earlier runs: replies, None for none, and fields that models refuse."""

    replies: KeptReplies | None = None
    refused: RefusedFields = field(default_factory=RefusedFields)


class Models:
    """The models of a run, one for each role."""

    def __init__(
        self,
        settings: Settings,
        network: Network,
        ledger: Ledger,
        emit: Emit,
        memory: Memory | None = None,
    ) -> None:
        self._memory = memory or Memory()
        self._settings = settings
        self._network = network
        self._ledger = ledger
        self._emit = emit

    def warm(self, *roles: Role) -> None:
        """Start the slow import now if any of these roles will need it."""
        if any(self._settings.model(role).endpoint is None for role in roles):
            by_litellm.start_loading()

    def keep_room(self) -> None:
        """Set money for the collation aside. Raises UsageError for a budget without a price."""
        self._ledger.keep_room(self._settings.model("collate"))

    def choice(self, role: Role) -> ModelChoice:
        return self._settings.model(role)

    def most(self, choice: ModelChoice, chars: int) -> float | None:
        """The most dollars of a call that shows `chars` characters, None when nobody lists a
        price."""
        price = ceiling_of(choice)
        return price.of(chars / CHARS_PER_TOKEN, choice.max_tokens) if price else None

    def check_price(self, role: Role) -> None:
        """Raises UsageError when there is a budget and no price is listed for the role's model."""
        self._ledger.check(self._settings.model(role))

    def check_known(self, usd: float | None, what: str) -> None:
        """The same for a service that charges `usd` dollars, None when that is unknown."""
        self._ledger.known(usd, what)

    def check(self, role: Role) -> None:
        """Raises UsageError when the role cannot be called for want of a name or a key."""
        self._check_name(role)
        choice = self._settings.model(role)
        if not self._settings.has_model(role):
            raise UsageError(
                f"{choice.model} needs a key in {choice.key_name}",
                code="no-key",
                hint=f"set {choice.key_name}, set `models.{role}.api_base`, or use --engine local",
            )

    def _check_name(self, role: Role) -> None:
        choice = self._settings.model(role)
        if "/" not in choice.model and not choice.api_base:
            raise UsageError(
                f"`models.{role}.model` must be provider/name, not {choice.model!r}",
                code="bad-model",
                hint="for example openrouter/minimax/minimax-m2.7 or openai/gpt-5-mini",
            )
        if "://" in choice.model:
            raise UsageError(
                f"`models.{role}.model` holds an address: {choice.model!r}",
                code="bad-model",
                hint=f"an address belongs into `models.{role}.api_base`",
            )

    async def ask(
        self,
        role: Role,
        prompt: Prompt,
        *,
        choice: ModelChoice | None = None,
        extras: Extras = NO_EXTRAS,
    ) -> Reply:
        """The model's answer; `choice` is another model than that of the role. Only endpoints that
        are spoken to directly are told `extras`.

        Raises ModelError when retries are spent, Stopped by the budget. An answer of nothing, as
        of a model that spends all its tokens on reasoning, is asked for once more with twice the
        room; what is too large for the model or the budget is cut and tried once.
        """
        if choice is None:
            self.check(role)
            choice = self._settings.model(role)
        kept = await self._kept(role, choice, prompt, extras)
        if kept:
            return kept
        reply = await self._fitting(role, choice, prompt, extras)
        if not reply.text and (reply.finish_reason == "length" or role != "search"):
            wider = replace(choice, max_tokens=choice.max_tokens * 2)
            reply = await self._fitting(role, wider, prompt, extras)
        return reply

    async def _kept(
        self, role: Role, choice: ModelChoice, prompt: Prompt, extras: Extras
    ) -> Reply | None:
        """The reply of an earlier run, which costs nothing."""
        replies = self._memory.replies
        if replies is None or role == "search" or extras is not NO_EXTRAS:
            return None
        kept = await replies.look(choice, prompt)
        if kept is None:
            return None
        self._ledger.save(role, kept.spend)
        self._say_spent()
        return replace(kept, spend=Spend())

    async def _fitting(
        self, role: Role, choice: ModelChoice, prompt: Prompt, extras: Extras
    ) -> Reply:
        """The answer to all of the prompt, else to as much of it as fits, which is said."""
        try:
            reply = await self._ask(role, choice, prompt, extras)
        except TooLargeError as error:
            cut = _within(error, choice, prompt)
            problem = f"is too large for {choice.model}"
            if cut is None:
                raise
        except Stopped:
            cut = self._affordable(role, choice, prompt)
            problem = "does not fit in the budget"
            if cut is None:
                raise
        else:
            if self._memory.replies and role != "search" and extras is NO_EXTRAS:
                self._memory.replies.keep(choice, prompt, reply)
            return reply
        smaller, shorter = cut
        percent = round(100 * shorter.chars / prompt.chars)
        self._emit(Warned(message=f"the call for {role} {problem}: cut to {percent} %"))
        return await self._ask(role, smaller, shorter, extras)

    def _affordable(
        self, role: Role, choice: ModelChoice, prompt: Prompt
    ) -> tuple[ModelChoice, Prompt] | None:
        if role not in SHORTENED:
            return None
        share = self._ledger.share_that_fits(role, choice, prompt.chars)
        return _cut(choice, prompt, share * 0.99, share * 0.99)

    async def paid(self, what: str, usd: float | None, call: Callable[[], Awaitable[T]]) -> T:
        """The answer of a `call` to a service that charges `usd` dollars for it, None when that
        is unknown; it counts under the role search. Raises what `call` does, Stopped by the
        budget, and UsageError for a budget without a price."""
        reserved = self._ledger.reserve("search", lambda: self._ledger.known(usd, what))
        spend: Spend | None = None
        try:
            answer = await call()
            spend = Spend(calls=1, usd=usd)
        finally:
            self._ledger.settle("search", reserved, spend)
        self._say_spent()
        return answer

    async def _ask(self, role: Role, choice: ModelChoice, prompt: Prompt, extras: Extras) -> Reply:
        chars = prompt.chars + extras.chars
        reserved = self._ledger.reserve(
            role, lambda: self._ledger.estimate(choice, chars) + extras.usd
        )
        spend: Spend | None = None
        try:
            reply = await with_retries(
                lambda: self._attempt(choice, prompt, extras),
                attempts=self._settings.count("model.attempts"),
                what=f"{role} model",
                emit=self._emit,
            )
            spend = _priced(reply.spend, choice)
        finally:
            self._ledger.settle(role, reserved, spend)
        self._say_spent()
        return reply

    def _say_spent(self) -> None:
        total = self._ledger.usage.total
        self._emit(
            Spent(
                usd=total.usd,
                input_tokens=total.input_tokens,
                output_tokens=total.output_tokens,
            )
        )

    async def _attempt(self, choice: ModelChoice, prompt: Prompt, extras: Extras) -> Reply:
        """One try; fields that the model does not take are left out, and from then on."""
        while True:
            known = self._memory.refused.of(choice)
            fields = fields_of(choice, known)
            sent = {**fields, **extras.body}
            body = {name: value for name, value in sent.items() if name not in known}
            try:
                return await self._complete(choice, prompt, replace(extras, body=body))
            except RefusedError as error:
                refused = error.fields(fields)
                if not refused:
                    raise
                self._memory.refused.add(choice, refused)

    async def _complete(self, choice: ModelChoice, prompt: Prompt, extras: Extras) -> Reply:
        key = self._settings.secret(choice.key_name)
        timeout = self._settings.number("model.timeout")
        try:
            if choice.endpoint:
                return await openai.complete(self._network, choice, key, prompt, timeout, extras)
            return await by_litellm.complete(choice, key, prompt, timeout, extras)
        except ModelError as error:
            if error.code in KEY_REFUSED and choice.key_name:
                error.hint = f"check {choice.key_name}"
            raise without_secret(error, key) from None


def _within(
    error: TooLargeError, choice: ModelChoice, prompt: Prompt
) -> tuple[ModelChoice, Prompt] | None:
    """A call that the server can take, by the figures it names; half of the data without them."""
    if not error.limit or not error.requested:
        return _cut(choice, prompt, 0.5, 1.0)
    answer = min(choice.max_tokens, error.limit // 3)
    shown = max(error.requested - choice.max_tokens, prompt.chars / CHARS_PER_TOKEN / 2)
    share = min(0.9, 0.9 * (error.limit - answer) / shown)
    return _cut(choice, prompt, share, answer / choice.max_tokens)


def _cut(
    choice: ModelChoice, prompt: Prompt, shown: float, answered: float
) -> tuple[ModelChoice, Prompt] | None:
    """The call with a share of its prompt and of its answer, None where that is of no use."""
    chars, tokens = int(prompt.chars * shown), int(choice.max_tokens * answered)
    shorter = shortened(prompt, chars) if shown >= LEAST_SHARE and chars >= LEAST_CHARS else None
    if shorter is None or tokens < min(LEAST_TOKENS, choice.max_tokens):
        return None
    return replace(choice, max_tokens=tokens), shorter


def _priced(spend: Spend, choice: ModelChoice) -> Spend:
    """The provider's own figure, else the price table's, else unknown."""
    price = price_of(choice) if spend.usd is None else None
    if price is None:
        return spend
    return replace(spend, usd=price.of(spend.input_tokens, spend.output_tokens))
