"""Datasets: made, filled, changed and taken back by who may write in the project."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from tapes_app.engine.errors import NotFoundError
from tapes_app.services.people import Person
from tapes_app.services.tape_selection import TapeSelection, count_selection
from tapes_app.storage import dataset_tapes
from tapes_app.storage import datasets as storage
from tapes_app.storage.datasets import DatasetName, DatasetRow
from tapes_app.storage.kept_changes import Change
from tapes_app.storage.rows import Page


def list_datasets(person: Person, *, after: str | None, limit: int) -> Page[DatasetRow]:
    """Return a page of the project's datasets with their sums, newest first.

    Raises:
        InvalidInputError: `after` is no cursor.
    """
    return storage.list_datasets(person.project_id, after=after, limit=limit)


def list_names(person: Person, *, tape_id: UUID | None) -> list[DatasetName]:
    """Return the datasets by name, each with whether a tape is in it."""
    return storage.list_names(person.project_id, tape_id=tape_id)


def load_dataset(person: Person, dataset_id: UUID) -> DatasetRow:
    """Return one dataset.

    Raises:
        NotFoundError: no such dataset in the project.
    """
    return storage.load_dataset(dataset_id, person.project_id)


def load_dataset_named(person: Person, name: str) -> DatasetRow:
    """Return the dataset of a name.

    Raises:
        NotFoundError: the project has none.
    """
    dataset = storage.find_dataset(name, person.project_id)
    if dataset is None:
        raise NotFoundError(f"There is no dataset {name!r} in {person.project!r}.")
    return dataset


@transaction.atomic
def create_dataset(
    person: Person, *, name: str, description: str = "", selection: TapeSelection | None = None
) -> DatasetRow:
    """Make a dataset, with the tapes of a selection in it.

    Raises:
        ConflictError: the project has a dataset of that name.
        InvalidInputError: the name is empty.
        NotFoundError: not all of the named tapes are in the project; then nothing is made.
    """
    made = storage.create_dataset(
        person.project_id, owner=person.user_id, name=name, description=description
    )
    if selection is not None:
        add_tapes(person, made.id, selection)
    return load_dataset(person, made.id)


def change_dataset(person: Person, dataset_id: UUID, **changes: str) -> DatasetRow:
    """Change the name or the description of a dataset.

    Raises:
        NotFoundError: no such dataset in the project.
        ConflictError: the project has another dataset of that name.
        InvalidInputError: the name is empty.
    """
    return storage.change_dataset(dataset_id, person.project_id, **changes)


def delete_dataset(person: Person, dataset_id: UUID) -> None:
    """Take a dataset out of the list; its tapes stay, and it can be brought back.

    Raises:
        NotFoundError: no such dataset in the project.
    """
    storage.delete_dataset(dataset_id, person.project_id)


def restore_dataset(person: Person, dataset_id: UUID) -> DatasetRow:
    """Bring a deleted dataset back, with the tapes that were in it.

    Raises:
        NotFoundError: no such deleted dataset in the project.
        ConflictError: the project has another dataset of that name by now.
    """
    return storage.restore_dataset(dataset_id, person.project_id)


def add_tapes(person: Person, dataset_id: UUID, selection: TapeSelection) -> Change:
    """Put tapes into a dataset; children that they have or get are not.

    Raises:
        NotFoundError: no such dataset, or not all of the named tapes are in the project.
        QueryError: the query cannot be read.
    """
    count_selection(person, selection)
    return dataset_tapes.add_tapes(
        dataset_id, person.project_id, selection.to_filter(), owner=person.user_id
    )


def remove_tapes(person: Person, dataset_id: UUID, selection: TapeSelection) -> Change:
    """Take tapes out of a dataset; the tapes themselves stay.

    Raises:
        NotFoundError: no such dataset, or not all of the named tapes are in the project.
        QueryError: the query cannot be read.
    """
    count_selection(person, selection)
    return dataset_tapes.remove_tapes(
        dataset_id, person.project_id, selection.to_filter(), owner=person.user_id
    )


def undo_change(person: Person, change_id: UUID) -> int:
    """Take a change back and return how many tapes that touched.

    Raises:
        NotFoundError: it was taken back already, or is too old, or its dataset is deleted.
    """
    return dataset_tapes.undo_change(change_id, person.project_id)
