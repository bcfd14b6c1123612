"""`/queues`: annotation queues, a person's work in them, and its result."""

from collections.abc import Iterable
from typing import Annotated
from uuid import UUID

from django.http import HttpResponseBase
from ninja import Query, Status
from pydantic import Field

from tapes_app.annotation.api.queue_schemas import (
    AddedOut,
    AnswerIn,
    QueueIn,
    QueueItemsIn,
    QueuePatchIn,
    RequeuedOut,
    RequeueIn,
    TargetIn,
)
from tapes_app.annotation.services import queue_exports, queue_results, queue_work, queues
from tapes_app.annotation.services.queue_exports import AnswerFormat
from tapes_app.annotation.services.queue_results import QueueResults
from tapes_app.annotation.services.queue_work import QueueWork
from tapes_app.annotation.store import queues as queues_store
from tapes_app.annotation.store.queue_filling import Target
from tapes_app.annotation.store.queue_items import ItemRow, OwnProgress
from tapes_app.annotation.store.queues import PersonRow, QueueRow
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.rows import Items, Page

router = make_router("annotation queues")
Limit = Annotated[int, Field(ge=1, le=200)]


@router.get("", response=Page[QueueRow])
def list_queues(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[QueueRow]:
    """List queues with how far they are, newest first."""
    return queues_store.list_queues(request.auth.project_id, after=after, limit=limit)


@router.post("", response=created(QueueRow))
def create_queue(request: PersonRequest, body: QueueIn) -> Status[QueueRow]:
    """Make a queue, with tapes in it where some are named."""
    values = body.model_dump(exclude={"targets", "selection"})
    made = queues.create_queue(
        request.auth, targets=_targets(body.targets), selection=body.selection, **values
    )
    return Status(201, made)


@router.get("/people", response=Items[PersonRow])
def list_people(request: PersonRequest) -> Items[PersonRow]:
    """List who may be asked to annotate."""
    return Items(queues_store.list_people(request.auth.project_id))


@router.get("/{queue_id}", response=QueueRow)
def show_queue(request: PersonRequest, queue_id: UUID) -> QueueRow:
    """Return a queue with its counts."""
    return queues_store.load_queue(queue_id, request.auth.project_id)


@router.patch("/{queue_id}", response=QueueRow)
def change_queue(request: PersonRequest, queue_id: UUID, body: QueuePatchIn) -> QueueRow:
    """Change the name, the lock or the people."""
    changes = body.model_dump(exclude_none=True)
    return queues.change_queue(request.auth, queue_id, **changes)


@router.delete("/{queue_id}", response=emptied())
def delete_queue(request: PersonRequest, queue_id: UUID) -> Status[None]:
    """Take a queue out of the list; what people said stays on the tapes."""
    queues_store.delete_queue(queue_id, request.auth.project_id)
    return Status(204, None)


@router.get("/{queue_id}/items", response=Page[ItemRow])
def list_items(
    request: PersonRequest,
    queue_id: UUID,
    after: Annotated[int | None, Query(ge=-1, le=2**31 - 1)] = None,
    limit: Limit = 50,
) -> Page[ItemRow]:
    """List items in order with their answers; `next` is the number to continue after."""
    return queues.list_items(request.auth, queue_id, after=after, limit=limit)


@router.post("/{queue_id}/items", response=AddedOut)
def add_items(request: PersonRequest, queue_id: UUID, body: QueueItemsIn) -> AddedOut:
    """Add tapes, pairs or steps, or all tapes of a batch or of a list."""
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
    """Give how far the person is who asks, and what others hold."""
    return queue_work.show_progress(request.auth, queue_id)


@router.post("/{queue_id}/next", response=QueueWork)
def take_next(request: PersonRequest, queue_id: UUID) -> QueueWork:
    """Take the next item, locked for the queue's minutes; the one held already comes first."""
    return queue_work.take_next(request.auth, queue_id)


@router.post("/{queue_id}/back", response=QueueWork)
def go_back(request: PersonRequest, queue_id: UUID) -> QueueWork:
    """Reopen one's last answer; it counts no longer until it is submitted again."""
    return queue_work.go_back(request.auth, queue_id)


@router.post("/{queue_id}/requeue", response=RequeuedOut)
def requeue(request: PersonRequest, queue_id: UUID, body: RequeueIn) -> RequeuedOut:
    """Bring back what was put off."""
    count = queue_work.requeue(request.auth, queue_id, body.item_id)
    return RequeuedOut(requeued_count=count)


@router.post("/{queue_id}/items/{item_id}/answer", response=emptied())
def submit_answer(
    request: PersonRequest, queue_id: UUID, item_id: UUID, body: AnswerIn
) -> Status[None]:
    """Answer an item that one holds; what it says is also noted on the tape."""
    queue_work.submit(request.auth, queue_id, item_id, **body.model_dump())
    return Status(204, None)


@router.post("/{queue_id}/items/{item_id}/skip", response=emptied())
def skip_item(request: PersonRequest, queue_id: UUID, item_id: UUID) -> Status[None]:
    """Put an item off, until it is requeued."""
    queue_work.skip(request.auth, queue_id, item_id)
    return Status(204, None)


@router.post("/{queue_id}/items/{item_id}/release", response=emptied())
def release_item(request: PersonRequest, queue_id: UUID, item_id: UUID) -> Status[None]:
    """Give an item back unanswered, to whoever comes next."""
    queue_work.release(request.auth, queue_id, item_id)
    return Status(204, None)


@router.get("/{queue_id}/results", response=QueueResults)
def show_results(request: PersonRequest, queue_id: UUID) -> QueueResults:
    """Give what was answered, and how far people agree, by item of the rubric."""
    return queue_results.show_results(request.auth, queue_id)


@router.get("/{queue_id}/export")
def export_answers(
    request: PersonRequest,
    queue_id: UUID,
    file_format: Annotated[AnswerFormat, Query(alias="format")] = "jsonl",
) -> HttpResponseBase:
    """Download all answers, one a line."""
    return answer_download(queue_exports.export_answers(request.auth, queue_id, file_format))


def _targets(wanted: Iterable[TargetIn]) -> list[Target]:
    return [Target(one.tape_id, one.other_tape_id, one.position) for one in wanted]
