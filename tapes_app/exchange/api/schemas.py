"""The results of imports and exports."""

from uuid import UUID

from pydantic import Field

from tapes_app.projects.api.bodies import Out
from tapes_app.projects.left_out import LeftOutTapes


class RefusedFileOut(Out):
    """A file of which nothing was imported."""

    file: str
    position: str
    reason: str


class UnfitTapeOut(Out):
    """A tape that the format of an export cannot hold."""

    tape_id: UUID
    why: str


class ExportResultOut(Out):
    """The `result` of an export job."""

    format: str
    file_name: str
    size_bytes: int
    tapes: int
    lines: int
    """Lines of the file, rows of the table, or files in the zip."""

    left_out: list[LeftOutTapes]
    unfit: list[UnfitTapeOut] = Field(default_factory=list)
    """The first 50 of those left out because the format cannot hold them."""


class UnmappedOut(Out):
    """Something of imported tapes that was kept and that no step shows."""

    what: str
    tape_count: int


class ImportResultOut(Out):
    """The `result` of an import job."""

    batch_id: UUID | None
    batch_name: str
    imported: int
    already_there: int
    llm_calls: int
    llm_calls_already_there: int = 0
    refused: list[RefusedFileOut]
    unmapped: list[UnmappedOut] = Field(default_factory=list)


class RowsOut(Out):
    """Rows that became no example, or of which something is lost."""

    why: str
    count: int
    first_row: int


class ImportedExamplesOut(Out):
    """The `result` of an import of examples."""

    dataset: str
    batch: str
    dataset_id: UUID | None
    batch_id: UUID | None
    """Null where no tape is new."""

    undo: UUID | None
    """What takes the tapes out of the dataset again, at `/datasets/changes/{id}/undo`."""

    rows: int
    made: int
    already_there: int
    """Equal examples that the project had; they are in the dataset now."""

    left_out: list[RowsOut]
    lost: list[RowsOut]
    """Examples of which a part could not be said."""
