"""An answer in a queue that says whether a tape did its task: its outcome follows the annotators.

Each verdict is part of the annotation that the answer makes, so that the tape says who judged.
"""

from typing import Any
from uuid import UUID

from tapes_app.annotation.outcome_answers import come_to, find_before, take_out
from tapes_app.annotation.rubric import Rubric, find_outcome_item
from tapes_app.annotation.store import annotations
from tapes_app.annotation.store.queue_answers import Answer, Assignment
from tapes_app.engine.errors import NotFoundError
from tapes_app.tapes.store import marks
from tapes_app.tapes.store.outcomes import lock_outcome, outcome_of


def verdict_details(
    project: UUID, rubric: Rubric, assignment: Assignment, answer: Answer
) -> dict[str, Any]:
    """Return what the annotation of the deciding item keeps; empty where nothing decides.

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


def say_outcome(project: UUID, rubric: Rubric, assignment: Assignment) -> None:
    """Let the tape say what its annotators came to, after one more verdict was written."""
    if _deciding_item(rubric, assignment) is not None:
        verdicts = annotations.list_verdicts(assignment.tape_id)
        if verdicts:
            marks.mark_tape(assignment.tape_id, project, verdict={"outcome": come_to(verdicts)})


def take_verdict_back(
    project: UUID, rubric: Rubric, assignment: Assignment, annotation_id: UUID
) -> None:
    """Take one verdict out of the outcome, before its annotation is deleted."""
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
    """Return the key of the item that decides; of steps and pairs nothing does."""
    if assignment.position is not None or assignment.other_tape_id is not None:
        return None
    return find_outcome_item(rubric)
