"""Datasets: created, filled, changed and undone by people who can edit the project."""

from uuid import UUID

from django.db import transaction

from tapes_app.bulk.store import dataset_tapes
from tapes_app.bulk.store import datasets as storage
from tapes_app.bulk.store.datasets import DatasetRow
from tapes_app.bulk.store.undo_log import UndoableChange
from tapes_app.engine.errors import NotFoundError
from tapes_app.library.services.selection import TapeSelection, count_selection
from tapes_app.projects.services.people import Person


def load_dataset_named(person: Person, name: str) -> DatasetRow:
    """Return the dataset with the given name.

    Raises:
        NotFoundError: the project has no such dataset.
    """
    dataset = storage.find_dataset(name, person.project_id)
    if dataset is None:
        raise NotFoundError(f"There is no dataset {name!r} in {person.project!r}.")
    return dataset


@transaction.atomic
def create_dataset(
    person: Person, *, name: str, description: str = "", selection: TapeSelection | None = None
) -> DatasetRow:
    """Create a dataset that contains the tapes of a selection.

    Raises:
        ConflictError: the project already has a dataset of that name.
        InvalidInputError: the name is empty.
        NotFoundError: not all of the named tapes are in the project; nothing is created then.
    """
    made = storage.create_dataset(
        person.project_id, owner=person.user_id, name=name, description=description
    )
    if selection is not None:
        add_tapes(person, made.id, selection)
    return storage.load_dataset(made.id, person.project_id)


def add_tapes(person: Person, dataset_id: UUID, selection: TapeSelection) -> UndoableChange:
    """Add tapes to a dataset, but not their existing or later children.

    Raises:
        NotFoundError: no such dataset, or not all of the named tapes are in the project.
        QueryError: the query cannot be parsed.
    """
    count_selection(person, selection)
    return dataset_tapes.add_tapes(
        dataset_id, person.project_id, selection.to_filter(), owner=person.user_id
    )


def remove_tapes(person: Person, dataset_id: UUID, selection: TapeSelection) -> UndoableChange:
    """Remove tapes from a dataset; the tapes themselves stay.

    Raises:
        NotFoundError: no such dataset, or not all of the named tapes are in the project.
        QueryError: the query cannot be parsed.
    """
    count_selection(person, selection)
    return dataset_tapes.remove_tapes(
        dataset_id, person.project_id, selection.to_filter(), owner=person.user_id
    )
