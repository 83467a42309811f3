"""Search services for papers, talk and articles on loopback, and the table of all of them."""

from __future__ import annotations

import gzip
import html
import json
from collections.abc import Mapping
from urllib.parse import unquote
from xml.sax.saxutils import escape

from tests.world.http import Request, Wire
from tests.world.search import Hit
from tests.world.search_code import GitHub, Grep, Sourcegraph
from tests.world.vertical import Vertical


class Arxiv(Vertical):
    """Atom; the address of a hit stands for a paper by its last part."""

    name = "arxiv"
    path = "/api/query"
    media_type = "application/atom+xml"

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        entries = "".join(
            f"<entry><id>http://arxiv.org/abs/{hit.url.rpartition('/')[2]}v1</id>"
            f"<title>{escape(hit.title)}</title><summary>{escape(hit.text)}</summary>"
            f"<published>{hit.published or '2026-02-01'}T09:30:00Z</published>"
            f"<author><name>{escape(hit.author)}</name></author></entry>"
            for hit in hits
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">'
            f"<title>results</title>{entries}</feed>"
        ).encode()


class SemanticScholar(Vertical):
    name = "semanticscholar"
    path = "/graph/v1"

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        papers = [
            {
                "paperId": f"{n:040x}",
                "title": hit.title,
                "abstract": hit.text,
                "publicationDate": hit.published or None,
                "authors": [{"authorId": None, "name": hit.author}],
                "externalIds": None,
                "openAccessPdf": {"url": hit.url, "status": "GREEN"},
            }
            for n, hit in enumerate(hits)
        ]
        data = {"total": len(papers), "offset": 0}
        return json.dumps({**data, "data": papers} if papers else data).encode()

    def limit(self, seconds: int) -> tuple[int, Mapping[str, str], bytes]:
        status, headers, _ = super().limit(seconds)
        return status, headers, b'{"message": "Too Many Requests", "code": "429"}'


class HackerNews(Vertical):
    name = "hn"
    path = "/api/v1/search"

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        found = [
            {
                "objectID": str(4100 + n),
                "title": hit.title,
                "url": hit.url,
                "author": hit.author,
                "points": 70 + n,
                "num_comments": 12,
                "created_at": f"{hit.published or '2026-02-01'}T10:00:00Z",
                "story_text": html.escape(hit.text),
            }
            for n, hit in enumerate(hits)
        ]
        return json.dumps({"hits": found, "nbHits": len(found), "page": 0}).encode()


class StackExchange(Vertical):
    """Everything is packed, asked for or not."""

    name = "stackexchange"
    path = "/2.3"

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        items = [
            {
                "question_id": 900 + n,
                "title": html.escape(hit.title),
                "link": hit.url,
                "score": 31,
                "answer_count": 2,
                "is_answered": True,
                "accepted_answer_id": 77,
                "creation_date": 1_769_904_000,
                "owner": {"display_name": html.escape(hit.author)},
                "body": f"<p>{html.escape(hit.text)}</p>",
            }
            for n, hit in enumerate(hits)
        ]
        return json.dumps({"items": items, "has_more": False, "quota_remaining": 250}).encode()

    def limit(self, seconds: int) -> tuple[int, Mapping[str, str], bytes]:
        message = f"too many requests here, more requests available in {seconds} seconds"
        error = {"error_id": 502, "error_name": "throttle_violation", "error_message": message}
        return 400, {}, json.dumps(error).encode()

    async def send(self, wire: Wire, body: bytes) -> None:
        packed = {"Content-Encoding": "gzip"}
        await wire.reply(200, gzip.compress(body), self.media_type, packed)


class Wikipedia(Vertical):
    """A hit is an article by the last part of its address."""

    name = "wikipedia"
    path = "/w/api.php"

    def answer(self, request: Request, hits: list[Hit]) -> bytes:
        found = [
            {
                "ns": 0,
                "title": unquote(hit.url.rpartition("/")[2]).replace("_", " "),
                "pageid": n,
                "snippet": f'<span class="searchmatch">{html.escape(hit.text)}</span>',
                "timestamp": f"{hit.published or '2026-02-01'}T10:00:00Z",
            }
            for n, hit in enumerate(hits, 1)
        ]
        query = {"searchinfo": {"totalhits": len(found)}, "search": found}
        return json.dumps({"batchcomplete": True, "query": query}).encode()


VERTICALS: Mapping[str, type[Vertical]] = {
    kind.name: kind
    for kind in (
        Arxiv,
        SemanticScholar,
        HackerNews,
        StackExchange,
        Wikipedia,
        GitHub,
        Grep,
        Sourcegraph,
    )
}
EXAMPLES: Mapping[str, Hit] = {
    "arxiv": Hit(url="https://arxiv.org/abs/2602.01234"),
    "semanticscholar": Hit(url="https://papers.example.org/pumps.pdf"),
    "hn": Hit(url="https://blog.example.org/pumps"),
    "stackexchange": Hit(url="https://stackoverflow.com/questions/900/draining-a-pump"),
    "wikipedia": Hit(url="https://en.wikipedia.org/wiki/Hand_pump"),
    "github": Hit(url="https://github.com/acme/pumps"),
    "grep": Hit(url="https://github.com/acme/pumps/blob/main/src/drain.py"),
    "sourcegraph": Hit(
        url="https://github.com/acme/pumps/blob/0123456789abcdef0123456789abcdef01234567/drain.py"
    ),
}
"""A hit that each service can have, by its name."""
