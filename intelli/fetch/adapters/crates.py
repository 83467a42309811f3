"""Rust packages: their registry's pages are empty until scripts run, its API is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from intelli.errors import FetchError
from intelli.fetch.adapters.asking import JSON, Article, Asking, parsed
from intelli.fetch.adapters.threads import (
    Json,
    day,
    demoted,
    joined,
    number_at,
    object_at,
    objects,
    one_line,
    text_at,
)

if TYPE_CHECKING:
    from intelli.fetch.adapters.table import Route

VERSIONS = 10


async def read(route: Route, asking: Asking) -> Article:
    """What the registry knows of the package, its last versions, its dependencies, its README."""
    base = f"{route.site}/api/v1/crates/{route.parts['name']}"
    data = parsed(await asking.page(base, JSON))
    crate = object_at(data, "crate")
    if not text_at(crate, "name"):
        raise FetchError("the registry answered with no package", code="bad-answer")
    versions = objects(data.get("versions"))
    number = route.parts["version"] or _newest(crate)
    version = next((v for v in versions if text_at(v, "num") == number), {})
    needs = await _dependencies(f"{base}/{number}/dependencies", asking)
    readme = await _readme(f"{base}/{number}/readme", asking)
    parts = [text_at(crate, "description"), _facts(crate, version), _history(versions), needs]
    return Article(
        text="\n\n".join(part for part in [*parts, readme] if part),
        title=joined(text_at(crate, "name")) + f" {number}".rstrip(),
        published=day(version.get("created_at")) or day(crate.get("updated_at")),
    )


def _newest(crate: Json) -> str:
    names = ("max_stable_version", "newest_version", "max_version")
    return next((found for name in names if (found := text_at(crate, name))), "")


def _facts(crate: Json, version: Json) -> str:
    rows = {
        "License": text_at(version, "license"),
        "Rust version": text_at(version, "rust_version"),
        "Yanked": "yes" if version.get("yanked") is True else "",
        "Features": ", ".join(sorted(object_at(version, "features"))),
        "Downloads": f"{number_at(crate, 'downloads'):,}" if crate.get("downloads") else "",
        "Repository": text_at(crate, "repository"),
        "Documentation": text_at(crate, "documentation"),
        "Homepage": text_at(crate, "homepage"),
    }
    return "\n".join(f"- {name}: {one_line(value)}" for name, value in rows.items() if value)


def _history(versions: list[Json]) -> str:
    lines = [
        f"- {joined(text_at(v, 'num'), day(v.get('created_at')), v.get('yanked') and 'yanked')}"
        for v in versions[:VERSIONS]
    ]
    return "\n".join(["## Versions", "", *lines]) if lines else ""


async def _dependencies(address: str, asking: Asking) -> str:
    try:
        data = parsed(await asking.page(address, JSON))
    except FetchError:
        return ""
    found = objects(object_at(data).get("dependencies"))
    lines = [
        f"- `{joined(text_at(item, 'crate_id'), text_at(item, 'req'))}`"
        + (" (optional)" if item.get("optional") is True else "")
        for item in found
        if text_at(item, "kind") == "normal"
    ]
    return "\n".join(["## Dependencies", "", *lines]) if lines else ""


async def _readme(address: str, asking: Asking) -> str:
    try:
        document = await asking.document(address)
    except FetchError:
        return ""
    title = f"# {document.title}\n\n" if document.title else ""
    return f"## README\n\n{demoted(title + document.text, 2)}"
