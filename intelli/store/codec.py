"""Records as plain JSON values and back, driven by their annotations."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_plain(value: object, leave_out: frozenset[str] = frozenset()) -> Any:
    """Objects for records and mappings, lists for tuples; `leave_out` names fields to skip."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_plain(getattr(value, field.name), leave_out)
            for field in fields(value)
            if field.name not in leave_out
        }
    if isinstance(value, tuple | list):
        return [to_plain(item, leave_out) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_plain(item, leave_out) for key, item in value.items()}
    return value


def from_plain(kind: type[T], data: object) -> T:
    """The record in `data`; unknown keys are ignored, missing ones take their default.

    Raises ValueError where a value does not fit its annotation or a needed one is missing.
    """
    return cast(T, _read(kind, data))


def read_list(kind: type[T], data: object) -> tuple[T, ...]:
    """Every record of a list that can be read; what another program broke is left out."""
    found = []
    for item in data if isinstance(data, list) else []:
        try:
            found.append(from_plain(kind, item))
        except ValueError:
            continue
    return tuple(found)


def read_or(default: T, data: object) -> T:
    """The record in `data`, or `default` when it cannot be read."""
    try:
        return from_plain(type(default), data)
    except ValueError:
        return default


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, data: object) -> object:
    if is_dataclass(kind):
        return _read_record(cast(type, kind), data)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return None if data is None else _read(next(a for a in args if a is not type(None)), data)
    if origin is Literal:
        if data in args:
            return data
    elif origin is tuple:
        return _read_tuple(args, data)
    elif origin is not None:
        if isinstance(data, Mapping):
            return {str(key): _read(args[1], item) for key, item in data.items()}
    elif kind is float and isinstance(data, int | float) and not isinstance(data, bool):
        return float(data)
    elif type(data) is kind:
        return data
    raise ValueError(f"not {kind}: {data!r:.80}")


def _read_tuple(args: tuple[Any, ...], data: object) -> tuple[object, ...]:
    if not isinstance(data, list):
        raise ValueError(f"not a list: {data!r:.80}")
    if args[-1] is Ellipsis:
        return tuple(_read(args[0], item) for item in data)
    if len(data) != len(args):
        raise ValueError(f"not {len(args)} values: {data!r:.80}")
    return tuple(_read(arg, item) for arg, item in zip(args, data, strict=True))


def _read_record(kind: type, data: object) -> object:
    if not isinstance(data, Mapping):
        raise ValueError(f"not an object: {data!r:.80}")
    hints = _hints(kind)
    values = {
        field.name: _read(hints[field.name], data[field.name])
        for field in fields(kind)
        if field.name in data
    }
    try:
        return kind(**values)
    except TypeError as error:
        raise ValueError(str(error)) from error
