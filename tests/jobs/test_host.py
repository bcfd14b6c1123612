"""One process works on many jobs at once, stops them when asked, and hands them on when it ends."""

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest

from tapes_app.engine.errors import LLMError
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.host import Host
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store.claims import requeue_lost_jobs
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.jobs.store.job import Job
from tapes_app.management.jobs import work_until
from tests.jobs.builders import let_lease_run_out, read_row, seem_killed, store_job, store_project
from tests.jobs.hosting import host_beside
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@job_kind("test-echo")
async def echo(context: JobContext) -> Outcome:
    return Outcome(message="done", result={"said": context.job.request["say"]})


@job_kind("test-meet")
async def meet(context: JobContext) -> Outcome:
    """Finish only when as many jobs as asked are in here at the same time."""
    _MET.append(context.job.id)
    if len(_MET) == context.job.request["count"]:
        for waiting in _WAITING:
            waiting.set()
    else:
        _WAITING.append(asyncio.Event())
        await _WAITING[-1].wait()
    return Outcome()


_MET: list[object] = []
_WAITING: list[asyncio.Event] = []


@job_kind("test-greedy")
async def never_wait(context: JobContext) -> Outcome:
    """Work without ever waiting for anything, until another job has had its turn."""
    for _ in range(100_000_000):
        if _MET:
            return Outcome()
        await context.yield_loop()
    raise AssertionError("nobody else had a turn")


@job_kind("test-hang")
async def hang(context: JobContext) -> Outcome:
    context.report_progress(1, 2, "hanging")
    await asyncio.Event().wait()
    return Outcome()


@job_kind("test-fail")
async def fail(context: JobContext) -> Outcome:
    if context.job.request.get("as_bug"):
        raise ZeroDivisionError
    raise LLMError("The provider said no.")


@job_kind("test-thread")
async def work_in_thread(context: JobContext) -> Outcome:
    def count() -> int:
        for number in range(1_000_000):
            context.raise_if_cancelled()
            context.commit_in_thread(list)
            if number == 0:
                context.report_progress(1, 2, "counting")
        return 1

    await context.run_in_thread(count)
    return Outcome()


def _forget_meetings() -> None:
    _MET.clear()
    _WAITING.clear()


def run_host(*, concurrency: int = 8) -> int:
    host = Host("agents", concurrency=concurrency, stopping=threading.Event())
    return asyncio.run(host.work())


def wait_for_message(job_id: UUID, message: str) -> None:
    wait_until(lambda: read_row(job_id).message == message, f"the job to say {message!r}")


def test_a_host_does_what_is_queued_and_ends() -> None:
    job = store_job("test-echo", request={"say": "hello"})

    assert run_host() == 1

    row = read_row(job.id)
    assert (row.state, row.message, row.result) == ("succeeded", "done", {"said": "hello"})
    assert row.finished_at is not None
    assert run_host() == 0


def test_a_command_that_waits_for_a_job_takes_it_over_from_a_killed_worker() -> None:
    job = store_job("test-echo", request={"say": "hello"})
    seem_killed(job.id)

    work_until(lambda: read_row(job.id).state == "succeeded")

    assert read_row(job.id).result == {"said": "hello"}


def test_many_jobs_go_on_at_once_in_one_process() -> None:
    _forget_meetings()
    jobs = [store_job("test-meet", request={"count": 20}) for _ in range(20)]

    assert run_host(concurrency=20) == 20

    assert {read_row(job.id).state for job in jobs} == {"succeeded"}


def test_a_job_that_never_waits_leaves_the_others_their_share() -> None:
    _forget_meetings()
    greedy = store_job("test-greedy")
    store_job("test-meet", request={"count": 1})

    assert run_host() == 2

    assert read_row(greedy.id).state == "succeeded"


@job_kind("test-alone")
async def be_alone(context: JobContext) -> Outcome:
    assert not _MET, "another job is going on"
    _MET.append(context.job.id)
    await context.checkpoint("alone")
    _MET.clear()
    return Outcome()


def test_no_more_jobs_than_allowed_go_on_at_once() -> None:
    _forget_meetings()
    jobs = [store_job("test-alone") for _ in range(5)]

    assert run_host(concurrency=1) == 5

    assert {read_row(job.id).state for job in jobs} == {"succeeded"}


@job_kind("test-block")
async def block(context: JobContext) -> Outcome:
    """Hold the loop itself until another job is done."""
    assert _UNBLOCKED.wait(30), "the other job never went on"
    return Outcome(message="done")


@job_kind("test-second-time")
async def work_the_second_time(context: JobContext) -> Outcome:
    """Wait for ever at the first attempt, as on a loop that does not turn."""
    context.report_progress(1, 2, "begun")
    if context.job.attempt == 1:
        await asyncio.Event().wait()
    _UNBLOCKED.set()
    return Outcome(message="done elsewhere")


_UNBLOCKED = threading.Event()


def test_others_go_on_in_another_loop_while_one_job_blocks_theirs() -> None:
    _UNBLOCKED.clear()
    jobs = [store_job("test-second-time"), store_job("test-block")]

    with ThreadPoolExecutor(2) as threads:
        replacing: list[Future[int]] = []
        host = Host(
            "agents",
            concurrency=8,
            stopping=threading.Event(),
            replace=lambda: replacing.append(threads.submit(run_host)),
        )
        asyncio.run(host.work())
        (second,) = replacing
        second.result(timeout=PATIENCE_SECONDS)

    moved, blocking = (read_row(job.id) for job in jobs)
    assert (moved.state, moved.message, moved.attempt) == ("succeeded", "done elsewhere", 2)
    assert (blocking.state, blocking.message, blocking.attempt) == ("succeeded", "done", 1)
    assert moved.lost_count == 0


def test_a_failure_is_stored_with_its_code_and_sentence() -> None:
    said = store_job("test-fail")
    bug = store_job("test-fail", request={"as_bug": True})

    run_host()

    row = read_row(said.id)
    assert (row.state, row.error_code, row.message) == (
        "failed",
        "llm_error",
        "The provider said no.",
    )
    assert read_row(bug.id).error_code == "internal_error"
    assert "Zero" not in read_row(bug.id).message


def test_a_kind_that_nobody_does_fails_with_a_sentence() -> None:
    job = store_job("test-unheard-of")

    run_host()

    assert "not run jobs of kind 'test-unheard-of'" in read_row(job.id).message


@pytest.mark.parametrize("kind", ["test-hang", "test-thread"])
def test_a_running_job_is_cancelled_by_name(kind: str) -> None:
    project = store_project()
    job = store_job(kind, project=project)

    with host_beside("agents"):
        wait_for_message(job.id, "hanging" if kind == "test-hang" else "counting")
        request_cancel(project.id, job.id, person="Ada")

    row = read_row(job.id)
    assert (row.state, row.message) == ("cancelled", "Cancelled by Ada.")
    assert row.progress_done == 1


def test_a_worker_that_stops_gives_its_jobs_back() -> None:
    job = store_job("test-hang")

    with host_beside("agents") as host:
        wait_for_message(job.id, "hanging")
        host.stopping.set()

    row = read_row(job.id)
    assert (row.state, row.lost_count) == ("queued", 0)
    assert row.nudged_at is None


def test_a_host_lets_go_of_a_job_that_another_worker_has(settings: object) -> None:
    settings.STUDIO_LEASE_SECONDS = 0.4  # type: ignore[attr-defined]
    job = store_job("test-hang")

    with host_beside("agents"):
        wait_for_message(job.id, "hanging")
        row = read_row(job.id)
        type(row).objects.filter(id=job.id).update(attempt=row.attempt + 1, worker="thief")

    row = read_row(job.id)
    assert (row.state, row.worker) == ("running", "thief")


@job_kind("test-overlap")
async def overlap(context: JobContext) -> Outcome:
    """End the first attempt only when the second has begun, and the second only after that."""
    context.report_progress(1, 2, "begun")
    if context.job.attempt == 1:
        first, has_second_begun = asyncio.current_task(), asyncio.Event()
        assert first is not None
        _OVERLAPPING.append((first, has_second_begun))
        with suppress(asyncio.CancelledError):
            await has_second_begun.wait()
        return Outcome(message="done too late")
    first, has_second_begun = _OVERLAPPING[0]
    has_second_begun.set()
    await asyncio.wait({first})
    return Outcome(message="done")


_OVERLAPPING: list[tuple[asyncio.Task[Any], asyncio.Event]] = []


def test_a_host_finishes_a_job_that_it_lost_and_took_again_before_it_had_let_go() -> None:
    _OVERLAPPING.clear()
    job = store_job("test-overlap")

    with host_beside("agents"):
        wait_for_message(job.id, "begun")
        wait_until(lambda: lose(job.id), "the lease to run out")

    row = read_row(job.id)
    assert (row.state, row.message, row.attempt) == ("succeeded", "done", 2)


def lose(job_id: UUID) -> list[Job]:
    """Queue a job again whose lease ran out, as while its worker cannot reach the database."""
    let_lease_run_out(job_id)
    return requeue_lost_jobs()


def test_a_job_that_ends_here_is_not_said_to_be_taken_over(
    settings: object, caplog: pytest.LogCaptureFixture
) -> None:
    settings.STUDIO_LEASE_SECONDS = 0.004  # type: ignore[attr-defined]
    jobs = [store_job("test-echo", request={"say": "hello"}) for _ in range(60)]

    run_host()

    assert {read_row(job.id).state for job in jobs} == {"succeeded"}
    assert "taken over" not in caplog.text
