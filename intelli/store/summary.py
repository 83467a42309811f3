"""One session in a line, as lists and the index show it, read from its directory."""

from __future__ import annotations

from pathlib import Path

from intelli.records import record
from intelli.store import layout, meta
from intelli.store.disk import probe


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
    """A directory of ours or of pi-intelli-search; links are never followed."""
    if directory.name.startswith(".") or directory.is_symlink() or not directory.is_dir():
        return False
    names = (layout.REPORT, layout.META, layout.SOURCES)
    return any((directory / name).exists() for name in names)


def is_finished(directory: Path) -> bool:
    """The report is the last file that a run writes."""
    return (directory / layout.REPORT).is_file()


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
