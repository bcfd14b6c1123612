"""Agents that are called together, in a run that is asked for over HTTP."""

import json
from typing import Any

import pytest

from tapes_app.builders import (
    CallTogetherNode,
    MemberTask,
    RespondNode,
    StepRef,
    StopNode,
    build_mono_agent,
)
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, describe_agent
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.engine.tape.control_steps import Respond
from tapes_app.engine.tape.dialog_steps import AssistantStep
from tests.runs.browsers import RunBrowser, work, working
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

SLOW_SECONDS = 60
"""Between two words of a model that never gets to its end here."""


def answer_the_call(prompt: Prompt) -> LLMOutput:
    """Respond with the task, or ask the person about it if it says so."""
    task = next(message.text for message in prompt.messages if message.role == "user")
    said = prompt.messages[-1].text
    kind = "assistant" if task.startswith("ask") and "yes" not in said else "respond"
    content = f"{task}: {said}" if "yes" in said else f"{task} is done"
    return LLMOutput(content=json.dumps({"kind": kind, "content": content}))


scripts.add("test-lanes", answer_the_call)


def build_spec(*tasks: str, join: Any = "all", slow: str = "") -> AgentSpec:
    """A boss who tells each task to a member of its own; members named in `slow` never end."""
    members = [
        build_mono_agent(f"m{at}", "Do it.", steps=[Respond, AssistantStep])
        for at in range(len(tasks))
    ]
    calls = tuple(MemberTask(subagent=f"m{at}", content=task) for at, task in enumerate(tasks))
    boss = Agent.create(
        "boss",
        nodes=[
            CallTogetherNode(name="call", calls=calls, join=join),
            RespondNode(name="say", content=StepRef(kind="respond")),
            StopNode(),
        ],
        subagents=members,
    )
    spec = describe_agent(boss, models={"default": "script:test-lanes"})
    tuned = tuple(
        member.model_copy(
            update={
                "llms": {
                    "default": LLMSpec(
                        model="script:test-lanes",
                        parameters={
                            "delay_seconds": SLOW_SECONDS if member.name in slow.split() else 0
                        },
                    )
                }
            }
        )
        for member in spec.subagents
    )
    return spec.model_copy(update={"subagents": tuned})


def lanes(browser: RunBrowser) -> list[tuple[str, str, str]]:
    return [
        (step.metadata.lane, step.metadata.agent, step.kind)
        for step in browser.tape()
        if step.metadata.lane and step.kind != "set_next_node"
    ]


def test_members_that_were_called_together_answer_and_their_caller_goes_on() -> None:
    browser = RunBrowser("Go.", spec=build_spec("left", "right"))

    job = browser.run()

    assert job["state"] == "waiting"
    assert sorted(lanes(browser)) == [
        ("1", "boss/m0", "respond"),
        ("2", "boss/m1", "respond"),
    ]
    assert browser.tape()[-1].content_dict()["content"] == "right is done"
    writers = {(step["kind"], step["writer"], step["agent"]) for step in browser.steps()}
    assert ("join", "environment", "") in writers
    assert {step["call_id"] is None for step in browser.steps() if step["agent"] == "boss/m1"} == {
        False
    }


def test_frames_of_several_lanes_say_whose_they_are() -> None:
    browser = RunBrowser("Go.", spec=build_spec("left", "right"))
    browser.run()

    frames = browser.frames()

    started = {f["prompt_id"]: f for f in frames if f["type"] == "node.started"}
    assert [f["lane"] for f in started.values()] == ["", "1", "2", ""]
    for prompt_id, frame in started.items():
        own = [f for f in frames if f.get("prompt_id") == prompt_id]
        assert [own[0]["type"], own[-1]["type"]] == ["node.started", "node.finished"]
        if frame["has_call"]:
            text = "".join(f["text"] for f in own if f["type"] == "step.delta")
            assert json.loads(text)["kind"] == "respond"
    added = [f["position"] for f in frames if f["type"] == "step.added"]
    assert added == list(range(1, len(browser.tape())))


def test_the_call_of_a_cancelled_member_is_kept_and_none_of_its_steps() -> None:
    browser = RunBrowser("Go.", spec=build_spec("left", "right", join="first", slow="m0"))

    job = browser.run()

    assert job["state"] == "waiting"
    assert lanes(browser) == [("2", "boss/m1", "respond")]
    [cut] = [row.call for row in browser.calls() if row.call.error]
    assert cut.error == "Enough of the agents that were called together have answered."
    assert len(browser.calls()) == job["run"]["call_count"] == 2
    ended = [f for f in browser.frames() if f["type"] == "node.finished" and f["error"]]
    assert [f["agent"] for f in ended] == ["boss/m0"]


def test_a_run_that_is_cancelled_keeps_the_calls_of_all_its_lanes() -> None:
    browser = RunBrowser("Go.", spec=build_spec("left", "right", slow="m0 m1"))
    browser.resume()

    with working():
        wait_until(lambda: [f["type"] for f in browser.frames()].count("node.started") == 3)
        browser.order("cancel")

    assert browser.job()["state"] == "cancelled"
    assert lanes(browser) == []
    cut = [row.call.error for row in browser.calls()]
    assert [error.partition(" by ")[0] for error in cut] == ["Cancelled"] * 2


def test_a_question_of_one_member_waits_for_its_answer_and_stops_no_other() -> None:
    browser = RunBrowser("Go.", spec=build_spec("ask one", "left", "ask two"))

    job = browser.run()
    first = browser.go_on("reply", {"text": "yes, first"})
    second = browser.go_on("reply", {"text": "yes, second"})

    assert job["state"] == first["state"] == second["state"] == "waiting"
    assert ("2", "boss/m1", "respond") in lanes(browser)
    said = {
        step.metadata.lane: step.content_dict()["content"]
        for step in browser.tape()
        if step.kind == "respond"
    }
    assert said == {
        "1": "ask one: yes, first",
        "2": "left is done",
        "3": "ask two: yes, second",
    }


def test_every_prefix_fits_goes_on_to_the_same_answers_and_the_tape_replays() -> None:
    browser = RunBrowser("Go.", spec=build_spec("left", "right", "more"))
    browser.run()
    tape, tape_id, version = browser.tape(), browser.tape_id, browser.version_id
    answers = sorted(str(step.content_dict()["content"]) for step in tape if step.kind == "respond")

    for at in range(1, len(tape)):
        place = f"tapes/{tape_id}/fit?agent_version={version}&at={at}"
        assert browser.ask("GET", place)["problems"] == []
        browser.tape_id = tape_id
        browser.resume(at=at)
        work()
        child = browser.tape()
        assert (at, browser.job()["state"]) == (at, "waiting")
        assert answers == sorted(
            str(step.content_dict()["content"]) for step in child if step.kind == "respond"
        )
    replayed = browser.ask("POST", f"tapes/{tape_id}/replay", {"agent_version_id": version})
    assert replayed["is_identical"], replayed
    checked = browser.ask("GET", f"tapes/{tape_id}/lint")
    assert checked["items"] == []


def test_after_an_edit_in_a_lane_the_others_are_not_asked_again() -> None:
    browser = RunBrowser("Go.", spec=build_spec("left", "right", "more"))
    browser.run()
    before, tape_id = browser.tape(), browser.tape_id
    first = next(at for at, step in enumerate(before) if step.kind == "respond")
    edited = before[first].metadata.lane
    step = {"kind": before[first].kind, "content": "is something else"}
    operations = [{"op": "replace", "position": first, "step": step}]
    draft = {"version": 0, "operations": operations, "applied_count": 1}
    browser.ask("PUT", f"tapes/{tape_id}/draft", draft)

    shown = browser.ask("GET", f"tapes/{tape_id}/draft/preview")["items"]
    fit = browser.ask(
        "GET", f"tapes/{tape_id}/fit?agent_version={browser.version_id}&use_draft=true"
    )
    job = browser.run(use_draft=True)

    after = browser.tape()
    others = [one for one in before if one.metadata.lane not in ("", edited)]
    assert {one["position"] for one in shown if one["is_stale"]} == {
        at for at, one in enumerate(before) if at > first and one.metadata.lane in ("", edited)
    }
    assert fit["problems"] == []
    assert [one for one in after if one.metadata.lane not in ("", edited)] == others
    assert [one.kind for one in after if one.metadata.lane == edited][-1] == "respond"
    assert [one.kind for one in after[-2:]] == [one.kind for one in before[-2:]]
    assert job["run"]["call_count"] == 0


def test_the_views_of_a_lane_are_those_of_its_agents() -> None:
    browser = RunBrowser("Go.", spec=build_spec("left", "right"))
    browser.run()
    at = next(at for at, step in enumerate(browser.tape()) if step.metadata.lane == "2")

    views = browser.ask("GET", f"tapes/{browser.tape_id}/steps/{at - 1}/views")["views"]
    after = browser.ask("GET", f"tapes/{browser.tape_id}/steps/{at}/views")["views"]

    assert views[0]["agent"] == "boss"
    assert at in after[-1]["positions"]
