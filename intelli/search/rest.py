"""Asks a service that answers with one JSON document over plain HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from intelli.errors import BackendError, FetchError
from intelli.net.client import Network, Response, ServiceRequest
from intelli.search.refusals import (
    bot_check,
    error_of,
    is_bot_check,
    no_answer,
    patience,
    said,
    unreachable,
)

TIMEOUT = 20.0

Refusal = Callable[[Response], BackendError]
"""The error behind an answer with another status than 200."""


def refusal(response: Response) -> BackendError:
    """As most services word it: the status, `Retry-After` and a message inside a JSON error."""
    body = response.body.decode("utf-8", "replace")
    if is_bot_check(response.headers, body):
        return bot_check(response.status)
    data = _parsed(response)
    waiting = {"retry-after": patience(data), **response.headers}
    return error_of(response.status, waiting, said(data))


async def get(
    network: Network,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    refusal: Refusal = refusal,
) -> Response:
    """The answer with status 200. Raises BackendError, RefusedError where later may help;
    `refusal` reads the errors of services that word them in their own way."""
    request = ServiceRequest(method="GET", url=url, headers=headers or {}, timeout=TIMEOUT)
    return await _send(network, request, refusal)


async def get_json(
    network: Network,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    refusal: Refusal = refusal,
) -> Mapping[str, Any]:
    """The JSON object at `url`. Raises as `get`, and `bad-answer` for what is no object."""
    return json_object(await get(network, url, headers=headers, refusal=refusal))


async def post_json(
    network: Network,
    url: str,
    body: Mapping[str, object],
    *,
    headers: Mapping[str, str] | None = None,
    refusal: Refusal = refusal,
) -> Mapping[str, Any]:
    """The JSON object that answers a JSON `body`. Raises as `get_json`."""
    content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    outgoing = {"content-type": "application/json", "accept": "application/json"}
    request = ServiceRequest(
        method="POST",
        url=url,
        headers={**outgoing, **(headers or {})},
        content=content,
        timeout=TIMEOUT,
    )
    return json_object(await _send(network, request, refusal))


def json_object(response: Response) -> Mapping[str, Any]:
    """The body as a JSON object. Raises RefusedError: `challenge` for a bot check in its place,
    `rate-limit` for words about a quota, `bad-answer` for anything else."""
    data = _parsed(response)
    if isinstance(data, dict):
        return data
    raise unwanted(response, "JSON")


def unwanted(response: Response, wanted: str) -> BackendError:
    """The error for an answer with status 200 that is not what was `wanted`."""
    body = response.body[:20_000].decode("utf-8", "replace")
    return no_answer(response.status, response.headers, body, wanted)


async def _send(network: Network, request: ServiceRequest, refusal: Refusal) -> Response:
    try:
        response = await network.call(request)
    except FetchError as error:
        raise unreachable(error) from error
    if response.status != 200:
        raise refusal(response)
    return response


def _parsed(response: Response) -> Any:
    try:
        return json.loads(response.body)
    except (ValueError, RecursionError):
        return None
