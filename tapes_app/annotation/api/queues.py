"""`/queues`: annotation queues, a person's work in them, and its result."""

from collections.abc import Iterable
from typing import Annotated
from uuid import UUID

from django.http import HttpResponseBase
from ninja import Query, Status
from pydantic import Field

from tapes_app.annotation.services import queue_exports, queue_results, queue_work, queues
from tapes_app.annotation.services.queue_exports import AnswerFormat
from tapes_app.annotation.services.queue_results import QueueResults
from tapes_app.annotation.services.queue_work import QueueWork
from tapes_app.annotation.store import queue_filling
from tapes_app.annotation.store import queues as queues_store
from tapes_app.annotation.store.queue_filling import PairedTapes, Target
from tapes_app.annotation.store.queue_items import ItemRow, OwnProgress
from tapes_app.annotation.store.queues import Mode, PersonRow, QueueRow
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.api.bodies import In, Line, Out
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Items, Page

router = make_router("annotation queues")
Limit = Annotated[int, Field(ge=1, le=200)]
QueueName = Annotated[Line, Field(min_length=1, max_length=200, pattern=r"\S")]
_MOST_TARGETS = 5_000
_INTEGER = 2**31 - 1


class TargetIn(In):
    """What an item is about: a tape, a pair of tapes, or a step of a tape."""

    tape_id: UUID
    other_tape_id: UUID | None = None
    """The right tape of a pair."""

    position: int | None = Field(default=None, ge=0, le=_INTEGER)


class QueueItemsIn(In):
    """Tapes to add: named ones, or all of a batch or of a list. Tapes already in the queue stay."""

    targets: list[TargetIn] = Field(default_factory=list, max_length=_MOST_TARGETS)
    batch_id: UUID | None = None
    selection: TapeSelection | None = None
    """Tapes selected as for bulk actions; up to 10,000."""


class QueueIn(QueueItemsIn):
    name: QueueName
    rubric_id: UUID | None = None
    preset: str = Field(default="", max_length=100)
    """A rubric that ships with the studio, instead of `rubric_id`."""

    mode: Mode = "single"
    annotators_per_item: int = Field(default=1, ge=1, le=20)
    audit_percent: float | None = Field(default=None, ge=0, le=100)
    """Share of the items that one additional person answers.

    `null`: 10 if an item needs one person and several may answer, otherwise 0.
    """

    lock_minutes: int = Field(default=30, ge=1, le=10_080)
    people: list[int] = Field(default_factory=list, max_length=1000)
    """Who may answer; empty means everybody with write access."""


class TapesIn(In):
    """Tapes to pair."""

    tape_ids: list[UUID] = Field(max_length=2 * _MOST_TARGETS)


class QueuePatchIn(In):
    """Changes to a queue; omitted fields stay as they are."""

    name: QueueName | None = None
    lock_minutes: int | None = Field(default=None, ge=1, le=10_080)
    people: list[int] | None = Field(default=None, max_length=1000)


class AddedOut(Out):
    added_count: int


class AnswerIn(In):
    """Values by the keys of the rubric's items."""

    values: dict[Line, bool | float | Line | None] = Field(max_length=100)
    seconds: float = Field(default=0, ge=0, le=1e9)
    note: Line = ""


class RequeueIn(In):
    """Which skipped items to requeue: all that you skipped, or one item for everybody."""

    item_id: UUID | None = None


class RequeuedOut(Out):
    requeued_count: int


@router.get("", response=Page[QueueRow])
def list_queues(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[QueueRow]:
    """List queues with their progress, newest first."""
    return queues_store.list_queues(request.auth.project_id, after=after, limit=limit)


@router.post("", response=created(QueueRow))
def create_queue(request: PersonRequest, body: QueueIn) -> Status[QueueRow]:
    """Create a queue, optionally with tapes."""
    values = body.model_dump(exclude={"targets", "selection"})
    made = queues.create_queue(
        request.auth, targets=_targets(body.targets), selection=body.selection, **values
    )
    return Status(201, made)


@router.get("/people", response=Items[PersonRow])
def list_people(request: PersonRequest) -> Items[PersonRow]:
    """List the people who can be asked to annotate."""
    return Items(queues_store.list_people(request.auth.project_id))


@router.post("/pairs", response=PairedTapes)
def pair_tapes(request: PersonRequest, body: TapesIn) -> PairedTapes:
    """Pair tapes of one task, as targets of a pairwise queue; nothing is stored.

    Tapes without a task are of one if their titles are the same. In each task the given order
    decides, but tapes of different batches meet first.
    """
    return queue_filling.pair_tapes(body.tape_ids, request.auth.project_id)


@router.get("/{queue_id}", response=QueueRow)
def show_queue(request: PersonRequest, queue_id: UUID) -> QueueRow:
    """Return a queue with its counts."""
    return queues_store.load_queue(queue_id, request.auth.project_id)


@router.patch("/{queue_id}", response=QueueRow)
def change_queue(request: PersonRequest, queue_id: UUID, body: QueuePatchIn) -> QueueRow:
    """Change a queue's name, lock or people."""
    changes = body.model_dump(exclude_none=True)
    return queues.change_queue(request.auth, queue_id, **changes)


@router.delete("/{queue_id}", response=emptied())
def delete_queue(request: PersonRequest, queue_id: UUID) -> Status[None]:
    """Remove a queue from the list; the annotations stay on the tapes."""
    queues_store.delete_queue(queue_id, request.auth.project_id)
    return Status(204, None)


@router.get("/{queue_id}/items", response=Page[ItemRow])
def list_items(
    request: PersonRequest,
    queue_id: UUID,
    after: Annotated[int | None, Query(ge=-1, le=_INTEGER)] = None,
    limit: Limit = 50,
) -> Page[ItemRow]:
    """List items in order with their answers; pass `next` as `after` to get the next page."""
    return queues.list_items(request.auth, queue_id, after=after, limit=limit)


@router.post("/{queue_id}/items", response=AddedOut)
def add_items(request: PersonRequest, queue_id: UUID, body: QueueItemsIn) -> AddedOut:
    """Add tapes, pairs or steps, or all tapes of a batch or a list."""
    count = queues.add_items(
        request.auth,
        queue_id,
        targets=_targets(body.targets),
        batch_id=body.batch_id,
        selection=body.selection,
    )
    return AddedOut(added_count=count)


@router.get("/{queue_id}/progress", response=OwnProgress)
def show_progress(request: PersonRequest, queue_id: UUID) -> OwnProgress:
    """Return your own progress, and how many items others hold."""
    return queue_work.show_progress(request.auth, queue_id)


@router.post("/{queue_id}/next", response=QueueWork)
def take_next(request: PersonRequest, queue_id: UUID) -> QueueWork:
    """Take the next item, locked for the queue's lock time; items you already hold come first."""
    return queue_work.take_next(request.auth, queue_id)


@router.post("/{queue_id}/back", response=QueueWork)
def go_back(request: PersonRequest, queue_id: UUID) -> QueueWork:
    """Reopen your last answer; it does not count until you submit it again."""
    return queue_work.go_back(request.auth, queue_id)


@router.post("/{queue_id}/requeue", response=RequeuedOut)
def requeue(request: PersonRequest, queue_id: UUID, body: RequeueIn) -> RequeuedOut:
    """Requeue skipped items."""
    count = queue_work.requeue(request.auth, queue_id, body.item_id)
    return RequeuedOut(requeued_count=count)


@router.post("/{queue_id}/items/{item_id}/answer", response=emptied())
def submit_answer(
    request: PersonRequest, queue_id: UUID, item_id: UUID, body: AnswerIn
) -> Status[None]:
    """Answer an item that you hold; the answer is also written to the tape as annotations."""
    queue_work.submit(request.auth, queue_id, item_id, **body.model_dump())
    return Status(204, None)


@router.post("/{queue_id}/items/{item_id}/skip", response=emptied())
def skip_item(request: PersonRequest, queue_id: UUID, item_id: UUID) -> Status[None]:
    """Skip an item until it is requeued."""
    queue_work.skip(request.auth, queue_id, item_id)
    return Status(204, None)


@router.post("/{queue_id}/items/{item_id}/release", response=emptied())
def release_item(request: PersonRequest, queue_id: UUID, item_id: UUID) -> Status[None]:
    """Release an item unanswered for the next person."""
    queue_work.release(request.auth, queue_id, item_id)
    return Status(204, None)


@router.get("/{queue_id}/results", response=QueueResults)
def show_results(request: PersonRequest, queue_id: UUID) -> QueueResults:
    """Return the answers and the agreement between people for each item of the rubric."""
    return queue_results.show_results(request.auth, queue_id)


@router.get("/{queue_id}/export")
def export_answers(
    request: PersonRequest,
    queue_id: UUID,
    file_format: Annotated[AnswerFormat, Query(alias="format")] = "jsonl",
) -> HttpResponseBase:
    """Download all answers, one per line."""
    return answer_download(queue_exports.export_answers(request.auth, queue_id, file_format))


def _targets(wanted: Iterable[TargetIn]) -> list[Target]:
    return [Target(one.tape_id, one.other_tape_id, one.position) for one in wanted]
