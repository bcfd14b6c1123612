"""Lenses: kept ways to look at the list of tapes."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from tapes_app.projects.api.bodies import In, Line, Out

LensName = Annotated[Line, Field(min_length=1, max_length=100)]


class LensColumn(In):
    """A column of the table, in the place where it stands."""

    id: Annotated[Line, Field(min_length=1, max_length=40)]
    width: int | None = Field(None, ge=40, le=2000)
    """In pixels; left out: as wide as the column is by itself."""

    is_pinned: bool = False
    """It stays in view at the start of the row."""


class LensMark(In):
    """How a cell is marked whose value meets a condition."""

    column: Annotated[Line, Field(min_length=1, max_length=40)]
    comparison: Literal[">", "<", "="]
    value: Annotated[Line, Field(min_length=1, max_length=200)]
    tone: Literal["good", "warn", "bad"]


class LensLook(In):
    """What a lens shows and how."""

    query: Annotated[Line, Field(max_length=4000)] = ""
    """The conditions of the list as its address writes them."""

    sort: Annotated[Line, Field(max_length=40)] = ""
    """As `GET /tapes` takes it; empty: newest first."""

    columns: list[LensColumn] = Field(default_factory=list, max_length=40)
    """In order; none: those that the list has by itself."""

    marks: list[LensMark] = Field(default_factory=list, max_length=20)
    """The first that holds is shown."""


class LensIn(In):
    name: LensName
    is_shared: bool = False
    """Everybody in the project sees it."""

    look: LensLook = Field(default_factory=LensLook)


class LensPatchIn(In):
    """What is left out stays as it is."""

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
    """Name of the person who made it."""

    look: LensLook
    updated_at: datetime


class LensListOut(Out):
    items: list[LensOut]
