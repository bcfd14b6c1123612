"""`/tapes/{id}`: a tape as the editor opens it, forks of it, and the forms of its steps."""

from typing import Annotated, Any
from uuid import UUID

from ninja import Path, Status

from tapes_app.editing.api.schemas import ForkIn
from tapes_app.editing.api.tape_schemas import TapeOut, TapePatchIn
from tapes_app.editing.services import children as editing
from tapes_app.editing.services import opening, step_schemas
from tapes_app.editing.services.children import TapeCreated
from tapes_app.editing.services.step_schemas import StepKind, StepSchema
from tapes_app.projects.api.people import PersonRequest, created, make_router
from tapes_app.tapes.api import tapes

_LARGEST = 2**31 - 1
Position = Annotated[int, Path(ge=0, le=_LARGEST)]

# A path belongs to one router: where a tape is opened, it is deleted.
router = tapes.router


@router.get("/{tape_id}", response=TapeOut)
def show_tape(request: PersonRequest, tape_id: UUID) -> dict[str, Any]:
    return opening.open_tape(request.auth, tape_id)


@router.patch("/{tape_id}", response=TapeOut)
def change_tape(request: PersonRequest, tape_id: UUID, body: TapePatchIn) -> dict[str, Any]:
    """Rename, pin, archive or mark a tape for training, or take that back."""
    return opening.change_tape(request.auth, tape_id, **body.model_dump(exclude_unset=True))


@router.post("/{tape_id}/fork", response=created(TapeCreated))
def fork_tape(request: PersonRequest, tape_id: UUID, body: ForkIn) -> Status[TapeCreated]:
    return Status(201, editing.fork_tape(request.auth, tape_id, at=body.at))


@router.get("/{tape_id}/steps/{position}/schema", response=StepSchema)
def show_step_schema(request: PersonRequest, tape_id: UUID, position: Position) -> StepSchema:
    """Give what the form that edits this step is made from."""
    return opening.load_step_schema(request.auth, tape_id, position)


@router.get("/{tape_id}/step-schemas/{kind}", response=StepSchema)
def show_kind_schema(request: PersonRequest, tape_id: UUID, kind: str) -> StepSchema:
    """Give the form of a kind; of one that no class knows, after its first step on the tape."""
    return opening.load_kind_schema(request.auth, tape_id, kind)


step_kinds = make_router("step kinds")


@step_kinds.get("", response=list[StepKind])
def list_step_kinds(request: PersonRequest) -> list[StepKind]:
    """List the kinds that may be inserted into a tape."""
    return step_schemas.list_step_kinds()


@step_kinds.get("/{kind}/schema", response=StepSchema)
def show_schema_of_kind(request: PersonRequest, kind: str) -> StepSchema:
    return step_schemas.schema_of_kind(kind)
