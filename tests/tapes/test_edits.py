"""Tests of forks and edits: what is shared, what is written, what is remembered."""

from importlib import import_module
from uuid import UUID

import pytest
from django.apps import apps
from pytest_django import DjangoAssertNumQueries

from tapes_app.batches.store.batch_tapes import list_summaries
from tapes_app.engine.errors import NotFoundError, TapeRangeError
from tapes_app.engine.tape.splice import (
    DeleteStep,
    InsertStep,
    Operation,
    ReplaceStep,
    apply_operations,
    splice,
)
from tapes_app.engine.tape.tape import Tape
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.store.lists import list_tapes
from tapes_app.library.store.plans import TapeFilter
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.tapes.store.access import MAX_SPANS
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.edits import fork_tape, save_spliced
from tapes_app.tapes.store.families import load_family
from tapes_app.tapes.store.headers import load_header, load_outline, load_steps
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.builders.tapes import answer, make_call, make_tape, user_step

pytestmark = pytest.mark.django_db


def test_a_fork_keeps_a_prefix_and_remembers_its_parent(project_id: UUID, user: int) -> None:
    tape = make_tape(6)
    tape_id = save_tape(project_id, tape)

    child_id = fork_tape(tape_id, project=project_id, at=4, owner=user)

    child = load_tape(child_id, project_id)
    header = load_header(child_id, project_id)
    assert child.steps == tape.steps[:4]
    assert child.metadata.parent_id == str(tape_id)
    assert (header.parent_id, header.forked_at, header.owner_id) == (tape_id, 4, user)


def test_forking_writes_no_step_and_takes_few_queries(
    project_id: UUID, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    tape_id = save_tape(project_id, make_tape(1000))
    step_count = StepRecord.objects.count()

    for at in (None, 999, 3, 0):
        with django_assert_max_num_queries(7):
            fork_tape(tape_id, project=project_id, at=at)

    assert StepRecord.objects.count() == step_count
    assert all(len(tape.spans) <= 1 for tape in TapeRecord.objects.all())


def test_a_fork_counts_only_what_it_shows(project_id: UUID) -> None:
    calls = [make_call(prompt_id=f"p{i}") for i in range(3)]
    steps = tuple(answer(prompt_id=f"p{i}") for i in range(3))
    tape_id = save_tape(project_id, Tape(steps=steps), calls=calls)

    half = load_header(fork_tape(tape_id, project=project_id, at=2), project_id)
    whole = load_header(fork_tape(tape_id, project=project_id), project_id)

    assert (half.totals.llm_call_count, half.totals.cost_micro_usd) == (2, 14)
    assert whole.totals == load_header(tape_id, project_id).totals


def test_calls_without_a_price_are_counted_wherever_costs_are(project_id: UUID) -> None:
    batch = ensure_batch(project_id, "b")
    calls = [make_call(prompt_id=f"p{at}", cost=cost) for at, cost in enumerate((None, 7, None))]
    steps = tuple(answer(prompt_id=f"p{at}") for at in range(3))
    tape_id = save_tape(project_id, Tape(steps=steps), calls=calls, batch=batch.id)
    late = make_call(prompt_id="late", cost=None)
    append_steps(
        tape_id, (answer(prompt_id="late"),), project=project_id, expected_count=3, calls=[late]
    )

    def counts(tape: UUID) -> tuple[int, int, int]:
        totals = load_header(tape, project_id).totals
        return totals.llm_call_count, totals.unpriced_call_count, totals.cost_micro_usd

    half = fork_tape(tape_id, project=project_id, at=2)
    assert counts(tape_id) == (4, 3, 7)
    assert counts(half) == (2, 1, 7)
    (summary,) = list_summaries(project_id).items
    assert (summary.llm_call_count, summary.unpriced_call_count) == (4, 3)
    cheap = TapeFilter(query=parse_query("cost<1"))
    assert list_tapes(project_id, cheap).items == ()
    TapeRecord.objects.update(unpriced_call_count=0)
    migration = import_module("tapes_app.migrations.0028_tape_words_and_unpriced_calls")
    migration.count_unpriced(apps, None)
    assert (counts(tape_id), counts(half)) == ((4, 3, 7), (2, 1, 7))


def test_parent_and_child_grow_apart(project_id: UUID) -> None:
    tape = make_tape(3)
    tape_id = save_tape(project_id, tape)
    child_id = fork_tape(tape_id, project=project_id, at=2)

    append_steps(tape_id, (answer("parent"),), project=project_id, expected_count=3)
    append_steps(child_id, (answer("child"),), project=project_id, expected_count=2)
    grandchild_id = fork_tape(child_id, project=project_id)
    append_steps(grandchild_id, (answer("grandchild"),), project=project_id, expected_count=3)
    append_steps(child_id, (answer("child again"),), project=project_id, expected_count=3)

    assert _words(load_tape(tape_id, project_id)) == [*_words(tape), "parent"]
    assert _words(load_tape(child_id, project_id)) == [*_words(tape)[:2], "child", "child again"]
    assert _words(load_tape(grandchild_id, project_id)) == [
        *_words(tape)[:2],
        "child",
        "grandchild",
    ]


def test_a_fork_outside_the_tape_is_refused(project_id: UUID, other_project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(3))

    for at in (-1, 4):
        with pytest.raises(TapeRangeError):
            fork_tape(tape_id, project=project_id, at=at)
    with pytest.raises(NotFoundError):
        fork_tape(tape_id, project=other_project_id)


@pytest.mark.parametrize("with_sources", [True, False])
def test_an_edit_writes_only_its_new_steps(project_id: UUID, user: int, with_sources: bool) -> None:
    tape = make_tape(8)
    tape_id = save_tape(project_id, tape)
    operations: list[Operation] = [
        ReplaceStep(position=1, step={"kind": "assistant", "content": "better"}),
        DeleteStep(position=4),
        InsertStep(position=7, step={"kind": "user", "content": "and now?"}),
    ]
    edited = splice(tape, operations, author="ada")
    sources = [s.source for s in apply_operations(tape, operations)] if with_sources else None
    # Ids of written steps are made anew by every call; give the sources of the same edit.
    before = StepRecord.objects.count()

    child_id = save_spliced(
        tape_id, edited, project=project_id, sources=sources, owner=user, edited_by=user
    )

    rows = load_steps(child_id, project_id)
    assert load_tape(child_id, project_id).steps == edited.steps
    assert StepRecord.objects.count() == before + 2
    assert [row.position for row in rows if row.is_own] == [1, 7]
    assert {row.edited_by for row in rows if row.is_own} == {"ada"}
    assert rows[1].writer == "person"
    header = load_header(child_id, project_id)
    assert (header.forked_at, header.parent_id, header.author) == (1, tape_id, "ada")
    assert str(child_id) == edited.id


def test_a_tape_of_very_many_pieces_gets_rows_of_its_own(project_id: UUID, user: int) -> None:
    tape = make_tape(3 * MAX_SPANS)
    tape_id = save_tape(project_id, tape)
    operations: list[Operation] = [
        ReplaceStep(position=p, step={"kind": "assistant", "content": "x"})
        for p in range(0, 3 * MAX_SPANS, 2)
    ]
    edited = splice(tape, operations, author="ada")

    child_id = save_spliced(tape_id, edited, project=project_id, edited_by=user)

    assert load_tape(child_id, project_id).steps == edited.steps
    assert len(TapeRecord.objects.get(id=child_id).spans) == 1
    grandchild = save_spliced(child_id, edited[:5], project=project_id)
    assert len(load_outline(grandchild, project_id)) == 5


def test_the_family_is_every_tape_of_one_root(project_id: UUID) -> None:
    root = save_tape(project_id, make_tape(3))
    left = fork_tape(root, project=project_id, at=1)
    right = fork_tape(root, project=project_id, at=2)
    leaf = fork_tape(left, project=project_id)
    save_tape(project_id, make_tape(2))

    for member in (root, left, right, leaf):
        family = load_family(member, project_id)
        assert [row.id for row in family.items] == [root, left, right, leaf]
        assert [row.parent_id for row in family.items] == [None, root, root, left]


def test_a_cut_tape_forgets_the_end_of_its_parent(project_id: UUID) -> None:
    tape = make_tape(3).with_metadata(error="it broke", result=1)
    tape_id = save_tape(project_id, tape)

    cut = fork_tape(tape_id, project=project_id, at=2)

    assert load_header(tape_id, project_id).has_error
    assert not load_header(cut, project_id).has_error
    assert load_tape(cut, project_id).metadata.error is None


def test_steps_of_a_person_are_told_from_those_of_the_team(project_id: UUID) -> None:
    tape_id = save_tape(project_id, Tape(steps=(user_step(),)), writer="person")

    append_steps(tape_id, (answer(), user_step()), project=project_id, expected_count=1)

    writers = [row.writer for row in load_outline(tape_id, project_id)]
    assert writers == ["person", "agent", "environment"]


def _words(tape: Tape) -> list[str]:
    return [step.to_json()["content"] for step in tape]
