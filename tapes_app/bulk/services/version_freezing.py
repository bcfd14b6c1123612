"""Which versions of datasets a selection of tapes is based on; they are frozen when it is used."""

from collections.abc import Iterator
from uuid import UUID

from django.db import transaction

from tapes_app.bulk.domain.version_refs import DatasetVersionRef
from tapes_app.bulk.store import dataset_versions, datasets
from tapes_app.bulk.store.dataset_versions import DatasetVersion
from tapes_app.bulk.store.datasets import DatasetRow
from tapes_app.engine.errors import NotFoundError
from tapes_app.library.domain.tape_query.conditions import Match, conjuncts
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.domain.columns import read_uuid, split_version
from tapes_app.projects.services.people import Person


@transaction.atomic
def freeze_named_versions(
    person: Person, selection: TapeSelection
) -> tuple[DatasetVersionRef, ...]:
    """Return the versions of the datasets that a query names, freezing them if necessary.

    `dataset:NAME` is the current state of the dataset, `dataset:NAME@3` its third version.

    Raises:
        NotFoundError: the query names a version that does not exist.
        QueryError: the query cannot be parsed.
    """
    found = {}
    for name in _list_named(selection):
        frozen = _find(person.project_id, name)
        if frozen is not None:
            found[frozen.dataset_id, frozen.version] = frozen
    return tuple(found.values())


def freeze_version(dataset_id: UUID, project: UUID) -> DatasetVersionRef:
    """Return the version of a dataset's current state, freezing it if necessary.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    row = datasets.load_dataset(dataset_id, project)
    return _refer(row, dataset_versions.freeze(dataset_id, project))


def _list_named(selection: TapeSelection) -> Iterator[str]:
    if selection.tape_ids is not None:
        return
    for clause in conjuncts(selection.to_filter().query.clause):
        if isinstance(clause, Match) and clause.field == "dataset":
            yield from filter(None, clause.values)


def _find(project: UUID, name: str) -> DatasetVersionRef | None:
    row = _find_dataset(project, name)
    if row is not None:
        return _refer(row, dataset_versions.freeze(row.id, project))
    plain, number = split_version(name)
    dated = datasets.find_dataset(plain, project) if number else None
    if dated is None:
        return None
    numbers = {one.number: one for one in dataset_versions.list_versions(dated.id, project)}
    if number not in numbers:
        raise NotFoundError(f"Dataset {plain!r} has no version {number}.", version=number)
    return _refer(dated, numbers[number])


def _refer(row: DatasetRow, version: DatasetVersion) -> DatasetVersionRef:
    return DatasetVersionRef(
        dataset_id=row.id, dataset=row.name, version=version.number, tape_count=version.tape_count
    )


def _find_dataset(project: UUID, name: str) -> DatasetRow | None:
    found = datasets.find_dataset(name, project)
    dataset_id = read_uuid(name)
    if found is None and dataset_id is not None:
        try:
            return datasets.load_dataset(dataset_id, project)
        except NotFoundError:
            return None
    return found
