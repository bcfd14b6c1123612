"""`/datasets`: collections of tapes under a name, and which tapes are in them."""

from typing import Annotated
from uuid import UUID

from ninja import Path, Query, Status
from pydantic import Field

from tapes_app.bulk.api.dataset_schemas import DatasetIn, DatasetPatchIn
from tapes_app.bulk.api.tag_schemas import TapeCountOut
from tapes_app.bulk.services import datasets, undo
from tapes_app.bulk.services.word_problems import WordProblems, make_word_problems
from tapes_app.bulk.store import dataset_versions
from tapes_app.bulk.store import datasets as datasets_store
from tapes_app.bulk.store.dataset_versions import DatasetVersion, VersionChanges
from tapes_app.bulk.store.datasets import DatasetName, DatasetRow
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.api.people import LARGEST, PersonRequest, created, emptied, make_router
from tapes_app.projects.rows import Page

router = make_router("datasets")
VersionNumber = Annotated[int, Path(ge=1, le=LARGEST)]


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
    """List datasets to choose from by name, and which of them a tape is in."""
    return datasets_store.list_names(request.auth.project_id, tape_id=tape)


@router.post("", response=created(DatasetRow))
def create_dataset(request: PersonRequest, body: DatasetIn) -> Status[DatasetRow]:
    """Make a dataset, with tapes in it where some are chosen."""
    made = datasets.create_dataset(
        request.auth, name=body.name, description=body.description, selection=body.selection
    )
    return Status(201, made)


@router.post("/word-problems", response=created(DatasetRow))
def create_word_problems(request: PersonRequest, body: WordProblems) -> Status[DatasetRow]:
    """Make a dataset of word problems with known answers, for the gallery's agent `math`."""
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
    """Take a dataset out of the list; its tapes stay, and it can be restored."""
    datasets_store.delete_dataset(dataset_id, request.auth.project_id)
    return Status(204, None)


@router.post("/{dataset_id}/restore", response=DatasetRow)
def restore_dataset(request: PersonRequest, dataset_id: UUID) -> DatasetRow:
    """Bring a deleted dataset back, with the tapes that were in it."""
    return datasets_store.restore_dataset(dataset_id, request.auth.project_id)


@router.get("/{dataset_id}/versions", response=list[DatasetVersion])
def list_versions(request: PersonRequest, dataset_id: UUID) -> list[DatasetVersion]:
    """List the versions of a dataset, newest first.

    One is made when a sweep or a training set stands on it, unless the newest one is the same.
    """
    return dataset_versions.list_versions(dataset_id, request.auth.project_id)


@router.post("/{dataset_id}/versions", response=created(DatasetVersion))
def freeze_dataset(request: PersonRequest, dataset_id: UUID) -> Status[DatasetVersion]:
    """Freeze a dataset as it is now; where the newest version is the same, that is returned."""
    return Status(201, dataset_versions.freeze(dataset_id, request.auth.project_id))


@router.get("/{dataset_id}/versions/{number}/changes", response=VersionChanges)
def compare_versions(
    request: PersonRequest,
    dataset_id: UUID,
    number: VersionNumber,
    to: Annotated[int | None, Query(ge=1, le=LARGEST)] = None,
) -> VersionChanges:
    """Say what changed since a version: up to another one, or, left out, to what there is now."""
    return dataset_versions.compare_versions(
        dataset_id, request.auth.project_id, before=number, after=to
    )


@router.post("/{dataset_id}/add", response=UndoableChange)
def add_tapes(request: PersonRequest, dataset_id: UUID, body: TapeSelection) -> UndoableChange:
    """Put tapes into a dataset, named ones or all of a list."""
    return datasets.add_tapes(request.auth, dataset_id, body)


@router.post("/{dataset_id}/remove", response=UndoableChange)
def remove_tapes(request: PersonRequest, dataset_id: UUID, body: TapeSelection) -> UndoableChange:
    """Take tapes out of a dataset, named ones or all of a list; the tapes themselves stay."""
    return datasets.remove_tapes(request.auth, dataset_id, body)


@router.post("/changes/{change_id}/undo", response=TapeCountOut)
def undo_change(request: PersonRequest, change_id: UUID) -> TapeCountOut:
    """Take back what was put in or taken out, exactly that; once, within a day."""
    return TapeCountOut(tape_count=undo.undo_change(request.auth, change_id, of="datasets"))
