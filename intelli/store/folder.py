"""The files of a session being written: each whole, the report last."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from intelli.records import Research, Source
from intelli.report_text import whole
from intelli.store import layout, meta
from intelli.store.codec import to_plain
from intelli.store.disk import write_json, write_text

FOLDERS = (layout.SOURCES, layout.EXTRACTIONS)


def write_in(folder: Path, name: str, text: str) -> None:
    """A file in a folder of the session, which is created if need be. Raises OSError."""
    if folder.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder))
    folder.mkdir(exist_ok=True)
    write_text(folder / name, text)


def write_numbered(folder: Path, n: int, name: str, text: str) -> None:
    """The file of source `n`, in place of any that it had under another name."""
    write_in(folder, name, text)
    for path in folder.iterdir():
        if layout.file_number(path.name) == n and path.name != name:
            path.unlink()


def write_meta(
    directory: Path, known: meta.Meta, sources: Iterable[Source], *, lasting: bool = True
) -> None:
    """What is known of the run. While it goes on this file is rewritten often and need not be
    `lasting`: what was paid for stands in the files of the sources."""
    entries = (named(source) for source in sorted(sources, key=lambda source: source.n))
    write_json(directory / layout.META, meta.document(known, entries), lasting=lasting)


def write_results(directory: Path, known: meta.Meta, research: Research) -> None:
    """Everything that a finished session has beside its sources; with the report it is finished."""
    write_text(directory / layout.QUERY, layout.clean_text(research.query.text) + "\n")
    report = research.report
    evidence = {
        "schema": meta.SCHEMA,
        "summary": report.summary,
        "assessment": report.assessment,
        "warnings": list(report.warnings),
        "claims": to_plain(report.claims),
    }
    if report.reply:
        evidence |= {"reply": report.reply, "cut_off": report.cut_off}
    write_json(directory / layout.EVIDENCE, evidence)
    write_meta(directory, known, research.sources)
    write_text(directory / layout.REPORT, layout.clean_text(whole(research)))


def prune(directory: Path, sources: Iterable[Source]) -> None:
    """Remove the files of sources that the report does not have, as a resumed run may leave."""
    kept = list(sources)
    wanted = {
        layout.SOURCES: {named(s).file for s in kept if s.page},
        layout.EXTRACTIONS: {named(s).file for s in kept if s.extract and s.extract.text},
    }
    for folder, names in wanted.items():
        path = directory / folder
        for file in path.iterdir() if path.is_dir() else ():
            if layout.file_number(file.name) is not None and file.name not in names:
                file.unlink()


def named(source: Source) -> Source:
    """`source` with the name of its files, if it has any."""
    name = layout.source_filename(source.n, source.link.url) if source.page else ""
    return replace(source, file=name)
