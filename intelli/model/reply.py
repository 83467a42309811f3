"""What a model answered, read from the OpenAI-compatible chat format."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from intelli.errors import ModelError
from intelli.model.reasoning import without_reasoning
from intelli.model.refusals import refusal
from intelli.records import Spend, record


@record
class Citation:
    """A page that a model with search names as its source."""

    url: str
    title: str = ""
    snippet: str = ""
    published: str | None = None


@record
class Reply:
    """`finish_reason` is the provider's word: `stop`, `length`, …"""

    text: str
    finish_reason: str | None = None
    citations: tuple[Citation, ...] = ()
    spend: Spend = Spend()


def parse(body: bytes, content_type: str, retry_after: float | None = None) -> Reply:
    """A chat completion, whole or as server-sent events. Raises ModelError on anything else."""
    text = body.decode("utf-8", errors="replace")
    if "event-stream" in content_type or text.lstrip().startswith(("data:", ":")):
        data = _join(_events(text))
    else:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            message = f"the model's server did not answer JSON: {text[:80]!r}"
            raise ModelError(message, code="bad-reply", retryable=True) from error
    if not isinstance(data, dict):
        raise ModelError("the model's server answered no object", code="bad-reply", retryable=True)
    return read(data, retry_after)


def read(data: Mapping[str, Any], retry_after: float | None = None) -> Reply:
    """A chat completion that is already parsed. Raises ModelError for an error inside a 200, which
    `retry_after` in its head belongs to, and for a model that declines to answer."""
    usage = _mapping(data.get("usage"))
    try:
        return _read(data, _spend(usage), retry_after)
    except ModelError as error:
        error.spend = _spend(usage) if usage else None
        raise


def _read(data: Mapping[str, Any], spend: Spend, retry_after: float | None) -> Reply:
    choice = _first(data.get("choices"))
    problem = data.get("error") or choice.get("error")
    if problem:
        raise refusal(problem, 200, retry_after)
    if not choice:
        raise ModelError("the model's reply has no choices", code="bad-reply", retryable=True)
    message = _mapping(choice.get("message"))
    finish = choice.get("finish_reason")
    finish = finish if isinstance(finish, str) else None
    text = _text(message.get("content")).strip()
    _check_declined(message, text, finish)
    return Reply(
        text=without_reasoning(text, is_cut=finish == "length"),
        finish_reason=finish,
        citations=_citations(data, message),
        spend=spend,
    )


def _check_declined(message: Mapping[str, Any], text: str, finish: str | None) -> None:
    declined = message.get("refusal")
    if text or not (declined or finish in ("content_filter", "refusal")):
        return
    reason = str(declined) if declined else "its provider's filter held the answer back"
    raise ModelError(
        f"the model declined to answer: {' '.join(reason.split())[:300]}",
        code="model-declined",
        hint="ask in other words, or use another model",
    )


def _citations(data: Mapping[str, Any], message: Mapping[str, Any]) -> tuple[Citation, ...]:
    """`search_results` say most, then annotations; bare `citations` only name the address."""
    found: dict[str, Citation] = {}
    for item in _items(data.get("search_results")):
        _add(found, item, item.get("date"))
    for item in _items(message.get("annotations")):
        _add(found, _mapping(item.get("url_citation")), None)
    for url in _list(data.get("citations")):
        _add(found, {"url": url} if isinstance(url, str) else _mapping(url), None)
    return tuple(found.values())


def _add(found: dict[str, Citation], item: Mapping[str, Any], published: object) -> None:
    url = item.get("url")
    if isinstance(url, str) and url.startswith(("http://", "https://")):
        citation = Citation(
            url=url,
            title=str(item.get("title") or ""),
            snippet=str(item.get("snippet") or item.get("content") or ""),
            published=published if isinstance(published, str) and published else None,
        )
        found.setdefault(url, citation)


def _spend(usage: Mapping[str, Any]) -> Spend:
    cost = usage.get("cost")
    if isinstance(cost, Mapping):  # Perplexity's own endpoint itemises
        cost = cost.get("total_cost")
    return Spend(
        calls=1,
        usd=_amount(cost),
        input_tokens=_count(usage.get("prompt_tokens")),
        output_tokens=_count(usage.get("completion_tokens")),
    )


def _events(text: str) -> Iterable[Mapping[str, Any]]:
    for line in text.splitlines():
        payload = line[5:].strip() if line.startswith("data:") else ""
        if payload and payload != "[DONE]":
            try:
                yield _mapping(json.loads(payload))
            except (ValueError, RecursionError):
                continue  # a cut last frame: what came before it still counts


def _join(chunks: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """One completion out of its chunks; links may come in any of them."""
    joined: dict[str, Any] = {"search_results": [], "citations": [], "usage": {}}
    parts: list[str] = []
    annotations: list[object] = []
    finish: object = None
    for chunk in chunks:
        choice = _first(chunk.get("choices"))
        delta = _mapping(choice.get("delta")) or _mapping(choice.get("message"))
        parts.append(_text(delta.get("content")))
        annotations += _list(delta.get("annotations"))
        finish = choice.get("finish_reason") or finish
        joined["error"] = joined.get("error") or chunk.get("error") or choice.get("error")
        joined["usage"] = chunk.get("usage") or joined["usage"]
        joined["citations"] += _list(chunk.get("citations"))
        joined["search_results"] += _list(chunk.get("search_results"))
    if parts:
        message = {"content": "".join(parts), "annotations": annotations}
        joined["choices"] = [{"message": message, "finish_reason": finish}]
    return joined


def _text(content: object) -> str:
    if isinstance(content, list):  # content parts
        return "".join(str(_mapping(part).get("text") or "") for part in content)
    return content if isinstance(content, str) else ""


def _first(items: object) -> Mapping[str, Any]:
    return _mapping(items[0]) if isinstance(items, list) and items else {}


def _items(items: object) -> list[Mapping[str, Any]]:
    return [_mapping(item) for item in _list(items)]


def _list(items: object) -> list[Any]:
    return items if isinstance(items, list) else []


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _count(value: object) -> int:
    return int(_amount(value) or 0)


def _amount(value: object) -> float | None:
    """A figure that can be one; what is negative or infinite is as good as unknown."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
