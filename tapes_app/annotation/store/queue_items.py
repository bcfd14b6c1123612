"""The contents of an annotation queue: items with their answers, and each person's progress."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.utils import timezone

from tapes_app.models import AnswerRecord, QueueItemRecord, QueueSkipRecord
from tapes_app.projects.domain.rows import Page, row_of

MAX_PAGE = 200


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer as it was given."""

    id: UUID
    item_id: UUID
    person_id: int
    person: str
    values: dict[str, Any]
    score: float | None
    seconds: float
    note: str
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item with its answers."""

    id: UUID
    number: int
    tape_id: UUID
    tape_title: str
    other_tape_id: UUID | None
    other_tape_title: str
    position: int | None
    place_count: int
    answers: tuple[AnswerRow, ...]
    held_by: tuple[str, ...]
    skipped_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LockedItem:
    """How many items somebody holds."""

    person: str
    item_count: int


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """How far one person is in a queue."""

    answered_count: int
    skipped_count: int
    locked: tuple[LockedItem, ...]
    """Items that others hold."""


def load_progress(queue: UUID, person: int) -> OwnProgress:
    """Return a person's progress in a queue, and how many items others hold."""
    answers = AnswerRecord.objects.filter(queue_id=queue)
    held = answers.filter(answered_at__isnull=True, held_until__gt=timezone.now())
    locked = held.exclude(person_id=person).order_by("person__username")
    return OwnProgress(
        answered_count=answers.filter(person_id=person, answered_at__isnull=False).count(),
        skipped_count=QueueSkipRecord.objects.filter(
            item__queue_id=queue, person_id=person
        ).count(),
        locked=tuple(
            LockedItem(name, count)
            for name, count in locked.values_list("person__username").annotate(Count("id"))
        ),
    )


def list_items(queue: UUID, *, after: int | None = None, limit: int = 50) -> Page[ItemRow]:
    """Return a page of items in order, with their answers; `next` is where to continue."""
    limit = max(1, min(limit, MAX_PAGE))
    items = QueueItemRecord.objects.filter(queue_id=queue)
    if after is not None:
        items = items.filter(number__gt=after)
    found = list(
        items.select_related("tape", "other_tape")
        .prefetch_related("answers__person", "skips__person")
        .order_by("number")[: limit + 1]
    )
    page = tuple(_item_row(record) for record in found[:limit])
    return Page(page, str(page[-1].number) if len(found) > limit else None)


def iterate_items(queue: UUID) -> Iterator[ItemRow]:
    """Yield all items in order, loading a page at a time."""
    after: int | None = None
    while True:
        page = list_items(queue, after=after, limit=MAX_PAGE)
        yield from page.items
        if page.next is None:
            return
        after = int(page.next)


def list_answers(queue: UUID, *, limit: int) -> list[AnswerRow]:
    """Return the newest answers of a queue in one query."""
    answered = AnswerRecord.objects.filter(queue_id=queue, answered_at__isnull=False)
    found = answered.select_related("person").order_by("-answered_at", "-id")
    return [row for record in found[:limit] if (row := _answer_row(record)) is not None]


def _item_row(record: QueueItemRecord) -> ItemRow:
    now = timezone.now()
    places: Sequence[AnswerRecord] = sorted(record.answers.all(), key=lambda row: row.number)
    answers = (_answer_row(place) for place in places)
    return row_of(
        ItemRow,
        record,
        tape_title=record.tape.title,
        other_tape_title=record.other_tape.title if record.other_tape else "",
        answers=tuple(answer for answer in answers if answer is not None),
        held_by=tuple(
            place.person.get_username()
            for place in places
            if place.person is not None and _is_held(place, now)
        ),
        skipped_by=tuple(sorted(skip.person.get_username() for skip in record.skips.all())),
    )


def _is_held(place: AnswerRecord, now: datetime) -> bool:
    return place.answered_at is None and place.held_until is not None and place.held_until > now


def _answer_row(record: AnswerRecord) -> AnswerRow | None:
    if record.answered_at is None or record.person is None:
        return None
    return row_of(AnswerRow, record, person=record.person.get_username())
