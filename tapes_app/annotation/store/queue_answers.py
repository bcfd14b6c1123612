"""Places for answers: taken, released and answered by compare-and-set.

Every change of a place is one conditional update, so that when two people reach for the same place,
exactly one gets it, on every database; unique constraints guard the rest.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from tapes_app.annotation.domain.queueing import AnswerPlace, QueueItem, choose_next
from tapes_app.engine.errors import ConflictError
from tapes_app.models import AnswerRecord, QueueItemRecord, QueueRecord, QueueSkipRecord
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record

_CANDIDATES = 20
_ATTEMPTS = 50
Agrees = Callable[[dict[str, Any], dict[str, Any]], bool]
"""Whether two answers lead to the same verdict."""


class LockLostError(ConflictError):
    """Somebody else took the item after its lock had expired."""

    code: ClassVar[str] = "lock_lost"


@dataclass(frozen=True, slots=True)
class Assignment:
    """An item that a person holds, with their answer, also one given before it was reopened."""

    answer_id: UUID
    item_id: UUID
    number: int
    tape_id: UUID
    tape_title: str
    other_tape_id: UUID | None
    other_tape_title: str
    position: int | None
    held_until: datetime | None
    """`None` once the item is answered."""

    values: dict[str, Any]
    note: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A person's answer to an item."""

    values: dict[str, Any]
    score: float | None
    seconds: float
    note: str


def claim_next(queue: UUID, person: int, *, minutes: int) -> Assignment | None:
    """Take the next item for a person, or return `None` when nothing is left for them.

    Raises:
        ConflictError: others were faster on every attempt.
    """
    for _ in range(_ATTEMPTS):
        now = timezone.now()
        found = _load_candidates(queue, person, now)
        pick = choose_next([item for item, _ in found], person, now)
        if pick is None:
            return None
        places = next(places for item, places in found if item.number == pick.item)
        until = now + timedelta(minutes=minutes)
        if _take(places[pick.place], person, now, until):
            return _load_assignment(places[pick.place].id)
    raise ConflictError("Too many people are using this queue at once; try again.")


def _load_candidates(
    queue: UUID, person: int, now: datetime
) -> list[tuple[QueueItem, list[AnswerRecord]]]:
    """Return the items the person holds and the first items that may be open for them.

    The query narrows down the candidates; only `choose_next` knows the rule and decides.
    """
    live = _live_items(queue)
    places = AnswerRecord.objects.filter(item=OuterRef("pk"))
    mine = places.filter(person_id=person)
    is_open = Q(person__isnull=True) | Q(held_until__lte=now)
    held = live.filter(Exists(mine.filter(answered_at__isnull=True)))
    free = live.filter(
        Exists(places.filter(is_open, answered_at__isnull=True)),
        ~Exists(mine),
        ~Exists(QueueSkipRecord.objects.filter(item=OuterRef("pk"), person_id=person)),
    )
    records = list(held.order_by("number")[:_CANDIDATES])
    if not records:
        records = list(free.order_by("number")[:_CANDIDATES])
    found = []
    for record in records:
        rows = sorted(record.answers.all(), key=lambda row: row.number)
        found.append((QueueItem(record.number, tuple(map(_place, rows))), rows))
    return found


def _live_items(queue: UUID) -> QuerySet[QueueItemRecord, QueueItemRecord]:
    return QueueItemRecord.objects.filter(
        Q(other_tape__isnull=True) | Q(other_tape__deleted_at__isnull=True),
        queue_id=queue,
        tape__deleted_at__isnull=True,
    ).prefetch_related("answers")


def _place(record: AnswerRecord) -> AnswerPlace:
    return AnswerPlace(record.person_id, record.held_until, record.answered_at is not None)


def _take(place: AnswerRecord, person: int, now: datetime, until: datetime) -> bool:
    """Take a place, or renew the hold on the person's own; return whether that succeeded."""
    waiting = AnswerRecord.objects.filter(id=place.id, answered_at__isnull=True)
    if place.person_id == person:
        return bool(waiting.filter(person_id=person).update(held_until=until))
    is_open = Q(person__isnull=True) | Q(held_until__lte=now)
    try:
        with transaction.atomic():
            return bool(
                waiting.filter(is_open).update(**_NO_ANSWER, person_id=person, held_until=until)
            )
    except IntegrityError:  # the same person took another place of the item at this moment
        return False


_NO_ANSWER: dict[str, Any] = {"values": {}, "score": None, "seconds": 0, "note": ""}


@transaction.atomic
def submit_answer(
    queue: UUID, item_id: UUID, person: int, answer: Answer, *, agrees: Agrees
) -> Assignment:
    """Store the answer to an item that a person holds.

    Raises:
        NotFoundError: no such item in the queue.
        LockLostError: the lock expired and somebody else has the item.
        ConflictError: the person does not hold the item, or has already answered it.
    """
    held = AnswerRecord.objects.filter(
        queue_id=queue, item_id=item_id, person_id=person, answered_at__isnull=True
    )
    changed = held.update(**asdict(answer), answered_at=timezone.now(), held_until=None)
    if not changed:
        raise _explain(queue, item_id, person)
    return _load_assignment(_count_answer(queue, item_id, person, agrees=agrees, change=1))


@transaction.atomic
def reopen_last(queue: UUID, person: int, *, minutes: int, agrees: Agrees) -> Assignment:
    """Reopen a person's last answer so that it can be given again; its values are kept.

    Raises:
        ConflictError: there is no answer, or it was reopened concurrently.
    """
    own = AnswerRecord.objects.filter(queue_id=queue, person_id=person, answered_at__isnull=False)
    last = own.order_by("-answered_at", "-id").first()
    if last is None:
        raise ConflictError("You have not answered anything in this queue yet.")
    until = timezone.now() + timedelta(minutes=minutes)
    if not own.filter(id=last.id).update(answered_at=None, held_until=until):
        raise ConflictError("This answer was already undone; reload the page.")
    _count_answer(queue, last.item_id, person, agrees=agrees, change=-1)
    return _load_assignment(last.id)


def _count_answer(queue: UUID, item_id: UUID, person: int, *, agrees: Agrees, change: int) -> UUID:
    """Update the counters of an item and its queue for a person's answer."""
    items = QueueItemRecord.objects.filter(id=item_id)
    # This comes first: a concurrent answer to the same item waits here, and then sees this one.
    items.update(answer_count=F("answer_count") + change)
    item = items.get()
    own = item.answers.get(person_id=person)
    answered = item.answers.filter(answered_at__isnull=False).exclude(id=own.id)
    others = [record.values for record in answered]
    with_it = max(item.answer_count, item.answer_count - change)
    QueueRecord.objects.filter(id=queue).update(
        answer_count=F("answer_count") + change,
        done_count=F("done_count") + (change if with_it == item.place_count else 0),
        pair_count=F("pair_count") + change * len(others),
        agreeing_count=F("agreeing_count") + change * sum(agrees(own.values, o) for o in others),
    )
    return own.id


@transaction.atomic
def release_item(queue: UUID, item_id: UUID, person: int, *, is_skipped: bool) -> None:
    """Release an item; with `is_skipped` the person does not get it again until it is requeued.

    Raises:
        NotFoundError: no such item in the queue.
    """
    _get_item(queue, item_id)
    held = AnswerRecord.objects.filter(item_id=item_id, person_id=person, answered_at__isnull=True)
    held.update(**_NO_ANSWER, person_id=None, held_until=None)
    if is_skipped:
        QueueSkipRecord.objects.get_or_create(item_id=item_id, person_id=person)


def requeue_skipped(queue: UUID, *, person: int | None = None, item_id: UUID | None = None) -> int:
    """Requeue items that one person skipped, or one item for everybody.

    Raises:
        NotFoundError: no such item in the queue.
    """
    skips = QueueSkipRecord.objects.filter(item__queue_id=queue)
    if item_id is not None:
        _get_item(queue, item_id)
        skips = skips.filter(item_id=item_id)
    if person is not None:
        skips = skips.filter(person_id=person)
    count, _ = skips.delete()
    return count


def _explain(queue: UUID, item_id: UUID, person: int) -> ConflictError:
    """Return the reason why a person cannot answer an item, as an error.

    Raises:
        NotFoundError: no such item in the queue.
    """
    item = _get_item(queue, item_id)
    places = list(item.answers.select_related("person"))
    if any(place.person_id == person for place in places):
        return ConflictError("You already answered this item; go back to change your answer.")
    names = sorted({place.person.get_username() for place in places if place.person is not None})
    if not names:
        return ConflictError("This item is not assigned to you; open the next one first.")
    return LockLostError(
        f"Your lock on this item expired and {' and '.join(names)} took it, so your answer was "
        "not saved; continue with the next item."
    )


def _get_item(queue: UUID, item_id: UUID) -> QueueItemRecord:
    items = QueueItemRecord.objects.filter(queue_id=queue)
    return get_record(items, "Item not found in this queue.", item_id=item_id)


def _load_assignment(answer_id: UUID) -> Assignment:
    record = AnswerRecord.objects.select_related("item__tape", "item__other_tape").get(id=answer_id)
    item = record.item
    return row_of(
        Assignment,
        item,
        answer_id=record.id,
        item_id=item.id,
        tape_title=item.tape.title,
        other_tape_title=item.other_tape.title if item.other_tape else "",
        held_until=record.held_until,
        values=record.values,
        note=record.note,
    )
