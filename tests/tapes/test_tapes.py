"""Tests of saving, loading and growing tapes."""

from uuid import UUID, uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.models import LLMCallRecord, StepRecord
from tapes_app.tapes.store.headers import load_header, load_outline, load_steps
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.tapes import answer, make_call, make_steps, make_tape, user_step

pytestmark = pytest.mark.django_db


def test_a_saved_tape_comes_back_as_it_was(project_id: UUID) -> None:
    tape = Tape(
        metadata=TapeMetadata(author="ada", mood="good"),
        context={"task": ["a", None]},
        steps=(user_step(), answer(), UnknownStep(kind="odd", x=[1, {"y": None}])),
    )

    tape_id = save_tape(project_id, tape)

    loaded = load_tape(tape_id, project_id)
    assert loaded.content_equals(tape)
    assert [s.to_json() for s in loaded] == [s.to_json() for s in tape]
    assert load_tape(tape_id, project_id, as_source=True).to_json() == tape.to_json()
    assert str(tape_id) == tape.id == loaded.id


@pytest.mark.parametrize("count", [0, 1, 50, 1500])
def test_opening_takes_a_fixed_number_of_queries(
    project_id: UUID, count: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tape_id = save_tape(project_id, make_tape(count))

    with django_assert_max_num_queries(2):
        assert len(load_tape(tape_id, project_id)) == count
    with django_assert_max_num_queries(2):
        assert len(load_outline(tape_id, project_id)) == count
    with django_assert_max_num_queries(3):
        assert len(load_header(tape_id, project_id).metadata) >= 0


def test_an_id_that_is_taken_or_no_uuid_becomes_the_source_id(project_id: UUID) -> None:
    tape = make_tape()
    first = save_tape(project_id, tape)
    odd = tape.with_metadata(id="tape-7")

    again, third = save_tape(project_id, tape), save_tape(project_id, odd)

    assert again != first
    assert load_header(again, project_id).source_id == tape.id
    assert load_header(third, project_id).source_id == "tape-7"
    assert load_tape(third, project_id).id == str(third)


def test_appending_grows_the_tape_and_its_counters(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(2))
    call = make_call(prompt_id="p1")
    steps = (answer("one", prompt_id="p1"), answer("two", prompt_id="p1"))

    result = append_steps(tape_id, steps, project=project_id, expected_count=2, calls=[call])

    header = load_header(tape_id, project_id)
    assert (result.step_count, result.added_count) == (4, 2)
    assert load_tape(tape_id, project_id).steps[2:] == steps
    assert header.totals.cost_micro_usd == 7
    assert header.totals.input_tokens == 10
    assert header.totals.llm_call_count == 1
    outline = load_outline(tape_id, project_id)
    assert outline[2].call_id == outline[3].call_id is not None
    assert outline[3].cost_micro_usd == 7


def test_appending_again_after_a_crash_doubles_nothing(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(2))
    call = make_call(prompt_id="p1")
    steps = (answer("one", prompt_id="p1"), answer("two", prompt_id="p1"))
    append_steps(tape_id, steps[:1], project=project_id, expected_count=2, calls=[call])

    result = append_steps(tape_id, steps, project=project_id, expected_count=2, calls=[call])
    again = append_steps(tape_id, steps, project=project_id, expected_count=2, calls=[call])

    assert (result.added_count, again.added_count) == (1, 0)
    assert load_tape(tape_id, project_id).steps[2:] == steps
    assert LLMCallRecord.objects.count() == 1
    assert load_header(tape_id, project_id).totals.llm_call_count == 1


def test_a_lost_race_is_a_conflict_and_writes_nothing(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(2))
    append_steps(tape_id, (answer("winner"),), project=project_id, expected_count=2)

    with pytest.raises(ConflictError):
        append_steps(
            tape_id, (answer("loser"),), project=project_id, expected_count=2, calls=[make_call()]
        )
    with pytest.raises(ConflictError):
        append_steps(tape_id, (answer("early"),), project=project_id, expected_count=9)

    assert [s.to_json()["content"] for s in load_tape(tape_id, project_id)][2:] == ["winner"]
    assert LLMCallRecord.objects.count() == 0


def test_a_call_that_ends_after_its_steps_is_connected_to_them(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(2))
    append_steps(tape_id, (answer(prompt_id="p9"),), project=project_id, expected_count=2)

    append_steps(
        tape_id, (), project=project_id, expected_count=3, calls=[make_call(prompt_id="p9")]
    )

    assert load_outline(tape_id, project_id)[2].call_id is not None


def test_appending_takes_the_same_queries_at_any_length(
    project_id: UUID, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (2, 1000):
        tape_id = save_tape(project_id, make_tape(count))
        with django_assert_max_num_queries(12):
            append_steps(
                tape_id,
                (answer(prompt_id="p"),),
                project=project_id,
                expected_count=count,
                calls=[make_call(prompt_id="p")],
            )


def test_steps_are_read_by_range_with_their_bodies(project_id: UUID) -> None:
    tape = Tape(steps=make_steps(10))
    tape_id = save_tape(project_id, tape, writer="import")

    rows = load_steps(tape_id, project_id, start=3, count=4)

    assert [row.position for row in rows] == [3, 4, 5, 6]
    assert [row.body for row in rows] == [step.to_json() for step in tape.steps[3:7]]
    assert rows[0].writer == "import"
    assert rows[0].is_own
    assert load_steps(tape_id, project_id, start=20, count=5) == []


def test_another_projects_tape_does_not_exist(project_id: UUID, other_project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape())

    for read in (load_tape, load_header, load_outline, load_steps):
        with pytest.raises(NotFoundError):
            read(tape_id, other_project_id)
    with pytest.raises(NotFoundError):
        append_steps(tape_id, (answer(),), project=other_project_id, expected_count=4)
    with pytest.raises(NotFoundError):
        load_tape(uuid4(), project_id)
    assert StepRecord.objects.count() == 4
