"""Settings and where each came from: defaults < user file < project file < environment < options.

The only module that reads the environment. Every value is addressed by its dotted key
(`models.extract.api_base`), which is also how errors, `intelli config` and the variables
(`INTELLI_MODELS__EXTRACT__API_BASE`) name it.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from intelli.errors import UsageError
from intelli.model_choice import ModelChoice, default_key_name
from intelli.records import EngineName, Role
from intelli.setting_table import (
    EXTRACT_MODEL,
    SEARCH_MODELS,
    TABLE,
    Value,
    check_value,
    near,
    variable_of,
)
from intelli.trust import expanded, refuse_link, refuse_untrusted

__all__ = ["ModelChoice", "Value", "default_key_name", "variable_of"]


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
        own = {part: self.values[f"models.{role}.{part}"] for part in (*_WHERE, *_HOW, *_PRICES)}
        if role not in ("search", "extract"):
            own = _inherit(own, self.model("extract"))
        fallback = EXTRACT_MODEL
        if role == "search":
            is_default = own["api_base"] is None and own["api_key_env"] is None
            fallback = self._search_model() if is_default else SEARCH_MODELS[0]
        return ModelChoice(
            model=str(own["model"] or fallback),
            api_base=_optional(own["api_base"]),
            api_key_env=_optional(own["api_key_env"]),
            max_tokens=self.count(f"models.{role}.max_tokens"),
            temperature=_optional_number(own["temperature"]),
            reasoning_effort=str(own["reasoning_effort"] or ""),
            extra=str(own["extra"] or ""),
            input_price=_optional_number(own["input_price"]),
            output_price=_optional_number(own["output_price"]),
        )

    def _search_model(self) -> str:
        """Chosen by its key only where that key goes to the provider's own address."""
        has_key = (m for m in SEARCH_MODELS if self.secret(default_key_name(m.partition("/")[0])))
        return next(has_key, SEARCH_MODELS[0])

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
        return base / expanded("cache_dir", self.text("cache_dir"))

    @property
    def cache_option(self) -> str:
        """As `cache_option` has it, "" where the sessions are where other settings say."""
        return cache_option(self.text("cache_dir") if self._from_option("cache_dir") else None)

    @property
    def backends_option(self) -> tuple[str, ...]:
        """The search services that an option names, none where other settings say them."""
        return self.names("search.backends") if self._from_option("search.backends") else ()

    def _from_option(self, key: str) -> bool:
        return self.origins[key] == "option"


def cache_option(cache_dir: str | None) -> str:
    """` --cache-dir DIR` for commands that are named in what is printed."""
    return f" --cache-dir {shlex.quote(cache_dir)}" if cache_dir else ""


_WHERE = ("model", "api_base", "api_key_env")
_HOW = ("temperature", "reasoning_effort", "extra")
_PRICES = ("input_price", "output_price")


def _inherit(own: dict[str, Value], parent: ModelChoice) -> dict[str, Value]:
    """An address and its key travel together, and only to a model of the same provider; how it is
    asked goes with the model itself, and its price with both."""
    model = str(own["model"] or parent.model)
    provider = model.partition("/")[0]
    if own["api_base"] is None and own["api_key_env"] is None and provider == parent.provider:
        own = {**own, "api_base": parent.api_base, "api_key_env": parent.api_key_env}
    if model == parent.model:
        is_there = own["api_base"] == parent.api_base
        parts = (*_HOW, *_PRICES) if is_there else _HOW
        own = {**own, **{part: getattr(parent, part) for part in parts if own[part] is None}}
    return {**own, "model": model}


def _optional(value: Value) -> str | None:
    return str(value) if value else None


def _optional_number(value: Value) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def load(
    options: Mapping[str, Value] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Settings:
    """All layers merged. Raises UsageError naming the key, the layer and what is allowed."""
    environ = os.environ if environ is None else environ
    project = find_project(cwd or _working_directory())
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
        refuse_untrusted(project, flat, user_dir("state"))
        layers.append((str(project), flat))
    layers += [(name, {key: value}) for name, key, value in _from_environment(environ)]
    layers.append(("option", {k: v for k, v in (options or {}).items() if v is not None}))
    settings = _merge(layers, project, environ)
    refuse_link(settings.cache_dir, settings.origins["cache_dir"] in ("default", str(project)))
    return settings


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


def user_file(environ: Mapping[str, str] | None = None) -> Path:
    """The user's configuration file; it need not exist."""
    environ = os.environ if environ is None else environ
    named = environ.get("INTELLI_CONFIG", "").strip()
    return expanded("INTELLI_CONFIG", named) if named else user_dir("config") / "config.toml"


def _working_directory() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError(
            "the working directory does not exist any more",
            code="no-directory",
            hint="cd elsewhere",
        ) from error


def user_dir(kind: Literal["config", "cache", "state"]) -> Path:
    """The platform's directory for what of ours belongs to the user; it need not exist."""
    if sys.platform == "linux":  # one line of the XDG rules; the library doubles the cost of load
        default = {"config": ".config", "cache": ".cache", "state": ".local/state"}[kind]
        named = Path(os.environ.get(f"XDG_{kind.upper()}_HOME", ""))
        return (named if named.is_absolute() else Path.home() / default) / "intelli"
    import platformdirs

    finders = {
        "config": platformdirs.user_config_dir,
        "cache": platformdirs.user_cache_dir,
        "state": platformdirs.user_state_dir,
    }
    return Path(finders[kind]("intelli", appauthor=False))


def find_project(start: Path) -> Path | None:
    """The nearest `intelli.toml` from `start` upwards."""
    for folder in (start, *start.parents):
        with suppress(OSError):  # a directory that may not be looked into holds nothing for us
            if (folder / "intelli.toml").is_file():
                return folder / "intelli.toml"
    return None


def _read_file(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}", code="unreadable-config") from error
    except (ValueError, RecursionError) as error:  # TOML, and figures or nesting without end
        raise UsageError(f"{path} is not valid TOML: {error}", code="invalid-config") from error
    return dict(_flatten(data))


def _flatten(data: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in data.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict) and not (key in TABLE and TABLE[key].kind is dict):
            yield from _flatten(value, f"{key}.")
        else:
            yield key, value


def _from_environment(environ: Mapping[str, str]) -> Iterable[tuple[str, str, str]]:
    """(variable, key, value) of each of ours; a name that is only near one is an error."""
    known = {variable_of(key): key for key in TABLE}
    for name, value in sorted(environ.items()):
        if not name.startswith("INTELLI_") or name == "INTELLI_CONFIG":
            continue
        if name in known:
            yield name, known[name], value
        elif "__" in name or near(name, known, cutoff=0.9):
            close = near(name, known)
            hint = f"did you mean {close[0]}?" if close else "`intelli config` lists every setting"
            raise UsageError(
                f"unknown setting in the environment: {name}", code="unknown-setting", hint=hint
            )


def export(name: str, value: str) -> None:
    """Set a variable that a library reads at import, unless the user did."""
    os.environ.setdefault(name, value)


def set_variables(values: Mapping[str, str | None]) -> None:
    """Change the environment that libraries read; None takes a variable away."""
    for name, value in values.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def variable(name: str) -> str:
    """A variable that is not a setting of ours (`TERM`, `CI`), "" when it is not set."""
    return os.environ.get(name, "")
