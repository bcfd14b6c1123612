"""`/tapes/{id}/draft` and what becomes of it: Save and Resume."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from ninja import Path, Status

from tapes_app.api.people import PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import (
    DraftIn,
    DraftOut,
    DraftPreviewOut,
    JobOut,
    ReplacedDetailOut,
    ReplacedOut,
    ReplyIn,
    ResumeIn,
    RunStartedOut,
    TapeCreatedOut,
    ToolOut,
)
from tapes_app.services import drafts, editing, replaced, replies, starting, tape_tools

Position = Annotated[int, Path(ge=0, le=2**31 - 1)]

router = make_router("editing")


@router.get("/{tape_id}/draft", response=found(DraftOut))
def show_draft(request: PersonRequest, tape_id: UUID) -> Any:
    """Give the caller's own draft; version 0 without operations when there is none."""
    return drafts.open_draft(request.auth, tape_id)


@router.put("/{tape_id}/draft", response=found(DraftOut))
def save_draft(request: PersonRequest, tape_id: UUID, body: DraftIn) -> Any:
    """Store the caller's draft; refused when another tab has stored a newer one."""
    return drafts.save_draft(
        request.auth,
        tape_id,
        operations=body.operations,
        applied_count=body.applied_count,
        version=body.version,
        base_step_count=body.base_step_count,
    )


@router.delete("/{tape_id}/draft", response=emptied())
def discard_draft(request: PersonRequest, tape_id: UUID) -> Status[None]:
    drafts.discard_draft(request.auth, tape_id)
    return Status(204, None)


@router.get("/{tape_id}/draft/preview", response=found(DraftPreviewOut))
def preview_draft(request: PersonRequest, tape_id: UUID) -> Any:
    """Show the tape as the draft would leave it: what is new, what is stale."""
    return drafts.preview_draft(request.auth, tape_id)


@router.get("/{tape_id}/replaced", response=found(ReplacedOut))
def list_replaced(request: PersonRequest, tape_id: UUID) -> Any:
    """List the steps of a child that stand for other steps of its parent."""
    return {"items": replaced.list_replaced(request.auth, tape_id)}


@router.get("/{tape_id}/steps/{position}/replaced", response=found(ReplacedDetailOut))
def show_replaced(request: PersonRequest, tape_id: UUID, position: Position) -> Any:
    """Give the parent's step that this one stands for, and the words that differ."""
    return replaced.load_replaced(request.auth, tape_id, position)


@router.get("/{tape_id}/tools", response=found(list[ToolOut]))
def list_tools(request: PersonRequest, tape_id: UUID) -> Any:
    """List the tools of the tape's calls and agent, to edit the arguments of a call."""
    return tape_tools.list_tape_tools(request.auth, tape_id)


@router.post("/{tape_id}/save", response=created(TapeCreatedOut))
def save_child(request: PersonRequest, tape_id: UUID) -> Status[Any]:
    """Make the child that the draft describes, without running anything."""
    return Status(201, editing.save_child(request.auth, tape_id))


@router.post("/{tape_id}/resume", response=created(RunStartedOut))
def resume_tape(request: PersonRequest, tape_id: UUID, body: ResumeIn) -> Status[Any]:
    """Let an agent go on: on a child after an edit or a cut, else on the tape itself."""
    started = starting.resume_tape(
        request.auth, tape_id, body.to_request(), use_draft=body.use_draft, at=body.at
    )
    return Status(201, started)


@router.post("/{tape_id}/reply", response=found(JobOut))
def reply_to_tape(request: PersonRequest, tape_id: UUID, body: ReplyIn) -> Any:
    """Answer the agent that waits on this tape for a person."""
    return replies.reply_to_tape(request.auth, tape_id, body.to_answer())
