"""Runs whose tools are emulated: by choice, by a rule, or in answer to a run that waits."""

import json
from typing import Any

import pytest

from optimize_app.training_sets.services.tape_examples import list_recorded_calls
from tapes_app.engine.agent.spec import LLMSpec
from tapes_app.engine.environment.tool_rules import ToolRule
from tests.runs.browsers import RunBrowser
from tests.runs.tool_plugin import SENT, build_tool_agent

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_sent() -> None:
    SENT.clear()


def open_tools(
    *names: str, has_model: bool = False, rules: tuple[ToolRule, ...] = ()
) -> RunBrowser:
    spec = build_tool_agent().model_copy(update={"tool_rules": rules})
    if has_model:
        llms = {**spec.llms, "emulator": LLMSpec(model="script:test-emulator")}
        spec = spec.model_copy(update={"llms": llms})
    return RunBrowser(json.dumps(names), spec=spec)


def observed(browser: RunBrowser) -> list[Any]:
    return [step for step in browser.steps() if step["kind"] == "tool"]


def emulated_by(step: Any) -> Any:
    return step["body"]["metadata"].get("other", {}).get("emulated")


def test_a_tool_that_is_emulated_is_not_called_and_replay_needs_no_emulator() -> None:
    browser = open_tools("look", "send")

    job = browser.run(tools={"by_tool": {"send": "emulate"}})
    replayed = browser.ask(
        "POST", f"tapes/{browser.tape_id}/replay", {"agent_version_id": browser.version_id}
    )

    looked, sent = observed(browser)
    assert (job["state"], SENT) == ("succeeded", [])
    assert (looked["body"]["content"], emulated_by(looked)) == (7, None)
    assert (sent["body"]["content"], emulated_by(sent)) == ("example", {"by": "script"})
    assert (sent["writer"], replayed["is_identical"]) == ("environment", True)


def test_calls_of_the_emulator_are_stored_with_their_step_counted_and_not_learnt() -> None:
    rule = ToolRule(action="emulate", tool="look")
    browser = open_tools("look", has_model=True, rules=(rule,))

    job = browser.run()
    replayed = browser.ask(
        "POST", f"tapes/{browser.tape_id}/replay", {"agent_version_id": browser.version_id}
    )

    (step,) = observed(browser)
    assert step["body"]["content"] == 12
    assert emulated_by(step) == {"by": "model", "model": "script:test-emulator"}
    models = [row.call.llm["model_name"] for row in browser.calls()]
    assert models.count("script:test-emulator") == 2, "the answer that did not fit is kept too"
    assert job["run"]["call_count"] == len(models) == 4
    assert step["call_id"] in {str(row.id) for row in browser.calls()}
    learnt = list(list_recorded_calls(browser.person.project_id, browser.tape_id, None, {}))
    assert len(learnt) == 2, "only what the agent wrote"
    assert replayed["is_identical"]


def test_the_budget_of_a_run_holds_for_its_emulator() -> None:
    browser = open_tools("look", has_model=True)

    job = browser.run(tools={"by_tool": {"look": "emulate"}}, budget={"calls": 2})

    assert (job["state"], job["run"]["status"]) == ("succeeded", "budget")
    assert (observed(browser), len(browser.calls())) == ([], 2)
    assert browser.run(tools={"by_tool": {"look": "emulate"}})["state"] == "succeeded"
    assert [step["body"]["content"] for step in observed(browser)] == [12]


def test_a_run_that_waits_for_a_tool_may_emulate_it_from_there_on() -> None:
    browser = open_tools("send", "send")
    browser.run()

    job = browser.go_on("reply", {"emulate": True})

    assert (job["state"], SENT) == ("succeeded", [])
    assert [emulated_by(step) for step in observed(browser)] == [{"by": "script"}] * 2
    made = browser.ask("GET", f"tapes/{browser.tape_id}/made-with")
    assert made["tools"]["by_tool"] == {"send": "emulate"}


def test_what_a_person_is_asked_is_not_emulated() -> None:
    browser = RunBrowser(json.dumps({"form": "Which one?"}), spec=build_tool_agent())
    browser.run()

    refused = browser.order("reply", {"emulate": True}, expect=409)
    both = browser.order("reply", {"emulate": True, "text": "red"}, expect=422)

    assert "does not wait for a tool" in refused["message"]
    assert "exactly one of" in both["message"]
    assert browser.job()["state"] == "waiting"


def test_tools_that_are_emulated_at_once_each_keep_the_call_behind_them() -> None:
    rule = ToolRule(action="emulate", tool="look")
    browser = open_tools("look", "look", has_model=True, rules=(rule,))

    job = browser.run()

    behind = [step["call_id"] for step in observed(browser)]
    stored = {str(row.id): row.call for row in browser.calls()}
    assert None not in behind
    assert len(set(behind)) == 2
    assert {stored[call_id].output.content for call_id in behind} == {
        '{"answer": "12", "is_error": false}'
    }
    assert job["run"]["call_count"] == len(stored) == 6
