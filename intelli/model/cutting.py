"""A call made smaller: less of its data, or a shorter answer, as a server or a budget takes it."""

from __future__ import annotations

from dataclasses import replace

from intelli.model.prices import CHARS_PER_TOKEN
from intelli.model.prompts import Prompt, shortened
from intelli.model.refusals import TooLargeError
from intelli.settings import ModelChoice

LEAST_SHARE = 0.1
LEAST_CHARS, LEAST_TOKENS = 1000, 200
"""A call that would be smaller than these is of no use."""

Cut = tuple[ModelChoice, Prompt]


def within(error: TooLargeError, choice: ModelChoice, prompt: Prompt) -> Cut | None:
    """A call that the server can take, by the figures it names; half of the data without them."""
    longest = error.longest_answer
    if longest and longest < choice.max_tokens:
        return cut(choice, prompt, 1.0, longest / choice.max_tokens)
    if not error.limit:
        return cut(choice, prompt, 0.5, 1.0)
    answer = min(choice.max_tokens, error.limit // 3)
    shown = prompt.chars / CHARS_PER_TOKEN
    if error.requested:
        shown = max(error.requested - choice.max_tokens, shown / 2)
    share = min(0.9, 0.9 * (error.limit - answer) / shown)
    return cut(choice, prompt, share, answer / choice.max_tokens)


def cut(choice: ModelChoice, prompt: Prompt, shown: float, answered: float) -> Cut | None:
    """The call with a share of its prompt and of its answer, None where that is of no use."""
    tokens = int(choice.max_tokens * answered)
    if tokens < min(LEAST_TOKENS, choice.max_tokens):
        return None
    chars = int(prompt.chars * shown)
    is_useful = shown >= LEAST_SHARE and chars >= LEAST_CHARS
    shorter = prompt if shown >= 1 else shortened(prompt, chars) if is_useful else None
    return None if shorter is None else (replace(choice, max_tokens=tokens), shorter)
