"""Runs survive the sudden death of everything around them; real processes, really killed."""

import os
import signal
import sys
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from kombu import Producer

from studio.celery import app
from tapes_app.agents.store.agents import ensure_version
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.experiments.domain.check_kinds import NoErrorCheck
from tapes_app.experiments.services.experiments import load_experiment, start_experiment
from tapes_app.experiments.services.request import ExperimentRequest
from tapes_app.jobs.domain.control import Breakpoint, SteerMessage
from tapes_app.jobs.store.commands import add_message, continue_job, request_cancel, set_breakpoints
from tapes_app.jobs.store.job import load_job
from tapes_app.jobs.store.nudge import NUDGE_TASK, nudge
from tapes_app.models import JobRecord, TapeRecord
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.replies import GivenAnswer, reply_to_tape
from tapes_app.tapes.store.calls import list_calls
from tapes_app.tapes.store.saving import save_tape
from tests.jobs.builders import read_row
from tests.jobs.processes import Processes, clear_broker, list_children
from tests.runs.plugin import CountAction, build_counter, build_talker, closed_gate
from tests.runs.sessions import Session, start_session, store_member
from tests.runs.tool_plugin import build_tool_agent
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for child processes in /proc"),
]

WORDS = 12
"""Of each answer."""


def start_counting(turns: int = 8, *, delay_seconds: float = 0.01) -> Session:
    spec = build_counter(delay_seconds=delay_seconds, environment="test-gated-counter")
    return start_session(str(turns), spec=spec)


def start_counting_experiment(*, repeats: int) -> tuple[Person, UUID]:
    person = store_member()
    version = ensure_version(
        person.project_id, build_counter(delay_seconds=0.01), owner=person.user_id
    )
    tape = Tape(steps=(UserStep(content="8"),))
    tape_id = save_tape(person.project_id, tape, owner=person.user_id, writer="person")
    request = ExperimentRequest(
        agent_version_id=version.id, repeats=repeats, max_turns=500, check=NoErrorCheck()
    )
    return person, start_experiment(person, tape_id, request).row.id


def branch_states(person: Person, experiment_id: UUID) -> set[str]:
    return {branch.state for branch in load_experiment(person, experiment_id).branches}


def wait_for_steps(session: Session, count: int) -> None:
    tape = TapeRecord.objects.filter(id=session.tape_id)  # its steps are not read at each look
    wait_until(tape.filter(step_count__gte=count).exists, f"{count} steps")


def wait_for_state(session: Session, state: str) -> None:
    wait_until(lambda: read_row(session.job.id).state == state, f"the run to be {state}")


def assert_counted_once(session: Session, turns: int = 8) -> None:
    """Every step is on the tape, in the log and behind a call exactly once, in order."""
    tape = session.load_tape()
    numbers = [step.number for step in tape if isinstance(step, CountAction)]
    assert numbers == list(range(1, turns))
    assert tape[-1].kind == "test_count_stop"
    assert len(tape) == 1 + 4 * (turns - 1) + 3
    frames = session.read_frames()
    positions = [frame["position"] for frame in frames if frame["type"] == "step.added"]
    assert positions == list(range(1, len(tape)))
    asked = [
        call.call.prompt.messages[0]["content"]
        for call in list_calls(session.tape_id, session.person.project_id)
    ]
    assert asked == [f"Say {number}." for number in range(1, turns + 1)]


def test_kill_9_of_the_pool_child_in_the_middle_of_a_run(processes: Processes) -> None:
    processes.start_sweeper()
    worker = processes.start_worker(pool="prefork")
    session = start_counting()
    with closed_gate():
        wait_for_steps(session, 9)
        for child in list_children(worker.pid):
            os.kill(child, signal.SIGKILL)
    wait_for_state(session, "succeeded")

    assert_counted_once(session)
    assert read_row(session.job.id).attempt == 2


def test_kill_9_of_the_worker_with_redis_as_broker(redis_processes: Processes) -> None:
    redis_processes.start_sweeper()
    worker = redis_processes.start_worker(pool="threads")
    session = start_counting()
    with closed_gate():
        wait_for_steps(session, 9)
        redis_processes.kill(worker)
    redis_processes.start_worker(pool="threads")
    wait_for_state(session, "succeeded")

    assert_counted_once(session)


def test_a_pool_child_whose_worker_was_killed_does_no_harm(processes: Processes) -> None:
    processes.start_sweeper()
    worker = processes.start_worker(pool="prefork")
    session = start_counting()
    with closed_gate():
        wait_for_steps(session, 9)
        (child,) = list_children(worker.pid)
        processes.kill(worker)
        wait_until(lambda: not Path(f"/proc/{child}").exists(), "the orphan to end")
    processes.start_worker(pool="threads")
    wait_for_state(session, "succeeded")

    assert_counted_once(session)


def test_a_worker_told_to_stop_hands_its_runs_on(processes: Processes) -> None:
    worker = processes.start_worker(pool="threads")
    session = start_counting()
    with closed_gate():
        wait_for_steps(session, 12)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(timeout=PATIENCE_SECONDS) == 0

    row = read_row(session.job.id)
    assert (row.state, row.lost_count) == ("queued", 0)
    assert session.load_tape()[-1].kind == "test_count_action"


def test_a_wiped_broker_loses_no_job(processes: Processes) -> None:
    session = start_counting(2)

    clear_broker()
    processes.start_worker(pool="threads")
    processes.start_sweeper()
    wait_for_state(session, "succeeded")

    assert_counted_once(session, 2)


def test_a_worker_starts_and_works_beside_broken_files_of_the_broker(processes: Processes) -> None:
    broker = Path(settings.STUDIO_DATA_DIR) / "broker"
    for name in ("agents", "celery.pidbox"):
        (broker / "control" / f"{name}.exchange").touch()
    (broker / "queue" / "1000_broken.agents.msg").touch()
    session = start_counting(2)

    processes.start_worker(pool="threads")
    wait_for_state(session, "succeeded")

    assert_counted_once(session, 2)
    assert (broker / "broken" / "1000_broken.agents.msg").exists()


def test_a_worker_goes_on_after_messages_that_are_not_tasks(processes: Processes) -> None:
    with app.connection_for_write() as connection, connection.channel() as channel:
        producer = Producer(channel)
        for headers in ({"task": NUDGE_TASK}, {"task": "unknown"}, {"task": ["no name"]}, {}):
            producer.publish([], serializer="json", headers=headers, routing_key="agents")
    session = start_counting(2)

    processes.start_worker(pool="threads")
    wait_for_state(session, "succeeded")

    assert_counted_once(session, 2)


def test_twenty_nudges_start_one_run(processes: Processes) -> None:
    session = start_counting()
    for _ in range(20):
        nudge("agents", session.job.id)

    for pool in ("prefork", "threads"):
        processes.start_worker(pool=pool)
    wait_for_state(session, "succeeded")

    assert_counted_once(session)
    assert read_row(session.job.id).attempt == 1


def test_a_run_that_waits_for_a_person_survives_a_restart_of_everything(
    processes: Processes,
) -> None:
    processes.start_web()
    processes.start_sweeper()
    processes.start_worker()
    session = start_session("hello", spec=build_talker())
    wait_for_state(session, "waiting")

    processes.kill_all()
    clear_broker()
    processes.start_worker()
    processes.start_sweeper()
    reply_to_tape(session.person, session.tape_id, GivenAnswer(text="and bye"))
    wait_for_state(session, "succeeded")

    kinds = [step.kind for step in session.load_tape()]
    assert kinds == [
        "user",
        "set_next_node",
        "assistant",
        "user",
        "set_next_node",
        "test_count_stop",
    ]


def test_leave_to_act_is_used_up_before_the_worker_dies_in_the_middle_of_it(
    processes: Processes,
) -> None:
    """Nobody knows whether it was done: it is asked for again, never done again by itself."""
    processes.start_sweeper()
    worker = processes.start_worker(pool="threads")
    session = start_session('["send_slowly"]', spec=build_tool_agent())
    wait_for_state(session, "waiting")

    reply_to_tape(session.person, session.tape_id, GivenAnswer(approve=True))
    wait_until(lambda: bool(read_row(session.job.id).checkpoint.get("begun")), "the tool to begin")
    processes.kill(worker)
    processes.start_worker(pool="threads")
    wait_for_state(session, "waiting")

    asks = read_row(session.job.id).result["asks"]
    assert asks["tool"] == "send_slowly"
    assert "it may already have run" in asks["message"]


def test_a_paused_run_survives_a_restart_of_everything(processes: Processes) -> None:
    processes.start_worker(pool="threads")
    breakpoint_ = Breakpoint(kind="kind", value="test_count_action")
    session = start_session("3", breakpoints=(breakpoint_,))
    wait_for_state(session, "paused")

    processes.kill_all()
    clear_broker()
    set_breakpoints(session.person.project_id, session.job.id, [])
    continue_job(session.person.project_id, session.job.id, is_stepping=False)
    processes.start_worker(pool="threads")
    processes.start_sweeper()
    wait_for_state(session, "succeeded")

    assert_counted_once(session, 3)


def test_a_message_is_heard_once_though_the_worker_is_killed(processes: Processes) -> None:
    processes.start_sweeper()
    worker = processes.start_worker(pool="threads")
    session = start_counting(30)
    wait_for_steps(session, 5)

    message = SteerMessage(id=new_id(), text="hello there", by="Ada")
    add_message(session.person.project_id, session.job.id, message)
    wait_for_steps(session, 13)
    processes.kill(worker)
    processes.start_worker(pool="threads")
    wait_for_state(session, "succeeded")

    said = [step for step in session.load_tape() if step.kind == "user"]
    assert len(said) == 2
    assert read_row(session.job.id).control == {}


def test_cancel_takes_effect_while_the_model_says_nothing(
    processes: Processes,
) -> None:
    processes.start_worker(pool="threads")
    session = start_session("3", spec=build_counter(delay_seconds=60))
    wait_until(
        lambda: any(frame["type"] == "node.started" for frame in session.read_frames()),
        "the model to be asked",
    )

    request_cancel(session.person.project_id, session.job.id, person="Ada")
    wait_for_state(session, "cancelled")

    row = read_row(session.job.id)
    assert row.message == "Cancelled by Ada."
    (call,) = list_calls(session.tape_id, session.person.project_id)
    assert call.call.error == "Cancelled by Ada."


def test_kill_9_of_the_worker_in_the_middle_of_an_experiment(processes: Processes) -> None:
    """Of ten branches some are done, some run and some wait when the worker dies."""
    processes.start_sweeper()
    worker = processes.start_worker(pool="threads", concurrency=4)
    person, experiment_id = start_counting_experiment(repeats=10)

    def is_caught_at_work() -> bool:
        """Hold the worker, so that what is running still is so when it is killed."""
        os.killpg(worker.pid, signal.SIGSTOP)
        if {"queued", "running", "succeeded"} <= branch_states(person, experiment_id):
            return True
        os.killpg(worker.pid, signal.SIGCONT)
        return False

    wait_until(is_caught_at_work, "branches that wait, work and are done")
    processes.kill(worker)
    processes.start_worker(pool="threads", concurrency=4)
    wait_until(lambda: branch_states(person, experiment_id) == {"succeeded"}, "all to be done")

    shown = load_experiment(person, experiment_id)
    rows = shown.branches
    assert [row.number for row in rows] == list(range(10))
    assert shown.row.unfinished_count == 0
    assert {(row.passed, row.judged_by) for row in rows} == {(True, "no_error")}
    assert JobRecord.objects.filter(kind="run").count() == 10
    jobs = [load_job(person.project_id, row.job_id) for row in rows if row.job_id]
    assert {read_row(job.id).lost_count for job in jobs} == {0, 1}
    for row, job in zip(rows, jobs, strict=True):
        branch = Session(person, row.tape_id, job)
        assert_counted_once(branch)
        assert row.step_count == len(row.spark) == len(branch.load_tape()) - 1
