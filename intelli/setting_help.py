"""What every setting means, in one line, and a configuration file to fill in that says so."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import groupby
from textwrap import wrap

from intelli.records import ROLES
from intelli.setting_table import EXTRACT_MODEL, SEARCH_MODELS, TABLE, Value

MEANING: Mapping[str, str] = {
    "engine": "who extracts and collates: `llm`, `local`, or `auto`: `llm` when there is a key or "
    "an address for it",
    "cache_dir": "where sessions are kept, relative to the project's `intelli.toml`, else to the "
    "working directory",
    "urls": "pages wanted",
    "max_urls": "the most that `--urls` may ask for",
    "budget": "dollars that a run never passes",
    "fetch.concurrency": "pages at once",
    "fetch.timeout": "seconds for a page, in all",
    "fetch.grace": "seconds that late pages get once the others are done",
    "fetch.max_bytes": "decoded bytes of a page that are read",
    "fetch.llms_full": "keep the `llms-full.txt` of documentation sites with the session; a host "
    "is asked once a day",
    "fetch.allow_private": "permit loopback and private addresses of pages, never link-local ones",
    "fetch.jina": "ask Jina Reader for a page that could not be read; its address is told to that "
    "service",
    "fetch.browser": "run a page's scripts in a Chromium when it could not be read otherwise; "
    "needs `intelli[browser]`",
    "fetch.robots": "read no page that the site's robots.txt asks not to read",
    "fetch.impersonate": "when a page is asked for as a browser asks: `off`, `refused` (after the "
    "site refused the plain request) or `always`; needs `pip install 'intelli[impersonate]'`",
    "network.proxy": "proxy of pages, services and models: `environment` takes `HTTPS_PROXY`, "
    "`HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`; `none`; or `http://HOST:PORT`",
    "extract.concurrency": "model calls at once",
    "extract.max_chars": "characters of a page that a model may be shown",
    "model.timeout": "seconds for a call to a model, body included",
    "model.attempts": "tries of a call, the first included",
    "model.reuse": "seconds for which a model's reply to the same prompt is used again; 0: never, "
    "as with `--fresh`",
    "search.backends": "the chain of search backends; empty: `perplexity` with a key for it, then "
    "`exa`, `parallel`, `tavily`, `duckduckgo`",
    "search.timeout": "seconds for the search, in all; with a model that searches at least "
    "`model.timeout`",
    "search.reuse": "seconds for which the answer to the same search is used again; 0: never",
    "judge.answers": "weight of how likely a result answers the question",
    "judge.off_topic": "weight of how likely it is about something else",
    "judge.self_contained": "weight of how far it can be used by itself",
    "judge.safety": "how sure the judge must be that a result is unsafe for it to be withheld",
    "judge.timeout": "seconds for the judgement",
    "judge.max_chars": "characters of results beyond which nothing is judged",
    "models.ROLE.model": "`provider/name` as litellm has it",
    "models.ROLE.api_base": "base address of an OpenAI-compatible server",
    "models.ROLE.api_key_env": "name of the variable that holds the key, never the key",
    "models.ROLE.max_tokens": "most tokens of an answer",
    "models.ROLE.temperature": "how freely the model chooses its words, 0 to 2",
    "models.ROLE.reasoning_effort": "`none`, `minimal`, `low`, `medium`, `high`, `xhigh`; "
    "`default` for the model's own where `extract` has another",
    "models.ROLE.extra": "further fields of the request: a table, as a variable a JSON object",
    "models.ROLE.input_price": "dollars per million tokens that the model is shown",
    "models.ROLE.output_price": "dollars per million tokens that the model writes",
    "backends.NAME.url": "full address of a search service",
    "backends.stackexchange.site": "the site that is asked, by its short name or its host",
    "backends.wikipedia.language": "takes the place of `{language}` in `backends.wikipedia.url`",
    "backends.openrouter-web.model": "the model that decides what to search for",
    "backends.openrouter-web.engine": "`auto`, `native`, `exa`, `parallel`, `perplexity` or "
    "`firecrawl`",
    "backends.openrouter-web.max_results": "results, 1 to 25, with `perplexity` at most 20",
    "backends.openrouter-web.search_context_size": "`low`, `medium` or `high`",
    "backends.openrouter-web.allowed_domains": "domains to keep to; `--only-domain` takes their "
    "place",
    "backends.openrouter-web.excluded_domains": "domains to leave out; with `perplexity` and "
    "`firecrawl` not beside the former",
    "backends.openrouter-web.reasoning": "`minimal`, `low`, `medium` or `high`",
    "adapters.NAME.url": "base address of a service that is asked in place of a page",
}
"""By key, with ROLE and NAME where several keys mean the same."""

_ROLE = re.compile(rf"^models\.(?:{'|'.join(ROLES)})\.")
_URL = re.compile(r"^(backends|adapters)\.[^.]+\.url$")


def general(key: str) -> str:
    """The key under which `MEANING` has it: `models.ROLE.model` for `models.extract.model`."""
    return _URL.sub(r"\1.NAME.url", _ROLE.sub("models.ROLE.", key))


def toml(value: Value) -> str:
    """`value` as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() else str(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def template(*, project: bool) -> str:
    """A configuration file that changes nothing: every key commented out, with its meaning and its
    default. One for a project leaves out what a project may not decide without trust."""
    lines = [
        "# Settings of intelli. Each line that sets something is a comment and holds the default:",
        "# take away the `# ` before a key to change it. `intelli config` shows what holds.",
    ]
    keys = sorted((key for key in TABLE if not (project and TABLE[key].guarded)), key=_place)
    said: set[str] = set()
    for table, members in groupby(keys, key=_table_of):
        lines += ["", f"[{table}]"] if table else [""]
        for key in members:
            lines += [*_meaning(key, said), _example_line(key)]
    return "\n".join(lines) + "\n"


_FIRST = ("", "models", "search", "fetch", "extract", "model", "network", "judge", "backends")


def _table_of(key: str) -> str:
    return key.rpartition(".")[0]


def _place(key: str) -> tuple[int, str]:
    """What is changed most comes first; within a table, the order of `TABLE` holds."""
    table = _table_of(key)
    head = table.partition(".")[0]
    role = table.partition(".")[2] if head == "models" else ""
    order = f"{[*ROLES].index(role)}" if role in ROLES else table
    return (_FIRST.index(head) if head in _FIRST else len(_FIRST), order)


def _meaning(key: str, said: set[str]) -> list[str]:
    """The comment above a key, once for all keys of the same meaning."""
    name = general(key)
    if name in said:
        return []
    said.add(name)
    return [f"## {line}" for line in wrap(MEANING[name], 96)]


def _example_line(key: str) -> str:
    value = TABLE[key].default
    if value is not None:
        return f"# {key.rpartition('.')[2]} = {toml(value)}"
    example = _example(key)
    shown = example if TABLE[key].kind is dict else toml(example)
    return f"# {key.rpartition('.')[2]} = {shown}   # an example: not set unless you do"


def _example(key: str) -> Value:
    """Something to put where nothing is set by default."""
    search = key.startswith("models.search.")
    examples: dict[str, Value] = {
        "model": SEARCH_MODELS[0] if search else EXTRACT_MODEL,
        "api_base": "http://127.0.0.1:8080/v1",
        "api_key_env": "OPENROUTER_API_KEY",
        "url": "http://127.0.0.1:8888",
        "reasoning_effort": "low",
        "extra": "{ top_p = 0.9 }",
        "temperature": 0.2,
    }
    return examples.get(key.rpartition(".")[2], 1.0)
