"""Wrong settings are refused by name, and a cloned project may not decide what costs or leaks."""

from __future__ import annotations

import pytest

from intelli.search.backend import BACKENDS
from tests.pipeline.kit import Q, failed, pumps, texts_below
from tests.world import World


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("INTELLI_FETCH__TIMEOUT", "soon", ("fetch.timeout", "'soon'", "number")),
        ("INTELLI_FETCH__TIMEOUT", "0", ("fetch.timeout", "0.1")),
        ("INTELLI_FETCH__CONCURRENCY", "2.5", ("fetch.concurrency", "whole number")),
        ("INTELLI_ENGINE", "magic", ("engine", "auto, llm, local")),
        ("INTELLI_FETCH__ALLOW_PRIVATE", "perhaps", ("fetch.allow_private", "true or false")),
        ("INTELLI_FETCH__TIMEOOT", "3", ("INTELLI_FETCH__TIMEOOT", "INTELLI_FETCH__TIMEOUT")),
        ("INTELLI_SEARCH__BACKENDS", "exa,gogle", ("gogle", "duckduckgo")),
        ("INTELLI_MODELS__EXTRACT__MODEL", " ", ("models.extract.model",)),
    ],
)
def test_a_bad_variable_is_named_with_what_is_allowed(
    world: World, name: str, value: str, words: tuple[str, ...]
) -> None:
    run = world.place().run("research", Q, "--json", **{name: value})
    error = failed(run, 2, "usage")["error"]
    assert all(word in f"{error['message']} {error['hint']}" for word in words), error
    assert not world.model.asks


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[fetch]\ntimeout = 'x'\n", ("fetch.timeout", "config.toml")),
        ("[fetch]\ntimeut = 3\n", ("fetch.timeut", "fetch.timeout")),
        ("fetch = [\n", ("config.toml", "TOML")),
        ("[models.extract]\napi_key = 'sk-1'\n", ("models.extract.api_key", "api_key_env")),
    ],
)
def test_a_bad_user_file_is_named_with_its_key(
    world: World, text: str, words: tuple[str, ...]
) -> None:
    place = world.place()
    (place.root / "config.toml").write_text(text, encoding="utf-8")
    run = place.run("research", Q, "--json", INTELLI_CONFIG=str(place.root / "config.toml"))
    error = failed(run, 2, "usage")["error"]
    assert all(word in f"{error['message']} {error['hint']}" for word in words), error
    assert "sk-1" not in run.stdout + run.stderr


def test_a_user_file_that_is_named_has_to_exist(world: World) -> None:
    run = world.place().run("research", Q, INTELLI_CONFIG="nowhere.toml")
    assert run.code == 2 and "nowhere.toml" in run.stderr


def test_settings_come_from_the_file_the_variable_and_the_option_in_this_order(
    world: World,
) -> None:
    pumps(world, 4)
    place = world.place()
    (place.project / "intelli.toml").write_text("urls = 1\n[fetch]\ngrace = 2\n", encoding="utf-8")
    assert len(place.run("research", Q, "--json").json["sources"]) == 1
    two = {"INTELLI_URLS": "2"}
    assert len(place.run("research", Q, "--json", **two).json["sources"]) == 2
    assert len(place.run("research", Q, "--urls", "3", "--json", **two).json["sources"]) == 3
    shown = place.run("config", "--json", **two).json["settings"]
    assert shown["urls"] == {"value": 2, "origin": "INTELLI_URLS"}
    assert shown["fetch.grace"]["origin"].endswith("intelli.toml")
    assert shown["fetch.concurrency"] == {"value": 8, "origin": "default"}
    text = place.run("config").stdout
    assert "fetch.grace = 2  # " in text and "fetch.concurrency = 8  # default" in text


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[models.extract]\napi_base = 'http://127.0.0.1:9/v1'\n", "models.extract.api_base"),
        ("[models.search]\napi_key_env = 'HOME'\n", "models.search.api_key_env"),
        ("[backends.exa]\nurl = 'http://127.0.0.1:9/'\n", "backends.exa.url"),
        ("[fetch]\nallow_private = true\n", "fetch.allow_private"),
        ("budget = 100\n", "budget"),
        ("cache_dir = '../elsewhere'\n", "cache_dir"),
    ],
)
def test_a_project_may_not_decide_what_leaks_or_costs(world: World, text: str, key: str) -> None:
    place = world.place()
    (place.project / "intelli.toml").write_text(text, encoding="utf-8")
    error = failed(place.run("research", Q, "--json"), 2, "usage")["error"]
    assert f"`{key}`" in error["message"] and "intelli config trust" in error["hint"]
    assert not world.model.asks and not world.exa.server.log.exchanges


def test_a_project_is_trusted_as_it_is_and_no_longer(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    file = place.project / "intelli.toml"
    file.write_text("cache_dir = '../elsewhere'\n", encoding="utf-8")
    assert place.run("research", Q).code == 2
    trusted = place.run("config", "trust")
    assert trusted.code == 0 and str(file) in trusted.stdout
    run = place.run("research", Q, "--json")
    assert run.code == 0 and list((place.root / "elsewhere").glob("*/report.md"))
    file.write_text("cache_dir = '../elsewhere2'\n", encoding="utf-8")
    failed(place.run("research", Q, "--json"), 2, "usage")
    assert str(file) in texts_below(place.root / "home")


def test_the_cache_belongs_to_the_project_from_every_folder_in_it(world: World) -> None:
    pumps(world, 1)
    place = world.place()
    (place.project / "intelli.toml").write_text("cache_dir = 'notes'\n", encoding="utf-8")
    (place.project / "deep" / "er").mkdir(parents=True)
    run = place.shell(f"cd deep/er && intelli research '{Q}' --json")
    assert run.code == 0 and list((place.project / "notes").glob("*/report.md"))
    assert place.run("list", "--json").json["total"] == 1
    named = place.shell("cd deep/er && intelli list --cache-dir ../../notes --json")
    assert named.json["total"] == 1


def test_a_model_without_a_key_says_which_key(world: World) -> None:
    run = world.place(model=False).run("research", Q, "--engine", "llm", "--json")
    error = failed(run, 2, "usage")["error"]
    assert "OPENROUTER_API_KEY" in error["message"] and "--engine local" in error["hint"]
    assert not world.exa.server.log.exchanges


def test_a_remote_model_is_no_use_offline(world: World) -> None:
    place = world.place(model=False)
    (place.project / "a.md").write_text("# A\n\nThe pump moves 12 litres.\n", encoding="utf-8")
    flags = ("--offline", "--docs", "a.md", "--json")
    refused = place.run("research", Q, *flags, "--engine", "llm", OPENROUTER_API_KEY="sk-1")
    failed(refused, 2, "usage")
    auto = place.run("research", Q, *flags, OPENROUTER_API_KEY="sk-1")
    assert (auto.code, auto.json["engine"]) == (0, "local")
    for flags in (("--url", "https://a.example"), ("--backend", "exa")):
        error = failed(place.run("research", Q, "--offline", *flags, "--json"), 2, "usage")["error"]
        assert flags[0] in error["message"]


def test_doctor_says_what_works_and_what_a_key_would_add(world: World) -> None:
    place = world.place(model=False)
    run = place.run("doctor", "--json")
    checks = {check["name"]: check for check in run.json["checks"]}
    assert run.code == 0 and run.json["outcome"] == "completed"
    assert all(check["ok"] for check in checks.values())
    assert "local" in checks["engine"]["message"]
    assert "exa" in checks["search"]["message"] and "duckduckgo" in checks["search"]["message"]
    assert checks["OPENROUTER_API_KEY"]["group"] == "adds"
    (place.project / ".search").write_text("a file", encoding="utf-8")
    text = place.run("doctor").stdout
    assert "! " in text and ".search is a file" in text
    assert all(not server.log.exchanges for server in world.servers)


def test_doctor_names_every_backend_by_what_it_takes(world: World) -> None:
    run = world.place(model=False).run("doctor", "--json", BRAVE_API_KEY="k", TAVILY_API_KEY="  ")
    checks = run.json["checks"]
    usable = next(check["message"] for check in checks if check["name"] == "with --backend")
    assert "exa, parallel, tavily" in usable and "brave (your key)" in usable
    lacking = {
        c["message"].split()[-1]: c["name"] for c in checks if "search service" in c["message"]
    }
    assert lacking["serper"] == "SERPER_API_KEY" and lacking["searxng"] == "backends.searxng.url"
    remote = {name for name, entry in BACKENDS.items() if entry.family != "local"}
    named = {name.split(" ")[0] for name in usable.split(", ")}
    assert remote - {"perplexity"} == named | set(lacking)
