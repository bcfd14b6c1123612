"""Datasets, and what putting tapes into them came to."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.api.bodies import In, Line, Out

DatasetName = Annotated[Line, Field(min_length=1, max_length=200, pattern=r"\S")]
Description = Annotated[Line, Field(max_length=5_000)]


class DatasetIn(In):
    name: DatasetName
    description: Description = ""
    selection: TapeSelection | None = None
    """Tapes to put into it at once, as bulk actions take them."""


class DatasetPatchIn(In):
    """What is left out stays as it is."""

    name: DatasetName | None = None
    description: Description | None = None


class DatasetOut(Out):
    """A dataset; the numbers are over its tapes, archived ones too, but no deleted ones."""

    id: UUID
    name: str
    description: str
    owner_name: str
    created_at: datetime
    updated_at: datetime
    """When it, or which tapes are in it, was changed last."""

    tape_count: int
    archived_count: int
    train_count: int
    validation_count: int
    test_count: int
    unsplit_count: int
    """Tapes of which nobody said what they are for."""

    kept_count: int
    """Tapes that are kept from training."""

    step_count: int
    tokens: int
    cost_micro_usd: int


class DatasetPageOut(Out):
    items: list[DatasetOut]
    next: str | None
