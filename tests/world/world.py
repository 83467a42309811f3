"""All the servers together, running in a thread of their own for as long as the block lasts."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from collections.abc import Coroutine, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from intelli.setting_table import BACKEND_URLS, variable_of
from tests.world.github import GitHub
from tests.world.http import Server
from tests.world.model import ROLES, Model
from tests.world.pages import Page, article
from tests.world.place import Place
from tests.world.replies import Knowledge
from tests.world.search import DuckDuckGo, Exa, Hit
from tests.world.site import Site
from tests.world.talk import Compatibility, FxTwitter, HackerNews, JinaReader, StackExchange


class Part(Protocol):
    """A server of the world."""

    @property
    def server(self) -> Server: ...

    def clear(self) -> None:
        """Forget every answer and record."""
        ...


NOWHERE = "http://127.0.0.1:9/"
"""Where the services are that this world does not have: nobody listens there."""

_ADDRESSES = [f"backends.{name}.url" for name in BACKEND_URLS]


class World:
    """A web site, a model, search services and the services of site adapters on loopback.

    with World() as world:
        world.article("/a", "Pumps", ["The pump moves 12 litres a minute."])
        run = world.place().run("research", "how fast is the pump")
    """

    def __init__(self, *, hosts: int = 4) -> None:
        self._hosts = hosts
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._on_fault)
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._temporary = tempfile.TemporaryDirectory(prefix="world-", ignore_cleanup_errors=True)
        self._places = 0
        self.faults: list[BaseException] = []
        self.knowledge = Knowledge()
        self.site = Site()
        self.model = Model(self.knowledge)
        self.exa = Exa()
        self.duckduckgo = DuckDuckGo()
        self.github = GitHub()
        self.stackexchange = StackExchange()
        self.hackernews = HackerNews()
        self.fxtwitter = FxTwitter()
        self.mdn = Compatibility()
        self.jina = JinaReader()

    @property
    def parts(self) -> tuple[Part, ...]:
        talk = (
            self.github,
            self.stackexchange,
            self.hackernews,
            self.fxtwitter,
            self.mdn,
            self.jina,
        )
        return (self.site, self.model, self.exa, self.duckduckgo, *talk)

    @property
    def servers(self) -> tuple[Server, ...]:
        return tuple(part.server for part in self.parts)

    def __enter__(self) -> Self:
        self._thread.start()
        for server in self.servers:
            self._call(server.start(self._hosts if server is self.site.server else 1))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for server in self.servers:
            self._call(server.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        self._temporary.cleanup()
        if self.faults and error is None:
            raise self.faults[0]

    def clear(self) -> None:
        """Forget every page, answer and record; the addresses stay."""
        for part in self.parts:
            part.clear()
        self.knowledge.facts.clear()
        self.knowledge.links.clear()

    def article(self, path: str, title: str, paragraphs: Sequence[str], **behaviour: Any) -> str:
        """Serve an article, let the model know its paragraphs and every search find it."""
        return self.serve(
            path, article(title, paragraphs, **behaviour), title=title, facts=paragraphs
        )

    def serve(self, path: str, *pages: Page, title: str = "", facts: Sequence[str] = ()) -> str:
        """Serve pages at `path` in turn and let every search find it; the address."""
        url = self.site.add(path, *pages)
        self.knowledge.facts.extend(facts)
        self.link(url, title or path)
        return url

    def link(self, url: str, title: str = "") -> None:
        """Let every search find an address, behind all it finds already."""
        self.knowledge.links.append((url, title))
        hit = Hit(url=url, title=title, text=f"What {title} says.")
        self.exa.hits.append(hit)
        self.duckduckgo.hits.append(hit)

    def env(self, *, model: bool = True) -> dict[str, str]:
        """The variables that point the command at this world and at nothing else."""
        env = dict.fromkeys(map(variable_of, _ADDRESSES), NOWHERE) | {
            "INTELLI_SEARCH__REUSE": "0",
            "INTELLI_MODEL__REUSE": "0",
            "INTELLI_BACKENDS__EXA__URL": self.exa.server.url("/mcp"),
            "INTELLI_BACKENDS__DUCKDUCKGO__URL": self.duckduckgo.server.url("/html/"),
            "INTELLI_FETCH__ALLOW_PRIVATE": "true",
            "INTELLI_ADAPTERS__GITHUB__URL": self.github.server.url(),
            "INTELLI_ADAPTERS__GITHUB_RAW__URL": self.github.server.url(),
            "INTELLI_ADAPTERS__STACKEXCHANGE__URL": self.stackexchange.server.url("/2.3"),
            "INTELLI_ADAPTERS__HACKERNEWS__URL": self.hackernews.server.url(),
            "INTELLI_ADAPTERS__FXTWITTER__URL": self.fxtwitter.server.url(),
            "INTELLI_ADAPTERS__MDN__URL": self.mdn.server.url("/current"),
            "INTELLI_ADAPTERS__JINA__URL": self.jina.server.url(),
        }
        for role in ROLES if model else ():
            env[f"INTELLI_MODELS__{role.upper()}__MODEL"] = f"world/{role}"
            env[f"INTELLI_MODELS__{role.upper()}__API_BASE"] = self.model.server.url("/v1")
        return env

    def place(self, *, model: bool = True) -> Place:
        """A fresh home and project; with `model` False there is no model and no key."""
        self._places += 1
        return Place(Path(self._temporary.name) / str(self._places), self.env(model=model))

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    def _on_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        del loop
        error = context.get("exception")
        self.faults.append(error or RuntimeError(context["message"]))
