"""The world the tests live in: real servers on loopback that behave, or not, as told."""

from tests.world.http import Exchange, Request
from tests.world.model import Say, refuse
from tests.world.place import Place, Run, Running
from tests.world.replies import Ask
from tests.world.search import Hit
from tests.world.world import World

__all__ = [
    "Ask", "Exchange", "Hit", "Place", "Request", "Run", "Running", "Say", "World", "refuse",
]  # fmt: skip
