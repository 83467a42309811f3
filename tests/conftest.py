"""Lets every test import the world by name, and gives each module one that starts empty."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.world import World  # noqa: E402 - the line above makes it importable


@pytest.fixture(scope="module")
def running_world() -> Iterator[World]:
    """The servers of a module; they start once."""
    with World() as world:
        yield world


@pytest.fixture
def world(running_world: World) -> World:
    """A world without pages, whose model answers from what it reads."""
    running_world.clear()
    return running_world
