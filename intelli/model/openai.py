"""The adapter for OpenAI-compatible endpoints, spoken to directly over HTTP."""

from __future__ import annotations

import json

from intelli.errors import FetchError, ModelError
from intelli.model.prompts import Prompt
from intelli.model.reply import Reply, error_of, parse
from intelli.model.retry import RetryableError, parse_retry_after
from intelli.net.client import Network, ServiceRequest
from intelli.settings import ModelChoice

RETRYABLE_CODES = frozenset({"timeout", "connection", "dns"})


async def complete(
    network: Network, choice: ModelChoice, key: str | None, prompt: Prompt, timeout: float
) -> Reply:
    """One attempt. Raises RetryableError where another may help, else ModelError."""
    request = ServiceRequest(
        method="POST",
        url=f"{(choice.endpoint or '').rstrip('/')}/chat/completions",
        headers=_headers(key),
        content=json.dumps(_body(choice, prompt)).encode(),
        timeout=timeout,
    )
    try:
        response = await network.call(request)
    except FetchError as error:
        raise _unreachable(error, choice, timeout) from error
    retry_after = parse_retry_after(response.headers.get("retry-after"))
    # Before any of it is cut: half of a key is a leak as well.
    body = response.body.replace(key.encode(), b"[key]") if key else response.body
    if response.status != 200:
        raise _retryable(_refusal(response.status, body, retry_after), retry_after)
    try:
        return parse(body, response.headers.get("content-type", ""))
    except ModelError as error:
        raise _retryable(error, retry_after) from error


def _headers(key: str | None) -> dict[str, str]:
    headers = {"content-type": "application/json", "accept": "application/json"}
    return {**headers, "authorization": f"Bearer {key}"} if key else headers


def _body(choice: ModelChoice, prompt: Prompt) -> dict[str, object]:
    messages = [{"role": "user", "content": prompt.user}]
    if prompt.system:
        messages.insert(0, {"role": "system", "content": prompt.system})
    # OpenAI's own reasoning models refuse the older name; everybody else knows it best.
    own = choice.provider == "openai" and not choice.api_base
    limit = "max_completion_tokens" if own else "max_tokens"
    body: dict[str, object] = {
        "model": choice.name,
        "messages": messages,
        limit: choice.max_tokens,
        "stream": False,
    }
    if choice.provider == "openrouter":
        body["usage"] = {"include": True}
    return body


def _refusal(status: int, body: bytes, retry_after: float | None) -> ModelError:
    text = body[:20_000].decode("utf-8", errors="replace")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = {}
    problem = data.get("error") if isinstance(data, dict) else None
    return error_of(problem or " ".join(text.split())[:200], status, retry_after)


def _retryable(error: ModelError, retry_after: float | None) -> ModelError:
    return RetryableError(error, retry_after) if error.retryable else error


def _unreachable(error: FetchError, choice: ModelChoice, timeout: float) -> ModelError:
    if error.code == "timeout":
        message = f"{choice.model} did not finish within {timeout:g} s"
    else:
        message = f"cannot reach {choice.endpoint} for {choice.model}: {error.message}"
    cause = ModelError(
        message,
        code=f"model-{error.code}",
        hint=error.hint or "check `models.*.api_base` and the network",
        retryable=error.code in RETRYABLE_CODES,
    )
    return _retryable(cause, None)
