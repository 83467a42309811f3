"""Lists on stdout: links, pages, sessions, related research."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from urllib.parse import unquote, urlsplit

from intelli.records import Answer, Candidate, Extract, Link, Page, Related
from intelli.show.text import clean, counted, line, on_disk, size

Group = tuple[str, Answer | None, Sequence[str]]
SNIPPET = 300
READ_NEXT = 3
"""Addresses in the command that reads what a search found."""
NOTE = 80
"""Characters kept for the line that says how much is left out."""
HARD_BREAK = "  "
"""Two spaces at the end of a line keep Markdown from joining it with the next."""


def search_text(
    groups: Sequence[Group], ranked: Sequence[Link], max_chars: int, where: str = ""
) -> str:
    """Links under the question that found them, and at the end the addresses to read, the best
    of all questions first, with the command that reads them; `where` is its option for the cache
    directory."""
    records: list[str] = []
    for query, answer, warnings in groups:
        records.append(f"## {line(query, 200)}\n")
        records += [_link(link) for link in _links(answer)] or ["Nothing found.\n"]
        records += [f"- warning: {line(warning)}\n" for warning in warnings]
    query = line(groups[0][0], 200)
    commands = [_reads(link, query, where) for link in ranked[:1]]
    return pack(records, _to_read(ranked, max_chars // 2, *commands), max_chars)


def _to_read(ranked: Sequence[Link], room: int, first: str = "") -> str:
    """As many addresses as there is room for, one at least; `first` reads the first of them."""
    if not ranked:
        return ""
    remote = [link.url for link in ranked if not _is_at_hand(link)][:READ_NEXT]
    command = "intelli fetch " + " ".join(map(shlex.quote, remote))
    end = f"\nTo read the first of them:\n\n    {line(command, room)}\n"
    if _is_at_hand(ranked[0]) or len(ranked) == 1 or len(command) > room // 2:
        end = f"\nTo read it:\n\n    {first}\n"
    kept: list[str] = []
    for link in ranked:
        room -= len(link.url) + 6
        if kept and room < len(end):
            break
        kept.append(f"{len(kept) + 1}. <{link.url}>")
    return "## Addresses to read\n\n" + "\n".join(kept) + "\n" + end


def _is_at_hand(link: Link) -> bool:
    """Whether the page is stored, or a file here, and need not be fetched."""
    return bool(link.ref) or link.url.startswith("file://")


def _reads(link: Link, query: str, where: str) -> str:
    """The command that shows what a link leads to; of a file here what answers the query."""
    if link.ref:
        return f"intelli read {shlex.quote(link.ref)}{where}"
    if link.url.startswith("file://"):
        path = shlex.quote(unquote(urlsplit(link.url).path))
        return f"intelli extract {path} --query {shlex.quote(query)}"
    return f"intelli fetch {shlex.quote(link.url)}"


def pack(
    records: Sequence[str], tail: str, max_chars: int, again: Callable[[int], str] | None = None
) -> str:
    """Whole records within the budget, then the tail; where some are left out, that many, and in
    place of the tail the command that shows them, which `again` gives for a limit."""
    text = "\n".join([*records, tail])
    if len(text) <= max_chars:
        return text
    if again:
        tail = f"\n{again((len(text) // 1000 + 1) * 1000)}\n"
    hint = "" if again else "; --max-chars N or --json shows them"
    room = max_chars - len(tail) - NOTE
    kept: list[str] = []
    for i, record in enumerate(records):
        room -= len(record) + 1
        if room < 0:
            kept.append(f"[{len(records) - i} more left out{hint}]\n")
            break
        kept.append(record)
    return "\n".join([*kept, tail])


def _links(answer: Answer | None) -> tuple[Link, ...]:
    return answer.links if answer else ()


def _link(link: Link) -> str:
    facts = [link.backend, link.published or "", ", ".join(link.authors[:3])]
    if link.points is not None:
        facts.append(counted(link.points, "point"))
    if link.comments is not None:
        facts.append(counted(link.comments, "comment"))
    lines = [f"{link.rank}. **{line(link.title or link.url, 150)}**", f"   <{link.url}>"]
    lines.append("   " + " · ".join(fact for fact in facts if fact))
    if link.snippet:
        lines.append(f"   {line(link.snippet, SNIPPET)}")
    return f"{HARD_BREAK}\n".join(lines) + "\n"


def pages_text(pages: Sequence[tuple[str, Page]], *, explain: bool, max_chars: int | None) -> str:
    """Pages as Markdown with their title and address; whole unless `max_chars` is given."""
    text = "\n".join(_page(page, explain=explain) for _, page in pages)
    if max_chars is None or len(text) <= max_chars:
        return text
    urls = " ".join(url for url, _ in pages)
    return _cut(text, max_chars, f"intelli fetch {urls} --max-chars {len(text) + 1}")


def _cut(text: str, max_chars: int, rest: str) -> str:
    """The beginning of a text up to the end of a line, and what shows the rest."""
    note = f"\n\n[cut at {max_chars} of {len(text)} characters; the rest:]\n{rest}\n"
    head = text[: max(0, max_chars - len(note))]
    return (head.rpartition("\n")[0] or head.rpartition(" ")[0] or head) + note


def _page(page: Page, *, explain: bool) -> str:
    odd = "" if page.verdict == "ok" else f"> Verdict: {page.verdict}\n"
    head = f"# {line(page.title or page.final_url)}\n\n> Source: {page.final_url}\n{odd}"
    reasons = _explanation(page) if explain else ""
    return f"{head}{reasons}\n---\n\n{clean(page.text).strip()}\n"


def _explanation(page: Page) -> str:
    lines = [f"> Tried: {line(tried, 300)}" for tried in page.tried]
    lines.append(f"> Won: {page.via}, score {page.score:.2f}")
    lines += [f"> Candidate: {_candidate(candidate)}" for candidate in page.candidates]
    return "\n".join(lines) + "\n"


def _candidate(candidate: Candidate) -> str:
    reasons = ", ".join(f"{name} {value:+.2f}" for name, value in candidate.reasons.items())
    return (
        f"{candidate.via}, score {candidate.score:.2f}, {len(candidate.text)} characters: {reasons}"
    )


def extractions_text(
    results: Sequence[tuple[str, Extract]], max_chars: int, again: Callable[[int], str]
) -> str:
    """Each extraction under its source; a cut one ends with what `again` gives for a limit."""
    records = [
        f"## {line(extract.page.title or source)}\n\n> {source} · {extract.source_type}\n\n"
        + (clean(extract.text).strip() or "NOTHING RELEVANT")
        + "\n"
        for source, extract in results
    ]
    text = "\n".join(records)
    return text if len(text) <= max_chars else _cut(text, max_chars, again(len(text) + 1))


def related_text(found: Iterable[Related]) -> str:
    """One session a line, or that there is none."""
    lines = [f"{r.session}  {line(r.query, 100)} — {line(r.why, 120)}" for r in found]
    return "\n".join(lines or ["no earlier session helps with this"]) + "\n"


def sessions_text(
    rows: Sequence[tuple[str, str, str, int]],
    total: int,
    max_chars: int,
    again: Callable[[int], str],
) -> str:
    """(session, question, outcome, sources) a line, the newest first."""
    if not rows:
        return "no session yet: `intelli research QUERY` makes one\n"
    records = [_session(*row) for row in rows]
    more = f"[{total - len(rows)} older; --limit N shows more]\n" if total > len(rows) else ""
    return pack(records, more, max_chars, again)


def _session(name: str, query: str, outcome: str, sources: int) -> str:
    odd = "" if outcome == "completed" else f"{outcome}, "
    noun = "source" if sources == 1 else "sources"
    return f"{name}\n    {line(query, 100)} ({odd}{sources} {noun})"


def sources_text(
    command: str,
    rows: Sequence[tuple[str, str, str, str, int]],
    sites: Sequence[str],
    max_chars: int,
) -> str:
    """(ref, status, title, address, characters) of each source of a session, then the files of
    whole sites; the last line reads the first source, or lists what was left out. `command` is
    the one that lists them."""
    if not rows:
        return "this session has no more sources\n"
    records = [
        f"{ref}  {status}  {line(title, 80)} ({size(chars)} characters)\n"
        f"    {line(url, max_chars // 4)}"
        for ref, status, title, url, chars in rows
    ]
    records += [f"no source, the whole site for `intelli grep`: {line(path)}" for path in sites]
    end = f"\n{command}:{_number(rows[0])}\n"
    text = "\n".join([*records, end])
    if len(text) <= max_chars:
        return text
    room, kept = max_chars - len(command) - NOTE, 0
    for record in records[: len(rows)]:
        room -= len(record) + 1
        if room < 0 and kept:
            break
        kept += 1
    more = f"[{len(records) - kept} more]\n\n"
    if kept < len(rows):
        return "\n".join([*records[:kept], f"{more}{command} --from {_number(rows[kept])}\n"])
    return "\n".join([*records[:kept], more.rstrip("]\n") + f"; --json shows them]\n{end}"])


def _number(row: tuple[str, str, str, str, int]) -> str:
    return row[0].rpartition(":")[2]


def pruned_text(going: Sequence[tuple[str, int]], max_chars: int, *, dry_run: bool) -> str:
    """(session, bytes) a line, and what it comes to."""
    if not going:
        return "nothing to remove\n"
    records = [f"{name}  {on_disk(taken)}" for name, taken in going]
    verb = "would remove" if dry_run else "removed"
    total = on_disk(sum(taken for _, taken in going))
    return pack(records, f"{verb} {counted(len(going), 'session')}, {total}\n", max_chars)


def matches_text(
    rows: Sequence[tuple[str, str, str, str]],
    tail: str,
    max_chars: int,
    again: Callable[[int], str],
) -> str:
    """(ref, part, heading, line) of each match, and the command that reads on."""
    records = [
        f"{ref}  {part}{f' · {line(heading, 80)}' if heading else ''}\n    {line(text)}"
        for ref, part, heading, text in rows
    ]
    return pack(records, tail, max_chars, again)
