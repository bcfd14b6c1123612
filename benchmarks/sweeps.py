"""Sweeps: their cost in addition to the model's, with no latency and with a second of it.

Our workers are real ones on a separate SQLite database. The peer, Inspect, runs the same sums with
its mock model in one process and writes its log. Both must get the same score.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import HERE, add_repository_to_path, finish, row, run_peer

add_repository_to_path()

from store import Store, open_store  # noqa: E402
from sweep_task import expected, question  # noqa: E402

AT_ONCE = 8
PATIENCE_SECONDS = 1800
GOAL = "the score of the peer; 8 runs at once within 1.5 of the ideal of a 1-second model"
MOST_OF_IDEAL = 1.5


@dataclass(frozen=True)
class Swept:
    """The cost of a sweep."""

    runs: int
    seconds: float
    peak_megabytes: float
    """Of the largest worker."""

    bytes: int
    """By how much the database grew."""

    passed: float


def main() -> None:
    wanted = read_arguments()
    os.environ["STUDIO_LOG_LEVEL"] = "ERROR"
    os.environ["STUDIO_PLUGINS"] = "sweep_model"
    os.environ["STUDIO_AGENT_CONCURRENCY"] = str(AT_ONCE)
    os.environ["PYTHONPATH"] = str(HERE)
    os.environ["REDIS_URL"] = wanted.redis_url
    with open_store() as store:
        tasks = max(wanted.tasks, wanted.slow)
        prepare(tasks)
        quick = sweep(store, "quick", wanted.tasks, repeats=wanted.repeats)
        report = time_report("quick")
        slow = {
            count: sweep(store, f"slow {count}", wanted.slow, seconds=1.0, workers=count)
            for count in (1, 4)
        }
    peer = run_peer("inspect", "inspect_sweep", wanted.tasks, wanted.repeats, 0, AT_ONCE)
    slow_peer = run_peer("inspect", "inspect_sweep", wanted.slow, 1, 1, AT_ONCE)
    tell(quick, slow, report, peer, slow_peer)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1_000)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--slow", type=int, default=240, help="runs with the 1-second model")
    parser.add_argument("--redis-url", default="", help="what carries nudges; empty: files do")
    parser.add_argument("--smoke", action="store_true", help="a few runs only")
    wanted = parser.parse_args()
    if wanted.smoke:
        wanted.tasks, wanted.repeats, wanted.slow = 30, 2, 24
    return wanted


def prepare(count: int) -> None:
    """Make the tasks, and an agent that answers each in one call."""
    from tapes_app.agents.store.agents import ensure_version
    from tapes_app.bulk.services.start_tapes import StartTape, make_start_tapes
    from tapes_app.engine.agent.registration import gallery_agents
    from tapes_app.management.named import find_operator

    person = find_operator("")
    starts = [StartTape(question(n), f"sum {n}", expected(n)) for n in range(count)]
    make_start_tapes(person, starts, dataset="sums")
    ensure_version(person.project_id, gallery_agents.get("chat")(), owner=person.user_id)


def sweep(
    store: Store, name: str, tasks: int, *, repeats: int = 1, seconds: float = 0.0, workers: int = 1
) -> Swept:
    """Have workers do a sweep, and return what it took."""
    from optimize_app.evaluation.services.sweeps.starting import start_sweep
    from tapes_app.management.named import find_operator

    person = find_operator("")
    before = store.size()
    with working(workers) as processes:
        began = time.perf_counter()
        job = start_sweep(person, describe(person, name, tasks, repeats, seconds))
        wait_for(job.id)
        took = time.perf_counter() - began
        peak = max(peak_megabytes(process) for process in processes)
    grown = store.size() - before
    print(f"{name}: {tasks * repeats:,} runs in {took:.1f} s", flush=True)
    return Swept(tasks * repeats, took, peak, grown, read_report(name)["passed"])


def describe(person: Any, name: str, tasks: int, repeats: int, seconds: float) -> Any:
    from optimize_app.evaluation.plan import Variant
    from optimize_app.evaluation.request import SweepRequest
    from tapes_app.agents.store.agents import ensure_version
    from tapes_app.engine.agent.registration import gallery_agents
    from tapes_app.models import TapeRecord

    spec = gallery_agents.get("chat")()
    llm = spec.llms["default"].model_copy(
        update={"model": "script:measured_sums", "parameters": {"delay_seconds": seconds}}
    )
    measured = spec.model_copy(update={"llms": {"default": llm}})
    version = ensure_version(person.project_id, measured, owner=person.user_id)
    starts = TapeRecord.objects.filter(task__startswith="sum ", parent=None).order_by("created_at")
    return SweepRequest(
        name=name,
        tape_ids=tuple(starts.values_list("id", flat=True)[:tasks]),
        variants=(Variant(agent_version_id=version.id),),
        repeats=repeats,
    )


@contextmanager
def working(count: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run workers as the studio starts them: some for agents, and one for sweeps."""
    from studio.workers import worker_arguments

    workers = [worker_arguments("agents", name=f"agents{number}") for number in range(count)]
    workers.append(worker_arguments("serve"))
    celery = [sys.executable, "-m", "celery", "-A", "studio.celery"]
    commands = [[*celery, *arguments] for arguments in workers]
    commands.append([sys.executable, "manage.py", "sweep"])
    processes = [subprocess.Popen(command, cwd=HERE.parent) for command in commands]
    try:
        wait_for_workers({process.pid for process in processes[:-1]})
        yield processes
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


def wait_for_workers(pids: set[int]) -> None:
    """Wait until the workers have started, which is not part of a sweep."""
    from tapes_app.jobs.store.workers import list_workers

    deadline = time.monotonic() + 120
    while not pids <= {worker.pid for worker in list_workers()}:
        if time.monotonic() > deadline:
            raise SystemExit("The workers did not start.")
        time.sleep(0.2)


def wait_for(job_id: Any) -> None:
    from tapes_app.models import JobRecord

    deadline = time.monotonic() + PATIENCE_SECONDS
    while not JobRecord.objects.filter(id=job_id, finished_at__isnull=False).exists():
        if time.monotonic() > deadline:
            raise SystemExit("The sweep did not end.")
        time.sleep(0.1)


def peak_megabytes(process: subprocess.Popen[bytes]) -> float:
    status = Path(f"/proc/{process.pid}/status").read_text()
    (line,) = [one for one in status.splitlines() if one.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


def read_report(name: str) -> dict[str, Any]:
    """Return the report of the sweep of this name; nothing may be missing."""
    from django.contrib.auth.models import User
    from django.test import Client

    from tapes_app.management.named import find_operator
    from tapes_app.models import JobRecord

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(pk=find_operator("").user_id))
    (job,) = [one for one in JobRecord.objects.filter(kind="sweep") if one.request["name"] == name]
    began = time.perf_counter()
    answer = client.get(f"/api/v1/sweeps/{job.id}")
    took = time.perf_counter() - began
    (variant,) = json.loads(answer.content)["variants"]
    if variant["missing_count"]:
        raise SystemExit(f"{variant['missing_count']} runs are missing.")
    return {"passed": variant["score"]["estimate"]["value"], "seconds": took}


def time_report(name: str) -> float:
    read_report(name)
    return min(read_report(name)["seconds"] for _ in range(3))


def tell(quick: Swept, slow: dict[int, Swept], report: float, peer: Any, slow_peer: Any) -> None:
    runs = f"{quick.runs:,} runs"
    ideal = {count: one.runs / AT_ONCE / count for count, one in slow.items()}
    rows = [
        row(
            f"{runs} without latency",
            quick.runs / quick.seconds,
            quick.runs / peer["seconds"],
            "runs/s",
            higher_wins=True,
        ),
        row(
            f"{runs}: most memory of a process",
            quick.peak_megabytes,
            peer["peak_megabytes"],
            "MB",
            higher_wins=False,
        ),
        row(
            f"{runs}: stored, per run",
            quick.bytes / quick.runs,
            peer["bytes"] / quick.runs,
            "bytes",
            higher_wins=False,
        ),
        row(f"{runs}: score", quick.passed, peer["passed"], "", higher_wins=True),
        row(f"{runs}: the report, over HTTP", report, None, "s", higher_wins=False),
        *(
            row(
                f"1-second model, {count} worker{'s' * (count > 1)}: time over the ideal",
                one.seconds / ideal[count],
                slow_peer["seconds"] / ideal[count] if count == 1 else None,
                "x",
                higher_wins=False,
            )
            for count, one in slow.items()
        ),
    ]
    is_same = abs(quick.passed - peer["passed"]) < 1e-9
    is_near = slow[1].seconds / ideal[1] <= MOST_OF_IDEAL
    finish("sweeps", claim=17, goal=GOAL, rows=rows, met=is_same and is_near, peer=named_peer())


def named_peer() -> str:
    lines: Sequence[str] = (HERE / "peers" / "inspect.txt").read_text().splitlines()
    (pinned,) = [line for line in lines if line.startswith("inspect_ai==")]
    return f"Inspect {pinned.partition('==')[2]}, mock model"


if __name__ == "__main__":
    main()
