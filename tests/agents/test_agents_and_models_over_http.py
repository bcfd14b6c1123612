"""Agents and models over HTTP: versions are checked by building, keys never come back."""

import json
import logging
from typing import Any
from uuid import UUID

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.services.llm_configs import load_config
from tapes_app.agents.store.agents import create_agent
from tapes_app.agents.store.llm_models import load_model
from tapes_app.engine.agent.spec import LLMSpec, NodeSpec
from tapes_app.engine.environment.spec import EnvironmentSpec
from tapes_app.engine.redaction import redact
from tapes_app.models import (
    LLMCallRecord,
    MembershipRecord,
    ModelRecord,
    ProjectRecord,
    TapeRecord,
)
from tests.commands.running import fail, run
from tests.http.worlds import SECRET, World, spec
from tests.llms.openai_server import OpenAIServer
from tests.runs.ledger import NAME as LEDGER

pytestmark = pytest.mark.django_db


def call(client: Client, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
    data = "" if body is None else json.dumps(body)
    answer = client.generic(method, f"/api/v1/{path}", data, content_type="application/json")
    assert answer.status_code == expect, answer.content
    return answer.json() if answer.content else None


def data(name: str = "talker", **changes: Any) -> dict[str, Any]:
    return {"spec": spec(name).model_copy(update=changes).model_dump(mode="json")}


@pytest.fixture
def operator(project: ProjectRecord, settings: Settings) -> User:
    """Who runs commands, in the project too."""
    owner = User.objects.create_user(settings.STUDIO_OWNER_NAME)
    MembershipRecord.objects.create(project=project, user=owner, role="owner")
    return owner


def test_agents_are_listed_with_their_newest_version(studio: Client, world: World) -> None:
    call(
        studio,
        "POST",
        f"agents/{world.agent}/versions",
        data(templates={"system": "Be brief."}),
        expect=201,
    )

    rows = call(studio, "GET", "agents")
    agent = call(studio, "GET", f"agents/{world.agent}")

    assert [(row["name"], row["latest_version"], row["version_count"]) for row in rows] == [
        ("talker", 2, 2)
    ]
    assert [version["number"] for version in agent["versions"]] == [2, 1]
    assert agent["versions"][0]["spec"]["templates"] == {"system": "Be brief."}
    assert agent["latest_version_id"] == agent["versions"][0]["id"]


def test_the_tapes_of_an_agent_say_how_it_is_used(studio: Client, world: World) -> None:
    first, *_ = (
        TapeRecord.objects.create(
            project_id=world.project,
            agent_version_id=world.version,
            outcome=outcome,
            cost_micro_usd=cost,
            llm_call_count=1,
            archived_at=timezone.now() if outcome == "fail" and cost == 0 else None,
        )
        for outcome, cost in (("pass", 30), ("pass", 0), ("fail", 6), ("", 0), ("fail", 0))
    )
    TapeRecord.objects.filter(pk=first.pk).update(unpriced_call_count=1)

    (use,) = call(studio, "GET", "agents/use")

    own = TapeRecord.objects.filter(agent_version_id=world.version, archived_at=None)
    assert use["agent_id"] == str(world.agent)
    assert (use["tape_count"], use["passed_count"], use["failed_count"]) == (own.count(), 2, 1)
    assert (use["cost_micro_usd"], use["unpriced_call_count"]) == (
        sum(own.values_list("cost_micro_usd", flat=True)),
        1,
    )
    assert use["llm_call_count"] >= 4


def test_the_same_spec_again_is_the_same_version(studio: Client, world: World) -> None:
    made = call(studio, "POST", f"agents/{world.agent}/versions", data(), expect=201)

    assert made["id"] == str(world.version)


def test_the_note_on_a_version_is_changed_and_nothing_else(studio: Client, world: World) -> None:
    (before,) = call(studio, "GET", f"agents/{world.agent}")["versions"]
    path = f"agents/versions/{world.version}/note"

    changed = call(studio, "PUT", path, {"note": " Looks it up first "})
    call(studio, "PUT", path, {"note": "a" * 1_001}, expect=422)
    call(studio, "PUT", path, {"note": "", "number": 3}, expect=422)

    (after,) = call(studio, "GET", f"agents/{world.agent}")["versions"]
    assert changed == after == {**before, "note": "Looks it up first"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"nodes": (NodeSpec(type="os.system"),)}, "no node type 'os.system'"),
        (
            {"nodes": (NodeSpec(type="tests.SayNode", settings={"colour": "red"}),)},
            "colour: Extra inputs",
        ),
        (
            {"nodes": (NodeSpec(type="engine.TalkNode", settings={"tools": ["os.system"]}),)},
            "no tool named 'os.system'",
        ),
        (
            {"nodes": (NodeSpec(type="engine.TalkNode", settings={"tools": [7]}),)},
            "'7' is not a tool",
        ),
        ({"environment": "nowhere"}, "no environment named 'nowhere'"),
        ({"name": "other"}, "cannot be named 'other'"),
        ({"llms": {}, "subagents": (spec("a"), spec("a"))}, "more than one subagent"),
    ],
)
def test_a_version_that_cannot_be_built_is_refused_with_the_reason(
    studio: Client, world: World, changes: dict[str, Any], reason: str
) -> None:
    refused = call(studio, "POST", f"agents/{world.agent}/versions", data(**changes), expect=422)

    assert refused["code"] == "agent_config"
    assert reason in refused["message"]
    assert call(studio, "GET", f"agents/{world.agent}")["version_count"] == 1


def test_a_key_among_an_agents_parameters_is_refused(studio: Client, world: World) -> None:
    llm = LLMSpec(model="script:echo", parameters={"api_key": SECRET})

    refused = call(
        studio, "POST", f"agents/{world.agent}/versions", data(llms={"default": llm}), expect=422
    )

    assert SECRET not in json.dumps(refused)
    assert "recorded with every call" in refused["message"]


def test_an_agent_of_the_shipped_node_offers_the_tools_that_it_names(
    studio: Client, world: World
) -> None:
    tools = ["tapes_app.gallery.chat.tools.calculate"]
    talk = NodeSpec(type="engine.TalkNode", settings={"tools": tools})

    agent = call(studio, "POST", "agents", data("adder", nodes=(talk,), environment=""), expect=201)

    assert [tool["name"] for tool in agent["tools"]] == ["calculate"]


def test_an_agent_names_environments_with_settings_that_fit(studio: Client, world: World) -> None:
    ledger = EnvironmentSpec(type=LEDGER, settings={"by": 2})
    wrong = EnvironmentSpec(type=LEDGER, settings={"by": "two", "key": SECRET})

    agent = call(studio, "POST", "agents", data("clerk", environment=(ledger, "")), expect=201)
    refused = call(studio, "POST", "agents", data("other", environment=wrong), expect=422)

    stored = {"type": LEDGER, "settings": {"by": 2}}
    assert agent["versions"][0]["spec"]["environment"] == [stored, ""]
    assert refused["code"] == "agent_config"
    assert "settings of environment 'test-ledger' are invalid: by: Input" in refused["message"]
    assert SECRET not in json.dumps(refused)


def test_an_agent_is_added_under_its_name_once(studio: Client, world: World) -> None:
    added = call(studio, "POST", "agents", data("newcomer"), expect=201)
    again = call(studio, "POST", "agents", data("newcomer"), expect=409)

    assert (added["name"], added["latest_version"]) == ("newcomer", 1)
    assert again["code"] == "conflict"


def test_a_model_override_replaces_every_llm_of_the_team(
    project: ProjectRecord, world: World
) -> None:
    inner = spec("inner", model="script:echo")
    team = spec("team").model_copy(update={"subagents": (inner,)})
    version = create_agent(project.id, team)

    live = build_live_agent(
        project.id, version.id, model_id=world.model, parameters={"temperature": 0.25}
    )

    names = [member.llms["default"].model_name for _, member in live.agent.walk()]
    assert names == ["script:echo", "script:echo"]
    plain = build_live_agent(project.id, version.id)
    assert plain.agent.subagents[0].llms["default"] is not live.agent.subagents[0].llms["default"]


def test_a_models_key_goes_in_and_never_comes_out(
    studio: Client, project: ProjectRecord, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    model = {"name": "cloud", "litellm_model": "openai/gpt", "api_key": SECRET}

    bodies: list[dict[str, Any]] = [
        model,
        model,
        {**model, "name": ""},
        {**model, "api_key": [SECRET]},
        {**model, "base_url": SECRET},
    ]
    answers = [
        *(studio.post("/api/v1/models", body, content_type="application/json") for body in bodies),
        studio.get("/api/v1/models"),
        studio.get("/api/v1/session"),
    ]

    stored = ModelRecord.objects.get()
    assert [answer.status_code for answer in answers] == [201, 409, 422, 422, 422, 200, 200]
    assert answers[0].json()["has_api_key"]
    assert not any(SECRET in answer.content.decode() for answer in answers)
    assert SECRET not in caplog.text
    assert SECRET.encode() not in bytes(stored.api_key_encrypted)
    assert redact(f"error: {SECRET}") == "error: [redacted]"


def test_a_key_stays_until_another_is_given_or_it_is_removed(
    studio: Client, project: ProjectRecord
) -> None:
    model = {"name": "cloud", "litellm_model": "openai/gpt", "api_key": SECRET}
    made = call(studio, "POST", "models", model, expect=201)
    path = f"models/{made['id']}"

    kept = call(studio, "PUT", path, {"name": "cloud", "litellm_model": "openai/other"})
    removed = call(studio, "PATCH", path, {"api_key": ""})

    assert (kept["litellm_model"], kept["has_api_key"]) == ("openai/other", True)
    assert not removed["has_api_key"]


def test_a_retired_key_is_gone_and_runs_with_the_model_are_refused_until_it_has_a_new_one(
    studio: Client, world: World, project: ProjectRecord, operator: User
) -> None:
    model = {"name": "cloud", "litellm_model": "openai/gpt", "api_key": SECRET}
    made = call(studio, "POST", "models", model, expect=201)
    begun = {"agent_version_id": str(world.version), "model_id": made["id"], "message": "Hi"}

    said = run("retire_key", "cloud", "--project", project.name)
    stored = bytes(ModelRecord.objects.get(id=made["id"]).api_key_encrypted)
    refused = call(studio, "POST", "tapes", begun, expect=409)
    call(studio, "PATCH", f"models/{made['id']}", {"api_key": "", "record_tokens": True})
    asked = call(studio, "POST", f"models/{made['id']}/test")
    mended = call(studio, "PATCH", f"models/{made['id']}", {"api_key": "another"})
    started = call(studio, "POST", "tapes", begun, expect=201)

    assert said == "The key of cloud is retired and removed from the database."
    assert stored == b""
    sentence = "The key of model 'cloud' was retired; give it a new one under Models."
    assert (refused["code"], refused["message"]) == ("model_key_retired", sentence)
    assert (asked["is_ok"], asked["message"]) == (False, sentence)
    assert (mended["has_api_key"], mended["key_retired_at"]) == (True, None)
    assert started["job_id"]
    entry = LogEntry.objects.get()
    assert (entry.user, entry.get_change_message()) == (operator, said)


def test_a_model_without_a_key_or_served_here_has_none_to_retire(
    studio: Client, project: ProjectRecord, operator: User
) -> None:
    call(studio, "POST", "models", {"name": "open", "litellm_model": "openai/x"}, expect=201)
    call(studio, "POST", "models", {"name": "own", "litellm_model": "openai/x", "api_key": SECRET},
         expect=201)  # fmt: skip
    ModelRecord.objects.filter(name="own").update(is_served_here=True)

    assert (
        fail("retire_key", "open", "--project", project.name)
        == "Model 'open' has no key to retire."
    )
    assert "stop serving it instead" in fail("retire_key", "own", "--project", project.name)
    assert ModelRecord.objects.get(name="own").api_key_encrypted


def test_a_stored_key_is_not_sent_to_another_address(
    studio: Client, project: ProjectRecord
) -> None:
    model = {"name": "cloud", "litellm_model": "openai/gpt", "api_key": SECRET}
    made = call(studio, "POST", "models", model, expect=201)
    path, moved = f"models/{made['id']}", {"base_url": "http://elsewhere.test/v1"}

    refused = call(studio, "PATCH", path, moved, expect=422)
    entered = call(studio, "PATCH", path, {**moved, "api_key": SECRET})

    assert "enter its key again" in refused["message"]
    assert entered["base_url"] == moved["base_url"]


def test_only_owners_send_the_servers_variables_somewhere(
    studio: Client, project: ProjectRecord
) -> None:
    member = User.objects.create_user("max")
    MembershipRecord.objects.create(project=project, user=member, role="member")
    browser = Client()
    browser.force_login(member)
    model = {"name": "cloud", "litellm_model": "openai/gpt", "api_key_env": "CLOUD_KEY"}
    moved = {"base_url": "http://elsewhere.test/v1"}

    refused = call(browser, "POST", "models", model, expect=403)
    made = call(studio, "POST", "models", model, expect=201)
    call(browser, "PATCH", f"models/{made['id']}", moved, expect=403)
    priced = call(browser, "PATCH", f"models/{made['id']}", {"input_price": 5})
    own = call(browser, "POST", "models", {**model, "name": "own", "api_key_env": ""}, expect=201)

    assert "enter your own key" in refused["message"]
    assert priced["input_price"] == 5
    assert own["name"] == "own"


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "ftp://x"},
        {"base_url": "javascript:alert(1)"},
        {"api_key_env": "not a name"},
        {"parameters": {"api_key": "x"}},
        {"parameters": {"delay_seconds": "soon"}},
        {"parameters": {"extra_headers": {"Authorization": "x"}}},
        {"parameters": {"fallbacks": [{"model": "openai/x", "api_base": "http://x.test"}]}},
        {"parameters": {"custom_llm_provider": "ollama"}},
        {"parameters": {"aws_bedrock_runtime_endpoint": "http://x.test"}},
        {"input_price": -1},
        {"colour": "red"},
    ],
)
def test_a_model_that_cannot_be_used_is_refused(
    studio: Client, world: World, wrong: dict[str, Any]
) -> None:
    model = {"name": "odd", "litellm_model": "openai/gpt", **wrong}

    call(studio, "POST", "models", model, expect=422)

    assert [row["name"] for row in call(studio, "GET", "models")] == ["tiny"]


def test_the_limits_of_a_model_are_those_of_its_calls(studio: Client, world: World) -> None:
    entered = {"name": "slow", "litellm_model": "openai/o9", "silence_seconds": 900}
    made = call(studio, "POST", "models", entered, expect=201)
    changed = call(
        studio, "PATCH", f"models/{made['id']}", {"max_attempts": 2, "record_tokens": True}
    )
    refused = call(studio, "PATCH", f"models/{made['id']}", {"deadline_seconds": 0}, expect=422)

    config = load_config(world.project, load_model(UUID(made["id"]), world.project))

    assert (made["silence_seconds"], made["deadline_seconds"]) == (900, None)
    assert (changed["silence_seconds"], changed["max_attempts"]) == (900, 2)
    assert (made["record_tokens"], changed["record_tokens"]) == (False, True)
    assert config.record_tokens
    assert (config.silence_seconds, config.deadline_seconds, config.max_attempts) == (900, 1800, 2)
    assert refused["details"]


def test_the_test_button_really_asks(studio: Client, world: World) -> None:
    result = call(studio, "POST", f"models/{world.model}/test")

    assert result["is_ok"]
    assert result["text"].startswith("You said: Answer with")
    assert result["usage"]["output_tokens"] > 0
    assert LLMCallRecord.objects.count() == 2  # those of the world: a test is not recorded


def test_the_test_button_says_which_variable_is_missing(studio: Client, world: World) -> None:
    model = {"name": "cloud", "litellm_model": "openai/gpt", "api_key_env": "NO_SUCH_VARIABLE_KEY"}
    made = call(studio, "POST", "models", model, expect=201)

    result = call(studio, "POST", f"models/{made['id']}/test")

    assert not result["is_ok"]
    assert "NO_SUCH_VARIABLE_KEY" in result["message"]


def test_the_test_button_does_not_show_the_key_of_a_model_that_cannot_be_reached(
    studio: Client, world: World, caplog: pytest.LogCaptureFixture
) -> None:
    model = {
        "name": "local",
        "litellm_model": "openai/gpt",
        "base_url": "http://127.0.0.1:9/v1",
        "api_key": SECRET,
    }
    made = call(studio, "POST", "models", model, expect=201)

    result = call(studio, "POST", f"models/{made['id']}/test")

    assert not result["is_ok"]
    assert "local" in result["message"]
    assert SECRET not in json.dumps(result) + caplog.text


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "169.254.169.254", "[::ffff:10.0.0.1]", "gpu"])
def test_with_accounts_a_model_has_no_address_inside_the_servers_network(
    studio: Client, world: World, settings: Any, host: str
) -> None:
    settings.STUDIO_ACCOUNTS = True
    model = {"name": "inner", "litellm_model": "openai/x", "base_url": f"http://{host}/v1"}

    refused = call(studio, "POST", "models", model, expect=422)
    settings.STUDIO_MODEL_HOSTS = (host,)
    made = call(studio, "POST", "models", model, expect=201)

    assert "STUDIO_MODEL_HOSTS" in refused["message"]
    assert made["base_url"] == model["base_url"]


def test_what_an_inner_service_answers_is_not_shown(
    studio: Client, settings: Any, model_server: OpenAIServer
) -> None:
    model = {"name": "inner", "litellm_model": "openai/x", "base_url": model_server.base_url}
    made = call(studio, "POST", "models", model, expect=201)
    alone = call(studio, "POST", f"models/{made['id']}/test")

    settings.STUDIO_ACCOUNTS = True
    result = call(studio, "POST", f"models/{made['id']}/test")

    assert alone["is_ok"]
    assert not result["is_ok"]
    assert "is not public" in result["message"]
    assert len(model_server.requests) == 1


def test_with_accounts_a_variable_of_the_server_goes_to_no_address_of_ones_own(
    studio: Client, settings: Any, model_server: OpenAIServer
) -> None:
    settings.STUDIO_ACCOUNTS = True
    settings.STUDIO_READ_VARIABLE = {"CLOUD_KEY": SECRET}.get
    address = {"base_url": "https://collector.example/v1"}
    model = {"name": "cloud", "litellm_model": "openai/x", "api_key_env": "CLOUD_KEY", **address}
    made = call(studio, "POST", "models", model, expect=201)

    refused = call(studio, "POST", f"models/{made['id']}/test")
    settings.STUDIO_MODEL_HOSTS = ("127.0.0.1",)
    call(studio, "PATCH", f"models/{made['id']}", {"base_url": model_server.base_url})
    result = call(studio, "POST", f"models/{made['id']}/test")

    assert "an address of its own" in refused["message"]
    assert result["is_ok"]
    assert model_server.keys == [f"Bearer {SECRET}"]


def test_a_deleted_model_is_gone_with_its_key(studio: Client, world: World) -> None:
    call(studio, "DELETE", f"models/{world.model}", expect=204)

    assert call(studio, "GET", "models") == []
    assert ModelRecord.objects.get(id=world.model).api_key_encrypted == b""


def test_the_gallery_lists_specs_that_can_be_built(studio: Client, world: World) -> None:
    for agent in call(studio, "GET", "gallery"):
        assert agent["spec"]["name"]
