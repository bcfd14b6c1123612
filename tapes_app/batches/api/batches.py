"""`/batches`: the list with sums, comparing two batches or several, and one task's tapes."""

from typing import Annotated
from uuid import UUID

from ninja import Query
from ninja.decorators import decorate_view

from tapes_app.batches.services import comparison as batch_diff
from tapes_app.batches.services import matrix as batch_matrix
from tapes_app.batches.services.comparison import BatchDiff
from tapes_app.batches.services.matrix import BatchMatrix, TaskPaths
from tapes_app.batches.store import batch_tapes
from tapes_app.batches.store.batch_tapes import BatchSummary
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.api.squeezing import squeezed
from tapes_app.projects.domain.rows import Page
from tapes_app.tapes.domain.rows import BatchRow
from tapes_app.tapes.store import batches

router = make_router("batches")

Ids = Annotated[list[UUID], Query(min_length=1, max_length=50)]
By = Annotated[str, Query(max_length=500)]

_MOST_BATCHES = 1000


@router.get("/summaries", response=Page[BatchSummary])
def list_summaries(
    request: PersonRequest,
    after: Annotated[str, Query(max_length=300)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Page[BatchSummary]:
    """List batches with their pass rate, errors, tokens and cost, newest first."""
    return batch_tapes.list_summaries(request.auth.project_id, after=after, limit=limit)


@router.get("/diff", response=BatchDiff)
@decorate_view(squeezed)
def diff_batches(request: PersonRequest, a: UUID, b: UUID, by: By = "task") -> BatchDiff:
    """Compare two batches, pairing their tapes by a key.

    `by` is task, start (same family, or same beginning), title, source_id, expected, or a JSON
    pointer into /metadata or /context.
    """
    return batch_diff.diff_batches(request.auth, a, b, by=by)


@router.get("/matrix", response=BatchMatrix)
@decorate_view(squeezed)
def show_matrix(
    request: PersonRequest, id: Ids, by: By = "task", baseline: UUID | None = None
) -> BatchMatrix:
    """Compare several batches with one of them: the named baseline, or the first."""
    return batch_matrix.compare_many(request.auth, id, by=by, baseline=baseline)


@router.get("/alignment", response=TaskPaths)
@decorate_view(squeezed)
def align_task(
    request: PersonRequest,
    id: Ids,
    key: Annotated[str, Query(min_length=1, max_length=500)],
    by: By = "task",
) -> TaskPaths:
    """Align all tapes of one task in the given batches on one axis."""
    return batch_matrix.align_task(request.auth, id, key, by=by)


@router.get("", response=list[BatchRow])
def list_batches(request: PersonRequest) -> list[BatchRow]:
    """List the batches of the project with their counts and rates."""
    # A list, because ninja would read a pair as a status and a body.
    return list(batches.list_batches(request.auth.project_id, limit=_MOST_BATCHES).items)
