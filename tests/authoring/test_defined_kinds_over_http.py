"""Kinds that an agent defines, over HTTP: drafts, versions, files, runs, and their tapes."""

import json
from typing import Any

import pytest
from django.test import Client

from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tests.http.asking import call
from tests.http.worlds import World, spec
from tests.runs.browsers import RunBrowser, work

VERDICT = {
    "name": "Verdict",
    "family": "thought",
    "description": "What you think of the claim.",
    "fields": [
        {"name": "label", "type": "choice", "description": "", "required": True,
         "choices": ["true", "false"]},
        {"name": "reason", "type": "text", "description": "One sentence.", "required": False},
    ],
}  # fmt: skip
ESCALATE = {"name": "Escalate", "family": "action", "description": "", "fields": []}
JUDGE = {
    "type": "builders.MonoNode",
    "settings": {"name": "judge", "steps": ["Verdict", "Escalate"], "answers": "json"},
}


def judging(**changes: Any) -> dict[str, Any]:
    made = spec(model="script:judging").model_dump(mode="json")
    templates = {"system": "Judge the claim."}
    kinds = [VERDICT, ESCALATE]
    return {**made, "templates": templates, "nodes": [JUDGE], "kinds": kinds, **changes}


def judge(prompt: Prompt) -> LLMOutput:
    """Answer wrongly at first, then with a verdict, then ask a person."""
    if not any("does not match its schema" in message.text for message in prompt.messages):
        return LLMOutput(content='{"kind": "Verdict", "label": "maybe"}')
    verdict = {"kind": "Verdict", "label": "false", "reason": "The sky is cerulean."}
    return LLMOutput(content=json.dumps([verdict, {"kind": "Escalate"}]))


@pytest.fixture(autouse=True)
def _script() -> None:
    if "judging" not in scripts:
        scripts.add("judging", judge)


def put(client: Client, world: World, value: Any, revision: int = 0) -> Any:
    body = {"spec": value, "revision": revision}
    return call(client, "PUT", f"agents/{world.agent}/draft", body)


@pytest.mark.django_db
def test_a_draft_with_an_own_kind_becomes_a_version_and_a_file(
    studio: Client, world: World
) -> None:
    draft = put(studio, world, judging())
    version = call(studio, "POST", f"agents/{world.agent}/draft/save", {"revision": 1}, expect=201)

    other = version["id"]
    diff = call(studio, "GET", f"agents/diff?a={world.version}&b={other}")
    file = studio.get(f"/api/v1/agents/versions/{other}/yaml").content.decode()
    renamed = file.replace("name: talker", "name: judge", 1)
    imported = call(studio, "POST", "agents/import", {"text": renamed}, expect=201)

    assert draft["problems"] == []
    assert version["spec"]["kinds"] == [VERDICT, ESCALATE]
    changes = {one["path"]: one["op"] for one in diff["fields"]}
    assert (changes["kinds.Verdict"], changes["kinds.Escalate"]) == ("added", "added")
    assert imported["versions"][0]["spec"] == {**version["spec"], "name": "judge"}


@pytest.mark.django_db
def test_mistakes_in_kinds_have_their_places_and_keep_the_drawing(
    studio: Client, world: World
) -> None:
    taken = {**VERDICT, "name": "assistant"}
    hostile = {**VERDICT, "fields": [{"name": "__class__", "description": "<script>" * 5}]}
    value = judging(
        kinds=[taken, hostile, ESCALATE, {**ESCALATE, "name": "Unused"}],
        nodes=[{**JUDGE, "settings": {"name": "judge", "steps": ["assistant", "Escalate"]}}],
    )

    draft = put(studio, world, value)
    refused = call(studio, "POST", f"agents/{world.agent}/draft/save", {"revision": 1}, expect=422)

    found = {one["path"]: (one["severity"], one["message"]) for one in draft["problems"]}
    assert draft["graph"]["nodes"]
    assert found["/kinds/0/name"][1].startswith("The studio or a plugin has a kind 'assistant'")
    assert found["/kinds/1/fields/0/name"][1].startswith("A field cannot be named '__class__'")
    assert found["/kinds/3"][0] == "warning"
    assert "'Unused'" in found["/kinds/3"][1]
    assert refused["code"] == "draft_invalid"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kinds", "path"),
    [
        (
            [{"name": "V", "fields": [{"name": f"f{at}"} for at in range(10_000)]}],
            "/kinds/0/fields",
        ),
        ([{"name": f"V{at}"} for at in range(60)], "/kinds"),
        ([{"name": "V", "fields": [{"name": {"deep": [[["x"]]]}}]}], "/kinds/0/fields/0/name"),
        ([{"name": "V", "base": "os.PathLike"}], "/kinds/0/base"),
        ([{"name": "V", "family": "control"}], "/kinds/0/family"),
    ],
)
def test_a_definition_of_any_size_and_shape_is_answered_with_a_sentence(
    studio: Client, world: World, kinds: Any, path: str
) -> None:
    draft = put(studio, world, judging(kinds=kinds))

    errors = [one for one in draft["problems"] if one["severity"] == "error"]
    assert path in [one["path"] for one in errors]
    assert all(one["message"].endswith(".") for one in errors)


@pytest.mark.django_db(transaction=True)
def test_a_run_writes_steps_of_an_own_kind_and_its_tape_is_read_like_any_other() -> None:
    browser = RunBrowser(spec=AgentSpec.model_validate(judging()))
    asked = {"agent_version_id": browser.version_id, "message": "Is the sky green?"}
    started = browser.ask("POST", "tapes", asked, expect=201)
    browser.tape_id, browser.job_id = started["tape_id"], started["job_id"]
    work()

    job = browser.job()
    steps = browser.steps()
    own = {step["kind"]: step for step in steps if step["kind"] in ("Verdict", "Escalate")}
    at = own["Verdict"]["position"]
    schema = browser.ask("GET", f"tapes/{browser.tape_id}/steps/{at}/schema")
    escalate = browser.ask("GET", f"tapes/{browser.tape_id}/step-schemas/Escalate")
    found = browser.ask("GET", "tapes?q=kind:Verdict+cerulean")["items"]
    call_id = str(browser.calls()[0].id)
    parsed = browser.ask("GET", f"tapes/{browser.tape_id}/calls/{call_id}/parsed")

    assert job["state"] == "waiting"
    assert {kind: step["family"] for kind, step in own.items()} == {
        "Verdict": "thought", "Escalate": "action",
    }  # fmt: skip
    assert schema["is_known"]
    assert schema["data_schema"]["properties"]["label"]["enum"] == ["true", "false"]
    assert escalate["declared_family"] == "action"
    assert [row["id"] for row in found] == [str(browser.tape_id)]
    assert parsed["problem"]["message"].startswith("A step of kind 'Verdict' does not match")

    browser.go_on("reply", {"text": "Leave it."})

    assert [step["kind"] for step in browser.steps()].count("Escalate") == 2

    # An edit is held to the definition, as one of a shipped kind is to its class.
    body = {"kind": "Verdict", "label": "maybe"}
    edit = {"op": "replace", "position": at, "step": body}
    draft = {"operations": [edit], "applied_count": 1, "version": 0}
    saved = browser.ask("PUT", f"tapes/{browser.tape_id}/draft", draft)
    (problem,) = saved["problems"]
    assert (problem["position"], problem["field"]) == (at, "/label")
    assert "'true' or 'false'" in problem["message"]
    refused = browser.ask("POST", f"tapes/{browser.tape_id}/save", expect=422)
    assert f"Step {at}: label" in refused["message"]


@pytest.mark.django_db(transaction=True)
def test_a_tape_that_another_began_has_the_forms_of_the_agent_that_ran_on_it() -> None:
    browser = RunBrowser("Is the sky green?", spec=AgentSpec.model_validate(judging()))
    browser.run()

    steps = browser.steps()
    at = next(step["position"] for step in steps if step["kind"] == "Verdict")
    schema = browser.ask("GET", f"tapes/{browser.tape_id}/steps/{at}/schema")
    inserted = browser.ask("GET", f"tapes/{browser.tape_id}/step-schemas/Escalate")

    assert schema["is_known"]
    assert schema["data_schema"]["properties"]["label"]["enum"] == ["true", "false"]
    assert inserted["declared_family"] == "action"
