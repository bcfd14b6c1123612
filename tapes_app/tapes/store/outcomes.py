"""A tape's columns about its task: filled on import, when a run ends, or by a judge."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from tapes_app.engine.tape.steps import parse_step
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import TapeRecord
from tapes_app.projects.domain.columns import fit_line, fit_text
from tapes_app.tapes.domain.answer_match import compare_answers
from tapes_app.tapes.domain.spans import cut_spans, read_spans
from tapes_app.tapes.domain.task_outcome import (
    LONGEST_ANSWER,
    LOOKED_BACK,
    Outcome,
    find_answer,
    read_outcome,
    read_task_outcome,
)
from tapes_app.tapes.store.access import get_tape
from tapes_app.tapes.store.kind_families import assign_step_families, assigned_families_in
from tapes_app.tapes.store.loading import load_span_bodies

TASK_LENGTH = 200


def outcome_columns(metadata: Mapping[str, Any], tape: Tape) -> dict[str, Any]:
    """Return what a recorded tape states about its task, in column form."""
    outcome = read_task_outcome(metadata, tape.context, tape.steps)
    return {
        "task": fit_line(outcome.task, TASK_LENGTH),
        "expected": fit_text(outcome.expected, LONGEST_ANSWER),
        "actual": fit_text(outcome.actual, LONGEST_ANSWER),
        "outcome": outcome.outcome,
        "score": outcome.score,
    }


def read_verdict(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a person states about a tape's task, in column form.

    Names are those of the columns. `None` leaves a column unchanged, but removes a score.
    """
    fitted = {
        name: value for name, value in changes.items() if value is not None or name == "score"
    }
    if "task" in fitted:
        fitted["task"] = fit_line(fitted["task"], TASK_LENGTH)
    if "expected" in fitted:
        fitted["expected"] = fit_text(fitted["expected"], LONGEST_ANSWER)
    return fitted


@transaction.atomic
def note_answer(tape_id: UUID, project: UUID) -> None:
    """Store the answer of a tape that has continued; a changed answer is judged by comparison.

    If the answer is still the same, what somebody recorded for the tape stays. Repeating the call
    changes nothing.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    tape = get_tape(tape_id, project, for_update=True)
    actual = fit_text(_load_answer(tape), LONGEST_ANSWER)
    if actual == tape.actual:
        return
    changes: dict[str, Any] = {"actual": actual}
    if tape.expected:
        changes["outcome"] = compare_answers(tape.expected, actual)
        if tape.outcome:
            keep_outcome_before([tape.id], changes["outcome"])
    TapeRecord.objects.filter(id=tape.id).update(**changes)


def lock_outcome(tape_id: UUID, project: UUID) -> Outcome:
    """Return the outcome of a tape, locked for a caller that will change it.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    tape = get_tape(tape_id, project, for_update=True)
    return read_outcome(tape.outcome)


def keep_outcome_before(tape_ids: Sequence[UUID], outcome: str) -> None:
    """Record what the outcome of tapes was, just before it is first changed to another.

    Reports use it to show a result as it was before. Not to be called for the first outcome that a
    run, a check or a file gives a tape.
    """
    changed = TapeRecord.objects.filter(id__in=tape_ids, outcome_before__isnull=True)
    changed.exclude(outcome=outcome).update(
        outcome_before=F("outcome"), outcome_changed_at=timezone.now()
    )


def set_outcomes(
    tape_ids: Sequence[UUID], *, passed: bool | None, score: float | None, is_change: bool
) -> None:
    """Store a verdict on some tapes; `None` removes it.

    `is_change`: it is not the first verdict, so what it replaces is recorded.
    """
    if is_change:
        keep_outcome_before(tape_ids, outcome_of(passed))
    tapes = TapeRecord.objects.filter(id__in=tape_ids)
    tapes.update(outcome=outcome_of(passed), score=score)


def outcome_of(passed: bool | None) -> Outcome:  # noqa: FBT001 - the verdict is all there is
    """Return a verdict as the outcome of a tape; `None`: not judged."""
    return "" if passed is None else "pass" if passed else "fail"


def _load_answer(tape: TapeRecord) -> str:
    start = max(0, tape.step_count - LOOKED_BACK)
    spans = cut_spans(read_spans(tape.spans), start, tape.step_count - start)
    steps = [parse_step(body) for body in load_span_bodies(spans)]
    return find_answer(assign_step_families(steps, assigned_families_in(tape.project_id)))
