"""Settings and where each came from: defaults < user file < project file < environment < options.

The only module that reads the environment. Every value is addressed by its dotted key
(`models.extract.api_base`), which is also how errors, `intelli config` and the variables
(`INTELLI_MODELS__EXTRACT__API_BASE`) name it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intelli.errors import UsageError
from intelli.records import ROLES, EngineName, Role

Value = str | int | float | bool | tuple[str, ...] | None

BACKEND_URLS: Mapping[str, str] = {
    "exa": "https://mcp.exa.ai/mcp",
    "duckduckgo": "https://html.duckduckgo.com/html/",
}
"""Default address of every backend that has one of its own."""

EXTRACT_MODEL = "openrouter/minimax/minimax-m2.7"
SEARCH_MODEL = "openrouter/perplexity/sonar"
PROVIDER_URLS: Mapping[str, str] = {
    "openrouter": "https://openrouter.ai/api/v1",
    "openai": "https://api.openai.com/v1",
}
"""Providers that are spoken to directly; all others go through litellm."""

MAX_TOKENS: Mapping[Role, int] = {
    "search": 2000,
    "extract": 4000,
    "collate": 6000,
    "suggest": 1000,
    "judge": 2000,
}


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
        "budget": Setting(None, float, low=0, guarded=True),
        "fetch.concurrency": Setting(8, int, low=1, high=64),
        "fetch.timeout": Setting(20.0, float, low=0.1, high=600),
        "fetch.grace": Setting(5.0, float, low=0, high=600),
        "fetch.max_bytes": Setting(10_000_000, int, low=1000, high=1_000_000_000),
        "fetch.allow_private": Setting(False, bool, guarded=True),
        "extract.concurrency": Setting(8, int, low=1, high=64),
        "extract.max_chars": Setting(150_000, int, low=500, high=2_000_000),
        "model.timeout": Setting(90.0, float, low=0.1, high=3600),
        "model.attempts": Setting(3, int, low=1, high=10),
        "search.backends": Setting((), tuple),
    }
    for role in ROLES:
        table[f"models.{role}.model"] = Setting(None, str)
        table[f"models.{role}.api_base"] = Setting(None, str, guarded=True)
        table[f"models.{role}.api_key_env"] = Setting(None, str, guarded=True)
        table[f"models.{role}.max_tokens"] = Setting(MAX_TOKENS[role], int, low=16, high=200_000)
    for name, url in BACKEND_URLS.items():
        table[f"backends.{name}.url"] = Setting(url, str, guarded=True)
    return table


TABLE: Mapping[str, Setting] = _table()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """Which model does a role, where it is served and which variable names its key."""

    model: str
    api_base: str | None
    api_key_env: str | None
    max_tokens: int

    @property
    def provider(self) -> str:
        return self.model.partition("/")[0]

    @property
    def name(self) -> str:
        """The name an endpoint knows: the part after the first slash."""
        return self.model.partition("/")[2] or self.model

    @property
    def endpoint(self) -> str | None:
        """Base URL of an OpenAI-compatible endpoint, None when litellm has to be asked."""
        return self.api_base or PROVIDER_URLS.get(self.provider)

    @property
    def key_name(self) -> str | None:
        """A default key belongs to its provider's own address and is never sent elsewhere."""
        if self.api_key_env or self.api_base:
            return self.api_key_env
        return f"{self.provider.upper()}_API_KEY"


@dataclass(frozen=True, slots=True)
class Settings:
    """Every value by dotted key, and its origin: `default`, a file, a variable or `option`."""

    values: Mapping[str, Value]
    origins: Mapping[str, str]
    project: Path | None = None
    """The project's `intelli.toml`, if there is one."""
    environ: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def text(self, key: str) -> str:
        return str(self.values[key] or "")

    def number(self, key: str) -> float:
        value = self.values[key]
        assert isinstance(value, int | float), key
        return float(value)

    def count(self, key: str) -> int:
        return int(self.number(key))

    def flag(self, key: str) -> bool:
        return bool(self.values[key])

    def names(self, key: str) -> tuple[str, ...]:
        value = self.values[key]
        return value if isinstance(value, tuple) else ()

    def limit(self, key: str) -> float | None:
        return None if self.values[key] is None else self.number(key)

    def secret(self, name: str | None) -> str | None:
        """A key by the name of its variable; one of nothing but spaces counts as absent."""
        return (self.environ.get(name, "").strip() or None) if name else None

    def model(self, role: Role) -> ModelChoice:
        """The model of a role; what a role after extraction leaves out comes from the extractor."""
        own = {
            part: self.values[f"models.{role}.{part}"]
            for part in ("model", "api_base", "api_key_env")
        }
        if role not in ("search", "extract"):
            own = _inherit(own, self.model("extract"))
        fallback = SEARCH_MODEL if role == "search" else EXTRACT_MODEL
        return ModelChoice(
            model=str(own["model"] or fallback),
            api_base=_optional(own["api_base"]),
            api_key_env=_optional(own["api_key_env"]),
            max_tokens=self.count(f"models.{role}.max_tokens"),
        )

    def has_model(self, role: Role) -> bool:
        """Whether the role can be called at all: an address of the user's, or a key."""
        choice = self.model(role)
        return bool(choice.api_base or self.secret(choice.key_name))

    @property
    def engine(self) -> EngineName:
        wanted = self.text("engine")
        if wanted == "auto":
            return "llm" if self.has_model("extract") else "local"
        return "llm" if wanted == "llm" else "local"

    @property
    def cache_dir(self) -> Path:
        base = (
            self.project.parent if self.project and not self._from_option("cache_dir") else Path()
        )
        return base / Path(self.text("cache_dir")).expanduser()

    def _from_option(self, key: str) -> bool:
        return self.origins[key] == "option"


def _inherit(own: dict[str, Value], parent: ModelChoice) -> dict[str, Value]:
    """An address and its key travel together, and only to a model of the same provider."""
    provider = str(own["model"] or parent.model).partition("/")[0]
    if own["api_base"] is None and own["api_key_env"] is None and provider == parent.provider:
        own = {**own, "api_base": parent.api_base, "api_key_env": parent.api_key_env}
    return {**own, "model": own["model"] or parent.model}


def _optional(value: Value) -> str | None:
    return str(value) if value else None


def load(
    options: Mapping[str, Value] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Settings:
    """All layers merged. Raises UsageError naming the key, the layer and what is allowed."""
    environ = os.environ if environ is None else environ
    project = find_project(cwd or Path.cwd())
    layers: list[tuple[str, Mapping[str, Any]]] = []
    user = user_file(environ)
    if user.is_file():
        layers.append((str(user), _read_file(user)))
    elif environ.get("INTELLI_CONFIG", "").strip():
        raise UsageError(
            f"INTELLI_CONFIG names a file that does not exist: {user}", code="no-config"
        )
    if project:
        flat = _read_file(project)
        _refuse_untrusted(project, flat, environ)
        layers.append((str(project), flat))
    layers += [(name, {key: value}) for name, key, value in _from_environment(environ)]
    layers.append(("option", {k: v for k, v in (options or {}).items() if v is not None}))
    return _merge(layers, project, environ)


def _merge(
    layers: Iterable[tuple[str, Mapping[str, Any]]],
    project: Path | None,
    environ: Mapping[str, str],
) -> Settings:
    values: dict[str, Value] = {key: setting.default for key, setting in TABLE.items()}
    origins = dict.fromkeys(TABLE, "default")
    for origin, flat in layers:
        for key, raw in flat.items():
            values[key] = check_value(key, raw, origin)
            origins[key] = origin
    return Settings(values, origins, project, dict(environ))


def check_value(key: str, raw: object, origin: str) -> Value:
    """`raw` as the type of `key`. Raises UsageError when it cannot be, or is out of range."""
    setting = TABLE.get(key)
    if setting is None:
        near = difflib.get_close_matches(key, TABLE, n=1)
        hint = f"did you mean `{near[0]}`?" if near else "`intelli config` lists every setting"
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


def _convert(raw: object, kind: type) -> Value:
    """None when `raw` does not fit; every kind accepts text, as variables are text."""
    if kind is tuple:
        parts = raw.split(",") if isinstance(raw, str) else raw
        if not isinstance(parts, list | tuple) or not all(isinstance(part, str) for part in parts):
            return None
        return tuple(part.strip() for part in parts if part.strip())
    if kind is bool:
        words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
        return raw if isinstance(raw, bool) else words.get(str(raw).strip().lower())
    if kind is str:
        return raw if isinstance(raw, str) and raw.strip() else None
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    try:
        number = float(raw)
        return number if kind is float else int(number) if number == int(number) else None
    except (ValueError, OverflowError):
        return None


def _allowed(setting: Setting) -> str:
    if setting.choices:
        return "one of " + ", ".join(setting.choices)
    names = {
        int: "a whole number",
        float: "a number",
        bool: "true or false",
        str: "text that is not blank",
    }
    name = names.get(setting.kind, "a list of names")
    if setting.low is None:
        return name
    return f"{name} from {setting.low:g}" + (
        f" to {setting.high:g}" if setting.high is not None else ""
    )


def user_file(environ: Mapping[str, str]) -> Path:
    named = environ.get("INTELLI_CONFIG", "").strip()
    return Path(named).expanduser() if named else user_dir("config") / "config.toml"


def user_dir(kind: str) -> Path:
    """The platform's directory for our `config`, `cache` or `state`."""
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_dir")("intelli", appauthor=False))


def find_project(start: Path) -> Path | None:
    """The nearest `intelli.toml` from `start` upwards."""
    start = start.absolute()
    return next((p for d in (start, *start.parents) if (p := d / "intelli.toml").is_file()), None)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}", code="unreadable-config") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}", code="invalid-config") from error
    return dict(_flatten(data))


def _flatten(data: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in data.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _from_environment(environ: Mapping[str, str]) -> Iterable[tuple[str, str, str]]:
    """(variable, key, value) of each of ours; a name that is only near one is an error."""
    known = {variable_of(key): key for key in TABLE}
    for name, value in sorted(environ.items()):
        if not name.startswith("INTELLI_") or name == "INTELLI_CONFIG":
            continue
        if name in known:
            yield name, known[name], value
        elif "__" in name or difflib.get_close_matches(name, known, n=1, cutoff=0.9):
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else "`intelli config` lists every setting"
            raise UsageError(
                f"unknown setting in the environment: {name}", code="unknown-setting", hint=hint
            )


def variable_of(key: str) -> str:
    return "INTELLI_" + key.replace(".", "__").replace("-", "_").upper()


# --- trust: a cloned repository must not be able to send a key elsewhere ------------------------


def _refuse_untrusted(path: Path, flat: Mapping[str, Any], environ: Mapping[str, str]) -> None:
    guarded = [key for key, value in flat.items() if _is_guarded(key, value, path.parent)]
    if guarded and not is_trusted(path):
        raise UsageError(
            f"{path} sets `{guarded[0]}`, which a project's file may not do before you trust it",
            code="untrusted-project",
            hint="read the file, then run `intelli config trust`, or remove the key",
        )


def _is_guarded(key: str, value: object, root: Path) -> bool:
    if key == "cache_dir" and isinstance(value, str):
        return not (root / Path(value).expanduser()).resolve().is_relative_to(root.resolve())
    return key in TABLE and TABLE[key].guarded


def _trust_file() -> Path:
    return user_dir("state") / "trusted.json"


def _fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _trusted() -> dict[str, str]:
    try:
        data = json.loads(_trust_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in data.items()} if isinstance(data, dict) else {}


def is_trusted(path: Path) -> bool:
    """Trust is of a file as it is: any change to it ends it."""
    return _trusted().get(str(path.resolve())) == _fingerprint(path)


def trust(path: Path) -> None:
    file = _trust_file()
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    data = {**_trusted(), str(path.resolve()): _fingerprint(path)}
    partial = file.with_suffix(f".{os.getpid()}.tmp")
    partial.write_text(json.dumps(data, indent=1), encoding="utf-8")
    partial.replace(file)


def export(name: str, value: str) -> None:
    """Set a variable that a library reads at import, unless the user did."""
    os.environ.setdefault(name, value)


def variable(name: str) -> str:
    """A variable that is not a setting of ours (`TERM`, `CI`), "" when it is not set."""
    return os.environ.get(name, "")
