"""Calls one tool of an MCP server over HTTP: JSON-RPC out, plain JSON or an event stream back."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from intelli.errors import BackendError, FetchError
from intelli.net.client import Network, ServiceRequest, StreamedResponse
from intelli.search.refusals import RefusedError, error_of, is_refusal, short, unreachable

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
    body = _message("tools/call", {"name": tool, "arguments": dict(arguments)}, _CALL_ID)
    try:
        status, _, reply = await _post(network, server, body)
        if status in (400, 404) and "session" in json.dumps(reply).lower():
            server = await _handshake(network, server)
            _, _, reply = await _post(network, server, body)
    except FetchError as error:
        raise unreachable(error) from error
    return _tool_text(reply)


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
        reply = await _reply(response, answers)
        if response.status in (400, 404) and reply and "session" in json.dumps(reply).lower():
            return response.status, response.headers, reply
        if response.status != 200:
            raise error_of(response.status, response.headers, _error_text(reply))
        if not reply:
            raise RefusedError("the answer broke off or is no JSON-RPC", code="bad-answer")
        return response.status, response.headers, reply


async def _reply(response: StreamedResponse, number: int) -> Mapping[str, Any]:
    """Read only until the reply is complete: servers may keep an event stream open for long."""
    lines: list[str] = []
    whole: list[str] = []
    async for line in _lines(response.chunks):
        whole.append(line)
        if line.startswith("data:"):
            lines.append(line[5:].removeprefix(" "))
        elif line.startswith("{"):  # some servers leave `data:` out
            lines.append(line)
        elif not line:
            lines.clear()
        if line.endswith("}"):
            reply = _matching("\n".join(lines), number)
            if reply:
                return reply
    return _matching("\n".join(whole), number)


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    held = b""
    async for chunk in chunks:
        *complete, held = (held + chunk).split(b"\n") if b"\n" in chunk else (held + chunk,)
        for line in complete:
            yield line.rstrip(b"\r").decode("utf-8", "replace")
    yield held.rstrip(b"\r").decode("utf-8", "replace")


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


def _tool_text(reply: Mapping[str, Any]) -> str:
    result = reply.get("result")
    if not isinstance(result, dict):
        text = _error_text(reply) or "it answered no result"
        if is_refusal(text):
            raise RefusedError(text, code="rate-limit")
        raise BackendError(text, code="rpc-error")
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    text = "\n\n".join(
        str(block.get("text") or "")
        for block in blocks
        if isinstance(block, dict) and block.get("type") == "text"
    )
    if result.get("isError"):
        if is_refusal(text):
            raise RefusedError(short(text), code="rate-limit")
        raise RefusedError(short(text) or "the tool failed", code="tool-error")
    return text


def _error_text(reply: Mapping[str, Any]) -> str:
    error = reply.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return short(str(message)) if message else ""
