"""Exporting annotation queues and rubrics to a project's file, and importing them from it."""

from collections.abc import Callable, Iterator
from uuid import UUID

from pydantic import ValidationError

from tapes_app.annotation.domain.rubric import Rubric
from tapes_app.annotation.store.queue_filling import Target, add_items
from tapes_app.annotation.store.queue_items import iterate_items
from tapes_app.annotation.store.queues import create_queue, find_queue, list_queues
from tapes_app.annotation.store.rubrics import (
    RubricRow,
    change_rubric,
    create_rubric,
    find_rubric,
    list_rubrics,
)
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.steps import first_reason
from tapes_app.exchange.store.exports import list_file_ids
from tapes_app.interchange.project_file import ItemPart, QueuePart, RubricPart
from tapes_app.projects.domain.rows import read_all
from tapes_app.projects.services.people import Person

Find = Callable[[str], UUID | None]
"""Finds a tape of the project by its id in the imported file."""


def list_rubric_parts(project: UUID) -> Iterator[RubricPart]:
    for row in list_rubrics(project):
        yield RubricPart(name=row.name, rubric=row.rubric.model_dump(mode="json"))


def list_queue_parts(project: UUID) -> Iterator[QueuePart]:
    """Yield the queues, those with older versions of their rubrics first."""
    queues = read_all(lambda after: list_queues(project, after=after))
    for queue in sorted(queues, key=lambda queue: (queue.rubric_version, queue.name)):
        yield QueuePart(
            name=queue.name,
            mode=queue.mode,
            rubric_name=queue.rubric_name,
            rubric=queue.rubric.model_dump(mode="json"),
            annotators_per_item=queue.annotators_per_item,
            audit_percent=queue.audit_percent,
            lock_minutes=queue.lock_minutes,
            items=tuple(_list_items(project, queue.id)),
        )


def _list_items(project: UUID, queue: UUID) -> Iterator[ItemPart]:
    """Yield the items of a queue in order, except those about a deleted tape."""
    items = list(iterate_items(queue))
    wanted = {item.tape_id for item in items}
    wanted |= {item.other_tape_id for item in items if item.other_tape_id is not None}
    names = list_file_ids(project, sorted(wanted))
    for item in items:
        if item.tape_id not in names or (item.other_tape_id or item.tape_id) not in names:
            continue
        pair = sorted(names[one] for one in (item.tape_id, item.other_tape_id) if one is not None)
        yield ItemPart(tape=pair[0], other="".join(pair[1:]), position=item.position)


def take_rubric(person: Person, part: RubricPart) -> None:
    """Create a rubric, unless the project has one of that name.

    Raises:
        InvalidInputError: it is not a valid rubric.
    """
    if find_rubric(part.name, person.project_id) is None:
        rubric = _read_rubric(part.rubric)
        create_rubric(person.project_id, part.name, rubric, owner=person.user_id)


def take_queue(person: Person, part: QueuePart, find: Find) -> int:
    """Create and fill a queue, unless there is one of that name; return how many items are missing.

    Raises:
        InvalidInputError: it has no rubric.
        NotFoundError: an item is about a step that its tape does not have.
    """
    queue = find_queue(part.name, person.project_id)
    if queue is None:
        queue = create_queue(
            person.project_id,
            owner=person.user_id,
            rubric_version=_ensure_rubric(person, part).version_id,
            name=part.name,
            mode=part.mode,
            annotators_per_item=part.annotators_per_item,
            audit_percent=part.audit_percent,
            lock_minutes=part.lock_minutes,
        )
    targets: list[Target] = []
    for item in part.items:
        tape, other = find(item.tape), find(item.other) if item.other else None
        if tape is not None and (other is not None or not item.other):
            targets.append(Target(tape, other, item.position))
    add_items(queue.id, person.project_id, targets)
    return len(part.items) - len(targets)


def _ensure_rubric(person: Person, part: QueuePart) -> RubricRow:
    """Return the rubric of a queue; different content becomes a separate version."""
    rubric = _read_rubric(part.rubric)
    found = find_rubric(part.rubric_name, person.project_id)
    if found is None:
        return create_rubric(person.project_id, part.rubric_name, rubric, owner=person.user_id)
    return change_rubric(found.id, person.project_id, name=found.name, rubric=rubric)


def _read_rubric(definition: dict[str, object]) -> Rubric:
    try:
        return Rubric.model_validate(definition)
    except ValidationError as error:
        raise InvalidInputError(f"The rubric cannot be read: {first_reason(error)}.") from error
