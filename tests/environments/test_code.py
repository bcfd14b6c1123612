"""Code that a model writes: what it reads back, and the variables that stay on the tape."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from tapes_app.engine import Agent, RunContext, TalkNode, Tape, ToolCalls, ToolResult, UserStep
from tapes_app.engine.agent.spec import (
    AgentSpec,
    build_environment,
    build_node,
    describe_agent,
    environment_of,
)
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import open_for_run
from tapes_app.engine.environment.spec import EnvironmentSpec
from tapes_app.engine.environment.state import read_state
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.tape.dialog_steps import FunctionCall, ToolCall
from tapes_app.environments.code import RUN_CODE, interpreter
from tapes_app.environments.code.environment import LOST, NO_OUTPUT, NOTHING_KEPT
from tests.studio.documents import list_blocks
from tests.waiting import wait_until

_NODE = TalkNode(tools=[RUN_CODE])


@asynccontextmanager
async def opened(tape: Tape, limits: Any = None, **context: Any) -> AsyncIterator[Environment]:
    if limits is None:
        environment = environment_of(Agent.create("a", nodes=[_NODE]))
    else:
        chosen = (EnvironmentSpec(type="code", settings=limits), "")
        environment = build_environment(AgentSpec(name="a", environment=chosen))
    async with open_for_run(environment, RunContext(tape, **context)) as session:
        yield session


def ask(tape: Tape, *codes: str) -> Tape:
    calls = [
        ToolCall(
            id=str(place),
            function=FunctionCall(name="run_code", arguments=json.dumps({"code": code})),
        )
        for place, code in enumerate(codes)
    ]
    return tape.append(ToolCalls(tool_calls=tuple(calls)))


async def run(tape: Tape, codes: Sequence[str], limits: Any = None, **context: Any) -> Tape:
    """Return the tape after one call for each piece of code, all in one run."""
    async with opened(tape, limits, **context) as session:
        for code in codes:
            tape = await session.react(ask(tape, code))
    return tape


def start() -> Tape:
    return Tape(steps=(UserStep(content="Compute!"),))


def results(tape: Tape) -> list[ToolResult]:
    return [step for step in tape.steps if isinstance(step, ToolResult)]


def texts(tape: Tape) -> list[Any]:
    return [result.content for result in results(tape)]


async def test_a_model_reads_what_is_printed_and_the_last_value() -> None:
    tape = await run(
        start(),
        ["import math\nx = 20\nprint('half', end='')\nx / 2", "def f(y): return x + y", "f(1)"],
    )

    assert texts(tape) == ["half\n10.0", NO_OUTPUT, "21"]


async def test_a_call_that_fails_is_told_as_a_traceback_and_changes_nothing() -> None:
    tape = await run(start(), ["x = [1]", "print('so far')\nx.append(2)\n1 / 0", "x"])

    failed = results(tape)[1]
    assert failed.is_error
    assert str(failed.content).startswith("so far\nTraceback (most recent call last):")
    assert str(failed.content).endswith(f"ZeroDivisionError: division by zero\n{NOTHING_KEPT}")
    assert texts(tape)[2] == "[1]"


async def test_several_calls_of_one_message_are_made_in_their_order() -> None:
    tape = ask(start(), "x = 1", "x += 1", "x")

    async with opened(tape) as session:
        tape = await session.react(tape)

    assert texts(tape)[2] == "2"


async def test_a_fork_has_the_variables_of_its_step() -> None:
    tape = await run(start(), ["x = 1", "x = 2", "x = 3"])
    fork = Tape(steps=tape.steps[:5])  # up to the second answer

    resumed, forked = await run(tape, ["x"]), await run(fork, ["x"])

    assert (texts(resumed)[-1], texts(forked)[-1]) == ("3", "2")


async def test_an_open_environment_follows_the_tape_and_not_its_own_past() -> None:
    tape = await run(start(), ["x = 1"])

    async with opened(tape) as session:
        await session.react(ask(tape, "x = 7"))  # an answer that the tape does not get
        again = await session.react(ask(tape, "x"))

    assert texts(again)[-1] == "1"


async def test_variables_that_somebody_else_kept_are_not_loaded() -> None:
    tape = await run(start(), ["x = 1"], state_key=b"of another studio")

    there = await run(tape, ["y = 2"], state_key=b"of this one")
    after = await run(there, ["y"], state_key=b"of this one")

    assert texts(there)[-1] == LOST
    assert texts(after)[-1] == "2"


@pytest.mark.parametrize(
    "forged",
    [
        {"variables": "eJw="},
        {"variables": "eJw=", "seal": "0" * 64},
        {"variables": "\ud800", "seal": "\ud800"},
        {"variables": 1, "seal": 2},
        "x",
        [],
    ],
)
async def test_a_state_that_no_studio_wrote_is_not_loaded(forged: Any) -> None:
    (first,) = start().steps
    tape = Tape(steps=(first.with_metadata(other={"state": {"code": forged}}),))

    tape = await run(tape, ["1"])

    assert texts(tape) == [f"{LOST}1"]


async def test_variables_that_are_too_large_are_told_and_not_kept() -> None:
    tape = await run(start(), ["x = 1", "x = list(range(50_000))\nprint(len(x))", "x"])

    too_large = results(tape)[1]
    assert too_large.is_error
    assert "at most 48,000 are" in str(too_large.content)
    assert str(too_large.content).startswith("50000\n")
    assert texts(tape)[2] == "1"


async def test_limits_are_settings_of_the_environment() -> None:
    limits = {"seconds": 0.5, "memory_mb": 16, "output_characters": 100}

    tape = await run(
        start(), ["while True: pass", "x = [0] * 10**7", "print('ab' * 10**6)", "1"], limits
    )

    slow, large, loud, honest = map(str, texts(tape))
    assert re.match(r"TimeoutError: it was stopped after \d+\.\d seconds\.\n", slow)
    assert re.match(r"MemoryError: memory limit exceeded: \d+ bytes > 16777216 bytes\.\n", large)
    assert slow.endswith(NOTHING_KEPT)
    assert large.endswith(NOTHING_KEPT)
    assert loud.endswith("[The first 100 characters of at least 2,000,001.]")
    assert (len(loud) < 200, honest) == (True, "1")


def test_settings_out_of_bounds_are_refused() -> None:
    chosen = EnvironmentSpec(type="code", settings={"memory_mb": 10**6})

    with pytest.raises(AgentConfigError, match="memory_mb"):
        build_environment(AgentSpec(name="a", environment=chosen))


def test_an_agent_with_the_tool_is_data() -> None:
    spec = describe_agent(Agent.create("a", nodes=[_NODE]), models={"default": "any"})

    assert spec.nodes[0].settings["tools"] == ["code.run_code"]
    node = build_node(spec.nodes[0])
    assert isinstance(node, TalkNode)
    offered = node.list_schemas()[0]["function"]
    assert offered["name"] == "run_code"
    assert list(offered["parameters"]["properties"]) == ["code"]


async def test_other_tools_are_left_to_the_next_environment() -> None:
    call = ToolCall(id="1", function=FunctionCall(name="stop", arguments="{}"))
    tape = start().append(ToolCalls(tool_calls=(call,)))

    async with opened(tape) as session:
        tape = await session.react(tape)

    assert texts(tape) == ["Error: There is no tool 'stop'; available: ['run_code']."]


async def test_a_process_that_is_killed_is_told_and_the_next_call_has_the_variables(
    tmp_path: Path,
) -> None:
    async with opened(start(), process_notes=tmp_path) as session:
        tape = await session.react(ask(start(), "x = 1"))
        processes = list_processes(tmp_path)
        running = asyncio.create_task(session.react(ask(tape, "while True: pass")))
        await asyncio.to_thread(wait_until_busy, processes)
        processes[0].kill()
        killed = await running
        tape = await session.react(ask(killed, "x"))

    assert str(texts(tape)[1]).startswith("The interpreter was lost: it ended")
    assert texts(tape)[2] == "1"


async def test_nothing_is_left_running_when_a_call_is_cancelled(tmp_path: Path) -> None:
    async with opened(start(), process_notes=tmp_path) as session:
        tape = await session.react(ask(start(), "x = 1"))
        processes = list_processes(tmp_path)
        call = asyncio.create_task(session.react(ask(tape, "while True: pass")))
        await asyncio.to_thread(wait_until_busy, processes)
        call.cancel()
        await asyncio.wait([call])

        await asyncio.to_thread(wait_until, lambda: not any(map(lives, processes)))
        assert not has_notes(tmp_path)


def list_processes(notes: Path) -> list[psutil.Process]:
    """Return the program of the noted group, and the interpreter."""
    (note,) = notes.iterdir()
    program = psutil.Process(int(note.read_text()))
    return [program, *program.children()]


def has_notes(notes: Path) -> bool:
    return any(notes.iterdir())


def wait_until_busy(processes: Sequence[psutil.Process]) -> None:
    before = processes[-1].cpu_times().user
    wait_until(lambda: processes[-1].cpu_times().user > before, "the code to run")


def lives(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


async def test_no_process_is_started_before_the_first_call(tmp_path: Path) -> None:
    async with opened(start(), process_notes=tmp_path):
        assert not has_notes(tmp_path)


async def test_a_small_state_takes_little_of_a_step() -> None:
    tape = await run(start(), ["total = sum(n * n for n in range(1_000))"])

    state = read_state(tape.steps)

    assert state is not None
    assert len(json.dumps(state)) < 2_000


def test_the_program_of_code_md_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = (
        block.text
        for block in list_blocks()
        if (block.document, block.language) == ("docs/code.md", "python")
    )

    exec(program, {})

    told = capsys.readouterr().out.splitlines()
    assert (told[0], *told[-2:]) == ("12", "5", "They cost 12 together, and 5 at most.")
    assert "ZeroDivisionError: division by zero" in told


def test_a_machine_without_the_interpreter_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    well = interpreter.explain_interpreter()
    missing = (*interpreter.COMMAND[:2], "-c", "import no_such_module")
    monkeypatch.setattr(interpreter, "COMMAND", missing)

    assert well is None
    assert (
        interpreter.explain_interpreter() == "ModuleNotFoundError: No module named 'no_such_module'"
    )
