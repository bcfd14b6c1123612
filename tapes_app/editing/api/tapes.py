"""`/tapes/{id}`: a tape as the editor opens it, its forks, and the forms of its steps."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ninja import Status
from pydantic import Field, FiniteFloat

from tapes_app.editing.domain.rows import OtherDraft
from tapes_app.editing.services import children, opening, step_schemas
from tapes_app.editing.services.children import TapeCreated
from tapes_app.editing.services.drafts import OpenDraft
from tapes_app.editing.services.step_schemas import StepKind, StepSchema
from tapes_app.engine.tape.tape import Split
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import PersonRequest, Position, created, make_router
from tapes_app.tapes.api import tapes
from tapes_app.tapes.domain.rows import TapeHeader
from tapes_app.tapes.domain.task_outcome import Outcome

# Each path belongs to one router: the path that opens a tape also deletes it.
router = tapes.router


class TapePatchIn(In):
    """Changes to a tape; omitted fields stay as they are."""

    title: Line | None = Field(None, min_length=1, max_length=300)
    is_pinned: bool | None = None
    is_archived: bool | None = None
    is_kept_from_training: bool | None = None
    split: Split | None = None
    task: Line | None = Field(None, max_length=200)
    """The task that it is an attempt at; empty: none."""

    expected: str | None = Field(None, max_length=10_000)
    outcome: Outcome | None = None
    """Whether it did its task; empty: not judged."""

    score: FiniteFloat | None = None
    """`null` removes the score."""


class ForkIn(In):
    """Create a child with the first `at` steps; all of them by default."""

    at: int | None = Field(default=None, ge=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TapeOut(TapeHeader):
    """A tape's header with its newest run and who edits it: everything but its steps."""

    job: JobOut | None
    """The newest run of this tape."""

    draft: OpenDraft | None
    other_drafts: list[OtherDraft]
    """Who else edits this tape; only if they have unsaved changes."""


@router.get("/{tape_id}", response=TapeOut)
def show_tape(request: PersonRequest, tape_id: UUID) -> dict[str, Any]:
    """Return the header of a tape: its lineage, counts and marks, without steps."""
    return opening.open_tape(request.auth, tape_id)


@router.patch("/{tape_id}", response=TapeOut)
def change_tape(request: PersonRequest, tape_id: UUID, body: TapePatchIn) -> dict[str, Any]:
    """Rename, pin, archive or mark a tape for training, or undo that."""
    return opening.change_tape(request.auth, tape_id, **body.model_dump(exclude_unset=True))


@router.post("/{tape_id}/fork", response=created(TapeCreated))
def fork_tape(request: PersonRequest, tape_id: UUID, body: ForkIn) -> Status[TapeCreated]:
    """Fork a tape: the first `at` steps become a new tape, its child."""
    return Status(201, children.fork_tape(request.auth, tape_id, at=body.at))


@router.get("/{tape_id}/steps/{position}/schema", response=StepSchema)
def show_step_schema(request: PersonRequest, tape_id: UUID, position: Position) -> StepSchema:
    """Return what the form that edits this step is built from."""
    return opening.load_step_schema(request.auth, tape_id, position)


@router.get("/{tape_id}/step-schemas/{kind}", response=StepSchema)
def show_kind_schema(request: PersonRequest, tape_id: UUID, kind: str) -> StepSchema:
    """Return the form of a kind; if no class knows it, inferred from its first step on the tape."""
    return opening.load_kind_schema(request.auth, tape_id, kind)


step_kinds = make_router("step kinds")


@step_kinds.get("", response=list[StepKind])
def list_step_kinds(request: PersonRequest) -> list[StepKind]:
    """List the kinds that can be inserted into a tape."""
    return step_schemas.list_step_kinds()


@step_kinds.get("/{kind}/schema", response=StepSchema)
def show_schema_of_kind(request: PersonRequest, kind: str) -> StepSchema:
    """Return the JSON schema of a kind's steps."""
    return step_schemas.schema_of_kind(kind)
