"""Asks a service that answers with one JSON document over plain HTTP."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from intelli.errors import BackendError, FetchError
from intelli.net.client import Network, Response, ServiceRequest
from intelli.search.refusals import RefusedError, error_of, short, unreachable

TIMEOUT = 20.0


async def get(network: Network, url: str, *, headers: Mapping[str, str] | None = None) -> Response:
    """The answer with status 200. Raises BackendError, RefusedError where later may help."""
    return await _send(
        network,
        ServiceRequest(method="GET", url=url, headers=headers or {}, timeout=TIMEOUT),
    )


async def get_json(
    network: Network, url: str, *, headers: Mapping[str, str] | None = None
) -> Mapping[str, Any]:
    """The JSON object at `url`. Raises as `get`, and `bad-answer` for what is no object."""
    return json_object(await get(network, url, headers=headers))


async def post_json(
    network: Network,
    url: str,
    body: Mapping[str, object],
    *,
    headers: Mapping[str, str] | None = None,
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
    return json_object(await _send(network, request))


def json_object(response: Response) -> Mapping[str, Any]:
    """The body as a JSON object. Raises RefusedError `bad-answer` for anything else."""
    try:
        data = json.loads(response.body)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise RefusedError("the answer broke off or is no JSON", code="bad-answer")
    return data


async def _send(network: Network, request: ServiceRequest) -> Response:
    try:
        response = await network.call(request)
    except FetchError as error:
        raise unreachable(error) from error
    if response.status != 200:
        raise _refusal(response)
    return response


def _refusal(response: Response) -> BackendError:
    return error_of(response.status, response.headers, _said(response))


def _said(response: Response) -> str:
    """The message inside a JSON error of the usual shapes, "" when there is none."""
    try:
        data: Any = json.loads(response.body)
    except (ValueError, RecursionError):
        return ""
    for name in ("error", "detail", "message"):
        if isinstance(data, dict) and data.get(name):
            data = data[name]
    if isinstance(data, dict):
        data = data.get("message") or ""
    return short(data) if isinstance(data, str) else ""
