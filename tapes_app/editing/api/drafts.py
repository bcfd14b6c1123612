"""`/tapes/{id}/draft` and what is made of it, and the revision of an improver."""

from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.agents.services.agents import ToolRow
from tapes_app.editing.domain.rows import FIRST_FIX, LONGEST_NAME, FixIn
from tapes_app.editing.services import children, drafts, opening, revisions
from tapes_app.editing.services.children import TapeCreated
from tapes_app.editing.services.drafts import DraftPreview, FixRow, OpenDraft
from tapes_app.editing.store import drafts as drafts_store
from tapes_app.engine.tape.splice import Operation
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, Position, created, emptied, make_router

router = make_router("editing")


class DraftIn(In):
    """The complete draft as the browser has it; `version` is the last one it read."""

    version: int
    operations: list[Operation] = Field(max_length=10_000)
    applied_count: int = Field(ge=0)
    """How many of the operations are applied; the rest can be redone."""

    name: Line | None = Field(default=None, max_length=LONGEST_NAME)
    """Name of the fix; omitted: unchanged."""

    base_step_count: int | None = Field(default=None, ge=0)
    """How many steps the writer knows; by default as many as when the draft was created."""


@router.get("/{tape_id}/fixes", response=list[FixRow])
def list_fixes(request: PersonRequest, tape_id: UUID) -> list[FixRow]:
    """List the caller's fixes of the tape, each a separate draft, by letter."""
    return drafts.list_fixes(request.auth, tape_id)


@router.get("/{tape_id}/draft", response=OpenDraft)
def show_draft(request: PersonRequest, tape_id: UUID, fix: FixIn = FIRST_FIX) -> OpenDraft:
    """Return one of the caller's drafts; version 0 without operations if there is none."""
    return drafts.open_draft(request.auth, tape_id, fix)


@router.put("/{tape_id}/draft", response=OpenDraft)
def save_draft(
    request: PersonRequest, tape_id: UUID, body: DraftIn, fix: FixIn = FIRST_FIX
) -> OpenDraft:
    """Store one of the caller's drafts; refused if another tab has stored a newer one."""
    return drafts.save_draft(request.auth, tape_id, fix=fix, **dict(body))


@router.delete("/{tape_id}/draft", response=emptied())
def discard_draft(request: PersonRequest, tape_id: UUID, fix: FixIn = FIRST_FIX) -> Status[None]:
    """Discard a draft, which restores the recorded tape."""
    drafts_store.delete_draft(
        tape_id, request.auth.project_id, person=request.auth.user_id, fix=fix
    )
    return Status(204, None)


@router.get("/{tape_id}/draft/preview", response=DraftPreview)
def preview_draft(request: PersonRequest, tape_id: UUID, fix: FixIn = FIRST_FIX) -> DraftPreview:
    """Return the tape as the draft would leave it, marking new and stale steps."""
    return drafts.preview_draft(request.auth, tape_id, fix)


@router.get("/{tape_id}/tools", response=list[ToolRow])
def list_tools(request: PersonRequest, tape_id: UUID) -> list[ToolRow]:
    """List the tools that a call may name: those of the tape's calls, its family and its agent."""
    return opening.list_tape_tools(request.auth, tape_id)


@router.post("/{tape_id}/save", response=created(TapeCreated))
def save_child(
    request: PersonRequest, tape_id: UUID, fix: FixIn = FIRST_FIX
) -> Status[TapeCreated]:
    """Create the child that the draft describes, without running anything."""
    return Status(201, children.save_child(request.auth, tape_id, fix))


@router.post("/{tape_id}/steps/{position}/revision", response=created(TapeCreated))
def write_revision(
    request: PersonRequest, tape_id: UUID, position: Position
) -> Status[TapeCreated]:
    """Write the revision in this step of the improver into a child of the tape that it is of."""
    return Status(201, revisions.write_revision(request.auth, tape_id, position))
