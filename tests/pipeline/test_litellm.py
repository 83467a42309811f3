"""Providers without an endpoint of the common form are reached through litellm."""

from __future__ import annotations

from tests.world import World, refuse

KEY = "sk-deep-4711"


def env(world: World) -> dict[str, str]:
    roles = {
        f"INTELLI_MODELS__{role.upper()}__MODEL": f"deepseek/{role}"
        for role in ("extract", "collate", "suggest")
    }
    address = {"DEEPSEEK_API_BASE": world.model.server.url("/v1"), "DEEPSEEK_API_KEY": KEY}
    return {**roles, **address, "INTELLI_BACKENDS__EXA__URL": world.exa.server.url("/mcp")}


def test_a_provider_of_litellm_does_the_whole_job(world: World) -> None:
    world.article("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])
    world.model.say(
        "extract", refuse(429, "slow", retry_after="0"), world.model.computed("extract")
    )
    place = world.place(model=False)
    run = place.run("research", "how fast is the pump P1", "--json", **env(world))
    assert run.code == 0, run.stderr
    assert run.json["engine"] == "llm"
    assert run.json["claims"][0]["status"] == "verified"
    assert run.json["usage"]["by_role"]["extract"]["calls"] == 1
    sent = [dict(e.request.headers) for e in world.model.server.log.exchanges]
    assert {headers["authorization"] for headers in sent} == {f"Bearer {KEY}"}
    assert len(world.model.asked("extract")) == 2, "our own retry, and none of the library's"


def test_a_refusal_says_which_model_and_why_without_the_key(world: World) -> None:
    world.article("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])
    words = f"bad key {KEY}, that is {KEY[:9]}\n{KEY[9:]}, " + "and so on " * 26 + KEY
    world.model.say("extract", refuse(401, words))
    run = world.place(model=False).run("research", "how fast is it", "--json", **env(world))
    assert run.code == 5
    assert "deepseek/extract" in run.json["error"]["message"]
    assert "4711" not in run.stdout + run.stderr and KEY[:9] not in run.stdout + run.stderr


def test_the_parameters_of_a_role_reach_a_provider_of_litellm(world: World) -> None:
    world.article("/pump", "Pump", ["The pump P1 moves 12 litres per minute."])
    tuned = {"INTELLI_MODELS__EXTRACT__TEMPERATURE": "0.2"}
    world.model.say(
        "extract",
        refuse(400, "unsupported parameter: temperature"),
        world.model.computed("extract"),
    )
    run = world.place(model=False).run(
        "research", "how fast is the pump P1", "--json", **env(world), **tuned
    )
    assert run.code == 0, run.stdout
    sent = [ask.body.get("temperature") for ask in world.model.asked("extract")]
    assert sent == [0.2, None], "it is sent, and left out once it is refused"
