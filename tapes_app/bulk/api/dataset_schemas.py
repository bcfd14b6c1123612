"""Datasets, and what putting tapes into them came to."""

from typing import Annotated

from pydantic import Field

from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.api.bodies import In, Line

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
