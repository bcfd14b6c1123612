"""`/datasets`: named collections of tapes, and which tapes are in them."""

from typing import Annotated
from uuid import UUID

from ninja import Path, Query, Status
from pydantic import Field

from tapes_app.bulk.api.tags import TapeCountOut
from tapes_app.bulk.services import datasets, tape_changes
from tapes_app.bulk.services.start_tapes import WordProblems, make_word_problems
from tapes_app.bulk.store import dataset_versions
from tapes_app.bulk.store import datasets as datasets_store
from tapes_app.bulk.store.dataset_versions import DatasetVersion, VersionChanges
from tapes_app.bulk.store.datasets import DatasetName, DatasetRow
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.api.bodies import In, Line
from tapes_app.projects.api.people import LARGEST, PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Page

router = make_router("datasets")
VersionNumber = Annotated[int, Path(ge=1, le=LARGEST)]
Name = Annotated[Line, Field(min_length=1, max_length=200, pattern=r"\S")]
Description = Annotated[Line, Field(max_length=5_000)]


class DatasetIn(In):
    name: Name
    description: Description = ""
    selection: TapeSelection | None = None
    """Tapes to add immediately, selected as for bulk actions."""


class DatasetPatchIn(In):
    """Changes to a dataset; omitted fields stay as they are."""

    name: Name | None = None
    description: Description | None = None


@router.get("", response=Page[DatasetRow])
def list_datasets(
    request: PersonRequest,
    after: str | None = None,
    limit: Annotated[int, Field(ge=1, le=200)] = 50,
) -> Page[DatasetRow]:
    """List datasets with sums over their tapes, newest first."""
    return datasets_store.list_datasets(request.auth.project_id, after=after, limit=limit)


@router.get("/names", response=list[DatasetName])
def list_names(request: PersonRequest, tape: UUID | None = None) -> list[DatasetName]:
    """List datasets by name to choose from, and which of them contain a tape."""
    return datasets_store.list_names(request.auth.project_id, tape_id=tape)


@router.post("", response=created(DatasetRow))
def create_dataset(request: PersonRequest, body: DatasetIn) -> Status[DatasetRow]:
    """Create a dataset, optionally with tapes."""
    made = datasets.create_dataset(
        request.auth, name=body.name, description=body.description, selection=body.selection
    )
    return Status(201, made)


@router.post("/word-problems", response=created(DatasetRow))
def create_word_problems(request: PersonRequest, body: WordProblems) -> Status[DatasetRow]:
    """Create a dataset of word problems with known answers, for the gallery's agent `math`."""
    return Status(201, make_word_problems(request.auth, body))


@router.get("/{dataset_id}", response=DatasetRow)
def show_dataset(request: PersonRequest, dataset_id: UUID) -> DatasetRow:
    """Return a dataset with its sums."""
    return datasets_store.load_dataset(dataset_id, request.auth.project_id)


@router.patch("/{dataset_id}", response=DatasetRow)
def change_dataset(request: PersonRequest, dataset_id: UUID, body: DatasetPatchIn) -> DatasetRow:
    """Change the name or the description."""
    changes = body.model_dump(exclude_none=True)
    return datasets_store.change_dataset(dataset_id, request.auth.project_id, **changes)


@router.delete("/{dataset_id}", response=emptied())
def delete_dataset(request: PersonRequest, dataset_id: UUID) -> Status[None]:
    """Delete a dataset; its tapes stay, and it can be restored."""
    datasets_store.delete_dataset(dataset_id, request.auth.project_id)
    return Status(204, None)


@router.post("/{dataset_id}/restore", response=DatasetRow)
def restore_dataset(request: PersonRequest, dataset_id: UUID) -> DatasetRow:
    """Restore a deleted dataset, with the tapes that were in it."""
    return datasets_store.restore_dataset(dataset_id, request.auth.project_id)


@router.get("/{dataset_id}/versions", response=list[DatasetVersion])
def list_versions(request: PersonRequest, dataset_id: UUID) -> list[DatasetVersion]:
    """List the versions of a dataset, newest first.

    A version is created when a sweep or a training set uses the dataset, unless the newest one
    equals it.
    """
    return dataset_versions.list_versions(dataset_id, request.auth.project_id)


@router.post("/{dataset_id}/versions", response=created(DatasetVersion))
def freeze_dataset(request: PersonRequest, dataset_id: UUID) -> Status[DatasetVersion]:
    """Freeze a dataset in its current state, or return the newest version if it is the same."""
    return Status(201, dataset_versions.freeze(dataset_id, request.auth.project_id))


@router.get("/{dataset_id}/versions/{number}/changes", response=VersionChanges)
def compare_versions(
    request: PersonRequest,
    dataset_id: UUID,
    number: VersionNumber,
    to: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
) -> VersionChanges:
    """Compare a version with a later one, or, if that is omitted, with the current state."""
    return dataset_versions.compare_versions(
        dataset_id, request.auth.project_id, before=number, after=to
    )


@router.post("/{dataset_id}/add", response=UndoableChange)
def add_tapes(request: PersonRequest, dataset_id: UUID, body: TapeSelection) -> UndoableChange:
    """Add tapes to a dataset, named ones or all of a list."""
    return datasets.add_tapes(request.auth, dataset_id, body)


@router.post("/{dataset_id}/remove", response=UndoableChange)
def remove_tapes(request: PersonRequest, dataset_id: UUID, body: TapeSelection) -> UndoableChange:
    """Remove tapes from a dataset, named ones or all of a list; the tapes themselves stay."""
    return datasets.remove_tapes(request.auth, dataset_id, body)


@router.post("/changes/{change_id}/undo", response=TapeCountOut)
def undo_change(request: PersonRequest, change_id: UUID) -> TapeCountOut:
    """Undo exactly what a change added or removed; once, within a day."""
    return TapeCountOut(tape_count=tape_changes.undo_change(request.auth, change_id, of="datasets"))
