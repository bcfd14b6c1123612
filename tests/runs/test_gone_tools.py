"""A tape goes on though a tool of its agent is gone: it is offered as recorded, and emulated."""

from pathlib import Path

import pytest

from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.environment.tool_functions import tools
from tapes_app.engine.environment.tool_rules import ToolRule
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.environments.mcp import shelf
from tapes_app.environments.mcp.allowed import AllowedTool
from tests.runs.browsers import RunBrowser

pytestmark = pytest.mark.django_db(transaction=True)

NUMBER = {"type": "object", "properties": {"a": {"type": "number"}}}
ADD = AllowedTool(
    name="add", served_as="add", description="Add.", parameters=NUMBER, result={"type": "integer"}
)
EMULATED = {"by_tool": {"add": "emulate"}}


def add_then_answer(prompt: Prompt) -> LLMOutput:
    last = prompt.messages[-1]
    if last.role == "tool":
        return LLMOutput(content=f"It is {last.text}.")
    assert prompt.tools is not None
    return LLMOutput.calling(prompt.tools[0]["function"]["name"], a=1)


scripts.replace("test-adder", add_then_answer)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> shelf.McpFiles:
    monkeypatch.setattr(tools, "_shelves", {})
    shelf.use_folder(tmp_path)
    made = shelf.McpFiles(tmp_path)
    made.add_servers({"mcpServers": {"adder": {"command": "adder"}}})
    made.allow("adder", [ADD])
    return made


def open_adder(*, used_as: str = "mcp.adder.add", rules: tuple[ToolRule, ...] = ()) -> RunBrowser:
    node = NodeSpec(type="engine.TalkNode", settings={"name": "talk", "tools": [used_as]})
    spec = AgentSpec(
        name="adder",
        llms={"default": LLMSpec(model="script:test-adder")},
        templates={"system": "Add."},
        nodes=(node, node.model_copy(update={"settings": {**node.settings, "name": "other"}})),
        tool_rules=rules,
    )
    return RunBrowser("Add 1.", spec=spec)


def test_a_tool_that_is_gone_is_offered_as_recorded_and_emulated(files: shelf.McpFiles) -> None:
    browser = open_adder()
    browser.run(tools=EMULATED)
    before = browser.calls()[0].call.prompt
    files.allow("adder", [])

    job = browser.run(at=1, tools=EMULATED)

    assert job["state"] == "waiting"  # for the person, whom it has answered
    assert browser.kinds()[-1] == "assistant"
    assert browser.calls()[0].call.prompt.digest == before.digest
    assert before.tools is not None
    assert before.tools[0]["function"]["description"] == "Add."


def test_the_tape_of_a_tool_that_is_gone_replays(files: shelf.McpFiles) -> None:
    browser = open_adder()
    browser.run(tools=EMULATED)
    files.allow("adder", [])

    replay = browser.ask("POST", f"tapes/{browser.tape_id}/replay", {})
    call = browser.steps()[1]["call_id"]
    text = browser.ask("GET", f"tapes/{browser.tape_id}/calls/{call}/training-text")

    assert replay["is_identical"], replay
    assert text["reason"] == ""


def test_a_rule_that_emulates_it_is_enough(files: shelf.McpFiles) -> None:
    browser = open_adder(rules=(ToolRule(action="emulate", tool="add"),))
    browser.run()
    files.allow("adder", [])

    job = browser.run(at=1)

    assert (job["state"], browser.kinds()[-1]) == ("waiting", "assistant")


def test_a_run_that_would_call_it_is_refused_with_what_to_do(files: shelf.McpFiles) -> None:
    browser = open_adder()
    browser.run(tools=EMULATED)
    files.allow("adder", [])

    refused = browser.resume(at=1, expect=422)
    fit = browser.ask("GET", f"tapes/{browser.tape_id}/fit?agent_version={browser.version_id}&at=1")

    assert refused["code"] == "agent_config"
    assert "no tool named 'mcp.adder.add'" in refused["message"]
    assert refused["message"].endswith("Or let the run emulate it.")
    assert fit["problems"] == [
        {"code": "tool_missing", "name": "add", "message": refused["message"]}
    ]


@pytest.mark.parametrize("used_as", ["mcp.adder.never", "mcp.nowhere.add", "mcp.", "mcp.a.b.c"])
def test_a_name_that_never_was_is_refused_however_it_is_answered(
    files: shelf.McpFiles, used_as: str
) -> None:
    browser = open_adder(used_as=used_as)

    refused = browser.resume(tools={"default": "emulate"}, expect=422)

    assert refused["code"] == "agent_config"
    assert f"no tool named {used_as!r}" in refused["message"]
    assert browser.kinds() == ["user"]
