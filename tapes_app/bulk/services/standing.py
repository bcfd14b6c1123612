"""On which versions of datasets a choice of tapes stands: they are frozen when it is used."""

from collections.abc import Iterator
from uuid import UUID

from django.db import transaction

from tapes_app.bulk.stands_on import StandsOn
from tapes_app.bulk.store import dataset_versions, datasets
from tapes_app.bulk.store.datasets import DatasetRow
from tapes_app.engine.errors import NotFoundError
from tapes_app.library.services.selection import TapeSelection
from tapes_app.library.tape_query.conditions import Match, conjuncts
from tapes_app.projects.columns import read_uuid, split_version
from tapes_app.projects.services.people import Person


@transaction.atomic
def stand_on(person: Person, selection: TapeSelection) -> tuple[StandsOn, ...]:
    """Return the versions of the datasets that a query names, frozen now where they are not.

    `dataset:NAME` stands on what the dataset is now, `dataset:NAME@3` on its third version.

    Raises:
        NotFoundError: the query names a version that there is not.
        QueryError: the query cannot be read.
    """
    found = {}
    for name in _list_named(selection):
        stands = _find(person.project_id, name)
        if stands is not None:
            found[stands.dataset_id, stands.version] = stands
    return tuple(found.values())


def stand_on_dataset(dataset_id: UUID, project: UUID) -> StandsOn:
    """Return the version that a dataset is now, frozen where it is not.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    row = datasets.load_dataset(dataset_id, project)
    version = dataset_versions.freeze(dataset_id, project)
    return StandsOn(
        dataset_id=row.id, dataset=row.name, version=version.number, tape_count=version.tape_count
    )


def _list_named(selection: TapeSelection) -> Iterator[str]:
    if selection.tape_ids is not None:
        return
    for clause in conjuncts(selection.to_filter().query.clause):
        if isinstance(clause, Match) and clause.field == "dataset":
            yield from filter(None, clause.values)


def _find(project: UUID, name: str) -> StandsOn | None:
    row = _find_dataset(project, name)
    if row is not None:
        return stand_on_dataset(row.id, project)
    plain, number = split_version(name)
    dated = datasets.find_dataset(plain, project) if number else None
    if dated is None:
        return None
    numbers = {one.number: one for one in dataset_versions.list_versions(dated.id, project)}
    if number not in numbers:
        raise NotFoundError(f"Dataset {plain!r} has no version {number}.", version=number)
    return StandsOn(
        dataset_id=dated.id,
        dataset=dated.name,
        version=number,
        tape_count=numbers[number].tape_count,
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
