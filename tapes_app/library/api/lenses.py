"""`/lenses`: saved views of the list of tapes."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.library.services import lenses
from tapes_app.library.services.lenses import Lens
from tapes_app.projects.api.bodies import In, Line, Out
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Items

router = make_router("lenses", is_personal=True)


LensName = Annotated[Line, Field(min_length=1, max_length=100)]


class LensColumn(In):
    """A column of the table; its place in the list is its place in the table."""

    id: Annotated[Line, Field(min_length=1, max_length=40)]
    width: int | None = Field(None, ge=40, le=2000)
    """Width in pixels; omitted: the column's natural width."""

    is_pinned: bool = False
    """Whether it stays in view at the start of the row."""


class LensMark(In):
    """How to highlight a cell whose value meets a condition."""

    column: Annotated[Line, Field(min_length=1, max_length=40)]
    comparison: Literal[">", "<", "="]
    value: Annotated[Line, Field(min_length=1, max_length=200)]
    tone: Literal["good", "warn", "bad"]


class LensLook(In):
    """What a lens shows, and how."""

    query: Annotated[Line, Field(max_length=4000)] = ""
    """The conditions of the list, as the page's address writes them."""

    sort: Annotated[Line, Field(max_length=40)] = ""
    """The order, as `GET /tapes` takes it; empty: newest first."""

    columns: list[LensColumn] = Field(default_factory=list, max_length=40)
    """Columns in order; empty: the list's default columns."""

    marks: list[LensMark] = Field(default_factory=list, max_length=20)
    """Marks in order; the first one whose condition holds is shown."""


class LensIn(In):
    name: LensName
    is_shared: bool = False
    """Whether everybody in the project sees it."""

    look: LensLook = Field(default_factory=LensLook)


class LensPatchIn(In):
    """Changes to a lens; omitted fields stay as they are."""

    name: LensName | None = None
    is_shared: bool | None = None
    look: LensLook | None = None


class LensOut(Out):
    """A lens as the person who asks sees it."""

    id: UUID
    name: str
    is_shared: bool
    is_own: bool
    can_change: bool
    owner: str
    """Name of the person who created it."""

    look: LensLook
    updated_at: datetime


class LensListOut(Out):
    items: list[LensOut]


@router.get("", response=LensListOut)
def list_lenses(request: PersonRequest) -> Items[Lens]:
    """List your own lenses and those shared with the project."""
    return Items(lenses.list_lenses(request.auth))


@router.post("", response=created(LensOut))
def create_lens(request: PersonRequest, body: LensIn) -> Status[Lens]:
    """Save a query, an order and a table layout under a name."""
    return Status(201, lenses.create_lens(request.auth, **body.model_dump()))


@router.patch("/{lens_id}", response=LensOut)
def change_lens(request: PersonRequest, lens_id: UUID, body: LensPatchIn) -> Lens:
    """Change your own lens, share it or stop sharing it."""
    return lenses.change_lens(request.auth, lens_id, **body.model_dump(exclude_none=True))


@router.delete("/{lens_id}", response=emptied())
def delete_lens(request: PersonRequest, lens_id: UUID) -> Status[None]:
    """Delete a lens."""
    lenses.delete_lens(request.auth, lens_id)
    return Status(204, None)
