"""`/batches`: the list with sums, two batches compared, several against one, one task's tapes."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from ninja import Query
from ninja.decorators import decorate_view

from tapes_app.api.people import PersonRequest, found, make_router
from tapes_app.api.schemas.batch_diff import (
    BatchDiffOut,
    BatchMatrixOut,
    BatchSummaryPageOut,
    TaskPathsOut,
)
from tapes_app.api.squeezing import squeezed
from tapes_app.services import batch_diff, batch_matrix, batches

router = make_router("batches")

Ids = Annotated[list[UUID], Query(min_length=1, max_length=50)]
By = Annotated[str, Query(max_length=500)]


@router.get("/summaries", response=found(BatchSummaryPageOut))
def list_summaries(
    request: PersonRequest,
    after: Annotated[str, Query(max_length=300)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Any:
    """List batches with their pass rate, errors, tokens and cost, newest first."""
    return batches.list_summaries(request.auth, after=after, limit=limit)


@router.get("/diff", response=found(BatchDiffOut))
@decorate_view(squeezed)
def diff_batches(request: PersonRequest, a: UUID, b: UUID, by: By = "task") -> Any:
    """Compare two batches, their tapes paired by a key.

    `by` is task, start (one family, or the same beginning), title, source_id, expected, or a
    JSON pointer into /metadata or /context.
    """
    return batch_diff.diff_batches(request.auth, a, b, by=by)


@router.get("/matrix", response=found(BatchMatrixOut))
@decorate_view(squeezed)
def show_matrix(
    request: PersonRequest, id: Ids, by: By = "task", baseline: UUID | None = None
) -> Any:
    """Compare several batches with one of them: the first, or the one that is named."""
    return batch_matrix.compare_many(request.auth, id, by=by, baseline=baseline)


@router.get("/alignment", response=found(TaskPathsOut))
@decorate_view(squeezed)
def align_task(
    request: PersonRequest,
    id: Ids,
    key: Annotated[str, Query(min_length=1, max_length=500)],
    by: By = "task",
) -> Any:
    """Put all tapes of one task in some batches on one axis."""
    return batch_matrix.align_task(request.auth, id, key, by=by)
