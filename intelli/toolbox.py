"""The one wiring place: network, reader, models, engine, backends and store out of the settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path

from intelli.collate.engine import Collator
from intelli.errors import UsageError
from intelli.events import Broadcast, Emit
from intelli.extract.engine import Extractor
from intelli.fetch.tools import FetchTools
from intelli.model.client import Models
from intelli.model.ledger import Ledger
from intelli.net import urls
from intelli.net.client import Network
from intelli.net.guard import is_local_name
from intelli.records import EngineName, Role, record
from intelli.search.backend import Backend, Equipment, chain_of, check_name, make
from intelli.search.docs import DocsIndex
from intelli.settings import Settings
from intelli.store import Store
from intelli.text.reading import Reader

ENGINE_ROLES: tuple[Role, ...] = ("extract", "collate")


@record
class Job:
    """What a command asks of the toolbox beyond the settings."""

    docs: tuple[Path, ...] = ()
    urls: tuple[str, ...] = ()
    offline: bool = False
    budget_unknown_ok: bool = False
    search: bool = True
    """False for commands that search nothing."""
    thorough: bool = False
    """All backends of the chain at once instead of one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """Everything a run needs, open. `models` is None for the local engine."""

    settings: Settings
    emit: Broadcast
    network: Network
    reader: Reader
    ledger: Ledger
    models: Models | None
    backends: Sequence[Backend]
    engine: Engine
    fetching: FetchTools
    store: Store
    thorough: bool = False

    def earlier(self, question: str) -> list[tuple[str, str, str]]:
        """(session, query, timestamp) of every finished session with another question."""
        return [
            (found.name, found.query, found.timestamp)
            for found in self.store.sessions()
            if found.finished and not found.archived and found.query != question
        ]


@asynccontextmanager
async def open_toolbox(settings: Settings, job: Job, emit: Emit) -> AsyncIterator[Toolbox]:
    """Opens what the job needs and closes it at the end. Raises UsageError for a bad choice."""
    heard = Broadcast(emit)
    async with AsyncExitStack() as stack:
        network = await stack.enter_async_context(
            Network(
                allow_private=settings.flag("fetch.allow_private"),
                max_bytes=settings.count("fetch.max_bytes"),
                offline=job.offline,
            )
        )
        reader = await stack.enter_async_context(Reader(limit=settings.number("fetch.timeout")))
        if job.search and not docs_only(job):
            warming = asyncio.create_task(reader.warm())  # its imports run beside the search
            stack.callback(warming.cancel)
        ledger = Ledger(settings.limit("budget"), unknown_ok=job.budget_unknown_ok)
        models = Models(settings, network, ledger, heard)
        docs = DocsIndex(job.docs, reader, heard) if job.docs else None
        equipment = Equipment(
            settings=settings, network=network, models=models, docs=docs, urls=job.urls
        )
        for name in settings.names("search.backends"):  # a wrong one is said, also if not used
            check_name(name)
        names = chain_of(settings, docs=bool(docs), urls=bool(job.urls)) if job.search else ()
        engine = Engine(settings, models)
        if settings.engine == "llm":
            _check_models(settings, job, models)
        if job.search:
            loading = asyncio.create_task(asyncio.to_thread(_load, settings.engine))
            stack.callback(loading.cancel)
        yield Toolbox(
            settings=settings,
            emit=heard,
            network=network,
            reader=reader,
            ledger=ledger,
            models=models if settings.engine == "llm" else None,
            backends=[make(name, equipment) for name in names],
            engine=engine,
            fetching=FetchTools(
                network=network,
                reader=reader,
                timeout=settings.number("fetch.timeout"),
                docs=docs,
            ),
            store=Store(settings.cache_dir),
            thorough=job.thorough,
        )


def docs_only(job: Job) -> bool:
    """Whether no page will be fetched."""
    return bool(job.docs) and not job.urls


class Engine:
    """Who extracts and collates; each half is imported when it is first asked for."""

    def __init__(self, settings: Settings, models: Models) -> None:
        self._settings = settings
        self._models = models

    @cached_property
    def extractor(self) -> Extractor:
        if self._settings.engine == "local":
            from intelli.extract.by_ranking import RankingExtractor

            return RankingExtractor()
        from intelli.extract.by_model import ModelExtractor

        return ModelExtractor(self._models, self._settings.count("extract.max_chars"))

    @cached_property
    def collator(self) -> Collator:
        if self._settings.engine == "local":
            from intelli.collate.by_ranking import RankingCollator

            return RankingCollator()
        from intelli.collate.by_model import ModelCollator

        return ModelCollator(self._models)


def _load(engine: EngineName) -> None:
    """Import what a run needs after its search, in a thread while the answer is on its way."""
    way = "by_ranking" if engine == "local" else "by_model"
    modules = ("fetch.page", f"extract.{way}", f"collate.{way}", "collate.verify", "store.writing")
    for module in modules:
        import_module(f"intelli.{module}")


def _check_models(settings: Settings, job: Job, models: Models) -> None:
    """Find out before any work whether the models can be called and paid."""
    for role in ENGINE_ROLES:
        models.check(role)
    if job.offline:
        _refuse_remote_models(settings)
    models.keep_room()
    models.warm("extract", "collate", "suggest")


def _refuse_remote_models(settings: Settings) -> None:
    for role in ENGINE_ROLES:
        if not is_on_loopback(settings, role):
            raise UsageError(
                f"--offline, but the model of {role} ({settings.model(role).model}) is not here",
                code="offline-model",
                hint="use --engine local, or a model served on 127.0.0.1",
            )


def is_on_loopback(settings: Settings, role: Role) -> bool:
    """Whether calling the role leaves this machine alone."""
    host = urls.host(settings.model(role).endpoint or "")
    return host in ("127.0.0.1", "::1", "[::1]") or is_local_name(host)
