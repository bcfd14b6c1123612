"""Writes the improver's tasks: tapes of `math` with one planted mistake, the same by seed.

Run `python -m tapes_app.gallery.improver.write_tasks` after a change, and commit the file.
"""

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path

from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import build_agent, build_environment
from tapes_app.engine.environment.events import LoopFinished
from tapes_app.engine.model.llm import SCRIPT_PREFIX
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.improver.tasks import ImproverTask, plant_mistake
from tapes_app.gallery.math.agent import NAME as SOLVER
from tapes_app.gallery.math.problems import make_problems
from tapes_app.gallery.math.steps import ReasoningThought
from tapes_app.llms.scripted import ScriptedLLM

FILE = Path(__file__).with_name("tasks.jsonl")
COUNT = 24
_SEED = 36
_OPERATIONS = ("add", "subtract", "multiply", "divide")


def write_tasks(file: Path) -> None:
    """Write a task for each of so many problems, one a line."""
    rows = [{"tape": task.text, "expected": task.expected} for task in _make_tasks()]
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _make_tasks() -> Iterator[ImproverTask]:
    chance = random.Random(_SEED)  # noqa: S311 - to repeat
    for problem in make_problems("test", COUNT, seed=_SEED):
        good = _solve(Tape(steps=(UserStep(content=problem.text),)))
        thoughts = [
            (at, step.operation)
            for at, step in enumerate(good)
            if isinstance(step, ReasoningThought) and step.operation in _OPERATIONS
        ]
        at, right = chance.choice(thoughts)
        wrong = chance.choice([one for one in _OPERATIONS if one != right])
        yield plant_mistake(good, at, {"operation": wrong}, go_on=_solve, answer=problem.answer)


def _solve(tape: Tape) -> Tape:
    """Let the solver, which makes no mistakes of its own, go on to the end."""
    return asyncio.run(_run(tape))


async def _run(tape: Tape) -> Tape:
    spec = gallery_agents.get(SOLVER)()
    agent = build_agent(spec, lambda llm: ScriptedLLM(llm.model.removeprefix(SCRIPT_PREFIX)))
    async for event in main_loop(agent, tape, build_environment(spec)):
        if isinstance(event, LoopFinished):
            tape = event.tape
    return tape


if __name__ == "__main__":
    write_tasks(FILE)
