"""Jobs are claimed once, kept by leases, and end in exactly one state."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.jobs.domain.control import SteerMessage
from tapes_app.jobs.services.sweeper import sweep
from tapes_app.jobs.store import claims, commands
from tapes_app.jobs.store import job as jobs
from tapes_app.jobs.store.many_jobs import NewJob, cancel_queued_jobs, create_jobs
from tapes_app.models import JobRecord
from tests.jobs.builders import (
    let_lease_run_out,
    read_log,
    read_row,
    store_claimed_job,
    store_job,
    store_project,
)

pytestmark = pytest.mark.django_db(transaction=True)


def states_in_log(job_id: object) -> list[str]:
    frames = [json.loads(event.payload) for event in read_log(job_id)]  # type: ignore[arg-type]
    return [frame["state"] for frame in frames if frame["type"] == "job.state"]


def test_a_job_goes_to_one_of_many_workers() -> None:
    job = store_job()

    def claim(number: int) -> int:
        try:
            return len(claims.claim_jobs("agents", limit=1, worker=f"worker {number}"))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        taken = sum(threads.map(claim, range(16)))

    assert taken == 1
    assert read_row(job.id).attempt == 1
    assert states_in_log(job.id) == ["queued", "running"]


def test_a_run_that_a_person_starts_goes_before_jobs_made_by_the_dozen() -> None:
    project = store_project()
    branches = create_jobs(project.id, "nothing", [NewJob({}, f"branch {n}") for n in range(50)])
    first = claims.claim_jobs("agents", limit=2, worker="one")
    by_hand = [store_job(project=project).id for _ in range(2)]

    second = claims.claim_jobs("agents", limit=3, worker="another")
    rest = claims.claim_jobs("agents", limit=100, worker="another")

    assert {job.id for job in first} <= set(branches)
    assert [job.id for job in second][:2] == by_hand
    claimed = [*first, *second[2:], *rest]
    assert sorted(job.created_at for job in claimed) == [job.created_at for job in claimed]
    assert {job.id for job in claimed} == set(branches)


def test_a_job_made_by_the_dozen_that_lost_its_worker_still_lets_people_go_first() -> None:
    project = store_project()
    [lost] = create_jobs(project.id, "nothing", [NewJob({}, "branch")])
    claims.claim_jobs("agents", limit=1, worker="doomed")
    let_lease_run_out(lost)
    sweep()
    by_hand = store_job(project=project)

    claimed = claims.claim_jobs("agents", limit=2, worker="another")

    assert [job.id for job in claimed] == [by_hand.id, lost]


def test_what_a_worker_has_just_claimed_is_not_cancelled_with_what_is_queued() -> None:
    project = store_project()
    listed = create_jobs(project.id, "nothing", [NewJob({}, f"branch {n}") for n in range(3)])
    [claimed] = claims.claim_jobs("agents", limit=1, worker="one")

    cancel_queued_jobs(project.id, listed, person="the budget")

    assert not read_row(claimed.id).is_cancel_requested
    assert states_in_log(claimed.id) == ["queued", "running"]
    for job_id in set(listed) - {claimed.id}:
        row = read_row(job_id)
        assert (row.state, row.message) == ("cancelled", "Cancelled by the budget.")
        assert row.finished_at is not None


def test_a_renewed_lease_is_not_taken_back() -> None:
    job = store_claimed_job()
    let_lease_run_out(job.id)

    assert claims.renew_leases([(job.id, job.attempt)]) == set()

    assert sweep().taken_back_count == 0
    assert read_row(job.id).state == "running"


def test_a_job_whose_lease_ran_out_is_queued_for_the_next_worker() -> None:
    job = store_claimed_job()
    let_lease_run_out(job.id)

    assert sweep().taken_back_count == 1
    assert sweep().taken_back_count == 0
    (taken,) = claims.claim_jobs("agents", limit=5, worker="another")

    assert taken.attempt == 2
    assert claims.renew_leases([(job.id, 1)]) == {(job.id, 1)}
    assert claims.renew_leases([(job.id, 2)]) == set()
    assert claims.renew_leases([(job.id, 1), (job.id, 2)]) == {(job.id, 1)}


def test_a_worker_that_is_stopped_with_a_row_locked_holds_up_no_other_job() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("whoever writes to SQLite locks all of it")
    locked, free = store_claimed_job(), store_claimed_job()
    for job in (locked, free):
        let_lease_run_out(job.id)
    stopped = connection.copy()
    try:
        with transaction.atomic(), stopped.cursor() as cursor:
            stopped.set_autocommit(False)
            cursor.execute("SELECT 1 FROM job WHERE id = %s FOR UPDATE", [locked.id])

        assert sweep().taken_back_count == 1
        assert (read_row(locked.id).state, read_row(free.id).state) == ("running", "queued")
    finally:
        stopped.rollback()  # the lock is gone then; the server notices a closed connection later
        stopped.close()

    assert sweep().taken_back_count == 1
    assert read_row(locked.id).state == "queued"


def test_a_job_that_loses_five_workers_fails_with_a_sentence() -> None:
    job = store_job()

    for _ in range(claims.MAX_LOSSES):
        claims.claim_jobs("agents", limit=1, worker="doomed")
        let_lease_run_out(job.id)
        sweep()

    row = read_row(job.id)
    assert (row.state, row.error_code) == ("failed", "worker_lost")
    assert "5 times" in row.message
    assert states_in_log(job.id)[-1] == "failed"


def test_cancelling_a_queued_job_ends_it_and_says_who() -> None:
    job = store_job()

    cancelled = commands.request_cancel(job.project_id, job.id, person="Ada")

    assert cancelled.state == "cancelled"
    assert cancelled.message == "Cancelled by Ada."
    assert claims.claim_jobs("agents", limit=1, worker="late") == []


def test_cancelling_a_running_job_asks_its_worker() -> None:
    job = store_claimed_job()

    asked = commands.request_cancel(job.project_id, job.id, person="Ada")

    assert asked.state == "running"
    assert claims.read_requested_control([job.id])[job.id].cancelled_by == "Ada"


def test_a_lost_job_that_was_to_be_cancelled_is_cancelled() -> None:
    job = store_claimed_job()
    commands.request_cancel(job.project_id, job.id, person="Ada")
    let_lease_run_out(job.id)

    sweep()

    assert read_row(job.id).state == "cancelled"


def test_a_finished_job_cannot_be_cancelled() -> None:
    job = store_job()
    commands.request_cancel(job.project_id, job.id, person="Ada")

    with pytest.raises(ConflictError, match="cancelled already"):
        commands.request_cancel(job.project_id, job.id, person="Bob")


def test_a_job_of_another_project_does_not_exist() -> None:
    job = store_job()
    other = store_project()

    with pytest.raises(NotFoundError):
        jobs.load_job(other.id, job.id)
    with pytest.raises(NotFoundError):
        commands.request_cancel(other.id, job.id, person="Eve")


def test_a_job_that_would_wait_is_queued_when_somebody_has_just_said_something() -> None:
    job = store_claimed_job()
    commands.add_message(job.project_id, job.id, SteerMessage(id="m", text="hello"))

    with transaction.atomic():
        claims.end_claim(job.id, "waiting", accepts_messages=True)

    assert read_row(job.id).state == "queued"


def test_a_wish_to_pause_is_over_when_the_job_rests() -> None:
    job = store_claimed_job()
    commands.request_pause(job.project_id, job.id, person="Ada")

    with transaction.atomic():
        claims.end_claim(job.id, "paused")

    assert read_row(job.id).control == {}


def test_a_cancelled_job_can_be_queued_again() -> None:
    job = store_job()
    commands.request_cancel(job.project_id, job.id, person="Ada")

    commands.requeue_job(job.project_id, job.id)

    (again,) = claims.claim_jobs("agents", limit=1, worker="next")
    assert again.id == job.id
    assert not again.is_cancel_requested


def test_lists_are_paged_newest_first_without_gaps() -> None:
    project = store_project()
    made = [store_job(project=project).id for _ in range(7)]

    first = jobs.list_job_page(project.id, limit=4)
    second = jobs.list_job_page(project.id, limit=4, after=first.next)

    assert [job.id for job in [*first.items, *second.items]] == made[::-1]


def test_one_nudge_a_queue_is_sent_for_jobs_that_wait_for_long() -> None:
    for _ in range(5):
        store_job()
    JobRecord.objects.update(nudged_at=None)

    assert sweep().nudged_queues == ("agents",)
    assert sweep().nudged_queues == ()
