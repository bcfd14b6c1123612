"""Fills in a tape's outcome when an answer in a queue says whether the tape did its task.

Each verdict is part of the annotation that the answer writes, so that the tape shows who judged.
"""

from typing import Any
from uuid import UUID

from tapes_app.annotation.domain.outcome_answers import combine_verdicts, find_before, take_out
from tapes_app.annotation.domain.rubric import Rubric, find_outcome_item
from tapes_app.annotation.store import annotations
from tapes_app.annotation.store.queue_answers import Answer, Assignment
from tapes_app.engine.errors import NotFoundError
from tapes_app.tapes.store import marks
from tapes_app.tapes.store.outcomes import lock_outcome, outcome_of


def verdict_details(
    project: UUID, rubric: Rubric, assignment: Assignment, answer: Answer
) -> dict[str, Any]:
    """Return the verdict details for the deciding item's annotation; empty if no item decides.

    Raises:
        NotFoundError: the tape was deleted in the meantime.
    """
    item = _deciding_item(rubric, assignment)
    value = None if item is None else answer.values.get(item)
    if not isinstance(value, bool):
        return {}
    current = lock_outcome(assignment.tape_id, project)
    before = find_before(current, annotations.list_verdicts(assignment.tape_id))
    return {"outcome": outcome_of(value), "outcome_before": before}


def set_outcome_from_verdicts(project: UUID, rubric: Rubric, assignment: Assignment) -> None:
    """Set the tape's outcome from its annotators' verdicts, after another verdict was written."""
    if _deciding_item(rubric, assignment) is not None:
        verdicts = annotations.list_verdicts(assignment.tape_id)
        if verdicts:
            marks.mark_tape(
                assignment.tape_id, project, verdict={"outcome": combine_verdicts(verdicts)}
            )


def take_verdict_back(
    project: UUID, rubric: Rubric, assignment: Assignment, annotation_id: UUID
) -> None:
    """Remove one verdict from the outcome, before its annotation is deleted."""
    tape_id = assignment.tape_id
    if _deciding_item(rubric, assignment) is None:
        return
    try:
        current = lock_outcome(tape_id, project)
    except NotFoundError:  # the tape was deleted in the meantime, and its outcome with it
        return
    verdicts = annotations.list_verdicts(tape_id)
    remaining = annotations.list_verdicts(tape_id, without=annotation_id)
    if len(remaining) < len(verdicts):
        outcome = take_out(current, verdicts, remaining)
        marks.mark_tape(tape_id, project, verdict={"outcome": outcome})


def _deciding_item(rubric: Rubric, assignment: Assignment) -> str | None:
    """Return the key of the item that decides; for steps and pairs none does."""
    if assignment.position is not None or assignment.other_tape_id is not None:
        return None
    return find_outcome_item(rubric)
