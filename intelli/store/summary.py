"""One session in a line, as lists and the index show it, read from its directory."""

from __future__ import annotations

import os
from pathlib import Path

from intelli.records import record
from intelli.store import layout, meta
from intelli.store.disk import probe, real_file


@record
class Summary:
    """`sources` counts the sources that made it into the report; `outcome` as in the contract,
    or `running`. `finished` means that there is a report."""

    name: str
    query: str
    timestamp: str
    focus: str = ""
    engine: str = ""
    outcome: str = meta.COMPLETED
    sources: int = 0
    finished: bool = True

    @property
    def archived(self) -> bool:
        return layout.is_archive(self.name)


def is_session(directory: Path) -> bool:
    """A directory of ours or of pi-intelli-search; links are never followed, and one that may not
    be looked into is none."""
    if directory.name.startswith(".") or os.path.islink(directory):  # noqa: PTH114 - raises nothing
        return False
    names = (layout.REPORT, layout.META, layout.SOURCES)
    return any(os.path.exists(directory / name) for name in names)  # noqa: PTH110 - as above


def is_finished(directory: Path) -> bool:
    """The report is the last file that a run writes. One that a link brings in from outside of the
    cache directory is read by nobody and counts as none."""
    report = directory / layout.REPORT
    if not os.path.islink(report):  # noqa: PTH114 - raises nothing
        return os.path.isfile(report)  # noqa: PTH113 - as above
    return real_file(report, directory.parent) is not None


def outcome_of(directory: Path, known: meta.Meta) -> str:
    """Judged by the files: the words in `meta.json` may be those of a run that was killed."""
    if is_finished(directory):
        return known.outcome if known.outcome not in ("", meta.RUNNING) else meta.COMPLETED
    if known.outcome not in ("", meta.RUNNING, meta.COMPLETED):
        return known.outcome
    return meta.RUNNING if probe(directory) else meta.INTERRUPTED


def summarise(directory: Path, root: Path) -> Summary:
    """Reads `meta.json`, or what stands in for it."""
    known = meta.head(directory, root)
    return Summary(
        name=directory.name,
        query=known.query.text,
        timestamp=known.timestamp,
        focus=known.query.focus,
        engine=known.engine or "",
        outcome=outcome_of(directory, known),
        sources=_count_files(directory) if known.good is None else known.good,
        finished=is_finished(directory),
    )


def _count_files(directory: Path) -> int:
    folder = directory / layout.SOURCES
    if folder.is_symlink() or not folder.is_dir():
        return 0
    return sum(layout.file_number(path.name) is not None for path in folder.iterdir())
