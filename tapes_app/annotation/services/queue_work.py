"""A person's work in an annotation queue: take the next item, answer, skip, go back.

An answer is stored in the queue and also written as ordinary annotations of the tape, by the same
person, so that it is visible wherever the tape is.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.annotation.domain.rubric import read_answer, same_verdict, score_answer
from tapes_app.annotation.services.queue_annotations import annotate, withdraw
from tapes_app.annotation.store import queue_answers, queue_items, queues
from tapes_app.annotation.store.queue_answers import Answer, Assignment
from tapes_app.annotation.store.queue_items import OwnProgress
from tapes_app.annotation.store.queues import QueueRow
from tapes_app.engine.errors import NotAllowedError
from tapes_app.projects.domain.columns import check_text
from tapes_app.projects.services.people import Person

MAX_NOTE = 10_000
_LONGEST_SECONDS = 86_400.0


@dataclass(frozen=True)
class QueueWork:
    """The next item for a person, and how far they are."""

    assignment: Assignment | None
    """`None` if nothing is left for them."""

    progress: OwnProgress


def show_progress(person: Person, queue_id: UUID) -> OwnProgress:
    """Return how far a person is.

    Raises:
        NotFoundError: no such queue in the project.
    """
    queue = queues.load_queue(queue_id, person.project_id)
    return queue_items.load_progress(queue.id, person.user_id)


def take_next(person: Person, queue_id: UUID) -> QueueWork:
    """Take the next item of a queue and lock it for the queue's lock time.

    Raises:
        NotFoundError: no such queue in the project.
        NotAllowedError: the queue is assigned to others.
    """
    queue = _load(person, queue_id)
    found = queue_answers.claim_next(queue.id, person.user_id, minutes=queue.lock_minutes)
    return QueueWork(found, queue_items.load_progress(queue.id, person.user_id))


@transaction.atomic
def submit(
    person: Person,
    queue_id: UUID,
    item_id: UUID,
    *,
    values: dict[str, Any],
    seconds: float,
    note: str,
) -> None:
    """Answer an item that the person holds.

    Raises:
        NotFoundError: no such queue or item in the project.
        NotAllowedError: the queue is assigned to others.
        AnswerError: the answer does not fit the rubric.
        LockLostError: the lock expired and somebody else has the item.
        ConflictError: the person does not hold the item, or has already answered it.
    """
    queue = _load(person, queue_id)
    found = read_answer(queue.rubric, values)
    answer = Answer(
        values=found,
        score=score_answer(queue.rubric, found),
        seconds=min(max(seconds, 0.0), _LONGEST_SECONDS),
        note=check_text(note.strip(), MAX_NOTE, "The note"),
    )
    assignment = queue_answers.submit_answer(
        queue.id, item_id, person.user_id, answer, agrees=partial(same_verdict, queue.rubric)
    )
    annotate(person, queue, assignment, answer)


@transaction.atomic
def go_back(person: Person, queue_id: UUID) -> QueueWork:
    """Reopen the person's last answer, which does not count until it is submitted again.

    Raises:
        NotFoundError: no such queue in the project.
        NotAllowedError: the queue is assigned to others.
        ConflictError: the person has not answered anything yet.
    """
    queue = _load(person, queue_id)
    assignment = queue_answers.reopen_last(
        queue.id,
        person.user_id,
        minutes=queue.lock_minutes,
        agrees=partial(same_verdict, queue.rubric),
    )
    withdraw(person, queue, assignment)
    return QueueWork(assignment, queue_items.load_progress(queue.id, person.user_id))


def skip(person: Person, queue_id: UUID, item_id: UUID) -> None:
    """Skip an item: the person does not get it again until it is requeued.

    Raises:
        NotFoundError: no such queue or item in the project.
        NotAllowedError: the queue is assigned to others.
    """
    queue = _load(person, queue_id)
    queue_answers.release_item(queue.id, item_id, person.user_id, is_skipped=True)


def release(person: Person, queue_id: UUID, item_id: UUID) -> None:
    """Release an item unanswered for the next person.

    Raises:
        NotFoundError: no such queue or item in the project.
        NotAllowedError: the queue is assigned to others.
    """
    queue = _load(person, queue_id)
    queue_answers.release_item(queue.id, item_id, person.user_id, is_skipped=False)


def requeue(person: Person, queue_id: UUID, item_id: UUID | None) -> int:
    """Requeue all items that the person skipped, or one item for everybody who skipped it.

    Raises:
        NotFoundError: no such queue or item in the project.
    """
    queue = queues.load_queue(queue_id, person.project_id)
    if item_id is not None:
        return queue_answers.requeue_skipped(queue.id, item_id=item_id)
    return queue_answers.requeue_skipped(queue.id, person=person.user_id)


def _load(person: Person, queue_id: UUID) -> QueueRow:
    queue = queues.load_queue(queue_id, person.project_id)
    names = [other.name for other in queue.people]
    if names and person.user_id not in {other.id for other in queue.people}:
        raise NotAllowedError(
            f"Queue {queue.name!r} is assigned to {', '.join(names)}; ask to be added."
        )
    return queue
