"""Asking a model by role: retries, deadline, budget and usage in one place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from intelli.errors import ModelError, Stopped, UsageError, without_secret
from intelli.events import Emit, Spent, Warned
from intelli.model import by_litellm, openai
from intelli.model.cutting import Cut, cut, within
from intelli.model.extras import NO_EXTRAS, Extras
from intelli.model.fields import RefusedFields, fields_of
from intelli.model.kept import KeptReplies
from intelli.model.ledger import Ledger
from intelli.model.prices import CHARS_PER_TOKEN, ceiling_of, price_of
from intelli.model.prompts import Prompt
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
UNANSWERED = frozenset({"model-timeout", "model-too-much", "bad-reply"})
"""Failures of calls that the server has worked on: nobody says what they have cost."""


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
            smaller = within(error, choice, prompt)
            problem = f"is too large for {choice.model}"
            if smaller is None:
                raise
        except Stopped:
            smaller = self._affordable(role, choice, prompt)
            problem = "does not fit in the budget"
            if smaller is None:
                raise
        else:
            if self._memory.replies and role != "search" and extras is NO_EXTRAS:
                self._memory.replies.keep(choice, prompt, reply)
            return reply
        shorter, shown = smaller
        percent = round(100 * shown.chars / prompt.chars)
        done = (
            f"cut to {percent} %" if shown != prompt else f"{shorter.max_tokens} tokens asked for"
        )
        self._emit(Warned(message=f"the call for {role} {problem}: {done}"))
        return await self._ask(role, shorter, shown, extras)

    def _affordable(self, role: Role, choice: ModelChoice, prompt: Prompt) -> Cut | None:
        if role not in SHORTENED:
            return None
        return cut(choice, prompt, *self._ledger.shares_that_fit(role, choice, prompt.chars))

    async def paid(self, what: str, usd: float | None, call: Callable[[], Awaitable[T]]) -> T:
        """The answer of a `call` to a service that charges `usd` dollars for it, None when that
        is unknown; it counts under the role search. Raises what `call` does, Stopped by the
        budget, and UsageError for a budget without a price."""
        reserved = await self._ledger.reserve("search", lambda: self._ledger.known(usd, what))
        spend: Spend | None = None
        try:
            answer = await call()
            spend = Spend(calls=1, usd=usd)
        finally:
            self._ledger.settle("search", reserved, spend)
        self._say_spent()
        return answer

    async def _ask(self, role: Role, choice: ModelChoice, prompt: Prompt, extras: Extras) -> Reply:
        reply = await with_retries(
            lambda: self._attempt(role, choice, prompt, extras),
            attempts=self._settings.count("model.attempts"),
            what=f"{role} model",
            emit=self._emit,
        )
        self._say_spent()
        return reply

    async def _attempt(
        self, role: Role, choice: ModelChoice, prompt: Prompt, extras: Extras
    ) -> Reply:
        """One try, paid from the budget by itself: what a server has worked on may be charged for
        although no answer came of it."""
        chars = prompt.chars + extras.chars
        ledger = self._ledger

        def most() -> float | None:
            usd = ledger.estimate(choice, chars)
            return None if usd is None else usd + extras.usd

        reserved = await ledger.reserve(role, most, extras.usd)
        spend, charged = None, True
        try:
            reply = await self._answer(choice, prompt, extras)
            spend = _priced(reply.spend, choice)
        except ModelError as error:
            spend, charged = _spend_of(error, choice), error.code == "model-connection"
            raise
        else:
            return reply
        finally:
            if spend is not None:
                ledger.learn(choice, spend.usd)
            ledger.settle(role, reserved, spend, charged=charged)

    def _say_spent(self) -> None:
        total = self._ledger.usage.total
        self._emit(
            Spent(
                usd=total.usd,
                input_tokens=total.input_tokens,
                output_tokens=total.output_tokens,
            )
        )

    async def _answer(self, choice: ModelChoice, prompt: Prompt, extras: Extras) -> Reply:
        """The answer; fields that the model does not take are left out, and from then on."""
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


def _spend_of(error: ModelError, choice: ModelChoice) -> Spend | None:
    """What a call without an answer has cost, None where it surely was for nothing."""
    if error.spend is not None:
        return _priced(error.spend, choice)
    return Spend(calls=1, usd=None) if error.code in UNANSWERED else None


def _priced(spend: Spend, choice: ModelChoice) -> Spend:
    """The provider's own figure, else the price table's, else unknown, as it is for a call that
    the provider does not count the tokens of."""
    price = price_of(choice) if spend.usd is None and spend.input_tokens else None
    if price is None:
        return spend
    return replace(spend, usd=price.of(spend.input_tokens, spend.output_tokens))
