"""`/tapes`: lists, one tape's header and steps, deleting and restoring."""

from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Query, Status
from ninja.decorators import decorate_view

from tapes_app.gallery.form_filler.form_view import FormView
from tapes_app.projects.api.people import LARGEST, PersonRequest, Position, emptied, make_router
from tapes_app.projects.api.squeezing import squeezed
from tapes_app.tapes.domain.rows import FoundSteps, StepRow, TapeFamily
from tapes_app.tapes.services import diff, tapes
from tapes_app.tapes.services.diff import TapeComparison
from tapes_app.tapes.services.tapes import StepPage, ViewFrames
from tapes_app.tapes.store import families, find, outline, removal
from tapes_app.tapes.store.outline import LONGEST_PAGE, OutlinePage

MAX_PAGE = 500

router = make_router("tapes")


@router.delete("/{tape_id}", response=emptied())
def delete_tape(request: PersonRequest, tape_id: UUID) -> Status[None]:
    """Remove a tape from the lists; it can be restored. Refused while something needs it."""
    removal.delete_tape(tape_id, request.auth.project_id)
    return Status(204, None)


@router.post("/{tape_id}/restore", response=emptied())
def restore_tape(request: PersonRequest, tape_id: UUID) -> Status[None]:
    """Restore a deleted tape."""
    removal.restore_tape(tape_id, request.auth.project_id)
    return Status(204, None)


@router.get("/{tape_id}/family", response=TapeFamily)
def show_family(request: PersonRequest, tape_id: UUID) -> TapeFamily:
    """Return the tape, its ancestors and all their branches, for the branch map."""
    return families.load_family(tape_id, request.auth.project_id)


@router.get("/{tape_id}/find", response=FoundSteps)
def find_in_tape(
    request: PersonRequest, tape_id: UUID, text: Annotated[str, Query(max_length=200)] = ""
) -> FoundSteps:
    """Find words in the full text of a tape's steps."""
    return find.find_steps(tape_id, request.auth.project_id, text)


@router.get(
    "/{tape_id}/outline", response={HTTPStatus.OK: OutlinePage, HTTPStatus.NOT_MODIFIED: None}
)
@decorate_view(squeezed)
def show_outline(
    request: PersonRequest,
    response: HttpResponse,
    tape_id: UUID,
    start: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    count: Annotated[int, Query(ge=1, le=LONGEST_PAGE)] = LONGEST_PAGE,
) -> Any:
    """Return `count` steps starting at `start` in columns, without their bodies."""
    response["Cache-Control"] = "private, no-cache"
    known = request.headers.get("If-None-Match", "")
    if known and known == f'"{outline.load_outline_tag(tape_id, request.auth.project_id)}"':
        response["ETag"] = known
        return Status(HTTPStatus.NOT_MODIFIED, None)
    page = outline.load_outline_page(tape_id, request.auth.project_id, start=start, count=count)
    response["ETag"] = f'"{page.tag}"'
    return page


@router.get("/{tape_id}/steps", response=StepPage)
@decorate_view(squeezed)
def list_steps(
    request: PersonRequest,
    tape_id: UUID,
    start: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    count: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 100,
    limit: Annotated[int | None, Query(ge=1, le=MAX_PAGE)] = None,
) -> StepPage:
    """Return `count` steps from `start` on with their bodies; `limit` is an alias of `count`.

    If a step is too large for a page, only its beginning is returned, and `cut` is set.
    """
    return tapes.load_steps(request.auth, tape_id, start=start, count=limit or count)


@router.get("/{tape_id}/steps/{position}", response=StepRow)
def show_step(request: PersonRequest, tape_id: UUID, position: Position) -> StepRow:
    """Return one complete step, however large it is."""
    return tapes.load_step(request.auth, tape_id, position)


@router.get("/{tape_id}/steps/{position}/views", response=ViewFrames)
def show_views(request: PersonRequest, tape_id: UUID, position: Position) -> ViewFrames:
    """Return the view stack after a step, as a debugger shows a call stack."""
    return tapes.load_views(request.auth, tape_id, position)


@router.get("/{tape_id}/steps/{position}/form", response=FormView | None)
def show_form(request: PersonRequest, tape_id: UUID, position: Position) -> FormView | None:
    """Return the form that a form filler's dialogue is about, as it is after a step.

    `null` if no step until then is about a form.
    """
    return tapes.load_form(request.auth, tape_id, position)


@router.get("/{tape_id}/diff/{other_id}", response=TapeComparison)
def diff_tapes(request: PersonRequest, tape_id: UUID, other_id: UUID) -> TapeComparison:
    """Compare two tapes, aligned by content."""
    return diff.diff_tapes(request.auth, tape_id, other_id)
