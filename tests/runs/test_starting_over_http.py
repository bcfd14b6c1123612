"""A new tape begins with all that can be chosen for a run, over HTTP."""

from typing import Any

import pytest

from tapes_app.agents.store.llm_models import create_model
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.browsers import RunBrowser, work
from tests.runs.plugin import build_counter, build_talker

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_new_tape_takes_what_the_run_bar_chooses() -> None:
    with OpenAIServer() as server:
        browser = RunBrowser(spec=build_talker())
        model = create_model(
            browser.person.project_id,
            name="thinker",
            litellm_model="openai/qwen3-8b",
            base_url=server.base_url,
        )
        server.plan(Behaviour(message={"reasoning_content": "Hm.", "content": "Hello."}))
        options = {
            "agent_version_id": browser.version_id,
            "model_id": str(model.id),
            "parameters": {"reasoning_effort": "low", "temperature": 0.5},
            "is_stepping": True,
        }

        started = browser.ask("POST", "tapes", {**options, "message": "Hi"}, expect=201)
        work()

    (asked,) = server.requests
    assert (asked["reasoning_effort"], asked["temperature"]) == ("low", 0.5)
    assert browser.ask("GET", f"jobs/{started['job_id']}")["state"] == "paused"
    said = browser.ask("GET", f"tapes/{started['tape_id']}/steps")["items"][-1]
    assert said["body"]["reasoning_content"] == "Hm."


def test_what_a_tape_was_made_with_is_known_to_its_children() -> None:
    browser = RunBrowser(spec=build_counter())
    imported = browser.ask("GET", f"tapes/{browser.tape_id}/made-with")
    parameters, tools = {"seed": 7}, {"by_tool": {"add": "ask"}}
    browser.resume(parameters={"seed": 1})
    work()
    browser.resume(parameters=parameters, tools=tools, budget={"tokens": 5}, at=1)
    run = browser.tape_id

    child = browser.ask("POST", f"tapes/{run}/fork", {}, expect=201)["tape_id"]

    made = browser.ask("GET", f"tapes/{child}/made-with")
    assert imported is None
    assert made == browser.ask("GET", f"tapes/{run}/made-with")
    assert (made["model_id"], made["parameters"], made["max_turns"]) == (None, parameters, 500)
    assert made["tools"]["by_tool"] == {"add": "ask"}


def test_a_tape_that_had_no_agent_belongs_to_the_version_that_continues_it() -> None:
    browser = RunBrowser(spec=build_counter())
    before = browser.ask("GET", f"tapes/{browser.tape_id}")["agent_version_id"]

    browser.resume()

    queued = browser.ask("GET", f"tapes/{browser.tape_id}")
    assert before is None
    assert queued["agent_version_id"] == browser.version_id
    assert queued["agent_name"] == "counter"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"parameters": {"reasoning_effort": "extreme"}}, "reasoning_effort must be one of"),
        ({"parameters": {"temperature": 3}}, "temperature must be a number between 0 and 2"),
        ({"tools": {"by_tool": {"f": "mock"}}}, "enter its answer"),
        ({"until": {"kind": "step"}}, "takes a position"),
        ({"at": 0}, "at"),
    ],
)
def test_what_a_run_cannot_be_asked_to_do_makes_no_tape(
    options: dict[str, Any], reason: str
) -> None:
    browser = RunBrowser(spec=build_talker())
    before = browser.ask("GET", "tapes")["items"]
    said = {"agent_version_id": browser.version_id, "message": "Hi"}

    refused = browser.ask("POST", "tapes", {**said, **options}, expect=422)

    assert reason in str(refused)
    assert browser.ask("GET", "tapes")["items"] == before
