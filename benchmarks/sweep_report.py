"""The report of the largest sweep, of 20,000 runs: what its page requests, in one process.

The runs are made as rows: 1,000 tasks, five variants with four attempts each, of which some fail or
break, with five scorers in addition to the outcomes, so 100,000 scores, and tags on the tasks. The
garbage collector is set up as in the web process. `--database-url` uses PostgreSQL instead of
SQLite, `--port` leaves a studio running on the rows so that the page can be viewed.
"""

import argparse
import os
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID, uuid4

from harness import add_repository_to_path, finish, row

add_repository_to_path()

from store import open_store  # noqa: E402

from studio.web import settle_memory  # noqa: E402

GOAL = "what the report page of the largest sweep, of 20,000 runs, asks for takes under 1 s"
GOAL_SECONDS = 1.0
VARIANTS = 5
SCORINGS = 5
TAGS = ("easy", "hard", "long", "short")
AT_ONCE = 1_000
REPEATS = 5
SWEEP = "measured report"


def main() -> None:
    wanted = read_arguments()
    os.environ["STUDIO_LOG_LEVEL"] = "ERROR"
    with open_store(wanted.database_url):
        job, scoring, tapes = fill(wanted.tasks, wanted.attempts, random.Random(7))
        print(f"{len(tapes):,} runs and {SCORINGS * len(tapes):,} scores are made", flush=True)
        client = sign_in()
        settle_memory()
        cases = list(measure(client, job, scoring, tapes))
        rows = [row(case, took, None, "s", higher_wins=False) for case, took in cases]
        met = dict(cases)[PAGE] < GOAL_SECONDS
        if not wanted.smoke:
            finish("sweep_report", claim=17, goal=GOAL, rows=rows, met=met)
        if wanted.port:
            serve(job, wanted.port)


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1_000)
    parser.add_argument("--attempts", type=int, default=4)
    parser.add_argument("--database-url", default="", help="a PostgreSQL database that is empty")
    parser.add_argument("--port", type=int, default=0, help="serve the pages here afterwards")
    parser.add_argument("--smoke", action="store_true", help="a few runs only, nothing is kept")
    wanted = parser.parse_args()
    if wanted.smoke:
        wanted.tasks, wanted.attempts = 20, 3
    return wanted


PAGE = "page: report and card together"


def measure(
    client: Any, job: UUID, scoring: UUID, tapes: Sequence[UUID]
) -> Iterator[tuple[str, float]]:
    """Yield the seconds of each case by the wall clock: medians, except for the first request."""
    report, card = f"/api/v1/sweeps/{job}", f"/api/v1/sweeps/{job}/card"
    by_scorer = f"{report}?by={scoring}"
    yield "first look, decided by outcomes", ask(client, report)
    yield "first look, decided by a scorer", ask(client, by_scorer)
    asked = {"outcomes": report, "a scorer": by_scorer}
    took = {by: median(client, path) for by, path in asked.items()}
    own = median(client, card)
    for by, (elapsed, processor) in took.items():
        yield f"report, decided by {by}", elapsed
        yield f"report, decided by {by}: processor", processor
    yield "card", own[0]
    yield PAGE, max(elapsed for elapsed, _ in took.values()) + own[0]
    judge_one(client, tapes[0])
    yield "after a person judged one tape", ask(client, report)
    size = len(client.get(report).content)
    print(f"an answer has {size / 1e6:.2f} MB", flush=True)


def median(client: Any, path: str) -> tuple[float, float]:
    """Return the wall-clock time and the processor time of an answer."""
    elapsed, processor = [], []
    for _ in range(REPEATS):
        began = time.process_time()
        elapsed.append(ask(client, path))
        processor.append(time.process_time() - began)
    return statistics.median(elapsed), statistics.median(processor)


def ask(client: Any, path: str) -> float:
    began = time.perf_counter()
    answer = client.get(path)
    took = time.perf_counter() - began
    if answer.status_code != 200:
        raise SystemExit(answer.content.decode())
    return took


def judge_one(client: Any, tape: UUID) -> None:
    path = f"/api/v1/tapes/{tape}"
    answer = client.patch(path, {"outcome": "fail"}, content_type="application/json")
    if answer.status_code != 200:
        raise SystemExit(answer.content.decode())


def sign_in() -> Any:
    from django.contrib.auth.models import User
    from django.test import Client

    from tapes_app.management.named import find_operator

    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.get(pk=find_operator("").user_id))
    return client


def fill(tasks: int, attempts: int, chance: random.Random) -> tuple[UUID, UUID, list[UUID]]:
    """Make a finished sweep with a scoring; return both and its tapes."""
    from tapes_app.management.named import find_operator

    person = find_operator("")
    starts = make_starts(person, tasks, chance)
    version = make_version(person)
    job, runs = make_sweep(person, version, starts, attempts)
    skill = {key: 0.55 + 0.03 * (ord(key[0]) - ord("A")) for key in runs}
    tapes = [
        tape
        for number, (key, run) in enumerate(runs.items())
        for tape in make_cell(person, run, f"{SWEEP} {key}", starts, skill[key], chance)
    ]
    scorings = [make_scoring(person, job, n, tapes, chance) for n in range(SCORINGS)]
    return job, scorings[-1], tapes


def make_starts(person: Any, count: int, chance: random.Random) -> list[UUID]:
    from tapes_app.models import TapeRecord, TapeTagRecord

    project = person.project_id
    rows = [
        TapeRecord(
            project_id=project,
            title=f"What is {n} plus {n + 1}?",
            task=f"sum {n}",
            expected=str(2 * n + 1),
        )
        for n in range(count)
    ]
    insert(TapeRecord, rows)
    tags = [
        TapeTagRecord(project_id=project, tape=one, name=name)
        for one in rows
        for name in chance.sample(TAGS, 2)
    ]
    TapeTagRecord.objects.bulk_create(tags, batch_size=AT_ONCE)
    return [one.id for one in rows]


def make_version(person: Any) -> UUID:
    from tapes_app.agents.store.agents import ensure_version
    from tapes_app.engine.agent.registration import gallery_agents

    spec = gallery_agents.get("chat")()
    return ensure_version(person.project_id, spec, owner=person.user_id).id


def make_sweep(
    person: Any, version: UUID, starts: Sequence[UUID], attempts: int
) -> tuple[UUID, dict[str, UUID]]:
    """Make the job of a finished sweep; return it and the run of each cell."""
    from django.utils import timezone

    from optimize_app.evaluation.plan import Plan, Progress, Variant
    from optimize_app.evaluation.services.suites.pinning import pin_plan
    from tapes_app.models import JobRecord

    plan = pin_plan(
        person.project_id,
        Plan(
            name=SWEEP,
            variants=tuple(
                Variant(agent_version_id=version, parameters={"temperature": n / 10})
                for n in range(VARIANTS)
            ),
            attempts=tuple(range(attempts)),
            tasks=(tuple(starts),),
        ),
    )
    runs = {cell.key: uuid4() for cell in plan.cells}
    job = JobRecord.objects.create(
        project_id=person.project_id,
        owner_id=person.user_id,
        kind="sweep",
        state="succeeded",
        request=plan.model_dump(mode="json"),
        checkpoint=Progress(runs=runs).model_dump(mode="json"),
        progress_done=plan.run_count,
        message=f"{plan.run_count:,} runs in {plan.cell_count} batches.",
        started_at=timezone.now(),
        finished_at=timezone.now(),
    )
    return job.id, runs


def make_cell(
    person: Any, run: UUID, name: str, starts: Sequence[UUID], skill: float, chance: random.Random
) -> list[UUID]:
    """Make the runs of one attempt of one variant in their final state."""
    from django.utils import timezone

    from tapes_app.models import (
        BatchRecord,
        ExperimentBranchRecord,
        ExperimentRecord,
        JobRecord,
        TapeRecord,
    )

    project, now = person.project_id, timezone.now()
    BatchRecord.objects.create(id=run, project_id=project, name=name, tape_count=len(starts))
    ExperimentRecord.objects.create(
        id=run, project_id=project, batch_id=run, name=name, branch_count=len(starts)
    )
    tapes = [
        TapeRecord(
            project_id=project,
            batch_id=run,
            parent_id=start,
            root_id=start,
            forked_at=1,
            title=f"What is {n} plus {n + 1}?",
            task=f"sum {n}",
            expected=str(2 * n + 1),
            outcome=draw_outcome(chance, skill),
            step_count=2,
            llm_call_count=1,
            cost_micro_usd=120,
        )
        for n, start in enumerate(starts)
    ]
    insert(TapeRecord, tapes)
    jobs = [
        JobRecord(
            project_id=project,
            kind="run",
            state="succeeded" if tape.outcome else "failed",
            tape=tape,
            result={"status": "finished"} if tape.outcome else None,
            message="" if tape.outcome else "The provider did not answer.",
            started_at=now,
            finished_at=now,
        )
        for tape in tapes
    ]
    insert(JobRecord, jobs)
    branches = [
        ExperimentBranchRecord(
            experiment_id=run,
            number=number,
            tape=tape,
            job=job,
            arm="original",
            kept_count=1,
            recorded_count=1,
            spent_tokens=150,
            spent_micro_usd=120,
        )
        for number, (tape, job) in enumerate(zip(tapes, jobs, strict=True))
    ]
    insert(ExperimentBranchRecord, branches)
    return [tape.id for tape in tapes]


def draw_outcome(chance: random.Random, skill: float) -> str:
    """Draw an outcome; one run in a hundred breaks, which is missing."""
    if chance.random() < 0.01:
        return ""
    return "pass" if chance.random() < skill else "fail"


def make_scoring(
    person: Any, job: UUID, number: int, tapes: Sequence[UUID], chance: random.Random
) -> UUID:
    from optimize_app.evaluation.scoring_request import ScoringRequest
    from optimize_app.evaluation.store import scores as storage

    request = {"scorer": {"kind": "number", "within": 0.5 + number}}
    asked = ScoringRequest.model_validate(request).model_dump(mode="json")
    scoring = storage.ensure_scoring(person.project_id, job, asked, owner=person.user_id)
    for begun in range(0, len(tapes), AT_ONCE):
        scores = {tape: draw_score(chance) for tape in tapes[begun : begun + AT_ONCE]}
        storage.save_scores(scoring, scores)
    return scoring


def draw_score(chance: random.Random) -> Any:
    from optimize_app.evaluation.store.scores import StoredScore

    value = chance.choice((0.0, 0.25, 0.5, 0.75, 1.0, None))
    passed = None if value is None else value >= 0.5
    return StoredScore(value, passed, "The number is as near as that.")


def insert(model: Any, rows: Sequence[Any]) -> None:
    model.objects.bulk_create(rows, batch_size=AT_ONCE)


def serve(job: UUID, port: int) -> None:
    """Answer browsers until somebody presses Ctrl-C."""
    import uvicorn

    print(f"http://127.0.0.1:{port}/evaluation/{job}", flush=True)
    uvicorn.run("studio.asgi:application", host="127.0.0.1", port=port, log_level="error")


if __name__ == "__main__":
    main()
