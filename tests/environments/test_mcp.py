"""Tools of MCP servers: what is allowed, offered, called, refused, and closed."""

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import uvicorn

from tapes_app.agents.services import mcp_servers
from tapes_app.engine import (
    Agent,
    RunContext,
    Step,
    TalkNode,
    Tape,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.agent.spec import build_node, describe_agent, environment_of
from tapes_app.engine.environment.opening import open_for_run
from tapes_app.engine.environment.tool_functions import tools
from tapes_app.engine.environment.tool_rules import ToolRule
from tapes_app.engine.errors import AgentConfigError, InvalidInputError, NotFoundError, StudioError
from tapes_app.engine.tape.dialog_steps import FunctionCall, ToolCall
from tapes_app.environments.emulated import EMULATED
from tapes_app.environments.policy import Policy, PolicyEnvironment
from tests.environments.mcp_folder import Adder, adder, folder, list_programs
from tests.waiting import wait_until

__all__ = ["adder", "folder"]


def call(name: str, /, **arguments: Any) -> ToolCall:
    return ToolCall(id="1", function=FunctionCall(name=name, arguments=json.dumps(arguments)))


def answer(*names: str, calls: Sequence[ToolCall], **context: Any) -> Sequence[Step]:
    """Open what answers an agent with these tools, and return its observations."""
    agent = Agent.create("a", nodes=[TalkNode(tools=list(map(tools.get, names)))])
    tape = Tape(steps=(UserStep(content="Add!"), ToolCalls(tool_calls=tuple(calls))))

    async def run() -> Tape:
        async with open_for_run(environment_of(agent), RunContext(tape, **context)) as opened:
            return await opened.react(tape)

    return asyncio.run(run()).steps[2:]


def answer_one(called: ToolCall, **context: Any) -> ToolResult:
    (result,) = answer(f"mcp.adder.{called.function.name}", calls=[called], **context)
    assert isinstance(result, ToolResult)
    return result


def test_an_allowed_tool_is_offered_called_and_its_server_is_closed(adder: Adder) -> None:
    (row,) = mcp_servers.allow_tools("adder", ["add"])

    result = answer_one(call("add", numbers=[1, 2]))

    assert (row.used_as, row.is_irreversible) == ("mcp.adder.add", False)
    assert (result.content, result.is_error) == ("3", False)
    assert list_programs() == []


def test_an_agent_with_tools_of_a_server_is_data(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    agent = Agent.create("a", nodes=[TalkNode(tools=[tools.get("mcp.adder.add")])])

    spec = describe_agent(agent, models={"default": "any"})

    assert spec.nodes[0].settings["tools"] == ["mcp.adder.add"]
    node = build_node(spec.nodes[0])
    assert isinstance(node, TalkNode)
    offered = node.list_schemas()[0]["function"]
    assert (offered["name"], offered["description"]) == ("add", "Add numbers.")
    assert offered["parameters"]["required"] == ["numbers"]


def test_a_call_next_to_one_of_a_function_is_answered_by_its_own(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])

    results = answer(
        "mcp.adder.add",
        calls=[call("add", numbers=[2, 2]), call("subtract", numbers=[1])],
    )

    assert [result.content for result in results if isinstance(result, ToolResult)] == [
        "4",
        "Error: There is no tool 'subtract'; available: ['add'].",
    ]


def test_images_of_a_server_are_parts_of_the_result(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["draw"])

    result = answer_one(call("draw"))

    assert isinstance(result.content, list)
    assert result.content[0]["image_url"]["url"].startswith("data:image/gif;base64,")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("dies", "Connection closed"),
        ("hangs", "'add' was stopped: it had not finished after 0.5 seconds."),
        ("floods", "its answer has 2,000,000 characters; at most 1,000,000 are kept"),
        ("lies", "Invalid structured content returned by tool add: 'five' is not of type 'number'"),
        ("fails", "The adder is broken."),
    ],
)
def test_what_goes_wrong_in_a_call_is_a_result_that_the_model_reads(
    adder: Adder, fault: str, said: str
) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    # What does not hang has all the time that a busy machine may take.
    adder(fault, timeout_seconds=0.5 if fault == "hangs" else 60)

    result = answer_one(call("add", numbers=[1, 2]))

    assert result.is_error
    assert said in str(result.content)
    assert list_programs() == []


def test_arguments_are_checked_before_the_server_sees_them(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])

    result = answer_one(call("add", numbers=["one"]))

    assert result.content == (
        "Error: The arguments of 'add' are invalid: 'one' is not of type 'number' (at /numbers/0)."
    )


def test_a_tool_that_changed_since_it_was_allowed_must_be_allowed_again(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    adder("changed")

    with pytest.raises(StudioError) as refused:
        answer_one(call("add", numbers=[1, 2]))
    before = next(row for row in mcp_servers.check_server("adder") if row.name == "add")
    mcp_servers.allow_tools("adder", ["add"])

    assert refused.value.code == "mcp_tools_changed"
    assert "argument 'secret' is new" in refused.value.message
    assert before.changes == ("argument 'secret' is new",)
    assert answer_one(call("add", numbers=[1, 2])).content == "3"


def test_a_program_that_ends_at_once_says_what_it_wrote(adder: Adder) -> None:
    adder("broken")

    with pytest.raises(StudioError, match=r"did not start: .*the adder has no key"):
        mcp_servers.check_server("adder")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"command": "no-such-program"}, "did not start: .*no-such-program"),
        ({"command": "", "args": [], "url": "http://127.0.0.1:9/mcp"}, "cannot be reached"),
    ],
)
def test_a_server_that_is_not_there_is_a_sentence(
    adder: Adder, fields: dict[str, Any], said: str
) -> None:
    adder("", **fields)

    with pytest.raises(StudioError, match=said):
        mcp_servers.check_server("adder")


@pytest.mark.parametrize(
    ("policies", "rules"),
    [({"add": "emulate"}, ()), ({}, (ToolRule(action="emulate", tool="a*"),))],
)
def test_a_server_that_is_gone_is_not_started_if_its_tools_are_emulated(
    adder: Adder, policies: dict[str, Policy], rules: Sequence[ToolRule]
) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    adder("", command="no-such-program")
    agent = Agent.create("a", nodes=[TalkNode(tools=[tools.get("mcp.adder.add")])])
    before = (ToolCalls(tool_calls=(call("add", numbers=[1]),)), ToolResult(content="1"))
    tape = Tape(steps=(*before, ToolCalls(tool_calls=(call("add", numbers=[2, 2]),))))

    async def run(environment: PolicyEnvironment) -> Tape:
        async with open_for_run(environment, RunContext(tape)) as opened:
            return await opened.react(tape)

    after = asyncio.run(run(PolicyEnvironment(environment_of(agent), policies, rules=rules)))

    assert EMULATED in after.steps[-1].metadata.other
    conditional = ToolRule(action="emulate", tool="add", after_calls=5)
    with pytest.raises(StudioError, match="did not start"):
        asyncio.run(run(PolicyEnvironment(environment_of(agent), {}, rules=[conditional])))


def test_a_program_gets_the_variables_that_it_names_and_no_others(
    adder: Adder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDIO_SECRET_KEY", "of the studio")
    secrets = {"ADDER_KEY": "of the adder"}
    adder("", env={"KEY": "${ADDER_KEY}"})
    with pytest.raises(AgentConfigError, match="ADDER_KEY"):
        mcp_servers.check_server("adder")
    adder("")
    mcp_servers.allow_tools("adder", ["show.variables"], renamed="show")
    adder("", env={"KEY": "${ADDER_KEY}"})

    shown = json.loads(str(answer_one(call("show"), find_secret=secrets.get).content))

    assert shown["KEY"] == "of the adder"
    assert "STUDIO_SECRET_KEY" not in shown


def test_a_name_that_models_cannot_use_is_refused_until_another_one_is_given(adder: Adder) -> None:
    with pytest.raises(InvalidInputError, match="allow it under another name"):
        mcp_servers.allow_tools("adder", ["show.variables"])

    (row,) = mcp_servers.allow_tools("adder", ["show.variables"], renamed="show")

    assert (row.used_as, row.is_irreversible) == ("mcp.adder.show", True)
    assert "mcp.adder.show" in tools


def test_whoever_allows_a_tool_decides_whether_runs_ask(adder: Adder) -> None:
    mcp_servers.allow_tools("adder", ["draw"], is_irreversible=False)
    mcp_servers.allow_tools("adder", ["draw"])  # again, as it is now

    rows = {row.name: row for row in mcp_servers.check_server("adder")}

    assert rows["draw"].is_irreversible is False
    assert rows["add"].used_as is None


@pytest.mark.parametrize(
    "servers",
    [
        {},
        {"mcpServers": []},
        {"mcpServers": {}},
        {"mcpServers": {"../x": {"command": "a"}}},
        {"mcpServers": {"a": {"command": "a", "url": "http://a"}}},
        {"mcpServers": {"a": {"url": "file:///etc/passwd"}}},
        {"mcpServers": {"good": {"command": "a"}, "bad": {}}},
    ],
)
def test_a_file_that_is_no_list_of_servers_adds_nothing(folder: Path, servers: Any) -> None:
    with pytest.raises(InvalidInputError):
        mcp_servers.add_servers(servers)

    assert mcp_servers.list_servers() == []
    assert list(folder.iterdir()) == []


def test_a_removed_server_takes_its_tools_along(adder: Adder, folder: Path) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    kept = (folder / "mcp.json").stat().st_mode & 0o777

    mcp_servers.remove_server("adder")

    assert kept == 0o600
    assert mcp_servers.list_servers() == []
    assert "mcp.adder.add" not in tools
    with pytest.raises(NotFoundError):
        mcp_servers.check_server("adder")


def test_other_tools_are_found_while_the_file_of_servers_is_damaged(folder: Path) -> None:
    (folder / "mcp.json").write_text("{")

    assert not [name for name in tools if name.startswith("mcp.")]
    with pytest.raises(InvalidInputError, match="cannot be read"):
        tools.get("mcp.adder.add")


def test_a_server_of_the_official_kit_is_called_over_http(folder: Path) -> None:
    with serve_kit() as url:
        servers = {"kit": {"url": url, "headers": {"X-Key": "${KIT_KEY}"}}}
        mcp_servers.add_servers({"mcpServers": servers})
        with pytest.raises(AgentConfigError, match="KIT_KEY"):
            mcp_servers.check_server("kit")
        mcp_servers.add_servers({"mcpServers": {"kit": {"url": url}}})
        mcp_servers.allow_tools("kit")

        said = answer("mcp.kit.greet", calls=[call("greet", name="Ada")])

    assert [step.content for step in said if isinstance(step, ToolResult)] == ["Hello, Ada"]


def test_a_program_is_noted_while_it_runs_so_that_no_killed_worker_leaves_it(
    adder: Adder, tmp_path: Path
) -> None:
    mcp_servers.allow_tools("adder", ["add"])
    notes = tmp_path / "notes"
    agent = Agent.create("a", nodes=[TalkNode(tools=[tools.get("mcp.adder.add")])])

    async def look() -> int:
        async with open_for_run(environment_of(agent), RunContext(process_notes=notes)):
            (note,) = notes.iterdir()
            return int(note.read_text())

    noted = asyncio.run(look())

    assert not psutil.pid_exists(noted)
    assert list(notes.iterdir()) == []


@contextmanager
def serve_kit() -> Iterator[str]:
    """Serve one tool with the SDK's own server, of the protocol of 2026."""
    from mcp.server.mcpserver import MCPServer

    kit = MCPServer("kit")

    @kit.tool()
    def greet(name: str) -> str:
        """Greet somebody."""
        return f"Hello, {name}"

    config = uvicorn.Config(kit.streamable_http_app(), port=0, log_level="error", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    wait_until(lambda: server.started, "the server to listen")
    (port,) = {socket.getsockname()[1] for one in server.servers for socket in one.sockets}
    yield f"http://127.0.0.1:{port}/mcp"
    server.should_exit = True
    thread.join()
