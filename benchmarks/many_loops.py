"""Claim 9: a thousand agents at once in one process, each in a loop with a model that takes long.

First the engine alone: tapes are in memory. Then a worker, as the studio starts it, which stores
every call and step as it comes. Each is measured in a process of its own, so that its memory is
its own. The peer runs its loops in threads; its own examples use sixteen.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from harness import Row, add_repository_to_path, finish, row, run_peer

add_repository_to_path()

from looper import InstantLLM, LoopNode  # noqa: E402 - needs the repository on the path

from tapes_app.engine.agent.agent import Agent  # noqa: E402
from tapes_app.engine.model.llm import LLMEvent, LLMOutput, Prompt, scripts  # noqa: E402
from tapes_app.engine.tape.dialog_steps import UserStep  # noqa: E402
from tapes_app.engine.tape.tape import Tape  # noqa: E402

GOAL = "1,000 loops within 1.2 of the ideal of a 1-second model, under 1 MB each"
PEER_THREADS = 16
CASES = (("engine", 1.0), ("worker", 1.0), ("worker", 10.0))
"""What is measured, with a model that takes so many seconds."""


@dataclass(frozen=True)
class Wanted:
    loops: int
    turns: int
    seconds: float
    """How long the model takes for a turn."""

    @property
    def ideal_seconds(self) -> float:
        return self.turns * self.seconds


class SlowLLM(InstantLLM):
    """Answers after as long as a model takes."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        await asyncio.sleep(self._seconds)
        async for event in super().stream(prompt):
            yield event


def main() -> None:
    options = read_arguments()
    wanted = Wanted(options.loops, options.turns, options.seconds)
    if options.part:
        measure = {"engine": measure_engine, "worker": measure_worker}[options.part]
        print(json.dumps(measure(wanted)))
        return
    rows: list[Row] = []
    is_met = True
    threads = run_peer("tapeagents", "tapeagents_loops", options.loops, 1, PEER_THREADS, 1.0)
    for part, seconds in CASES:
        asked = replace(wanted, seconds=seconds)
        ours = measure_apart(part, asked)
        over, each = ours["seconds"] / asked.ideal_seconds, ours["bytes"] / asked.loops / 1e6
        case = f"{part}, a model of {seconds:g} s"
        peer = threads["seconds"] if part == "engine" else None
        rows += [
            row(f"{case}: time over the ideal", over, peer, "x", higher_wins=False),
            row(f"{case}: memory of a loop", each, None, "MB", higher_wins=False),
            row(f"{case}: CPU of a turn", ours["turn_ms"], None, "ms", higher_wins=False),
        ]
        is_met = is_met and each < 1 and (part == "worker" or over <= 1.2)
    finish(
        "many_loops" + ("_smoke" if options.smoke else ""),
        claim=9,
        goal=GOAL,
        rows=rows,
        met=is_met,
        peer=f"TapeAgents 0.1.16 in {PEER_THREADS} threads, one turn each",
    )


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loops", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1.0, help="of the model, for one turn")
    parser.add_argument("--part", default="", help="measure this one, in this process")
    parser.add_argument("--smoke", action="store_true", help="a few loops only")
    options = parser.parse_args()
    if options.smoke:
        options.loops, options.turns = 20, 2
    return options


def measure_apart(part: str, wanted: Wanted) -> Any:
    """Measure a part in a process of its own."""
    options = ["--part", part] + [f"--{name}={value}" for name, value in asdict(wanted).items()]
    done = subprocess.run([sys.executable, __file__, *options], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout.splitlines()[-1])


def measure_engine(wanted: Wanted) -> dict[str, float]:
    agent = Agent.create(
        "looper", llms=SlowLLM(wanted.seconds), nodes=[LoopNode(name="loop")], max_iterations=10**9
    )

    async def loop() -> None:
        stream = agent.run(Tape(steps=(UserStep(content="Start."),)))
        async for _ in stream:
            if len(stream.tape) > 2 * wanted.turns:
                break

    async def all_of_them() -> None:
        await asyncio.gather(*(loop() for _ in range(wanted.loops)))

    return _measured(wanted, lambda: asyncio.run(all_of_them()))


def measure_worker(wanted: Wanted) -> dict[str, float]:
    os.environ["STUDIO_LOG_LEVEL"] = "ERROR"
    from store import open_store

    with open_store():
        from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
        from tapes_app.jobs.services.host import Host
        from tapes_app.models import JobRecord

        start_runs(wanted)
        host = Host("agents", concurrency=wanted.loops, stopping=threading.Event())
        measured = _measured(wanted, lambda: asyncio.run(host.work()))
        states = set(JobRecord.objects.values_list("state", flat=True))
        if states != {"succeeded"}:
            raise SystemExit(f"Not all runs succeeded: {states}")
    return measured


def start_runs(wanted: Wanted) -> None:
    """Queue a run for each loop, on a tape of its own."""
    from tapes_app.agents.store.agents import ensure_version
    from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
    from tapes_app.management.named import find_operator
    from tapes_app.runs.domain.request import RunRequest, Until
    from tapes_app.runs.services.starting import start_run
    from tapes_app.tapes.store.saving import save_tape

    scripts.add("one-word", lambda _: LLMOutput(content="Next."))
    person = find_operator("")
    spec = AgentSpec(
        name="looper",
        llms={
            "default": LLMSpec(
                model="script:one-word", parameters={"delay_seconds": wanted.seconds}
            )
        },
        nodes=(NodeSpec(type=LoopNode.type_name, settings={"name": "loop"}),),
    )
    version = ensure_version(person.project_id, spec, owner=person.user_id)
    wish = RunRequest(
        agent_version_id=version.id,
        max_turns=1_000,
        until=Until(kind="step", position=2 * wanted.turns),
    )
    for _ in range(wanted.loops):
        tape = save_tape(
            person.project_id, Tape(steps=(UserStep(content="Start."),)), owner=person.user_id
        )
        start_run(person, tape, wish)


def _measured(wanted: Wanted, work: Callable[[], object]) -> dict[str, float]:
    memory, processor, began = _peak_bytes(), time.process_time(), time.perf_counter()
    work()
    seconds = time.perf_counter() - began
    return {
        "seconds": seconds,
        "bytes": _peak_bytes() - memory,
        "turn_ms": 1000 * (time.process_time() - processor) / wanted.loops / wanted.turns,
    }


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
