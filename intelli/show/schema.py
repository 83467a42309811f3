"""JSON Schemas (draft 2020-12) of every document and event, made from their types."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import (
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from intelli import events
from intelli.show.documents import SCHEMA
from intelli.show.plain import snake
from intelli.show.shapes_stored import DOCUMENTS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
EVENTS = "events"
"""Takes the place of a command for what `--events` writes, a line each."""
_SIMPLE: Mapping[object, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}
_ERROR = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "hint": {"type": "string"},
        "retryable": {"type": "boolean"},
    },
    "required": ["code", "message", "hint", "retryable"],
    "additionalProperties": False,
}
NAMES = (*DOCUMENTS, EVENTS)


def schema_of(name: str) -> dict[str, Any]:
    """The schema of what a command prints under `--json`, or of a line of `--events`."""
    if name == EVENTS:
        return {"$schema": DIALECT, "title": "a line of --events", "oneOf": _events()}
    shapes = [_enveloped(shape) for shape in DOCUMENTS[name]]
    failed = _envelope({}, [], {"error": _ERROR})
    return {"$schema": DIALECT, "title": f"intelli {name} --json", "anyOf": [*shapes, failed]}


def _enveloped(shape: type) -> dict[str, Any]:
    body = _schema(shape)
    error = {"error": {"anyOf": [_SIMPLE[type(None)], _ERROR]}}
    return _envelope(body["properties"], body["required"], error)


def _envelope(
    properties: dict[str, Any], required: list[str], error: dict[str, Any]
) -> dict[str, Any]:
    head = {"schema": {"const": SCHEMA}, "outcome": _SIMPLE[str]}
    return _object({**head, **properties, **error}, ["schema", "outcome", *required, "error"])


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _schema(kind: Any) -> dict[str, Any]:
    """The schema of values of a type."""
    if kind in _SIMPLE:
        return dict(_SIMPLE[kind])
    if is_typeddict(kind):
        return _typed_dict(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (types.UnionType, Union):
        return {"anyOf": [_schema(each) for each in arguments]}
    if origin in (list, tuple):
        return {"type": "array", "items": _schema(arguments[0])}
    if origin is dict:
        names = {} if arguments[0] is str else {"propertyNames": _schema(arguments[0])}
        return {"type": "object", **names, "additionalProperties": _schema(arguments[1])}
    raise TypeError(f"no schema for {kind!r}")


def _typed_dict(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    properties = {
        name: _schema(get_args(hint)[0] if name in optional else hint)
        for name, hint in hints.items()
    }
    return _object(properties, [name for name in hints if name not in optional])


def _events() -> list[dict[str, Any]]:
    kinds = [value for value in vars(events).values() if is_dataclass(value)]
    return [*(_event(kind) for kind in kinds if isinstance(kind, type)), _error_event()]


def _event(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    body = {each.name: _schema(hints[each.name]) for each in fields(kind)}
    head = {"event": {"const": snake(kind.__name__)}, "t": _SIMPLE[float]}
    return _object({**head, **body}, ["event", "t", *body])


def _error_event() -> dict[str, Any]:
    body = dict.fromkeys(("code", "message", "hint"), _SIMPLE[str])
    return _object({"event": {"const": "error"}, **body}, ["event", *body])
