"""Pages of MDN with their tables of browsers, which the pages themselves load by scripts."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import JSON, Article, Asking, parsed
from intelli.fetch.adapters.threads import Json, day, object_at, objects, text_at

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

FEATURES = 60
"""Rows of a table that are kept."""
_QUERY = re.compile(r"[\w.@:*-]{1,200}")
_BASELINE = {
    "high": "Baseline: widely available since {}.",
    "low": "Baseline: newly available since {}.",
}


async def read(route: Route, asking: Asking) -> Article:
    """The sections of the page in order, each table of browsers filled in."""
    address = f"{route.site}{route.url.path.rstrip('/')}/index.json"
    doc = object_at(parsed(await asking.page(address, JSON)), "doc")
    sections = objects(doc.get("body"))
    title = html.unescape(text_at(doc, "title"))
    if not title or not sections:
        raise FetchError("MDN answered with no page", code="bad-answer")
    parts = [await _section(section, asking) for section in sections]
    body = "\n".join([f"<h1>{html.escape(title)}</h1>", _baseline(doc), *parts])
    page = f"<title>{html.escape(title)}</title><body><article>{body}</article></body>"
    document = await asking.read_html(page, route.url.geturl())
    edited = day(doc.get("modified"))
    return Article(text=document.text, title=title, published=edited)


async def _section(section: Json, asking: Asking) -> str:
    value = object_at(section, "value")
    heading, level = text_at(value, "title"), 3 if value.get("isH3") is True else 2
    head = f"<h{level}>{heading}</h{level}>" if heading else ""
    kind = text_at(section, "type")
    if kind == "prose":
        return head + text_at(value, "content")
    if kind == "browser_compatibility":
        table = await _compatibility(text_at(value, "query"), asking)
        return head + table if table else ""
    if kind == "specifications":
        links = [
            f'<li><a href="{html.escape(text_at(spec, "bcdSpecificationURL"))}">'
            f"{html.escape(text_at(spec, 'title'))}</a></li>"
            for spec in objects(value.get("specifications"))
        ]
        return f"{head}<ul>{''.join(links)}</ul>" if links else ""
    return ""


def _baseline(doc: Json) -> str:
    status = object_at(doc, "baseline")
    words = _BASELINE.get(text_at(status, "baseline"), "")
    since = text_at(status, "baseline_low_date") or "an unknown date"
    return f"<p>{html.escape(words.format(since))}</p>" if words else ""


async def _compatibility(query: str, asking: Asking) -> str:
    """The table of a feature and of what belongs to it, "" when it is not to be had."""
    if not _QUERY.fullmatch(query):
        return ""
    try:
        answer = await asking.json("mdn", f"/{query}.json")
    except FetchError:
        return ""
    data = object_at(answer, "data")
    found = [(query.rpartition(".")[2], object_at(data, "__compat", "support"))]
    found += [
        (name, object_at(data, name, "__compat", "support")) for name in data if name != "__compat"
    ]
    rows = [(name, support) for name, support in found if support][:FEATURES]
    browsers = list(dict.fromkeys(key for _, support in rows for key in support))
    named = [text_at(answer, "browsers", key, "name") or key for key in browsers]
    lines = [_row("th", ["Feature", *named])]
    lines += [_row("td", [name, *(_since(row.get(key)) for key in browsers)]) for name, row in rows]
    return f"<table>{''.join(lines)}</table>" if rows else ""


def _row(tag: str, cells: list[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _since(support: object) -> str:
    """The version a browser has it from; of several statements the first is the current one."""
    statement = support[0] if isinstance(support, list) and support else support
    if not isinstance(statement, dict):
        return "?"
    added = statement.get("version_added")
    if not isinstance(added, str):
        return {True: "yes", False: "no"}.get(added, "?") if isinstance(added, bool) else "?"
    until = text_at(statement, "version_removed")
    notes = [f"until {until}"] if until else []
    notes += ["partly"] if statement.get("partial_implementation") is True else []
    notes += ["behind a flag"] if statement.get("flags") else []
    return added + (f" ({', '.join(notes)})" if notes else "")
