"""The tools: what each takes, what a client is told of it, and the command line it stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from intelli.errors import UsageError

Kind = Literal["text", "document", "texts", "integer", "number", "flag"]
WAIT = 50
"""Seconds; many clients give up on a call after 60."""
LONGEST_TEXT, LONGEST_DOCUMENT, MOST_TEXTS = 20_000, 2_000_000, 100
"""Characters of what goes onto a command line, and of what goes to standard input. Not declared:
every agent would pay for the words in each conversation."""
_SCHEMAS: Mapping[Kind, dict[str, Any]] = {
    "text": {"type": "string"},
    "document": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
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
    default: int | None = None


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
            "properties": {name: _declared(each) for name, each in self.parameters.items()},
            "required": [name for name, each in self.parameters.items() if each.required],
            "additionalProperties": False,
        }


def _declared(parameter: Parameter) -> dict[str, Any]:
    body = {**_SCHEMAS[parameter.kind]}
    if parameter.about:
        body["description"] = parameter.about
    if parameter.default is not None:
        body["default"] = parameter.default
    return body


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
_WAIT = Parameter("number", "Seconds, then go on with status.", default=WAIT)
_QUERY = Parameter("text", "", required=True)
_ASKED = Parameter("text", "", "--query", required=True)
_FOCUS = Parameter("text", "What to keep from each page. Always give one.", "--focus")
_PAGES = Parameter("integer", "Pages wanted (10, at most 20).", "--urls")
_CHARS = Parameter("integer", "", "--max-chars", default=8000)
_DOMAINS = {
    "domain": Parameter("texts", "Prefer these sites.", "--domain"),
    "only_domain": Parameter("texts", "Accept no others.", "--only-domain"),
    "exclude_domain": Parameter("texts", "", "--exclude-domain"),
}
_ENGINE = Parameter("text", "auto, llm or local.", "--engine")
_SOURCES = Parameter("texts", "Addresses, SESSION:N or files.", required=True, is_path=True)
_SESSION = Parameter("text", "SESSION or latest.", required=True)

TOOLS: Mapping[str, Tool] = {
    "research": Tool(
        about="Search, read pages and write a short report with [n] marks; every detail of it is "
        "looked up in the stored pages. For what needs several pages.",
        parameters={
            "query": _QUERY,
            "focus": _FOCUS,
            "urls": _PAGES,
            **_DOMAINS,
            "url": Parameter("texts", "Read these pages, search nothing.", "--url"),
            "docs": Parameter("texts", "Read these local files instead.", "--docs", is_path=True),
            "engine": _ENGINE,
            "thorough": Parameter("flag", "Ask several search services.", "--thorough"),
            "offline": Parameter("flag", "", "--offline"),
            "reuse": Parameter("text", "Take an answer this old: 12h, 7d.", "--reuse"),
            "fresh": Parameter("flag", "Reuse nothing.", "--fresh"),
            "budget": Parameter("number", "US dollars.", "--budget"),
            "timeout": Parameter("number", "Seconds for all of it.", "--timeout"),
            "max_chars": _CHARS,
            "wait_seconds": _WAIT,
        },
        pays=True,
        events=True,
        writes=True,
        online=True,
    ),
    "status": Tool(
        about="The answer of a run that another answer has named, or how far it is.",
        parameters={
            "run": Parameter("text", "", required=True),
            "wait_seconds": _WAIT,
            "stop": Parameter("flag", "End it now; what was done is kept."),
        },
    ),
    "search": Tool(
        about="Links for one to six questions; reads no page.",
        parameters={
            "queries": Parameter("texts", "", required=True),
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
        parameters={"urls": Parameter("texts", "", required=True), "max_chars": _CHARS},
        pays=True,
        events=True,
        online=True,
    ),
    "extract": Tool(
        about="What a question asks for from pages, refs or files.",
        parameters={
            "sources": _SOURCES,
            "query": _ASKED,
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
            "query": _ASKED,
            "focus": _FOCUS,
            "engine": _ENGINE,
            "max_chars": _CHARS,
        },
        pays=True,
        events=True,
        writes=True,
        online=True,
    ),
    "show": Tool(about="A stored report.", parameters={"session": _SESSION, "max_chars": _CHARS}),
    "read": Tool(
        about="A stored page, a window at a time, or the pages of a session.",
        parameters={
            "ref": Parameter("text", "SESSION:N, SESSION or latest.", required=True),
            "find": Parameter("text", "Begin at these words.", "--find"),
            "section": Parameter("text", "What is under this heading.", "--section"),
            "from": Parameter("integer", "Offset to begin at.", "--from"),
            "extraction": Parameter("flag", "What was kept of it.", "--extraction"),
            "max_chars": _CHARS,
        },
    ),
    "related": Tool(
        about="Earlier sessions that may help with a question.", parameters={"query": _QUERY}
    ),
    "verify": Tool(
        about="Look up each figure, name, version, quotation and address of a stored report, or "
        "of a text of yours, in the stored pages of a session.",
        parameters={
            "session": _SESSION,
            "text": Parameter("document", "Checked in place of the report."),
            "max_chars": _CHARS,
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
            fits, wanted = _CHECKS[parameter.kind]
            if not fits(arguments[key]):
                raise UsageError(f"{name}: {key} must be {wanted}", code="bad-argument")
        elif parameter.required:
            raise UsageError(f"{name} needs {key!r}", code="bad-argument")
    return tool


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_TEXT and "\0" not in value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e9


_CHECKS: Mapping[Kind, tuple[Callable[[Any], bool], str]] = {
    "text": (_is_text, f"text of at most {LONGEST_TEXT:,} characters, none of them NUL"),
    "document": (
        lambda value: isinstance(value, str) and len(value) <= LONGEST_DOCUMENT,
        f"text of at most {LONGEST_DOCUMENT:,} characters",
    ),
    "texts": (
        lambda value: (
            isinstance(value, list) and 0 < len(value) <= MOST_TEXTS and all(map(_is_text, value))
        ),
        f"a list of 1 to {MOST_TEXTS} texts",
    ),
    "integer": (lambda value: _is_number(value) and isinstance(value, int), "a whole number"),
    "number": (lambda value: _is_number(value) and value > 0, "a number above 0"),
    "flag": (lambda value: isinstance(value, bool), "true or false"),
}


def command_line(name: str, tool: Tool, arguments: Mapping[str, Any]) -> list[str]:
    """The arguments of `intelli` that the call stands for. A value never becomes an option."""
    if name == "verify" and "text" in arguments:
        others = {key: arguments[key] for key in arguments if key not in ("session", "text")}
        _, *options = command_line(name, tool, others)
        return ["check", f"--against={arguments['session']}", *options, "-"]
    words, options = [], ["--events"] if tool.events else []
    defaults = {key: each.default for key, each in tool.parameters.items() if each.default}
    for key, value in {**defaults, **arguments}.items():
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
    return [name, *options, "--", *words]


def paths_in(tool: Tool, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Every argument that may name a file."""
    for key, value in arguments.items():
        if tool.parameters[key].is_path:
            yield from value
