"""The tools: what each takes, what a client is told of it, and the command line it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from intelli.errors import UsageError

Kind = Literal["text", "texts", "integer", "number", "flag"]
LONGEST_TEXT, MOST_TEXTS = 2_000_000, 100
_SCHEMAS: Mapping[Kind, dict[str, Any]] = {
    "text": {"type": "string", "maxLength": LONGEST_TEXT},
    "texts": {
        "type": "array",
        "items": {"type": "string", "maxLength": 10_000},
        "maxItems": MOST_TEXTS,
    },
    "integer": {"type": "integer", "minimum": 0},
    "number": {"type": "number", "exclusiveMinimum": 0},
    "flag": {"type": "boolean"},
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool; `option` "" makes it an argument of the command as it stands."""

    kind: Kind
    about: str
    option: str = ""
    required: bool = False
    is_path: bool = False
    """Names files, or may do so: they have to be inside of the workspace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A command as a tool. `pays` for what may cost money or time: it takes its turn."""

    about: str
    parameters: Mapping[str, Parameter]
    pays: bool = False
    events: bool = False
    """Whether the command says on standard error what it does, as JSON lines."""
    writes: bool = False
    online: bool = False

    @property
    def input_schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {
                name: {**_SCHEMAS[each.kind], "description": each.about}
                for name, each in self.parameters.items()
            },
            "required": [name for name, each in self.parameters.items() if each.required],
            "additionalProperties": False,
        }


OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "outcome": {"type": "string", "description": "completed, running, or why it ended"},
        "text": {"type": "string", "description": "the result, the same as the text content"},
        "session": {"type": "string", "description": "the stored session, for read and verify"},
        "run": {"type": "string", "description": "a run at work, for status"},
    },
    "required": ["outcome", "text"],
}
_WAIT = Parameter("number", "Seconds to wait for the answer (50); then status goes on.")
_QUERY = Parameter("text", "The question.", required=True)
_FOCUS = Parameter("text", "What to keep from each page. Always give one.", "--focus")
_PAGES = Parameter("integer", "Pages wanted (10, at most 20).", "--urls")
_CHARS = Parameter("integer", "Most characters of the answer (8000).", "--max-chars")
_DOMAINS = {
    "domain": Parameter("texts", "Sites to prefer.", "--domain"),
    "only_domain": Parameter("texts", "Accept no other sites.", "--only-domain"),
    "exclude_domain": Parameter("texts", "Accept nothing from these.", "--exclude-domain"),
}
_ENGINE = Parameter("text", "auto, llm or local.", "--engine")
_SOURCES = Parameter("texts", "Addresses, refs (SESSION:N) or files.", required=True, is_path=True)

TOOLS: Mapping[str, Tool] = {
    "research": Tool(
        about="Research a question on the web: search, read pages, and write a short report with "
        "[n] marks in which every detail is looked up in the stored pages. For what needs several "
        "pages; for one known page use fetch or extract. Stored: read and verify go on from it.",
        parameters={
            "query": _QUERY,
            "focus": _FOCUS,
            "urls": _PAGES,
            **_DOMAINS,
            "url": Parameter("texts", "Read these pages instead of searching.", "--url"),
            "docs": Parameter("texts", "Read local files instead.", "--docs", is_path=True),
            "engine": _ENGINE,
            "thorough": Parameter("flag", "Ask several search services.", "--thorough"),
            "offline": Parameter("flag", "Touch no network.", "--offline"),
            "reuse": Parameter("text", "Take an answer this old: 12h, 7d.", "--reuse"),
            "fresh": Parameter("flag", "Reuse nothing.", "--fresh"),
            "budget": Parameter("number", "Most US dollars.", "--budget"),
            "timeout": Parameter("number", "Seconds for the whole run.", "--timeout"),
            "max_chars": _CHARS,
            "wait_seconds": _WAIT,
        },
        pays=True,
        events=True,
        writes=True,
        online=True,
    ),
    "status": Tool(
        about="The answer of a run that was still at work, or how far it is; `stop` ends it, and "
        "what was done is kept.",
        parameters={
            "run": Parameter("text", "As research named it.", required=True),
            "wait_seconds": _WAIT,
            "stop": Parameter("flag", "End it now."),
        },
    ),
    "search": Tool(
        about="Links for one to six questions, with titles and snippets; reads no page.",
        parameters={
            "queries": Parameter("texts", "The questions.", required=True),
            "urls": _PAGES,
            **_DOMAINS,
            "thorough": Parameter("flag", "Ask several services and merge.", "--thorough"),
            "max_chars": _CHARS,
        },
        pays=True,
        events=True,
        online=True,
    ),
    "fetch": Tool(
        about="Pages as clean Markdown: HTML, PDF, Office files, notebooks, forum threads.",
        parameters={
            "urls": Parameter("texts", "Addresses.", required=True),
            "max_chars": _CHARS,
        },
        pays=True,
        events=True,
        online=True,
    ),
    "extract": Tool(
        about="What a question asks for from pages, refs or files, as one extraction each.",
        parameters={
            "sources": _SOURCES,
            "query": Parameter("text", "The question.", "--query", required=True),
            "focus": _FOCUS,
            "engine": _ENGINE,
            "max_chars": _CHARS,
        },
        pays=True,
        events=True,
        online=True,
    ),
    "collate": Tool(
        about="One report, with its own session, from refs, a session, pages or files.",
        parameters={
            "sources": _SOURCES,
            "query": Parameter("text", "The question.", "--query", required=True),
            "focus": _FOCUS,
            "engine": _ENGINE,
            "max_chars": _CHARS,
        },
        pays=True,
        events=True,
        writes=True,
        online=True,
    ),
    "read": Tool(
        about="A stored source, a window at a time, or the sources of a session. Where the text "
        "ends with `intelli read REF --from N`, call this again with that ref and from.",
        parameters={
            "ref": Parameter("text", "SESSION:N, SESSION or latest.", required=True),
            "find": Parameter("text", "Show the place of these words.", "--find"),
            "section": Parameter("text", "Show what is under a heading.", "--section"),
            "from": Parameter("integer", "Offset to begin at.", "--from"),
            "extraction": Parameter("flag", "What was kept of it instead.", "--extraction"),
            "max_chars": _CHARS,
        },
    ),
    "related": Tool(
        about="Earlier sessions that may help with a question; free, asks nobody.",
        parameters={"query": _QUERY},
    ),
    "verify": Tool(
        about="Checks a stored report, or any text of yours, against the stored pages of a "
        "session: each figure, name, version, quotation and address is located or flagged.",
        parameters={
            "session": Parameter("text", "SESSION or latest.", required=True),
            "text": Parameter("text", "A text to check in place of the report."),
        },
    ),
}
_OWN = {"wait_seconds", "run", "stop"}
"""Arguments that are for the server itself."""


def check(name: str, arguments: Mapping[str, Any]) -> Tool:
    """The tool called `name`. Raises UsageError that names what is wrong with a call of it."""
    tool = TOOLS.get(name)
    if tool is None:
        raise UsageError(f"there is no tool {name!r}; there are {', '.join(TOOLS)}", code="no-tool")
    unknown = sorted(set(arguments) - set(tool.parameters))
    if unknown:
        allowed = ", ".join(tool.parameters)
        raise UsageError(f"{name} takes no {unknown[0]!r}; it takes {allowed}", code="bad-argument")
    for key, parameter in tool.parameters.items():
        if key in arguments:
            _check_kind(f"{name}: {key}", parameter.kind, arguments[key])
        elif parameter.required:
            raise UsageError(f"{name} needs {key!r}: {parameter.about}", code="bad-argument")
    return tool


_TYPES: Mapping[Kind, tuple[type | tuple[type, ...], str]] = {
    "text": (str, "text"),
    "texts": (list, "a list of texts"),
    "integer": (int, "a whole number"),
    "number": ((int, float), "a number above 0"),
    "flag": (bool, "true or false"),
}


def _check_kind(what: str, kind: Kind, value: object) -> None:
    types, said = _TYPES[kind]
    fits = isinstance(value, types) and isinstance(value, bool) == (kind == "flag")
    if fits and kind == "texts":
        assert isinstance(value, list)
        fits = 0 < len(value) <= MOST_TEXTS and all(isinstance(each, str) for each in value)
    if fits and isinstance(value, str):
        fits = len(value) <= LONGEST_TEXT
    if fits and kind in ("integer", "number"):
        assert isinstance(value, int | float)
        fits = 0 <= value < 1e9 and (kind == "integer" or value > 0)
    if not fits:
        raise UsageError(f"{what} must be {said}", code="bad-argument")


def command_line(name: str, tool: Tool, arguments: Mapping[str, Any]) -> list[str]:
    """The arguments of `intelli` that the call stands for. A value never becomes an option."""
    words, options = [name], []
    if name == "verify" and "text" in arguments:
        return ["check", f"--against={arguments['session']}", "--", "-"]
    for key, value in arguments.items():
        parameter = tool.parameters[key]
        if key in _OWN:
            continue
        values = value if isinstance(value, list) else [value]
        if not parameter.option:
            words += values
        elif parameter.kind == "flag":
            options += [parameter.option] if value else []
        else:
            options += [f"{parameter.option}={each}" for each in values]
    events = ["--events"] if tool.events else []
    return [words[0], *options, *events, "--", *words[1:]]


def paths_in(tool: Tool, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Every argument that may name a file."""
    for key, value in arguments.items():
        if tool.parameters[key].is_path:
            yield from value
