"""Batches of tapes, and what came of an import."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Field

from tapes_app.api.schemas.bodies import Out


class BatchOut(Out):
    id: UUID
    name: str
    tape_count: int
    error_count: int
    created_at: datetime


class RefusedFileOut(Out):
    file: str
    position: str
    reason: str


class LeftOutOut(Out):
    """Why some of the tapes that were chosen were left out."""

    why: str
    tape_count: int


def list_reasons(reasons: Any) -> Any:
    """Return counts by reason as `LeftOutOut` takes them, the most frequent first."""
    if not isinstance(reasons, Counter):
        return reasons
    return [{"why": why, "tape_count": count} for why, count in reasons.most_common()]


class ExportResultOut(Out):
    """The `result` of an export job."""

    format: str
    file_name: str
    size_bytes: int
    tapes: int
    lines: int
    """Lines of the file, rows of the table, or files in the zip."""

    left_out: list[LeftOutOut]


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


class DiscardedOut(Out):
    """How many tapes are gone, and how many stay: somebody branched them off, or runs them."""

    tape_count: int
    kept_count: int
