"""Claim 4: one more step on a live tape of 3,000 steps, from the worker to the browser.

The claim is about the web server, as the peer's figure is; the worker's cost of storing the step
and its LLM call is shown separately.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from harness import HERE, add_repository_to_path, finish, row, run_peer

add_repository_to_path()
os.environ["STUDIO_LOG_LEVEL"] = "WARNING"

from store import open_store  # noqa: E402
from streams import cpu_seconds, listening, sign_in, start_web  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402

STEPS = 3_000
ADDED = 300
REPEATS = 3
MOST_MILLISECONDS = 2.0
MOST_BYTES = 4_000
GOAL = "2 ms of CPU in the web server, 4 kB beyond the step itself"


@dataclass(frozen=True)
class Run:
    """The cost of each added step."""

    web_milliseconds: float
    worker_milliseconds: float
    bytes_beyond_step: float


def store_tape(project: Any, step_count: int) -> tuple[str, str]:
    from tapes_app.engine.tape.control_steps import SetNextNode
    from tapes_app.engine.tape.dialog_steps import AssistantThought, UserStep
    from tapes_app.engine.tape.steps import Step
    from tapes_app.engine.tape.tape import Tape
    from tapes_app.jobs.store.claims import claim_jobs
    from tapes_app.jobs.store.job import create_job
    from tapes_app.tapes.store.saving import save_tape

    steps: list[Step] = [UserStep(content="Start.")]
    while len(steps) < step_count:
        steps += [AssistantThought(content="Look."), SetNextNode(next_node="loop")]
    tape_id = save_tape(project, Tape(steps=tuple(steps[:step_count])))
    job = create_job(project, "bench", request={}, tape_id=tape_id)
    claim_jobs("agents", limit=1, worker="benchmark")
    return str(job.id), str(tape_id)


def measure(project: Any, cookie: str, step_count: int) -> Run:
    job_id, tape_id = store_tape(project, step_count)
    with listening() as listener:
        web = start_web(listener)
        try:
            address = f"127.0.0.1:{listener.getsockname()[1]}"
            return asyncio.run(watch(web, address, cookie, job_id, tape_id, project, step_count))
        finally:
            web.kill()
            web.wait()


async def watch(
    web: subprocess.Popen[Any],
    address: str,
    cookie: str,
    job_id: str,
    tape_id: str,
    project: Any,
    step_count: int,
) -> Run:
    headers = {"Cookie": cookie, "Origin": f"http://{address}"}
    uri = f"ws://{address}/ws/jobs/{job_id}?after=0"
    async with connect(uri, additional_headers=headers, proxy=None) as link:
        for _ in range(3):  # hello, queued, running
            await link.recv()
        before = cpu_seconds(web)
        worker = await asyncio.create_subprocess_exec(
            sys.executable, str(HERE / "live_worker.py"), job_id, tape_id, str(project),
            str(step_count), str(ADDED), stdout=subprocess.PIPE, cwd=HERE.parent,
        )  # fmt: skip
        received = beyond = 0
        while received < ADDED:
            text = str(await link.recv())
            frame = json.loads(text)
            beyond += len(text)
            if frame["type"] == "step.added":
                beyond -= len(json.dumps(frame["step"]["body"], separators=(",", ":")))
                received += 1
        web_cpu = cpu_seconds(web) - before
        output, _ = await worker.communicate()
    worker_cpu = json.loads(output)["cpu_seconds"]
    return Run(web_cpu / ADDED * 1e3, worker_cpu / ADDED * 1e3, beyond / ADDED)


def main() -> None:
    with open_store():
        project, _, cookie = sign_in()
        runs = [measure(project, cookie, STEPS) for _ in range(REPEATS)]
        short = measure(project, cookie, 10)
    peer = run_peer("tapeagents", "tapeagents_live", STEPS, 5)

    web = statistics.median(run.web_milliseconds for run in runs)
    worker = statistics.median(run.worker_milliseconds for run in runs)
    beyond = statistics.median(run.bytes_beyond_step for run in runs)
    shown, stored = peer["show"] * 1e3, peer["store"] * 1e3
    rows = [
        row("web server: shown in the browser, CPU", web, shown, "ms", higher_wins=False),
        row("worker: stored with its call, CPU", worker, stored, "ms", higher_wins=False),
        row("both together", web + worker, shown + stored, "ms", higher_wins=False),
        row("both together on a tape of 10 steps", short.web_milliseconds
            + short.worker_milliseconds, None, "ms", higher_wins=False),
        row("to the browser beyond the step itself", beyond / 1e3, peer["bytes"] / 1e3, "kB",
            higher_wins=False),
    ]  # fmt: skip
    finish(
        "live_step",
        claim=4,
        goal=GOAL,
        rows=rows,
        met=web <= MOST_MILLISECONDS and beyond <= MOST_BYTES,
        peer="TapeAgents 0.1.16, the renderer of its Studio",
    )


if __name__ == "__main__":
    main()
