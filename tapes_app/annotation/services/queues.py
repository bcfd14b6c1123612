"""Creating, filling and listing annotation queues; the work in them is in `queue_work`."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.annotation.domain.queueing import usual_audit_percent
from tapes_app.annotation.services import rubrics
from tapes_app.annotation.store import queue_filling, queue_items, queues
from tapes_app.annotation.store import rubrics as rubrics_store
from tapes_app.annotation.store.queue_filling import Target
from tapes_app.annotation.store.queue_items import ItemRow
from tapes_app.annotation.store.queues import Mode, QueueRow
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.library.services.selection import MOST_CHOSEN, TapeSelection, count_selection
from tapes_app.library.store.lists import list_all_ids
from tapes_app.projects.domain.rows import Page, required
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import batches


def load_queue_named(person: Person, name: str) -> QueueRow:
    """Return the queue with the given name.

    Raises:
        NotFoundError: the project has no such queue.
    """
    queue = queues.find_queue(name, person.project_id)
    return required(queue, f"There is no queue {name!r} in {person.project!r}.")


def find_people(person: Person, names: Sequence[str]) -> list[int]:
    """Return the ids of the named people, who must be allowed to annotate.

    Raises:
        InvalidInputError: a named person may not write in the project.
    """
    known = {one.name: one.id for one in queues.list_people(person.project_id)}
    for name in names:
        if name not in known:
            raise InvalidInputError(
                f"{name!r} cannot edit {person.project!r}; these people can: {', '.join(known)}."
            )
    return [known[name] for name in names]


@transaction.atomic
def create_queue(
    person: Person,
    *,
    rubric_id: UUID | None,
    preset: str,
    targets: Sequence[Target] = (),
    batch_id: UUID | None = None,
    selection: TapeSelection | None = None,
    **values: Any,
) -> QueueRow:
    """Create a queue that asks the questions of a rubric, or a preset, about the given tapes.

    If the audit share is `None`, the default for this number of people is used.

    Raises:
        NotFoundError: no such rubric, preset, tape or batch in the project.
        ConflictError: the project already has a queue of that name.
        InvalidInputError: the rubric does not fit the mode, a number is out of range, or too
            few people are named.
    """
    if (rubric_id is None) == (preset == ""):
        raise InvalidInputError("Choose either a rubric or a preset.", field="rubric_id")
    if rubric_id is not None:
        rubric = rubrics_store.load_rubric(rubric_id, person.project_id)
    else:
        rubric = rubrics.ensure_preset(person, preset)
    _check_bounds(values)
    _check_mode(values["mode"], is_pairwise=rubric.rubric.is_pairwise)
    annotators, people = values["annotators_per_item"], values["people"]
    if values["audit_percent"] is None:
        count = len(set(people)) or len(queues.list_people(person.project_id))
        values["audit_percent"] = usual_audit_percent(annotators=annotators, people=count)
    _check_numbers(people, annotators, values["audit_percent"])
    queue = queues.create_queue(
        person.project_id, owner=person.user_id, rubric_version=rubric.version_id, **values
    )
    if targets or batch_id is not None or selection is not None:
        add_items(person, queue.id, targets=targets, batch_id=batch_id, selection=selection)
    return queues.load_queue(queue.id, person.project_id)


@transaction.atomic
def fill_queue(
    person: Person, *, name: str, preset: str, mode: Mode, targets: Sequence[Target]
) -> QueueRow:
    """Add tapes or pairs to the named queue for a preset, creating it if necessary.

    Raises:
        NotFoundError: no such preset or tape in the project.
        ConflictError: the project has a queue of that name that uses another rubric.
    """
    queue = queues.find_queue(name, person.project_id)
    if queue is None:
        return create_queue(
            person,
            rubric_id=None,
            preset=preset,
            targets=targets,
            name=name,
            mode=mode,
            annotators_per_item=1,
            audit_percent=0.0,
            lock_minutes=30,
            people=[],
        )
    if (queue.rubric_name, queue.mode) != (preset, mode):
        raise ConflictError(
            f"The queue {name!r} asks {queue.rubric_name!r} and not {preset!r}; choose another "
            "name."
        )
    add_items(person, queue.id, targets=targets)
    return queues.load_queue(queue.id, person.project_id)


def change_queue(person: Person, queue_id: UUID, **changes: Any) -> QueueRow:
    """Change the name, the lock or the people of a queue.

    Raises:
        NotFoundError: no such queue in the project.
        ConflictError: the project has another queue of that name.
        InvalidInputError: too few people are named, or one of them may not write in the project.
    """
    queue = queues.load_queue(queue_id, person.project_id)
    if "people" in changes:
        _check_numbers(changes["people"], queue.annotators_per_item, queue.audit_percent)
    return queues.change_queue(queue_id, person.project_id, **changes)


def add_items(
    person: Person,
    queue_id: UUID,
    *,
    targets: Sequence[Target],
    batch_id: UUID | None = None,
    selection: TapeSelection | None = None,
) -> int:
    """Add tapes, pairs or steps, or all tapes of a batch or a list; return how many were new.

    Raises:
        NotFoundError: no such queue, tape, step or batch in the project.
        InvalidInputError: the queue takes pairs and the targets are single tapes, or vice
            versa.
    """
    queue = queues.load_queue(queue_id, person.project_id)
    wanted = list(targets)
    if batch_id is not None:
        tapes = batches.list_tape_ids(batch_id, person.project_id)
        wanted.extend(Target(tape_id) for tape_id in tapes)
    if selection is not None:
        wanted.extend(Target(tape_id) for tape_id in _list_chosen(person, selection))
    for target in wanted:
        _check_target(target, queue.mode)
    return queue_filling.add_items(queue_id, person.project_id, wanted)


def list_items(person: Person, queue_id: UUID, *, after: int | None, limit: int) -> Page[ItemRow]:
    """Return a page of a queue's items in order, with their answers.

    Raises:
        NotFoundError: no such queue in the project.
    """
    queue = queues.load_queue(queue_id, person.project_id)
    return queue_items.list_items(queue.id, after=after, limit=limit)


def _list_chosen(person: Person, selection: TapeSelection) -> list[UUID]:
    count = count_selection(person, selection)
    if count > MOST_CHOSEN:
        raise InvalidInputError(
            f"{count:,} tapes are too many; you can add up to {MOST_CHOSEN:,} to a queue at "
            "once. Narrow the list.",
            tape_count=count,
        )
    return list_all_ids(person.project_id, selection.to_filter())


def _check_target(target: Target, mode: Mode) -> None:
    if mode == "single" and target.other_tape_id is not None:
        raise InvalidInputError("This queue takes single tapes, not pairs.", field="targets")
    if mode == "pairwise":
        if target.other_tape_id is None:
            raise InvalidInputError(
                "This queue compares tapes, so each item needs two.", field="targets"
            )
        if target.other_tape_id == target.tape_id:
            raise InvalidInputError("A tape cannot be compared with itself.", field="targets")
        if target.position is not None:
            raise InvalidInputError(
                "Pairs compare whole tapes; leave out the position.", field="targets"
            )


def _check_mode(mode: Mode, *, is_pairwise: bool) -> None:
    if mode == "pairwise" and not is_pairwise:
        raise InvalidInputError(
            "A pairwise queue needs a rubric that asks which tape is better; add a preference "
            "item or use the preset 'Better of two'.",
            field="rubric_id",
        )
    if mode == "single" and is_pairwise:
        raise InvalidInputError(
            "This rubric asks which of two tapes is better, so its queue must be pairwise.",
            field="mode",
        )


def _check_bounds(values: Mapping[str, Any]) -> None:
    for name, (low, high, what) in _BOUNDS.items():
        if values[name] is not None and not low <= values[name] <= high:
            raise InvalidInputError(
                f"{what} must be {low} to {high}, not {values[name]:g}.", field=name
            )


_BOUNDS = {
    "annotators_per_item": (1, 20, "People per item"),
    "audit_percent": (0, 100, "Percent of items that one more person answers"),
    "lock_minutes": (1, 10_080, "Lock minutes"),
}


def _check_numbers(people: Sequence[int], annotators: int, audit_percent: float) -> None:
    needed = annotators + (1 if audit_percent > 0 else 0)
    if people and len(set(people)) < needed:
        raise InvalidInputError(
            f"{needed} people must answer each item, but only {len(set(people))} are assigned; "
            "assign more, or nobody to let everybody answer.",
            field="people",
        )
