"""Writes an answer in a queue as annotations of the tapes that it is about."""

from typing import Any, assert_never
from uuid import UUID, uuid5

from tapes_app.annotation.domain.rubric import (
    AnswerValue,
    BinaryItem,
    ChoiceItem,
    Item,
    PreferenceItem,
    Rubric,
    ScaleItem,
    TextItem,
    find_outcome_item,
)
from tapes_app.annotation.services import queue_outcomes
from tapes_app.annotation.store import annotations
from tapes_app.annotation.store.queue_answers import Answer, Assignment
from tapes_app.annotation.store.queues import QueueRow
from tapes_app.annotation.store.rows import Content
from tapes_app.projects.services.people import Person

_NAME_LENGTH = 200
_SCORE = "score"
_NOTE = "note"
_SCALES = {"all": "thumbs", "mean": "fraction"}


def annotate(person: Person, queue: QueueRow, assignment: Assignment, answer: Answer) -> None:
    """Write an answer to its tape, or to both tapes of a pair.

    Raises:
        NotFoundError: a tape was deleted in the meantime.
    """
    verdict = queue_outcomes.verdict_details(person.project_id, queue.rubric, assignment, answer)
    for tape_id in _tapes(assignment):
        contents = _contents(queue, answer, verdict, is_left=tape_id == assignment.tape_id)
        annotations.put_annotations(
            tape_id,
            person.project_id,
            assignment.position,
            {_id(assignment, tape_id, part): content for part, content in contents.items()},
            owner=person.user_id,
        )
    queue_outcomes.set_outcome_from_verdicts(person.project_id, queue.rubric, assignment)


def withdraw(person: Person, queue: QueueRow, assignment: Assignment) -> None:
    """Remove an answer's annotations from its tapes, until it is submitted again."""
    decided = _id(assignment, assignment.tape_id, f"/{find_outcome_item(queue.rubric)}")
    queue_outcomes.take_verdict_back(person.project_id, queue.rubric, assignment, decided)
    parts = [*(f"/{item.key}" for item in queue.rubric.items), _SCORE, _NOTE]
    annotations.delete_annotations(
        [_id(assignment, tape_id, part) for tape_id in _tapes(assignment) for part in parts]
    )


def _tapes(assignment: Assignment) -> list[UUID]:
    both = [assignment.tape_id, assignment.other_tape_id]
    return [tape_id for tape_id in both if tape_id is not None]


def _id(assignment: Assignment, tape_id: UUID, part: str) -> UUID:
    """Return an id that is always the same for the same part of an answer."""
    return uuid5(assignment.answer_id, f"{tape_id} {part}")


def _contents(
    queue: QueueRow, answer: Answer, verdict: dict[str, Any], *, is_left: bool
) -> dict[str, Content]:
    details = {"queue_id": str(queue.id), "queue": queue.name}
    found: dict[str, Content] = {}
    for item in queue.rubric.items:
        if item.key in answer.values:
            value = answer.values[item.key]
            name = f"{queue.rubric_name}: {item.key}"
            decides = verdict if item.key == find_outcome_item(queue.rubric) else {}
            found[f"/{item.key}"] = _content(
                item, value, name, {**details, **decides}, is_left=is_left
            )
    if answer.score is not None:
        scale = _score_scale(queue.rubric)
        found[_SCORE] = Content(
            "score", queue.rubric_name[:_NAME_LENGTH], answer.score, "", {**details, **scale}
        )
    if answer.note:
        found[_NOTE] = Content("note", "", None, answer.note, details)
    return found


def _content(
    item: Item, value: AnswerValue, name: str, details: dict[str, Any], *, is_left: bool
) -> Content:
    match item:
        case BinaryItem() | ScaleItem():
            scale = _item_scale(item)
            return Content("score", name[:_NAME_LENGTH], float(value), "", {**details, **scale})
        case ChoiceItem():
            return Content("label", f"{name}: {value}"[:_NAME_LENGTH], None, "", details)
        case PreferenceItem():
            words = _preference_word(str(value), is_left=is_left)
            return Content("label", f"{name}: {words}"[:_NAME_LENGTH], None, "", details)
        case TextItem():
            return Content("note", "", None, f"{item.question} {value}", details)
        case _:
            assert_never(item)


def _preference_word(value: str, *, is_left: bool) -> str:
    if value == "tie":
        return "tie"
    return "preferred" if (value == "left") == is_left else "not preferred"


def _item_scale(item: BinaryItem | ScaleItem) -> dict[str, Any]:
    if isinstance(item, BinaryItem):
        return {"scale": "thumbs"}
    if (item.minimum, item.maximum) == (1, 5):
        return {"scale": "five"}
    return {"minimum": item.minimum, "maximum": item.maximum}


def _score_scale(rubric: Rubric) -> dict[str, Any]:
    rule = rubric.score.rule
    if rule == "item":
        scored = next(item for item in rubric.items if item.key == rubric.score.item)
        return _item_scale(scored) if isinstance(scored, BinaryItem | ScaleItem) else {}
    return {"scale": _SCALES[rule]} if rule in _SCALES else {}
