"""A run survives a worker that is killed or that slept past its lease, on either database."""

import sys
from pathlib import Path

import pytest

from tapes_app.runs.services.session import process_notes
from tests.jobs.builders import read_row
from tests.jobs.processes import Processes
from tests.jobs.test_survival import (
    assert_counted_once,
    start_counting,
    wait_for_state,
    wait_for_steps,
)
from tests.runs.ledger import build_bookkeeper
from tests.runs.plugin import closed_gate
from tests.runs.sessions import start_session
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for child processes in /proc"),
]


def test_kill_9_of_the_worker_in_the_middle_of_a_run(processes: Processes) -> None:
    processes.start_sweeper()
    worker = processes.start_worker(pool="threads")
    session = start_counting()
    with closed_gate():
        wait_for_steps(session, 9)
        processes.kill(worker)
    processes.start_worker(pool="threads")
    wait_for_state(session, "succeeded")

    assert_counted_once(session)
    row = read_row(session.job.id)
    assert (row.attempt, row.lost_count) == (2, 1)


def test_a_worker_that_slept_past_its_lease_writes_nothing_any_more(processes: Processes) -> None:
    processes.start_sweeper()
    sleeper = processes.start_worker(pool="threads")
    session = start_counting()
    with closed_gate():
        wait_for_steps(session, 9)
        processes.suspend(sleeper)
        processes.start_worker(pool="threads")
        wait_until(lambda: read_row(session.job.id).attempt == 2, "another worker to take over")
        processes.wake(sleeper)
    wait_for_state(session, "succeeded")

    assert_counted_once(session)
    assert read_row(session.job.id).attempt == 2


def test_what_a_killed_worker_had_started_for_a_run_is_ended_by_the_next(
    processes: Processes,
) -> None:
    worker = processes.start_worker(pool="threads")
    session = start_session('["add", "hold_nicely"]', spec=build_bookkeeper(has_program=True))
    wait_for_steps(session, 4)
    (program,) = read_notes()

    processes.kill(worker)
    assert is_running(program)
    processes.start_worker(pool="threads")

    wait_until(lambda: not is_running(program), "the program of the killed worker to end")


def read_notes() -> list[int]:
    return [int(note.read_text()) for note in process_notes().iterdir()]


def is_running(process_id: int) -> bool:
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
