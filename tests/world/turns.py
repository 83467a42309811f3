"""Answers given in turn: the last one stays."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """A list that is used up to its last item, which is then given for ever."""

    def __init__(self, *items: T) -> None:
        assert items
        self._items = list(items)

    def set(self, *items: T) -> None:
        assert items
        self._items = list(items)

    def next(self) -> T:
        return self._items.pop(0) if len(self._items) > 1 else self._items[0]
