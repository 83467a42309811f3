"""The adapter for OpenAI-compatible endpoints, spoken to directly over HTTP."""

from __future__ import annotations

import json

from intelli.errors import FetchError, ModelError, masked
from intelli.model.extras import NO_EXTRAS, Extras
from intelli.model.prompts import Prompt
from intelli.model.refusals import LONGEST, refusal_of
from intelli.model.reply import Reply, parse
from intelli.model.retry import RetryableError, parse_retry_after
from intelli.net.client import Network, ServiceRequest
from intelli.settings import ModelChoice

RETRYABLE_CODES = frozenset({"timeout", "connection", "dns"})


async def complete(
    network: Network,
    choice: ModelChoice,
    key: str | None,
    prompt: Prompt,
    timeout: float,
    extras: Extras = NO_EXTRAS,
) -> Reply:
    """One attempt; `extras` are all fields beside the model, its messages and `stream`. Raises
    RetryableError where another may help, else ModelError."""
    request = ServiceRequest(
        method="POST",
        url=f"{(choice.endpoint or '').rstrip('/')}/chat/completions",
        headers=_headers(key),
        content=json.dumps({**_body(choice, prompt), **extras.body}).encode(),
        timeout=timeout,
    )
    try:
        response = await network.call(request)
    except FetchError as error:
        raise _unreachable(error, choice, timeout) from error
    retry_after = parse_retry_after(response.headers.get("retry-after"))
    if response.status != 200:
        text = response.body[:LONGEST].decode("utf-8", errors="replace")
        # Before any of it is cut: half of a key is a leak as well.
        raise refusal_of(masked(text, key), response.status, retry_after)
    body = response.body.replace(key.encode(), b"[key]") if key else response.body
    try:
        return parse(body, response.headers.get("content-type", ""), retry_after)
    except ModelError as error:
        raise _retryable(error, retry_after) from error


def _headers(key: str | None) -> dict[str, str]:
    headers = {"content-type": "application/json", "accept": "application/json"}
    return {**headers, "authorization": f"Bearer {key}"} if key else headers


def _body(choice: ModelChoice, prompt: Prompt) -> dict[str, object]:
    return {"model": choice.name, "messages": prompt.messages, "stream": False}


def _retryable(error: ModelError, retry_after: float | None) -> ModelError:
    is_new = error.retryable and not isinstance(error, RetryableError)
    return RetryableError(error, retry_after) if is_new else error


def _unreachable(error: FetchError, choice: ModelChoice, timeout: float) -> ModelError:
    code = f"model-{error.code}"
    if error.code == "timeout":
        message = f"{choice.model} did not finish within {timeout:g} s"
    elif error.code == "too-large":
        code, message = "model-too-much", f"{choice.model} answers too much: {error.message}"
    else:
        message = f"cannot reach {choice.endpoint} for {choice.model}: {error.message}"
    cause = ModelError(
        message,
        code=code,
        hint=error.hint or "check `models.*.api_base` and the network",
        retryable=error.code in RETRYABLE_CODES,
    )
    return _retryable(cause, None)
