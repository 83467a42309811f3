"""Where a setting comes from, what is allowed, and what a project's file may not decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from intelli.errors import UsageError
from intelli.records import ROLES
from intelli.setting_table import TABLE, variable_of
from intelli.settings import Settings, load, user_dir
from intelli.trust import trust


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("CONFIG", "STATE", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind.lower()))
    return tmp_path


def project(path: Path, text: str) -> Path:
    folder = path / "project"
    folder.mkdir(exist_ok=True)
    (folder / "intelli.toml").write_text(text, encoding="utf-8")
    return folder


def loaded(cwd: Path, options: dict[str, object] | None = None, **environ: str) -> Settings:
    return load(options, environ=environ, cwd=cwd)  # type: ignore[arg-type]


def test_later_layers_win_and_say_so(tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_text("urls = 3\n[fetch]\nconcurrency = 3\ntimeout = 3\ngrace = 3\n")
    folder = project(tmp_path, "[fetch]\nconcurrency = 4\ntimeout = 4\ngrace = 4\n")
    settings = loaded(
        folder,
        {"fetch.grace": 6.0},
        INTELLI_CONFIG=str(user),
        INTELLI_FETCH__TIMEOUT="5",
        INTELLI_FETCH__GRACE="5",
    )
    keys = ("max_urls", "urls", "fetch.concurrency", "fetch.timeout", "fetch.grace")
    assert [settings.values[key] for key in keys] == [20, 3, 4, 5.0, 6.0]
    origins = [settings.origins[key] for key in keys]
    assert origins[0] == "default"
    assert origins[1] == str(user)
    assert origins[2] == str(folder / "intelli.toml")
    assert origins[3:] == ["INTELLI_FETCH__TIMEOUT", "option"]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("INTELLI_FETCH__TIMEOUT", "soon", "a number"),
        ("INTELLI_FETCH__TIMEOUT", "0", "from 0.1"),
        ("INTELLI_FETCH__TIMEOUT", "nan", "a number"),
        ("INTELLI_URLS", "2.5", "a whole number"),
        ("INTELLI_URLS", "1e999", "a whole number"),
        ("INTELLI_ENGINE", "gpt", "auto, llm, local"),
        ("INTELLI_FETCH__ALLOW_PRIVATE", "maybe", "true or false"),
    ],
)
def test_a_bad_value_names_the_key_and_what_is_allowed(
    tmp_path: Path, name: str, value: str, words: str
) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        loaded(tmp_path, **{name: value})
    assert name in caught.value.message


def test_an_unknown_setting_names_the_near_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"fetch\.concurency") as caught:
        loaded(project(tmp_path, "[fetch]\nconcurency = 2\n"))
    assert "fetch.concurrency" in caught.value.hint
    with pytest.raises(UsageError) as caught:
        loaded(tmp_path, INTELLI_MODELS__EXTRAKT__MODEL="x/y")
    assert "INTELLI_MODELS__EXTRACT__MODEL" in caught.value.hint


def test_variables_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    assert loaded(tmp_path, INTELLI_SEARCH_WORKSPACE="/x").text("engine") == "auto"


@pytest.mark.parametrize("text", ["urls = [", "urls = {}", "\x00"])
def test_a_broken_file_is_named(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"intelli\.toml|urls"):
        loaded(project(tmp_path, text + "\n[urls]\nx = 1"))


def test_a_configuration_that_is_named_must_exist(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="INTELLI_CONFIG"):
        loaded(tmp_path, INTELLI_CONFIG=str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("models.extract.api_base", '[models.extract]\napi_base = "http://evil.example/v1"'),
        ("models.search.api_key_env", '[models.search]\napi_key_env = "AWS_SECRET"'),
        ("backends.exa.url", '[backends.exa]\nurl = "http://evil.example"'),
        ("fetch.allow_private", "[fetch]\nallow_private = true"),
        ("budget", "budget = 1000"),
        ("models.extract.extra", "[models.extract.extra]\ntop_k = 5"),
        ("models.extract.input_price", "[models.extract]\ninput_price = 0.0"),
        ("cache_dir", 'cache_dir = "../elsewhere"'),
        ("cache_dir", 'cache_dir = "/etc/cron.d"'),
    ],
)
def test_a_project_may_not_decide_it_before_it_is_trusted(
    tmp_path: Path, key: str, text: str
) -> None:
    folder = project(tmp_path, text)
    with pytest.raises(UsageError, match=key) as caught:
        loaded(folder)
    assert "intelli config trust" in caught.value.hint
    trust(folder / "intelli.toml", user_dir("state"))
    assert loaded(folder).origins[key] == str(folder / "intelli.toml")
    project(tmp_path, text + "\n# changed\n")
    with pytest.raises(UsageError):
        loaded(folder)


def test_a_project_may_choose_models_and_a_directory_inside(tmp_path: Path) -> None:
    folder = project(tmp_path, 'cache_dir = "notes"\n[models.extract]\nmodel = "openai/gpt-5"\n')
    settings = loaded(folder)
    assert settings.cache_dir == folder / "notes"
    assert settings.model("extract").model == "openai/gpt-5"


def test_a_key_of_spaces_is_no_key(tmp_path: Path) -> None:
    assert loaded(tmp_path, OPENROUTER_API_KEY="  ").engine == "local"
    assert loaded(tmp_path, OPENROUTER_API_KEY="k").engine == "llm"


def test_later_roles_take_from_extract_what_they_leave_out(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        INTELLI_MODELS__EXTRACT__MODEL="openai/small",
        INTELLI_MODELS__EXTRACT__API_BASE="http://127.0.0.1:1/v1",
        INTELLI_MODELS__EXTRACT__API_KEY_ENV="LOCAL_KEY",
        INTELLI_MODELS__COLLATE__MODEL="openai/large",
        INTELLI_MODELS__JUDGE__MODEL="anthropic/claude",
    )
    suggest, collate, judge = (settings.model(r) for r in ("suggest", "collate", "judge"))
    assert (suggest.name, suggest.endpoint) == ("small", "http://127.0.0.1:1/v1")
    assert (collate.name, collate.key_name) == ("large", "LOCAL_KEY")
    assert judge.api_base is None, "an address is for models of its own provider"
    assert judge.key_name == "ANTHROPIC_API_KEY"
    assert settings.model("search").api_base is None


def test_an_address_of_its_own_does_not_get_the_key_of_another(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        INTELLI_MODELS__EXTRACT__API_KEY_ENV="PAID_KEY",
        INTELLI_MODELS__COLLATE__API_BASE="http://127.0.0.1:1/v1",
    )
    assert settings.model("collate").key_name is None


def test_a_price_goes_with_the_model_and_its_address(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        INTELLI_MODELS__EXTRACT__MODEL="openai/small",
        INTELLI_MODELS__EXTRACT__INPUT_PRICE="0.3",
        INTELLI_MODELS__EXTRACT__OUTPUT_PRICE="1.2",
        INTELLI_MODELS__COLLATE__MODEL="openai/large",
        INTELLI_MODELS__JUDGE__API_BASE="http://127.0.0.1:1/v1",
    )
    prices = {
        role: (settings.model(role).input_price, settings.model(role).output_price)
        for role in ROLES
    }
    assert prices["extract"] == prices["suggest"] == (0.3, 1.2)
    assert prices["collate"] == prices["judge"] == prices["search"] == (None, None)


@pytest.mark.parametrize("budget", ["-1", "nan", "inf", "1e400", "0x10", ""])
def test_a_budget_is_a_sum_of_money(tmp_path: Path, budget: str) -> None:
    with pytest.raises(UsageError, match="budget"):
        loaded(tmp_path, INTELLI_BUDGET=budget)


def test_how_a_model_is_asked_goes_with_the_model(tmp_path: Path) -> None:
    settings = loaded(
        tmp_path,
        INTELLI_MODELS__EXTRACT__MODEL="openai/small",
        INTELLI_MODELS__EXTRACT__TEMPERATURE="0",
        INTELLI_MODELS__EXTRACT__REASONING_EFFORT="low",
        INTELLI_MODELS__EXTRACT__EXTRA='{"top_k": 5}',
        INTELLI_MODELS__SUGGEST__TEMPERATURE="1",
        INTELLI_MODELS__COLLATE__MODEL="openai/large",
    )
    suggest, collate = settings.model("suggest"), settings.model("collate")
    assert (suggest.temperature, suggest.reasoning_effort) == (1.0, "low")
    assert suggest.extra_fields == {"top_k": 5}
    assert (collate.temperature, collate.reasoning_effort, collate.extra) == (None, "", "")


def test_extra_fields_are_a_table_or_a_json_object(tmp_path: Path) -> None:
    text = "[models.extract]\nextra = { top_k = 5, chat_template_kwargs = { thinking = false } }\n"
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    in_file = loaded(tmp_path, INTELLI_CONFIG=str(path)).model("extract").extra_fields
    assert in_file == {"top_k": 5, "chat_template_kwargs": {"thinking": False}}


@pytest.mark.parametrize(
    "value", ["x", "[]", "5", "{", '{"a": NaN}', '{"messages": []}', '{"api_base": "http://x"}']
)
def test_extra_fields_never_take_the_place_of_our_own(tmp_path: Path, value: str) -> None:
    with pytest.raises(UsageError, match=r"models\.extract\.extra"):
        loaded(tmp_path, INTELLI_MODELS__EXTRACT__EXTRA=value)


def test_every_setting_has_a_variable_of_its_own() -> None:
    assert len({variable_of(key) for key in TABLE}) == len(TABLE)
