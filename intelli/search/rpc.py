"""Calls one tool of an MCP server over HTTP: JSON-RPC out, plain JSON or an event stream back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from intelli.errors import BackendError, FetchError
from intelli.net.client import Network, ServiceRequest, StreamedResponse
from intelli.search.refusals import (
    RefusedError,
    bot_check,
    error_of,
    is_bot_check,
    is_refusal,
    no_answer,
    short,
    unreachable,
)
from intelli.search.sse import lines

PROTOCOL = "2025-06-18"
_CALL_ID = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where the server is, what it is told beside the protocol, and seconds for one call."""

    url: str
    headers: Mapping[str, str]
    timeout: float


async def call_tool(
    network: Network, server: Server, tool: str, arguments: Mapping[str, object]
) -> str:
    """The text a tool answers. Raises BackendError, RefusedError where asking later may help.

    Most servers need no handshake; one that asks for a session gets it and the call is repeated.
    """
    return _text(await _call(network, server, tool, arguments))


async def call_tool_json(
    network: Network, server: Server, tool: str, arguments: Mapping[str, object]
) -> Mapping[str, Any]:
    """The object a tool answers, apart from its text or as its text. Raises as `call_tool`, and
    `layout-changed` for a text that is no object."""
    result = await _call(network, server, tool, arguments)
    apart = result.get("structuredContent")
    if isinstance(apart, dict):
        return apart
    text = _text(result)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict):
        return data
    if is_refusal(text):
        raise RefusedError(short(text), code="rate-limit")
    raise BackendError("the form of its answers has changed", code="layout-changed")


async def _call(
    network: Network, server: Server, tool: str, arguments: Mapping[str, object]
) -> Mapping[str, Any]:
    """The result of a call that succeeded."""
    body = _message("tools/call", {"name": tool, "arguments": dict(arguments)}, _CALL_ID)
    try:
        status, _, reply = await _post(network, server, body)
        if status in (400, 404) and "session" in json.dumps(reply).lower():
            server = await _handshake(network, server)
            _, _, reply = await _post(network, server, body)
    except FetchError as error:
        raise unreachable(error) from error
    return _result(reply)


async def _handshake(network: Network, server: Server) -> Server:
    hello = {
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "intelli", "version": "0.1"},
    }
    _, headers, _ = await _post(network, server, _message("initialize", hello, 0), answers=0)
    session = {"mcp-session-id": headers["mcp-session-id"]} if "mcp-session-id" in headers else {}
    joined = Server(url=server.url, headers={**server.headers, **session}, timeout=server.timeout)
    await network.call(_request(joined, _message("notifications/initialized", {}, None)))
    return joined


def _message(method: str, params: Mapping[str, object], number: int | None) -> bytes:
    message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")


def _request(server: Server, body: bytes) -> ServiceRequest:
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": PROTOCOL,
        **server.headers,
    }
    return ServiceRequest(
        method="POST", url=server.url, headers=headers, content=body, timeout=server.timeout
    )


async def _post(
    network: Network, server: Server, body: bytes, answers: int = _CALL_ID
) -> tuple[int, Mapping[str, str], Mapping[str, Any]]:
    """Status, headers and the message that answers request `answers`."""
    async with network.stream(_request(server, body)) as response:
        reply, body_text = await _reply(response, answers)
        if response.status in (400, 404) and reply and "session" in json.dumps(reply).lower():
            return response.status, response.headers, reply
        if not reply and is_bot_check(response.headers, body_text):
            raise bot_check(response.status)
        if response.status != 200:
            raise error_of(response.status, response.headers, _error_text(reply))
        if not reply:
            raise no_answer(response.status, response.headers, body_text, "JSON-RPC")
        return response.status, response.headers, reply


async def _reply(response: StreamedResponse, number: int) -> tuple[Mapping[str, Any], str]:
    """The reply and how the body begins. It is read only until the reply is complete: servers may
    keep an event stream open for long. No part of it is parsed more than three times."""
    event: list[str] = []
    whole: list[str] = []
    async for line in lines(response.chunks):
        whole.append(line)
        if line.startswith(("data:", "{")):  # some servers leave `data:` out
            event.append(line.removeprefix("data:").removeprefix(" "))
        if line.endswith("}"):
            reply = _matching(event[-1] if event else "", number)
        elif not line:
            reply = _matching("\n".join(event), number)
            event.clear()
        else:
            continue
        if reply:
            return reply, ""
    body = "\n".join(whole)
    return _matching("\n".join(event), number) or _matching(body, number), body[:20_000]


def _matching(text: str, number: int) -> Mapping[str, Any]:
    """The message in `text` that answers `number`, else nothing; errors may lack an id."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    for message in data if isinstance(data, list) else [data]:
        if not isinstance(message, dict) or not ("result" in message or "error" in message):
            continue
        if message.get("id") == number or (message.get("id") is None and "error" in message):
            return message
    return {}


def _result(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Raises for an error of the protocol and for one of the tool."""
    result = reply.get("result")
    if not isinstance(result, dict):
        text = _error_text(reply) or "it answered no result"
        if is_refusal(text):
            raise RefusedError(text, code="rate-limit")
        raise BackendError(text, code="rpc-error")
    if result.get("isError"):
        text = _text(result)
        if is_refusal(text):
            raise RefusedError(short(text), code="rate-limit")
        raise RefusedError(short(text) or "the tool failed", code="tool-error")
    return result


def _text(result: Mapping[str, Any]) -> str:
    content = result.get("content")
    return "\n\n".join(
        str(block.get("text") or "")
        for block in (content if isinstance(content, list) else [])
        if isinstance(block, dict) and block.get("type") == "text"
    )


def _error_text(reply: Mapping[str, Any]) -> str:
    error = reply.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return short(str(message)) if message else ""
