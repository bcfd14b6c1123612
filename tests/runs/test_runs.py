"""A run stores every node run whole, goes on where another stopped, and waits for people."""

from typing import Any

import pytest

from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store import log
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.services.replies import GivenAnswer, reply_to_tape
from tapes_app.runs.services.starting import start_run
from tapes_app.tapes.store.calls import list_calls
from tapes_app.tapes.store.headers import load_steps
from tapes_app.tapes.store.tapes import append_steps
from tests.jobs.builders import read_row
from tests.runs.browsers import work, working
from tests.runs.plugin import build_counter, build_talker
from tests.runs.sessions import Session, start_session, store_member
from tests.runs.tool_plugin import IS_HELD, holding
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def kinds_of(tape: Tape) -> list[str]:
    return [step.kind.removeprefix("test_") for step in tape]


def frames_of_type(session: Session, type_name: str) -> list[dict[str, Any]]:
    return [frame for frame in session.read_frames() if frame["type"] == type_name]


def test_a_run_grows_its_tape_and_tells_each_step_once() -> None:
    session = start_session("3")

    work()

    turn = ["count_thought", "set_next_node", "count_action", "counted_observation"]
    last = ["count_thought", "set_next_node", "count_stop"]
    assert kinds_of(session.load_tape()) == ["user", *turn, *turn, *last]
    positions = [frame["position"] for frame in frames_of_type(session, "step.added")]
    assert positions == list(range(1, 12))
    assert read_row(session.job.id).state == "succeeded"


def test_steps_point_at_the_call_that_they_came_from() -> None:
    session = start_session("2")

    work()

    steps = load_steps(session.tape_id, session.person.project_id)
    calls = list_calls(session.tape_id, session.person.project_id)
    assert [step.call_id for step in steps if step.node] == [calls[0].id] * 3 + [calls[1].id] * 3
    ends = frames_of_type(session, "node.finished")
    assert [frame["call_id"] for frame in ends] == [str(call.id) for call in calls]
    assert ends[0]["usage"]["output_tokens"] == calls[0].call.usage.output_tokens


def test_streamed_text_is_the_text_of_the_answer() -> None:
    session = start_session("2", spec=build_counter(delay_seconds=0.002))

    work()

    thoughts = [step.text for step in session.load_tape() if hasattr(step, "text")]
    for end, thought in zip(frames_of_type(session, "node.finished"), thoughts, strict=True):
        deltas = frames_of_type(session, "step.delta")
        pieces = [frame["text"] for frame in deltas if frame["prompt_id"] == end["prompt_id"]]
        assert "".join(pieces) == thought


def test_frames_of_a_node_run_come_in_their_order() -> None:
    session = start_session("1")

    work()

    names = [frame["type"] for frame in session.read_frames()]
    assert names == [
        "job.state",
        "job.state",
        "run.started",
        "node.started",
        "step.delta",
        "step.added",
        "step.added",
        "step.added",
        "node.finished",
        "job.state",
    ]


def test_a_tape_has_one_run_at_a_time() -> None:
    session = start_session()
    version_id = session.job.request["agent_version_id"]

    with pytest.raises(ConflictError, match="already has a run"):
        start_run(session.person, session.tape_id, RunRequest(agent_version_id=version_id))


def test_another_projects_tape_does_not_exist_for_a_run() -> None:
    session = start_session()
    stranger = store_member()
    request = RunRequest(agent_version_id=session.job.request["agent_version_id"])

    with pytest.raises(NotFoundError):
        start_run(stranger, session.tape_id, request)
    with pytest.raises(NotFoundError):
        reply_to_tape(stranger, session.tape_id, GivenAnswer(text="hello"))


def test_a_model_that_fails_leaves_its_call_and_its_reason() -> None:
    session = start_session(spec=build_counter(script="test-refuse"))

    work()

    row = read_row(session.job.id)
    assert (row.state, row.error_code, row.message) == (
        "failed",
        "llm_error",
        "The provider said no.",
    )
    (call,) = list_calls(session.tape_id, session.person.project_id)
    assert call.call.error == "The provider said no."
    (end,) = frames_of_type(session, "node.finished")
    assert end["error"] == "The provider said no."
    assert len(session.load_tape()) == 1


def test_a_failed_run_can_go_on_as_a_new_one() -> None:
    session = start_session(spec=build_counter(script="test-refuse"))
    work()
    version_id = start_session("1", person=session.person).job.request["agent_version_id"]

    start_run(session.person, session.tape_id, RunRequest(agent_version_id=version_id))
    work()

    assert kinds_of(session.load_tape())[-1] == "count_stop"


def test_a_run_waits_for_a_person_and_goes_on_with_the_reply() -> None:
    session = start_session("hello", spec=build_talker())

    work()
    assert read_row(session.job.id).state == "waiting"
    reply_to_tape(session.person, session.tape_id, GivenAnswer(text="and bye"))
    work()

    assert read_row(session.job.id).state == "succeeded"
    tape = session.load_tape()
    assert kinds_of(tape) == [
        "user",
        "set_next_node",
        "assistant",
        "user",
        "set_next_node",
        "count_stop",
    ]
    writers = [frame["step"]["writer"] for frame in frames_of_type(session, "step.added")]
    assert writers == ["agent", "agent", "person", "agent", "agent"]


def test_nobody_replies_to_a_run_that_does_not_wait() -> None:
    session = start_session()

    with pytest.raises(ConflictError, match="No run of this tape is waiting"):
        reply_to_tape(session.person, session.tape_id, GivenAnswer(text="hello"))


def test_a_cancelled_run_goes_on_when_it_is_started_again() -> None:
    session = start_session("4", spec=build_counter(environment="test-held-counter"))
    with holding(), working():
        wait_until(IS_HELD.is_set)
        request_cancel(session.person.project_id, session.job.id, person="Ada")
        wait_until(lambda: read_row(session.job.id).state == "cancelled")

    version_id = session.job.request["agent_version_id"]
    start_run(session.person, session.tape_id, RunRequest(agent_version_id=version_id))
    work()

    numbers = [step.number for step in session.load_tape() if hasattr(step, "number")]
    assert numbers == [1, 1, 2, 2, 3, 3]


def test_a_worker_that_dies_before_the_commit_leaves_nothing_half_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The steps, the call and their events are one transaction: break it at its very end."""
    session = start_session("3")
    monkeypatch.setattr("tapes_app.jobs.store.events._RETRIES", 1)
    insert_events = log.insert_events

    def insert_or_die(rows: Any) -> None:
        insert_events(rows)
        if any('"position":5' in row.payload for row in rows):
            raise SystemError("the power went")

    monkeypatch.setattr("tapes_app.jobs.store.events.insert_events", insert_or_die)
    work()

    tape = session.load_tape()
    assert len(tape) == 5
    assert len(list_calls(session.tape_id, session.person.project_id)) == 1
    positions = [frame["position"] for frame in frames_of_type(session, "step.added")]
    assert positions == [1, 2, 3, 4]


def test_a_tape_cut_inside_a_node_run_is_completed_from_the_recorded_answer() -> None:
    """Nothing is asked again: the missing steps are made of the stored call."""
    first = start_session("2")
    work()
    whole = first.load_tape()
    calls = list_calls(first.tape_id, first.person.project_id)
    second = start_session("2", person=first.person)
    append_steps(
        second.tape_id,
        whole.steps[1:2],
        project=first.person.project_id,
        expected_count=1,
        calls=[calls[0].call],
    )

    work()

    assert kinds_of(second.load_tape()) == kinds_of(whole)
    asked = list_calls(second.tape_id, first.person.project_id)
    assert [call.call.prompt.messages[0]["content"] for call in asked] == ["Say 1.", "Say 2."]
