"""Tests of writers that meet: exactly one wins, and nothing is written twice."""

from uuid import UUID

import pytest

from tapes_app.agents.store.agents import add_version, create_agent, list_versions
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.models import LLMCallRecord, PromptNodeRecord, StepRecord
from tapes_app.tapes.store.calls import save_calls
from tapes_app.tapes.store.headers import load_header
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.at_once import WRITERS, at_once
from tests.builders.tapes import answer, full_history_calls, make_call, make_tape

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_many_writers_at_one_place_one_wins(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(2))

    results = at_once(
        lambda number: append_steps(
            tape_id,
            (answer(f"writer {number}", prompt_id=f"p{number}"),),
            project=project_id,
            expected_count=2,
            calls=[make_call(prompt_id=f"p{number}")],
        )
    )

    assert len([result for result in results if result is not None]) == 1
    assert len(load_tape(tape_id, project_id)) == 3
    assert StepRecord.objects.count() == 3
    assert LLMCallRecord.objects.count() == 1
    assert load_header(tape_id, project_id).version == 1


def test_the_same_steps_from_many_writers_are_there_once(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(2))
    steps = (answer("one", prompt_id="p"), answer("two", prompt_id="p"))
    call = make_call(prompt_id="p")

    results = at_once(
        lambda _: (
            append_steps(
                tape_id, steps, project=project_id, expected_count=2, calls=[call]
            ).added_count
        )
    )

    assert sorted(map(str, results)) == ["0"] * (WRITERS - 1) + ["2"]
    assert load_tape(tape_id, project_id).steps[2:] == steps
    assert LLMCallRecord.objects.count() == 1


def test_equal_prompts_written_at_once_share_their_nodes(project_id: UUID) -> None:
    calls = full_history_calls(30)

    at_once(lambda number: save_calls(project_id, calls if number % 2 else calls[::-1]))

    assert PromptNodeRecord.objects.count() == 60
    assert LLMCallRecord.objects.count() == WRITERS * 30


def test_versions_added_at_once_are_numbered_without_gaps(project_id: UUID) -> None:
    agent = create_agent(project_id, AgentSpec(name="bot")).agent_id

    results = at_once(
        lambda number: add_version(
            agent, project_id, AgentSpec(name="bot", max_iterations=number + 1)
        )
    )

    added = len([result for result in results if result is not None])
    numbers = [version.number for version in list_versions(agent, project_id)]
    assert numbers == list(range(added + 1, 0, -1))
