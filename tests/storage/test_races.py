"""Tests of writers that meet: exactly one wins, and nothing is written twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest
from django.db import connection

from tapes_app.engine.errors import ConflictError
from tapes_app.engine.spec import AgentSpec
from tapes_app.models import LLMCallRecord, PromptNodeRecord, StepRecord
from tapes_app.storage.agents import add_version, create_agent, list_versions
from tapes_app.storage.calls import save_calls
from tapes_app.storage.tapes import append_steps, load_header, load_tape, save_tape
from tests.storage.builders import answer, full_history_calls, make_call, make_tape

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
WRITERS = 6


def at_once(work: Callable[[int], object]) -> list[object]:
    """Run `work` in threads that start together; return results, conflicts as `None`."""
    barrier = threading.Barrier(WRITERS)

    def run(number: int) -> object:
        try:
            barrier.wait()
            return work(number)
        except ConflictError:
            return None
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(run, range(WRITERS)))


def test_of_many_writers_at_one_place_one_wins(project: UUID) -> None:
    tape_id = save_tape(project, make_tape(2))

    results = at_once(
        lambda number: append_steps(
            tape_id,
            (answer(f"writer {number}", prompt_id=f"p{number}"),),
            project=project,
            expected_count=2,
            calls=[make_call(prompt_id=f"p{number}")],
        )
    )

    assert len([result for result in results if result is not None]) == 1
    assert len(load_tape(tape_id, project)) == 3
    assert StepRecord.objects.count() == 3
    assert LLMCallRecord.objects.count() == 1
    assert load_header(tape_id, project).version == 1


def test_the_same_steps_from_many_writers_are_there_once(project: UUID) -> None:
    tape_id = save_tape(project, make_tape(2))
    steps = (answer("one", prompt_id="p"), answer("two", prompt_id="p"))
    call = make_call(prompt_id="p")

    results = at_once(
        lambda _: (
            append_steps(
                tape_id, steps, project=project, expected_count=2, calls=[call]
            ).added_count
        )
    )

    assert sorted(map(str, results)) == ["0"] * (WRITERS - 1) + ["2"]
    assert load_tape(tape_id, project).steps[2:] == steps
    assert LLMCallRecord.objects.count() == 1


def test_equal_prompts_written_at_once_share_their_nodes(project: UUID) -> None:
    calls = full_history_calls(30)

    at_once(lambda number: save_calls(project, calls if number % 2 else calls[::-1]))

    assert PromptNodeRecord.objects.count() == 60
    assert LLMCallRecord.objects.count() == WRITERS * 30


def test_versions_added_at_once_are_numbered_without_gaps(project: UUID) -> None:
    agent = create_agent(project, AgentSpec(name="bot")).agent_id

    results = at_once(
        lambda number: add_version(agent, project, AgentSpec(name="bot", max_iterations=number + 1))
    )

    added = len([result for result in results if result is not None])
    numbers = [version.number for version in list_versions(agent, project)]
    assert numbers == list(range(added + 1, 0, -1))
