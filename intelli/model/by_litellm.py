"""The adapter for every provider without an OpenAI-compatible endpoint, through litellm.

The import takes seconds of CPU, so it happens once, in a thread, and only when a role needs it.
"""

from __future__ import annotations

import asyncio
import importlib
import re
import threading
from concurrent.futures import Future
from typing import Any

from intelli.errors import ModelError, masked
from intelli.model.extras import NO_EXTRAS, Extras
from intelli.model.prompts import Prompt
from intelli.model.refusals import refusal
from intelli.model.reply import Reply, read
from intelli.model.retry import RetryableError, parse_retry_after
from intelli.settings import ModelChoice, export

_OWN_NAMES = re.compile(r"^(?:litellm\.)?(?:\w+(?:Error|Exception)\b[:\s-]*)+")
_loading: Future[Any] | None = None


def start_loading() -> Future[Any]:
    """Begin the import in a daemon thread, which never holds up the exit."""
    global _loading  # noqa: PLW0603 - one import for the whole process
    if _loading is None:
        _loading = Future()
        threading.Thread(target=_load, args=(_loading,), daemon=True).start()
    return _loading


def _load(result: Future[Any]) -> None:
    # Without this the import asks the network for a price table, with retries.
    export("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        module: Any = importlib.import_module("litellm")
        module.suppress_debug_info = True
        result.set_result(module)
    except Exception as error:  # noqa: BLE001 - foreign code at import: whatever it is, the user is told
        result.set_exception(ModelError(f"litellm cannot be loaded: {error}", code="no-litellm"))


async def complete(
    choice: ModelChoice, key: str | None, prompt: Prompt, timeout: float, extras: Extras = NO_EXTRAS
) -> Reply:
    """One attempt; `extras` as for the other adapter, but what litellm knows the model not to take
    it leaves out. Raises RetryableError where another may help, else ModelError."""
    litellm = await asyncio.wrap_future(start_loading())
    try:
        async with asyncio.timeout(timeout):
            answer = await litellm.acompletion(
                model=choice.model,
                messages=prompt.messages,
                api_key=key,
                drop_params=True,
                timeout=timeout,
                num_retries=0,
                max_retries=0,
                **extras.body,
            )
    except TimeoutError as error:
        message = f"{choice.model} did not finish within {timeout:g} s"
        raise RetryableError(ModelError(message, code="model-timeout")) from error
    except Exception as error:  # litellm raises classes of every provider
        raise _translate(error, choice, key) from error
    return read(answer.model_dump())


def _translate(error: Exception, choice: ModelChoice, key: str | None) -> ModelError:
    """litellm gives every failure a status, also where no server answered."""
    status = getattr(error, "status_code", None)
    headers = getattr(error, "litellm_response_headers", None) or {}
    retry_after = parse_retry_after(headers.get("retry-after"))
    known = status if isinstance(status, int) else 500
    # Before any of it is cut: half of a key is a leak as well.
    words = _OWN_NAMES.sub("", " ".join(masked(str(error), key).split()))
    cause = refusal(words, known, retry_after)
    cause.message = f"{choice.model}: {words[:300]}"
    return cause
