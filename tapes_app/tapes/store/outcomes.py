"""What the columns of a tape say of its task: filled at an import, when a run ends, by a judge."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.engine.steps import parse_step
from tapes_app.engine.tape import Tape
from tapes_app.models import TapeRecord
from tapes_app.projects.columns import fit_line, fit_text
from tapes_app.tapes.answer_match import compare_answers
from tapes_app.tapes.spans import cut_spans, read_spans
from tapes_app.tapes.store.access import get_tape
from tapes_app.tapes.store.kind_families import tell_steps, told_in
from tapes_app.tapes.store.loading import load_span_bodies
from tapes_app.tapes.task_outcome import (
    LONGEST_ANSWER,
    LOOKED_BACK,
    Outcome,
    find_answer,
    read_outcome,
    read_task_outcome,
)

TASK_LENGTH = 200


def outcome_columns(metadata: Mapping[str, Any], tape: Tape) -> dict[str, Any]:
    """Return what a recorded tape says of its task, as columns hold it."""
    said = read_task_outcome(metadata, tape.context, tape.steps)
    return {
        "task": fit_line(said.task, TASK_LENGTH),
        "expected": fit_text(said.expected, LONGEST_ANSWER),
        "actual": fit_text(said.actual, LONGEST_ANSWER),
        "outcome": said.outcome,
        "score": said.score,
    }


def read_verdict(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a person says of a tape's task as columns hold it.

    Names are those of the columns. `None` says nothing, except of a score: it takes that back.
    """
    fitted = {name: said for name, said in changes.items() if said is not None or name == "score"}
    if "task" in fitted:
        fitted["task"] = fit_line(fitted["task"], TASK_LENGTH)
    if "expected" in fitted:
        fitted["expected"] = fit_text(fitted["expected"], LONGEST_ANSWER)
    return fitted


@transaction.atomic
def note_answer(tape_id: UUID, project: UUID) -> None:
    """Store what a tape that continued has come to; another answer is judged by comparing.

    What somebody said of a tape whose answer is still the same stays. Doing it again changes
    nothing.

    Raises:
        NotFoundError: no such tape in this project.
    """
    tape = get_tape(tape_id, project, for_update=True)
    actual = fit_text(_load_answer(tape), LONGEST_ANSWER)
    if actual == tape.actual:
        return
    changes: dict[str, Any] = {"actual": actual}
    if tape.expected:
        changes["outcome"] = compare_answers(tape.expected, actual)
    TapeRecord.objects.filter(id=tape.id).update(**changes)


def lock_outcome(tape_id: UUID, project: UUID) -> Outcome:
    """Return the outcome of a tape, locked for who will change it.

    Raises:
        NotFoundError: no such tape in this project.
    """
    tape = get_tape(tape_id, project, for_update=True)
    return read_outcome(tape.outcome)


def set_outcomes(tape_ids: Sequence[UUID], *, passed: bool | None, score: float | None) -> None:
    """Store a verdict on some tapes; `None` takes it back."""
    tapes = TapeRecord.objects.filter(id__in=tape_ids)
    tapes.update(outcome=outcome_of(passed), score=score)


def outcome_of(passed: bool | None) -> Outcome:  # noqa: FBT001 - the verdict is all there is
    """Return a verdict as the outcome of a tape; `None`: not judged."""
    return "" if passed is None else "pass" if passed else "fail"


def _load_answer(tape: TapeRecord) -> str:
    start = max(0, tape.step_count - LOOKED_BACK)
    spans = cut_spans(read_spans(tape.spans), start, tape.step_count - start)
    steps = [parse_step(body) for body in load_span_bodies(spans)]
    return find_answer(tell_steps(steps, told_in(tape.project_id)))
