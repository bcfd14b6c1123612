"""Claim 21: calls of the code tool: the first of a run, later ones, forks, and kept variables."""

import asyncio
import json
import statistics
import time
from contextlib import asynccontextmanager
from typing import Any

from harness import OURS, add_repository_to_path, finish, row

add_repository_to_path()

from tapes_app.engine.environment.opening import RunContext, open_for_run  # noqa: E402
from tapes_app.engine.environment.state import read_state  # noqa: E402
from tapes_app.engine.tape.dialog_steps import (  # noqa: E402
    FunctionCall,
    ToolCall,
    ToolCalls,
    UserStep,
)
from tapes_app.engine.tape.tape import Tape  # noqa: E402
from tapes_app.environments.code import CodeEnvironment, CodeSettings  # noqa: E402

GOAL = "a later call takes at most 10 ms, and the first of a run at most a second"
COLD_RUNS, CALLS = 7, 200

VARIABLES = {
    "no variables": "None",
    "ten functions": "\n".join(f"def f{n}(x):\n    return x + {n}" for n in range(10)),
    "a dict of 1,000 words": "x = {f'word {n}': n for n in range(1_000)}",
    "1,000 fractions": "import random\nx = [random.random() for n in range(1_000)]",
    "10,000 integers": "x = list(range(10_000))",
}


@asynccontextmanager
async def opened(tape: Tape) -> Any:
    async with open_for_run(CodeEnvironment(CodeSettings()), RunContext(tape)) as session:
        yield session


async def call(session: Any, tape: Tape, code: str) -> tuple[Tape, float]:
    """Return the tape after a call, and its seconds."""
    function = FunctionCall(name="run_code", arguments=json.dumps({"code": code}))
    asked = tape.append(ToolCalls(tool_calls=(ToolCall(id="1", function=function),)))
    begin = time.perf_counter()
    after = await session.react(asked)
    seconds = time.perf_counter() - begin
    if getattr(after[-1], "is_error", True):
        raise AssertionError(after[-1])
    return after, seconds


async def measure_first(tape: Tape) -> float:
    """Return the median seconds of the first call of a run, whose process has to start."""
    times: list[float] = []
    for _ in range(COLD_RUNS):
        async with opened(tape) as session:
            times.append((await call(session, tape, "1 + 1"))[1])
    return statistics.median(times)


async def measure_later(tape: Tape) -> float:
    async with opened(tape) as session:
        tape, _ = await call(session, tape, "x = 0")
        times = [(await call(session, tape, "x + 1"))[1] for _ in range(CALLS)]
    return statistics.median(times)


async def measure_going_back(tape: Tape) -> float:
    """Return the median seconds of a call from other variables than those of the last call."""
    async with opened(tape) as session:
        one, _ = await call(session, tape, VARIABLES["a dict of 1,000 words"])
        other, _ = await call(session, tape, "x = {}")
        turns = ((one, other)[number % 2] for number in range(CALLS))
        times = [(await call(session, turn, "len(x)"))[1] for turn in turns]
    return statistics.median(times)


async def measure_state(tape: Tape, code: str) -> int:
    """Return the bytes that a step holds."""
    async with opened(tape) as session:
        after, _ = await call(session, tape, code)
    return len(json.dumps(read_state(after.steps)))


async def main() -> None:
    tape = Tape(steps=(UserStep(content="Compute!"),))
    first, later = await measure_first(tape), await measure_later(tape)
    back = await measure_going_back(tape)
    sizes = [(name, await measure_state(tape, code)) for name, code in VARIABLES.items()]
    timed = [
        ("the first call of a run", first),
        ("a later call", later),
        ("a call from other variables", back),
    ]
    rows = [row(name, 1_000 * s, None, "ms (wall)", higher_wins=False) for name, s in timed]
    rows += [row(f"kept: {name}", size, None, "bytes", higher_wins=False) for name, size in sizes]
    finish(
        "code_tool",
        claim=21,
        goal=GOAL,
        rows=rows,
        met=later < 0.01 and first < 1,
        packages=(*OURS, "pydantic-monty"),
    )


if __name__ == "__main__":
    asyncio.run(main())
