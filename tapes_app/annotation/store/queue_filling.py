"""Filling an annotation queue with tapes, pairs and steps, each with places for its answers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from uuid import UUID

from django.db import transaction
from django.db.models import F

from tapes_app.annotation.domain.queueing import count_places, is_swapped, pair_alike
from tapes_app.annotation.store.queues import get_queue
from tapes_app.engine.errors import NotFoundError
from tapes_app.models import AnswerRecord, QueueItemRecord, QueueRecord
from tapes_app.tapes.store.access import pick_tapes

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Target:
    """What an item is about: a tape, a pair of them, or a step of a tape."""

    tape_id: UUID
    other_tape_id: UUID | None = None
    position: int | None = None

    @property
    def key(self) -> str:
        other = "" if self.other_tape_id is None else self.other_tape_id.hex
        return f"{self.tape_id.hex}:{other}:{'' if self.position is None else self.position}"


@dataclass(frozen=True, slots=True)
class PairedTapes:
    """Pairs of tapes of one task each."""

    pairs: list[Target]
    left_out: list[UUID]
    """Tapes for which no other one of their task is left."""


def pair_tapes(tape_ids: Sequence[UUID], project: UUID) -> PairedTapes:
    """Pair tapes of one task, or where they have none, of one title; the given order decides.

    Raises:
        NotFoundError: no such tape in this project.
    """
    columns = ("id", "task", "title", "batch_id")
    rows = {row[0]: row for row in pick_tapes(tape_ids, project).values_list(*columns)}
    for tape_id in tape_ids:
        if tape_id not in rows:
            raise _no_tape(tape_id)
    wanted = (rows[tape_id] for tape_id in dict.fromkeys(tape_ids))
    pairs, left_out = pair_alike((one, task or title, batch) for one, task, title, batch in wanted)
    return PairedTapes([Target(one, other) for one, other in pairs], left_out)


@transaction.atomic
def add_items(queue_id: UUID, project: UUID, targets: Iterable[Target]) -> int:
    """Append the targets that are not in the queue yet, in the given order; return how many.

    Raises:
        NotFoundError: no such queue or tape in this project; nothing is added then.
    """
    # Locked, so that concurrent additions number their items one after the other.
    queue = QueueRecord.objects.select_for_update().get(id=get_queue(queue_id, project).id)
    numbers = count(_next_number(queue))
    added = 0
    wanted = list(dict.fromkeys(targets))
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        _check_tapes(some, project)
        keys = [target.key for target in some]
        known = set(queue.items.filter(key__in=keys).values_list("key", flat=True))
        fresh = [target for target in some if target.key not in known]
        items = [_item(queue, target, next(numbers)) for target in fresh]
        QueueItemRecord.objects.bulk_create(items)
        AnswerRecord.objects.bulk_create(_places(items))
        added += len(items)
    QueueRecord.objects.filter(id=queue.id).update(item_count=F("item_count") + added)
    return added


def _next_number(queue: QueueRecord) -> int:
    last = queue.items.order_by("-number").values_list("number", flat=True).first()
    return 0 if last is None else last + 1


def _item(queue: QueueRecord, target: Target, number: int) -> QueueItemRecord:
    left, right = target.tape_id, target.other_tape_id
    if right is not None and is_swapped(seed=queue.seed, key=target.key):
        left, right = right, left
    return QueueItemRecord(
        queue=queue,
        number=number,
        key=target.key,
        tape_id=left,
        other_tape_id=right,
        position=target.position,
        place_count=count_places(
            annotators=queue.annotators_per_item,
            audit_percent=queue.audit_percent,
            seed=queue.seed,
            key=target.key,
        ),
    )


def _places(items: Iterable[QueueItemRecord]) -> Iterator[AnswerRecord]:
    for item in items:
        for number in range(item.place_count):
            yield AnswerRecord(item=item, queue_id=item.queue_id, number=number)


def _check_tapes(targets: Sequence[Target], project: UUID) -> None:
    wanted = {t.tape_id for t in targets} | {t.other_tape_id for t in targets if t.other_tape_id}
    steps = dict(pick_tapes(wanted, project).values_list("id", "step_count"))
    for target in targets:
        for tape_id in (target.tape_id, target.other_tape_id):
            if tape_id is not None and tape_id not in steps:
                raise _no_tape(tape_id)
        if target.position is not None and target.position >= steps[target.tape_id]:
            raise NotFoundError(
                f"The tape has no step {target.position}.", position=target.position
            )


def _no_tape(tape_id: UUID) -> NotFoundError:
    return NotFoundError("Tape not found.", tape_id=str(tape_id))
