"""A model looks at what the search found: the best first, and what is unsafe withheld."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from intelli.errors import ModelError, RunError
from intelli.events import Emit, Warned
from intelli.model.client import Models
from intelli.model.prompts import data_block, fill
from intelli.records import Answer, Judgement, JudgeStatus, Link, Query
from intelli.search.backend import BACKENDS
from intelli.search.judging import Rating, Ratings, read_ratings
from intelli.settings import Settings

UNKNOWN = 0.5
"""What a rating counts that the model left out."""
ENOUGH = 0.5


class Judge:
    """Asks the model of role `judge` once about all results of a search. `models` None: there is no
    model. Whatever goes wrong costs the judgement alone, and is said."""

    def __init__(self, models: Models | None, settings: Settings, emit: Emit) -> None:
        self._models = models
        self._settings = settings
        self._emit = emit

    async def __call__(self, query: Query, answer: Answer) -> Answer:
        """The answer with its links in their new order and without those that are unsafe, of which
        only the addresses are kept; what the search wrote by itself goes with them."""
        links = answer.links
        if all(BACKENDS[name].family == "local" for link in links for name in _backends(link)):
            return self._without(answer, "skipped", "nothing was searched on the web")
        size = sum(map(len, (query.text, query.focus, *map(_shown, links))))
        if size > self._settings.count("judge.max_chars"):
            return self._without(answer, "skipped", f"{size} characters are too many to judge")
        if self._models is None:
            return self._without(answer, "unavailable", "there is no model for it")
        seconds = self._settings.number("judge.timeout")
        try:
            async with asyncio.timeout(seconds):
                ratings = await self._ask(self._models, query, links)
        except TimeoutError:
            return self._without(answer, "unavailable", f"it took longer than {seconds:g} s")
        except (ModelError, RunError) as error:
            return self._without(answer, "unavailable", error.message)
        if not ratings.by_number:
            return self._without(answer, "unavailable", "its answer rates nothing")
        return self._judged(answer, ratings)

    def _without(self, answer: Answer, status: JudgeStatus, reason: str) -> Answer:
        self._emit(Warned(message=f"the search results are not judged: {reason}"))
        return replace(answer, judgement=Judgement(status=status, reason=reason))

    async def _ask(self, models: Models, query: Query, links: Sequence[Link]) -> Ratings:
        prompt = fill(
            "judge",
            query=query.text,
            focus=f"Focus: {query.focus}\n" if query.focus else "",
            results=data_block(
                "\n\n".join(f"{n}. {_shown(link)}" for n, link in enumerate(links, 1)), "RESULTS"
            ),
        )
        reply = await models.ask("judge", prompt)
        return read_ratings(reply.text, len(links))

    def _judged(self, answer: Answer, ratings: Ratings) -> Answer:
        """By number and never by address: two results of one address are two results."""
        rated = [
            (link, ratings.by_number.get(n, Rating())) for n, link in enumerate(answer.links, 1)
        ]
        kept = [(link, rating) for link, rating in rated if not self._is_unsafe(rating)]
        withheld = [link.url for link, rating in rated if self._is_unsafe(rating)]
        ranked = sorted(kept, key=lambda pair: -self._score(pair[1]))
        self._warn(ranked, withheld)
        enough = ratings.sufficient is not None and ratings.sufficient >= ENOUGH
        if not enough and not withheld:
            self._emit(Warned(message="the judge finds the search results insufficient"))
        return replace(
            answer,
            links=tuple(replace(link, rank=n) for n, (link, _) in enumerate(ranked, 1)),
            text="" if withheld else answer.text,
            judgement=Judgement(
                status="ran", sufficient=enough and not withheld, withheld=tuple(withheld)
            ),
        )

    def _is_unsafe(self, rating: Rating) -> bool:
        threshold = self._settings.number("judge.safety")
        return bool(rating.danger) and rating.sure is not None and rating.sure >= threshold

    def _score(self, rating: Rating) -> float:
        values = {
            "answers": rating.answers,
            "off_topic": rating.off_topic,
            "self_contained": rating.self_contained,
        }
        return sum(
            self._settings.number(f"judge.{name}") * (UNKNOWN if value is None else value)
            for name, value in values.items()
        )

    def _warn(self, ranked: Sequence[tuple[Link, Rating]], withheld: Sequence[str]) -> None:
        if withheld:
            urls = ", ".join(withheld)
            self._emit(Warned(message=f"the judge withheld {len(withheld)} as unsafe: {urls}"))
        for link, rating in ranked:
            if rating.danger:
                words = rating.danger.replace("_", " ")
                self._emit(Warned(message=f"the judge is not sure that {link.url} is no {words}"))
        if ranked and self._score(ranked[0][1]) < self._settings.number("judge.answers"):
            self._emit(Warned(message="the judge holds no search result for a likely answer"))


def _backends(link: Link) -> list[str]:
    return [name for name in link.backend.split(", ") if name in BACKENDS]


def _shown(link: Link) -> str:
    """All that the judge sees of a result, each part on one line."""
    parts = (link.title, link.url, link.snippet)
    return "\n".join(" ".join(part.split()) for part in parts if part)
