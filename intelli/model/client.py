"""Asking a model by role: retries, deadline, budget and usage in one place."""

from __future__ import annotations

from dataclasses import replace

from intelli.errors import ModelError, UsageError, without_secret
from intelli.events import Emit, Spent
from intelli.model import by_litellm, openai
from intelli.model.ledger import Ledger
from intelli.model.prices import price_of
from intelli.model.prompts import Prompt
from intelli.model.reply import Citation, Reply
from intelli.model.retry import with_retries
from intelli.net.client import Network
from intelli.records import Role, Spend
from intelli.settings import ModelChoice, Settings

__all__ = ["Citation", "Models", "Prompt", "Reply"]


class Models:
    """The models of a run, one for each role."""

    def __init__(self, settings: Settings, network: Network, ledger: Ledger, emit: Emit) -> None:
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

    def check(self, role: Role) -> None:
        """Raises UsageError when the role cannot be called for want of a name or a key."""
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
        if not self._settings.has_model(role):
            raise UsageError(
                f"{choice.model} needs a key in {choice.key_name}",
                code="no-key",
                hint=f"set {choice.key_name}, set `models.{role}.api_base`, or use --engine local",
            )

    async def ask(self, role: Role, prompt: Prompt) -> Reply:
        """The model's answer. Raises ModelError when retries are spent, Stopped by the budget.

        A model that spends all its tokens on reasoning answers nothing; it is asked once more
        with twice the room.
        """
        self.check(role)
        choice = self._settings.model(role)
        reply = await self._ask(role, choice, prompt)
        if not reply.text and reply.finish_reason == "length":
            reply = await self._ask(role, replace(choice, max_tokens=choice.max_tokens * 2), prompt)
        return reply

    async def _ask(self, role: Role, choice: ModelChoice, prompt: Prompt) -> Reply:
        reserved = self._ledger.reserve(role, choice, prompt.chars)
        spend: Spend | None = None
        try:
            reply = await with_retries(
                lambda: self._attempt(choice, prompt),
                attempts=self._settings.count("model.attempts"),
                what=f"{role} model",
                emit=self._emit,
            )
            spend = _priced(reply.spend, choice)
        finally:
            self._ledger.settle(role, reserved, spend)
        total = self._ledger.usage.total
        self._emit(
            Spent(
                usd=total.usd,
                input_tokens=total.input_tokens,
                output_tokens=total.output_tokens,
            )
        )
        return reply

    async def _attempt(self, choice: ModelChoice, prompt: Prompt) -> Reply:
        key = self._settings.secret(choice.key_name)
        timeout = self._settings.number("model.timeout")
        try:
            if choice.endpoint:
                return await openai.complete(self._network, choice, key, prompt, timeout)
            return await by_litellm.complete(choice, key, prompt, timeout)
        except ModelError as error:
            raise without_secret(error, key) from None


def _priced(spend: Spend, choice: ModelChoice) -> Spend:
    """The provider's own figure, else the price table's, else unknown."""
    price = price_of(choice) if spend.usd is None else None
    if price is None:
        return spend
    return replace(spend, usd=price.of(spend.input_tokens, spend.output_tokens))
