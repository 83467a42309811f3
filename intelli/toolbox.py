"""The one wiring place: network, reader, models, engine, backends and store out of the settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from intelli.collate.engine import Collator
from intelli.errors import UsageError
from intelli.events import Broadcast, Emit, Indexing
from intelli.extract.engine import Extractor
from intelli.fetch.kept import KeptPages
from intelli.fetch.llms_full import Remembered, WholeSites
from intelli.fetch.services import services_of
from intelli.fetch.tools import FetchTools
from intelli.job import ENGINE_ROLES, Job, is_on_loopback
from intelli.model.client import Memory, Models
from intelli.model.fields import RefusedFields
from intelli.model.kept import KeptReplies
from intelli.model.ledger import Ledger
from intelli.net.client import Network, Policy
from intelli.net.proxy import choose, exported
from intelli.progress import hear
from intelli.records import EngineName, Query
from intelli.search.backend import Equipment, chain_of, check_name
from intelli.search.chain import Search
from intelli.search.docs import DocsIndex
from intelli.search.pricing import asked_in_a_run, usd_of
from intelli.search.stage import open_search
from intelli.search.stored import StoredPages
from intelli.settings import Settings, set_variables, user_dir
from intelli.store import Store
from intelli.store.beside import CacheBeside
from intelli.store.cache import Cache
from intelli.store.meta import bare
from intelli.store.questions import Questions
from intelli.text.reading import Reader

if TYPE_CHECKING:
    from intelli.search.judge import Judge

BEFORE_LOADING = 0.1
"""Seconds for the search's request to leave; imports in a thread would hold the interpreter."""
MOST_LINKS = 40
"""Links for which a search is priced before a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolbox:
    """Everything a run needs, open. `models` is None for the local engine."""

    settings: Settings
    emit: Broadcast
    network: Network
    reader: Reader
    ledger: Ledger
    models: Models | None
    search: Search
    engine: Engine
    fetching: FetchTools
    store: Store
    whole_sites: WholeSites | None = None
    judge: Judge | None = None
    backends: tuple[str, ...] = ()
    """Names of those that the search may come to ask, in order."""
    equipment: Equipment

    def earlier(self, query: Query) -> Questions:
        """What other sessions have asked that may be close; the same question is no news."""
        found = self.store.questions(f"{query.text}\n{query.focus}")
        same = bare(query.text)
        others = tuple(session for session in found.sessions if bare(session.query) != same)
        return replace(found, sessions=others)


@asynccontextmanager
async def open_toolbox(settings: Settings, job: Job, emit: Emit) -> AsyncIterator[Toolbox]:
    """Opens what the job needs and closes it at the end. Raises UsageError for a bad choice."""
    heard = Broadcast(emit)
    _hear_indexing(heard)
    async with AsyncExitStack() as stack:
        network = await stack.enter_async_context(_network(settings, job))
        keeps = not (job.fresh or docs_only(job))
        kept = await stack.enter_async_context(_kept(settings, job, network)) if keeps else None
        reader = await stack.enter_async_context(Reader(limit=settings.number("fetch.timeout")))
        if job.search and job.reads and not docs_only(job):
            warming = asyncio.create_task(reader.warm())  # its imports run beside the search
            stack.callback(warming.cancel)
        ledger = Ledger(settings.limit("budget"), unknown_ok=job.budget_unknown_ok)
        shelf = _replies(settings, job)
        if shelf:
            await stack.enter_async_context(shelf)
        models = Models(settings, network, ledger, heard, _memory(settings, shelf))
        docs = DocsIndex(job.docs, reader, heard) if job.docs else None
        stored = StoredPages(settings.cache_dir)
        equipment = Equipment(
            settings=settings,
            network=network,
            models=models,
            docs=docs,
            stored=stored,
            urls=job.urls,
        )
        for name in settings.names("search.backends"):  # a wrong one is said, also if not used
            check_name(name)
        names = _chain(settings, job) if job.search else ()
        engine = Engine(settings, models, heard)
        _check(equipment, job, models, names)
        llm = models if settings.engine == "llm" else None
        if job.search and job.reads:
            loading = asyncio.create_task(_load_later(settings.engine, kept, shelf))
            stack.callback(loading.cancel)
        yield Toolbox(
            settings=settings,
            emit=heard,
            network=network,
            reader=reader,
            ledger=ledger,
            models=llm,
            search=open_search(equipment, names, fresh=job.fresh, thorough=job.thorough),
            engine=engine,
            fetching=FetchTools(
                network=kept or network,
                forget=kept.forget if kept else None,
                reader=reader,
                timeout=settings.number("fetch.timeout"),
                docs=docs,
                stored=stored,
                services=services_of(settings, network),
            ),
            store=Store(settings.cache_dir),
            whole_sites=_whole_sites(settings, job, network),
            judge=_judge(llm, settings, heard) if job.judge else None,
            backends=asked_in_a_run(names, equipment),
            equipment=equipment,
        )


def _hear_indexing(emit: Emit) -> None:
    """Threads that read a large cache say so in the loop's own."""
    loop = asyncio.get_running_loop()

    def indexing(done: int, of: int) -> None:
        loop.call_soon_threadsafe(emit, Indexing(done=done, of=of))

    hear(indexing)


def _judge(models: Models | None, settings: Settings, emit: Emit) -> Judge:
    from intelli.search.judge import Judge

    return Judge(models, settings, emit)


def _network(settings: Settings, job: Job) -> Network:
    proxy = settings.text("network.proxy")
    set_variables(exported(proxy, settings.environ))  # what litellm reads
    return Network(
        allow_private=settings.flag("fetch.allow_private"),
        max_bytes=settings.count("fetch.max_bytes"),
        offline=job.offline,
        policy=Policy(
            robots=settings.flag("fetch.robots"),
            impersonate=settings.text("fetch.impersonate"),
            proxies=choose(proxy, settings.environ),
        ),
    )


def _kept(settings: Settings, job: Job, network: Network) -> KeptPages:
    cache = Cache(user_dir("cache") / "pages")
    permit = settings.flag("fetch.allow_private")
    return KeptPages(network, cache, permit=permit, asks=job.asks)


def _replies(settings: Settings, job: Job) -> CacheBeside | None:
    if job.fresh or settings.engine == "local" or not settings.number("model.reuse"):
        return None
    return CacheBeside(Cache(user_dir("cache") / "replies"))


def _memory(settings: Settings, shelf: CacheBeside | None) -> Memory:
    replies = KeptReplies(shelf, settings.number("model.reuse")) if shelf else None
    return Memory(replies=replies, refused=RefusedFields(user_dir("state") / "model-fields.json"))


def _whole_sites(settings: Settings, job: Job, network: Network) -> WholeSites | None:
    if docs_only(job) or not settings.flag("fetch.llms_full"):
        return None
    remembered = None if job.fresh else Remembered(user_dir("cache") / "llms-full")
    return WholeSites(network, remembered)


def docs_only(job: Job) -> bool:
    """Whether no page will be fetched."""
    return job.offline or (bool(job.docs) and not job.urls)


def _chain(settings: Settings, job: Job) -> tuple[str, ...]:
    return chain_of(settings, docs=bool(job.docs), urls=bool(job.urls), offline=job.offline)


class Engine:
    """Who extracts and collates; each half is imported when it is first asked for."""

    def __init__(self, settings: Settings, models: Models, emit: Emit) -> None:
        self._settings = settings
        self._models = models
        self._emit = emit

    @cached_property
    def extractor(self) -> Extractor:
        if self._settings.engine == "local":
            from intelli.extract.by_ranking import RankingExtractor

            return RankingExtractor()
        from intelli.extract.by_model import ModelExtractor

        most = self._settings.count("extract.max_chars")
        return ModelExtractor(self._models, most, self._emit)

    @cached_property
    def collator(self) -> Collator:
        if self._settings.engine == "local":
            from intelli.collate.by_ranking import RankingCollator

            return RankingCollator()
        from intelli.collate.by_model import ModelCollator

        return ModelCollator(self._models)


async def _load_later(engine: EngineName, *caches: KeptPages | CacheBeside | None) -> None:
    await asyncio.sleep(BEFORE_LOADING)
    await asyncio.to_thread(_load, engine, *caches)


def _load(engine: EngineName, *caches: KeptPages | CacheBeside | None) -> None:
    """Import what a run needs after its search, in a thread while the answer is on its way."""
    way = "by_ranking" if engine == "local" else "by_model"
    modules = (
        "net.pages",
        "fetch.page",
        f"extract.{way}",
        f"collate.{way}",
        "collate.invented",
        "store.writing",
    )
    for module in modules:
        import_module(f"intelli.{module}")
    for cache in caches:
        if cache is not None:
            cache.warm()


def _check(equipment: Equipment, job: Job, models: Models, names: tuple[str, ...]) -> None:
    """Find out before any work whether all can be called, and paid from the budget."""
    settings = equipment.settings
    if settings.engine == "llm":
        _check_models(settings, job, models)
    if settings.limit("budget") is not None:
        for name in asked_in_a_run(names, equipment):
            models.check_known(usd_of(name, equipment, MOST_LINKS), f"a search with {name}")


def _check_models(settings: Settings, job: Job, models: Models) -> None:
    for role in ENGINE_ROLES:
        models.check(role)
    if job.offline:
        _refuse_remote_models(settings)
    models.check_price("extract")
    if job.collates:
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
