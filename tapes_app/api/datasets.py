"""`/datasets`: collections of tapes under a name, and which tapes are in them."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from ninja import Status
from pydantic import Field

from tapes_app.api.people import PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import (
    ChangeOut,
    DatasetIn,
    DatasetNameOut,
    DatasetOut,
    DatasetPageOut,
    DatasetPatchIn,
    TapeCountOut,
)
from tapes_app.services import datasets
from tapes_app.services.tape_selection import TapeSelection

router = make_router("datasets")


@router.get("", response=found(DatasetPageOut))
def list_datasets(
    request: PersonRequest,
    after: str | None = None,
    limit: Annotated[int, Field(ge=1, le=200)] = 50,
) -> Any:
    """List datasets with sums over their tapes, newest first."""
    return datasets.list_datasets(request.auth, after=after, limit=limit)


@router.get("/names", response=found(list[DatasetNameOut]))
def list_names(request: PersonRequest, tape: UUID | None = None) -> Any:
    """List datasets to choose from by name, and which of them a tape is in."""
    return datasets.list_names(request.auth, tape_id=tape)


@router.post("", response=created(DatasetOut))
def create_dataset(request: PersonRequest, body: DatasetIn) -> Status[Any]:
    """Make a dataset, with tapes in it where some are chosen."""
    made = datasets.create_dataset(
        request.auth, name=body.name, description=body.description, selection=body.selection
    )
    return Status(201, made)


@router.get("/{dataset_id}", response=found(DatasetOut))
def show_dataset(request: PersonRequest, dataset_id: UUID) -> Any:
    return datasets.load_dataset(request.auth, dataset_id)


@router.patch("/{dataset_id}", response=found(DatasetOut))
def change_dataset(request: PersonRequest, dataset_id: UUID, body: DatasetPatchIn) -> Any:
    """Change the name or the description."""
    changes = body.model_dump(exclude_none=True)
    return datasets.change_dataset(request.auth, dataset_id, **changes)


@router.delete("/{dataset_id}", response=emptied())
def delete_dataset(request: PersonRequest, dataset_id: UUID) -> Status[None]:
    """Take a dataset out of the list; its tapes stay, and it can be restored."""
    datasets.delete_dataset(request.auth, dataset_id)
    return Status(204, None)


@router.post("/{dataset_id}/restore", response=found(DatasetOut))
def restore_dataset(request: PersonRequest, dataset_id: UUID) -> Any:
    """Bring a deleted dataset back, with the tapes that were in it."""
    return datasets.restore_dataset(request.auth, dataset_id)


@router.post("/{dataset_id}/add", response=found(ChangeOut))
def add_tapes(request: PersonRequest, dataset_id: UUID, body: TapeSelection) -> Any:
    """Put tapes into a dataset, named ones or all of a list."""
    return datasets.add_tapes(request.auth, dataset_id, body)


@router.post("/{dataset_id}/remove", response=found(ChangeOut))
def remove_tapes(request: PersonRequest, dataset_id: UUID, body: TapeSelection) -> Any:
    """Take tapes out of a dataset, named ones or all of a list; the tapes themselves stay."""
    return datasets.remove_tapes(request.auth, dataset_id, body)


@router.post("/changes/{change_id}/undo", response=found(TapeCountOut))
def undo_change(request: PersonRequest, change_id: UUID) -> Any:
    """Take back what was put in or taken out, exactly that; once, within a day."""
    return {"tape_count": datasets.undo_change(request.auth, change_id)}
