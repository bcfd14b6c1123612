"""`/queues`: annotation queues, a person's work in them, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponseBase
from ninja import Query, Status
from pydantic import Field

from tapes_app.api.downloads import answer_download
from tapes_app.api.people import ERRORS, PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import (
    AddedOut,
    AnnotatorListOut,
    AnswerIn,
    QueueIn,
    QueueItemPageOut,
    QueueItemsIn,
    QueueOut,
    QueuePageOut,
    QueuePatchIn,
    QueueProgressOut,
    QueueResultsOut,
    RequeuedOut,
    RequeueIn,
    TargetIn,
    WorkOut,
)
from tapes_app.services import queue_exports, queue_results, queue_work, queues
from tapes_app.services.queue_exports import AnswerFormat
from tapes_app.services.queues import Target

router = make_router("annotation queues")
Limit = Annotated[int, Field(ge=1, le=200)]


@router.get("", response=found(QueuePageOut))
def list_queues(request: PersonRequest, after: str | None = None, limit: Limit = 50) -> Any:
    """List queues with how far they are, newest first."""
    return queues.list_queues(request.auth, after=after, limit=limit)


@router.post("", response=created(QueueOut))
def create_queue(request: PersonRequest, body: QueueIn) -> Status[Any]:
    """Make a queue, with tapes in it where some are named."""
    values = body.model_dump(exclude={"targets", "selection"})
    made = queues.create_queue(
        request.auth, targets=_targets(body.targets), selection=body.selection, **values
    )
    return Status(201, made)


@router.get("/people", response=found(AnnotatorListOut))
def list_people(request: PersonRequest) -> Any:
    """List who may be asked to annotate."""
    return {"items": queues.list_people(request.auth)}


@router.get("/{queue_id}", response=found(QueueOut))
def show_queue(request: PersonRequest, queue_id: UUID) -> Any:
    return queues.load_queue(request.auth, queue_id)


@router.patch("/{queue_id}", response=found(QueueOut))
def change_queue(request: PersonRequest, queue_id: UUID, body: QueuePatchIn) -> Any:
    """Change the name, the lock or the people."""
    changes = body.model_dump(exclude_none=True)
    return queues.change_queue(request.auth, queue_id, **changes)


@router.delete("/{queue_id}", response=emptied())
def delete_queue(request: PersonRequest, queue_id: UUID) -> Status[None]:
    """Take a queue out of the list; what people said stays on the tapes."""
    queues.delete_queue(request.auth, queue_id)
    return Status(204, None)


@router.get("/{queue_id}/items", response=found(QueueItemPageOut))
def list_items(
    request: PersonRequest,
    queue_id: UUID,
    after: Annotated[int | None, Query(ge=-1, le=2**31 - 1)] = None,
    limit: Limit = 50,
) -> Any:
    """List items in order with their answers; `next` is the number to go on after."""
    return queues.list_items(request.auth, queue_id, after=after, limit=limit)


@router.post("/{queue_id}/items", response=found(AddedOut))
def add_items(request: PersonRequest, queue_id: UUID, body: QueueItemsIn) -> Any:
    """Add tapes, pairs or steps, or all tapes of a batch or of a list."""
    count = queues.add_items(
        request.auth,
        queue_id,
        targets=_targets(body.targets),
        batch_id=body.batch_id,
        selection=body.selection,
    )
    return {"added_count": count}


@router.get("/{queue_id}/progress", response=found(QueueProgressOut))
def show_progress(request: PersonRequest, queue_id: UUID) -> Any:
    """Give how far the person is who asks, and what others hold."""
    return queue_work.show_progress(request.auth, queue_id)


@router.post("/{queue_id}/next", response=found(WorkOut))
def take_next(request: PersonRequest, queue_id: UUID) -> Any:
    """Take the next item, locked for the queue's minutes; the one held already comes first."""
    return queue_work.take_next(request.auth, queue_id)


@router.post("/{queue_id}/back", response=found(WorkOut))
def go_back(request: PersonRequest, queue_id: UUID) -> Any:
    """Reopen one's last answer; it counts no longer until it is submitted again."""
    return queue_work.go_back(request.auth, queue_id)


@router.post("/{queue_id}/requeue", response=found(RequeuedOut))
def requeue(request: PersonRequest, queue_id: UUID, body: RequeueIn) -> Any:
    """Bring back what was put off."""
    return {"requeued_count": queue_work.requeue(request.auth, queue_id, body.item_id)}


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


@router.get("/{queue_id}/results", response=found(QueueResultsOut))
def show_results(request: PersonRequest, queue_id: UUID) -> Any:
    """Give what was answered, and how far people agree, by item of the rubric."""
    return queue_results.show_results(request.auth, queue_id)


@router.get("/{queue_id}/export", response=ERRORS)
def export_answers(
    request: PersonRequest,
    queue_id: UUID,
    file_format: Annotated[AnswerFormat, Query(alias="format")] = "jsonl",
) -> HttpResponseBase:
    """Download all answers, one a line."""
    return answer_download(queue_exports.export_answers(request.auth, queue_id, file_format))


def _targets(wanted: Iterable[TargetIn]) -> list[Target]:
    return [Target(one.tape_id, one.other_tape_id, one.position) for one in wanted]
