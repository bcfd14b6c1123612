"""Tests of many rows going into one table at once."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.db import IntegrityError, transaction

from tapes_app.models import StepRecord
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.step_writing import NewStep, build_steps, insert_steps
from tests.builders.tapes import make_steps, make_tape

pytestmark = pytest.mark.django_db


def test_more_steps_than_a_statement_takes_are_stored_in_order(project_id: UUID) -> None:
    tape = make_tape(2_345)

    tape_id = save_tape(project_id, tape)

    assert load_tape(tape_id, project_id).steps == tape.steps
    ids = StepRecord.objects.filter(log=tape_id).order_by("position").values_list("id", flat=True)
    assert list(ids) == sorted(ids)


def test_steps_at_a_place_that_is_taken_are_refused(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(3))
    steps = build_steps(tape_id, 2, make_steps(2), families=dict)

    with pytest.raises(IntegrityError), transaction.atomic():
        insert_steps(steps)

    assert len(load_tape(tape_id, project_id)) == 3
    assert StepRecord.objects.filter(log=tape_id).count() == 3


def test_rows_that_cannot_be_worked_out_leave_nothing(project_id: UUID) -> None:
    tape_id = save_tape(project_id, make_tape(0))
    steps = build_steps(tape_id, 0, make_steps(2), families=dict)

    def broken() -> Iterator[NewStep]:
        yield from steps
        raise RuntimeError("the rest is gone")

    with pytest.raises(RuntimeError, match="the rest"), transaction.atomic():
        insert_steps(broken())

    assert not StepRecord.objects.filter(log=tape_id).exists()
    insert_steps(steps)
    assert StepRecord.objects.filter(log=tape_id).count() == 2
