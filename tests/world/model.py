"""An OpenAI-compatible model server: fixed, computed and scripted answers, and all that breaks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tests.world.http import Request, Server, Wire
from tests.world.replies import Ask, Knowledge
from tests.world.turns import Turns

PROMPTS = Path(__file__).parents[2] / "prompts"
ROLES = ("search", "extract", "collate", "suggest", "judge")
Fault = Literal["", "hang", "stall-headers", "stall-body", "reset"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """One answer. `text` and `delay` may be computed from the request; `cost` None leaves it out,
    `usage` False leaves all of usage out; `error` is an error object inside a 200;
    `links_in` is the chunk of a stream that carries the citations."""

    text: str | Callable[[Ask], str] = ""
    delay: float | Callable[[Ask], float] = 0.0
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    finish_reason: str = "stop"
    citations: tuple[str, ...] = ()
    annotations: tuple[tuple[str, str], ...] = ()
    search_results: tuple[Mapping[str, str], ...] = ()
    links_in: int = 0
    usage: bool = True
    cost: float | None = 0.001
    error: Mapping[str, object] | None = None
    fault: Fault = ""

    def words(self, ask: Ask) -> str:
        return self.text(ask) if callable(self.text) else self.text

    def wait(self, ask: Ask) -> float:
        return self.delay(ask) if callable(self.delay) else self.delay


def refuse(status: int, message: str = "", *, retry_after: str | None = None) -> Say:
    """An HTTP error with the error body of an OpenAI-compatible service."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Say(
        status=status,
        headers=headers,
        error={"code": status, "message": message or f"refused with {status}"},
    )


class Model:
    """Answers `POST /v1/chat/completions`; the `model` field of the request names the role."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.server = Server(self._handle)
        self.knowledge = knowledge
        self.asks: list[Ask] = []
        self._turns: dict[str, Turns[Say]] = {}
        self._rules: list[tuple[str, str, Turns[Say]]] = []
        self.clear()

    def clear(self) -> None:
        """Back to computed answers without delay."""
        self._turns = {role: Turns(self.computed(role)) for role in ROLES}
        self._rules.clear()
        self.asks.clear()
        self.server.log.clear()

    def computed(self, role: str, **changes: Any) -> Say:
        """The answer that the world's knowledge gives, with other fields changed."""
        return Say(text=getattr(self.knowledge, role), **changes)

    def obey(self, order: str, answer: str) -> None:
        """In every role do what an `order` says that stands anywhere outside a block of data."""

        def obeying(role: str) -> Callable[[Ask], str]:
            honest = getattr(self.knowledge, role)
            return lambda ask: answer if order in ask.orders else str(honest(ask))

        for role in ROLES:
            self.say(role, Say(text=obeying(role)))

    def say(self, role: str, *says: Say) -> None:
        """Answer the role with these in turn, the last one from then on."""
        self._turns[role].set(*says)

    def when(self, role: str, contains: str, *says: Say) -> None:
        """The same, but only for prompts that contain a text; earlier rules win."""
        self._rules.append((role, contains, Turns(*says)))

    def asked(self, role: str) -> list[Ask]:
        return [ask for ask in self.asks if ask.role == role]

    async def _handle(self, request: Request, wire: Wire) -> None:
        if request.method != "POST" or request.path != "/v1/chat/completions":
            await wire.reply_json(404, {"error": {"code": 404, "message": "no such endpoint"}})
            return
        ask = _ask(request)
        self.asks.append(ask)
        if ask.role not in self._turns:
            await wire.reply_json(400, {"error": {"code": 400, "message": f"no model {ask.role}"}})
            return
        say = self._choose(ask)
        await wire.pause(say.wait(ask))
        await _answer(say, ask, wire)

    def _choose(self, ask: Ask) -> Say:
        for role, contains, turns in self._rules:
            if role == ask.role and contains in ask.text:
                return turns.next()
        return self._turns[ask.role].next()


def _ask(request: Request) -> Ask:
    body = request.json
    messages = body["messages"]
    parts = {
        role: "\n".join(m["content"] for m in messages if m["role"] == role)
        for role in ("system", "user")
    }
    name = str(body["model"])
    role = name if name in ROLES else _role_of(parts["system"])
    return Ask(role, parts["system"], parts["user"], body)


def _role_of(system: str) -> str:
    """The role by its prompt, for a model that is not named after one; "" for no prompt of ours."""
    opening = system.strip().partition("\n")[0] or "nothing"
    fitting = (role for role in ROLES if opening in (PROMPTS / f"{role}.md").read_text("utf-8"))
    return next(fitting, "")


async def _answer(say: Say, ask: Ask, wire: Wire) -> None:
    if say.fault == "hang":
        await wire.hang()
    elif say.fault == "reset":
        wire.reset()
    elif say.fault:
        await _stall(say, ask, wire)
    elif say.status != 200:
        await wire.reply_json(say.status, {"error": say.error}, say.headers)
    elif ask.body.get("stream"):
        await _stream(say, ask, wire)
    else:
        await wire.reply_json(200, _completion(say, ask), say.headers)


async def _stall(say: Say, ask: Ask, wire: Wire) -> None:
    """Headers, for `stall-body` half of the body too, and then silence."""
    body = json.dumps(_completion(say, ask)).encode()
    headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
    await wire.head(200, headers)
    if say.fault == "stall-body":
        await wire.send(body[: len(body) // 2])
    await wire.hang()


def _completion(say: Say, ask: Ask) -> dict[str, object]:
    message = {"role": "assistant", "content": say.words(ask), "refusal": None, "reasoning": None}
    if say.annotations:
        message["annotations"] = _annotations(say)  # type: ignore[assignment]
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": say.finish_reason,
        "native_finish_reason": say.finish_reason,
        "logprobs": None,
    }
    whole = {**_envelope(ask, "chat.completion"), "choices": [choice], **_links(say)}
    if say.usage:
        whole["usage"] = _usage(say, ask)
    if say.error:
        whole |= {"error": say.error, "choices": []}
    return whole


async def _stream(say: Say, ask: Ask, wire: Wire) -> None:
    headers = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}
    await wire.head(200, {**headers, **say.headers})
    await wire.chunk(b": WORLD PROCESSING\n\n")
    for data in [*_chunks(say, ask), "[DONE]"]:
        text = data if isinstance(data, str) else json.dumps(data)
        await wire.chunk(f"data: {text}\n\n".encode())
    await wire.chunk(b"")


def _chunks(say: Say, ask: Ask) -> list[dict[str, Any]]:
    """The text in four parts (the first one empty) and a closing chunk with the usage."""
    words = say.words(ask)
    size = max(1, -(-len(words) // 3))
    parts = ["", *(words[start : start + size] for start in range(0, len(words), size))]
    chunks = [_chunk(ask, {"role": "assistant", "content": part}) for part in parts]
    carrier = chunks[min(say.links_in, len(chunks) - 1)]
    carrier |= _links(say)
    if say.annotations:
        carrier["choices"][0]["delta"]["annotations"] = _annotations(say)
    last = _chunk(ask, {"role": "assistant", "content": ""}, say.finish_reason)
    if say.usage:
        last["usage"] = _usage(say, ask)
    if say.error:
        last["error"] = say.error
    return [*chunks, last]


def _chunk(ask: Ask, delta: dict[str, object], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return {**_envelope(ask, "chat.completion.chunk"), "choices": [choice]}


def _envelope(ask: Ask, kind: str) -> dict[str, object]:
    name = str(ask.body["model"])
    return {"id": "gen-1", "provider": "World", "object": kind, "created": 1, "model": name}


def _annotations(say: Say) -> list[dict[str, object]]:
    return [
        {
            "type": "url_citation",
            "url_citation": {"url": url, "title": title, "start_index": 0, "end_index": 0},
        }
        for url, title in say.annotations
    ]


def _links(say: Say) -> dict[str, object]:
    out: dict[str, object] = {}
    if say.citations:
        out["citations"] = list(say.citations)
    if say.search_results:
        out["search_results"] = [dict(result) for result in say.search_results]
    return out


def _usage(say: Say, ask: Ask) -> dict[str, object]:
    counts = {"prompt_tokens": len(ask.text) // 4, "completion_tokens": len(say.words(ask)) // 4}
    usage: dict[str, object] = {**counts, "total_tokens": sum(counts.values())}
    return usage if say.cost is None else {**usage, "cost": say.cost}
