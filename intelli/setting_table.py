"""Every setting there is: its default, its type, its limits, and who may not decide it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from intelli.errors import UsageError
from intelli.records import ROLES, Role

Value = str | int | float | bool | tuple[str, ...] | None

BACKEND_URLS: Mapping[str, str] = {
    "exa": "https://mcp.exa.ai/mcp",
    "duckduckgo": "https://html.duckduckgo.com/html/",
    "parallel": "https://search.parallel.ai/mcp",
    "tavily": "https://api.tavily.com/search",
    "firecrawl": "https://api.firecrawl.dev/v2/search",
    "you": "https://api.you.com/v1/agents/search",
    "openrouter-web": "https://openrouter.ai/api/v1",
    "perplexity-search": "https://api.perplexity.ai/search",
    "brave": "https://api.search.brave.com/res/v1/web/search",
    "serper": "https://google.serper.dev/search",
    "linkup": "https://api.linkup.so/v1/search",
    "exa-api": "https://api.exa.ai/search",
    "parallel-api": "https://api.parallel.ai/v1/search",
    "jina": "https://s.jina.ai/",
    "wikipedia": "https://{language}.wikipedia.org/w/api.php",
    "arxiv": "https://export.arxiv.org/api/query",
    "semanticscholar": "https://api.semanticscholar.org/graph/v1",
    "hn": "https://hn.algolia.com/api/v1/search",
    "stackexchange": "https://api.stackexchange.com/2.3",
    "github": "https://api.github.com",
    "grep": "https://mcp.grep.app",
    "sourcegraph": "https://sourcegraph.com/.api/search/stream",
}
"""Default address of every backend that has one of its own."""
ADAPTER_URLS: Mapping[str, str] = {
    "github": "https://api.github.com",
    "github-raw": "https://raw.githubusercontent.com",
    "stackexchange": "https://api.stackexchange.com/2.3",
    "hackernews": "https://hn.algolia.com/api/v1",
    "mdn": "https://bcd.developer.mozilla.org/bcd/api/v0/current",
    "fxtwitter": "https://api.fxtwitter.com",
    "jina": "https://r.jina.ai",
}
"""Default address of every service that is asked for a page in place of the page's own host."""

LONGEST = 4096
"""Characters of a text setting; no path or address needs more."""
EXTRACT_MODEL = "openrouter/minimax/minimax-m2.7"
SEARCH_MODELS = ("openrouter/perplexity/sonar", "perplexity/sonar")
"""The search model is the first whose provider has a key."""
PROVIDER_URLS: Mapping[str, str] = {
    "openrouter": "https://openrouter.ai/api/v1",
    "openai": "https://api.openai.com/v1",
    "perplexity": "https://api.perplexity.ai",
}
"""Providers that are spoken to directly; all others go through litellm."""

MAX_TOKENS: Mapping[Role, int] = {
    "search": 2000,
    "extract": 4000,
    "collate": 6000,
    "suggest": 1000,
    "judge": 2000,
}


WEB_ENGINES = ("auto", "native", "exa", "parallel", "perplexity", "firecrawl")
"""What OpenRouter's web search may search with."""
EFFORTS = ("default", "none", "minimal", "low", "medium", "high", "xhigh")
"""How long a model may reason; `default` leaves it to the model."""
OWN_FIELDS = frozenset(
    {"model", "messages", "stream", "api_key", "api_base", "base_url", "headers", "extra_headers"}
)
"""Fields of a request that no extra parameter may take the place of."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One key: its default, the type a value must have, and what a project file may not decide."""

    default: Value
    kind: type
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    guarded: bool = False
    """True when a file that came with a cloned repository may not set it before it is trusted."""


def _table() -> dict[str, Setting]:
    table = {
        "engine": Setting("auto", str, choices=("auto", "llm", "local")),
        "cache_dir": Setting(".search", str),
        "urls": Setting(10, int, low=1, high=100),
        "max_urls": Setting(20, int, low=1, high=100),
        "budget": Setting(None, float, low=0, high=1_000_000, guarded=True),
        "fetch.concurrency": Setting(8, int, low=1, high=64),
        "fetch.timeout": Setting(20.0, float, low=0.1, high=600),
        "fetch.grace": Setting(5.0, float, low=0, high=600),
        "fetch.max_bytes": Setting(10_000_000, int, low=1000, high=1_000_000_000),
        "fetch.allow_private": Setting(False, bool, guarded=True),
        "fetch.llms_full": Setting(True, bool),
        "fetch.robots": Setting(False, bool),
        "fetch.impersonate": Setting(
            "refused", str, choices=("off", "refused", "always"), guarded=True
        ),
        "fetch.jina": Setting(False, bool, guarded=True),
        "fetch.browser": Setting(False, bool, guarded=True),
        "extract.concurrency": Setting(8, int, low=1, high=64),
        "extract.max_chars": Setting(150_000, int, low=500, high=2_000_000),
        "network.proxy": Setting("environment", str, guarded=True),
        "model.timeout": Setting(90.0, float, low=0.1, high=3600),
        "model.attempts": Setting(3, int, low=1, high=10),
        "model.reuse": Setting(30 * 86400.0, float, low=0, high=10 * 365 * 86400),
        "judge.answers": Setting(0.45, float, low=-10, high=10),
        "judge.off_topic": Setting(-0.30, float, low=-10, high=10),
        "judge.self_contained": Setting(0.25, float, low=-10, high=10),
        "judge.safety": Setting(0.75, float, low=0, high=1),
        "judge.timeout": Setting(8.0, float, low=0.1, high=600),
        "judge.max_chars": Setting(24_000, int, low=1000, high=1_000_000),
        "search.backends": Setting((), tuple),
        "search.timeout": Setting(30.0, float, low=1, high=600),
        "search.reuse": Setting(30.0, float, low=0, high=86400),
        "backends.stackexchange.site": Setting("stackoverflow", str),
        "backends.wikipedia.language": Setting("en", str),
    }
    for role in ROLES:
        table[f"models.{role}.model"] = Setting(None, str)
        table[f"models.{role}.api_base"] = Setting(None, str, guarded=True)
        table[f"models.{role}.api_key_env"] = Setting(None, str, guarded=True)
        table[f"models.{role}.max_tokens"] = Setting(MAX_TOKENS[role], int, low=16, high=200_000)
        table[f"models.{role}.temperature"] = Setting(None, float, low=0, high=2)
        table[f"models.{role}.reasoning_effort"] = Setting(None, str, choices=EFFORTS)
        table[f"models.{role}.extra"] = Setting(None, dict, guarded=True)
        table[f"models.{role}.input_price"] = Setting(
            None, float, low=0, high=1_000_000, guarded=True
        )
        table[f"models.{role}.output_price"] = Setting(
            None, float, low=0, high=1_000_000, guarded=True
        )
    for name, url in BACKEND_URLS.items():
        table[f"backends.{name}.url"] = Setting(url, str, guarded=True)
    for name, url in ADAPTER_URLS.items():
        table[f"adapters.{name}.url"] = Setting(url, str, guarded=True)
    table["backends.searxng.url"] = Setting(None, str, guarded=True)
    return table | {f"backends.openrouter-web.{k}": v for k, v in _openrouter_web().items()}


def _openrouter_web() -> dict[str, Setting]:
    return {
        "model": Setting(EXTRACT_MODEL, str),
        "engine": Setting("auto", str, choices=WEB_ENGINES),
        "max_results": Setting(8, int, low=1, high=25),
        "search_context_size": Setting("medium", str, choices=("low", "medium", "high")),
        "allowed_domains": Setting((), tuple),
        "excluded_domains": Setting((), tuple),
        "reasoning": Setting("minimal", str, choices=("minimal", "low", "medium", "high")),
    }


TABLE: Mapping[str, Setting] = _table()


def check_value(key: str, raw: object, origin: str) -> Value:
    """`raw` as the type of `key`. Raises UsageError when it cannot be, or is out of range."""
    setting = TABLE.get(key)
    if setting is None:
        close = near(key, TABLE)
        hint = f"did you mean `{close[0]}`?" if close else "`intelli config` lists every setting"
        raise UsageError(f"unknown setting `{key}` ({origin})", code="unknown-setting", hint=hint)
    value = _convert(raw, setting.kind)
    allowed = _allowed(setting)
    bad_range = isinstance(value, int | float) and not (
        (setting.low is None or value >= setting.low)
        and (setting.high is None or value <= setting.high)
    )
    if value is None or bad_range or (setting.choices and value not in setting.choices):
        raise UsageError(
            f"`{key}` ({origin}) must be {allowed}, not {raw!r}",
            code="bad-setting",
            hint=f"set `{key}` to {allowed}",
        )
    return value


def near(name: str, known: Iterable[str], cutoff: float = 0.6) -> list[str]:
    """The known name that is closest to `name`, if one is close."""
    import difflib

    return difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)


def _convert(raw: object, kind: type) -> Value:
    """None when `raw` does not fit; every kind accepts text, as variables are text."""
    if kind is dict:
        return _fields(raw)
    if kind is tuple:
        parts = raw.split(",") if isinstance(raw, str) else raw
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
            return None
        return tuple(part.strip() for part in parts if part.strip())
    if kind is bool:
        words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
        return raw if isinstance(raw, bool) else words.get(str(raw).strip().lower())
    if kind is str:
        is_text = isinstance(raw, str) and raw.strip() and raw.isprintable() and len(raw) <= LONGEST
        return str(raw) if is_text else None
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    try:
        number = float(raw)
        return number if kind is float else int(number) if number == int(number) else None
    except (ValueError, OverflowError):
        return None


def _fields(raw: object) -> str | None:
    """A table, or a JSON object as text, as JSON in one spelling."""
    try:
        fields = json.loads(raw) if isinstance(raw, str) else raw
        if isinstance(fields, dict) and not OWN_FIELDS & set(fields):
            return json.dumps(fields, sort_keys=True, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        pass
    return None


def _allowed(setting: Setting) -> str:
    if setting.choices:
        return "one of " + ", ".join(setting.choices)
    names = {
        int: "a whole number",
        float: "a number",
        bool: "true or false",
        str: "text that is not blank",
        dict: f"a table or a JSON object without {', '.join(sorted(OWN_FIELDS))}",
    }
    name = names.get(setting.kind, "a list of names")
    if setting.low is None:
        return name
    return f"{name} from {setting.low:g}" + (
        f" to {setting.high:g}" if setting.high is not None else ""
    )


def variable_of(key: str) -> str:
    """The environment variable that sets `key`."""
    return "INTELLI_" + key.replace(".", "__").replace("-", "_").upper()
