"""Versions of datasets: frozen by number when something depends on them, listed and compared."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from tapes_app.bulk.store.datasets import get_dataset
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.messages import digest_json
from tapes_app.models import (
    DatasetTapeRecord,
    DatasetVersionRecord,
    DatasetVersionTapeRecord,
    TapeRecord,
)
from tapes_app.projects.store.inserting import insert_rows

MOST_CHANGES = 200
_PAGE = 500

ChangeKind = Literal["added", "removed", "expected"]


@dataclass(frozen=True, slots=True)
class DatasetVersion:
    """A dataset as it was when something was measured or trained on it."""

    number: int
    content_hash: str
    """Hash of the ids of its tapes and their expected answers."""

    tape_count: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ChangedTape:
    """A tape that differs between two versions."""

    tape_id: UUID
    title: str
    """Title of the tape; empty if the tape is deleted."""

    change: ChangeKind
    """`expected`: in both versions, with different expected answers."""

    before: str
    """The earlier expected answer; empty if the tape was added."""

    after: str


@dataclass(frozen=True, slots=True)
class VersionChanges:
    """What changed from one version of a dataset to another one, or to its current state."""

    before: int
    after: int | None
    """`None`: the current state of the dataset."""

    added_count: int
    removed_count: int
    expected_count: int
    """Tapes in both versions with different expected answers."""

    same_count: int
    tapes: list[ChangedTape]
    """The first two hundred changes."""


@transaction.atomic
def freeze(dataset_id: UUID, project: UUID) -> DatasetVersion:
    """Return the version of a dataset's current state, which is new unless the newest is the same.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    # Locked: of two concurrent freezes, only one creates the version.
    get_dataset(dataset_id, project, for_update=True)
    members = read_members(dataset_id)
    digest = hash_members(members)
    newest = _of(dataset_id).order_by("-number").first()
    if newest is not None and newest.content_hash == digest:
        return _row(newest)
    return _row(_store(dataset_id, newest.number + 1 if newest else 1, members))


@transaction.atomic
def restore_version(
    dataset_id: UUID,
    project: UUID,
    number: int,
    members: Mapping[UUID, str],
    *,
    created_at: datetime,
) -> None:
    """Store a version that was frozen elsewhere; an existing version of that number stays.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    get_dataset(dataset_id, project, for_update=True)
    if not _of(dataset_id).filter(number=number).exists():
        made = _store(dataset_id, number, members)
        _of(dataset_id).filter(id=made.id).update(created_at=created_at)


def hash_members(members: Mapping[UUID, str]) -> str:
    """Return the content hash of tapes with their expected answers, regardless of order."""
    return digest_json(
        sorted([tape_id.hex, expected] for tape_id, expected in members.items())
    ).hex()


def read_members(dataset_id: UUID) -> dict[UUID, str]:
    """Return the live tapes of a dataset with the current expected answer of each."""
    members = DatasetTapeRecord.objects.filter(dataset_id=dataset_id, tape__deleted_at__isnull=True)
    return dict(members.order_by().values_list("tape_id", "tape__expected"))


def list_versions(dataset_id: UUID, project: UUID) -> list[DatasetVersion]:
    """Return the versions of a dataset, newest first.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    get_dataset(dataset_id, project)
    return [_row(record) for record in _of(dataset_id).order_by("-number")]


def compare_versions(
    dataset_id: UUID, project: UUID, *, before: int, after: int | None = None
) -> VersionChanges:
    """Return what changed from one version to another, or to the dataset's current state.

    Raises:
        NotFoundError: no such dataset in this project, or it has no such version.
    """
    get_dataset(dataset_id, project)
    old = read_version(dataset_id, before)
    new = read_members(dataset_id) if after is None else read_version(dataset_id, after)
    added, removed = new.keys() - old.keys(), old.keys() - new.keys()
    changed = {tape_id for tape_id in old.keys() & new.keys() if old[tape_id] != new[tape_id]}
    kinds: list[tuple[ChangeKind, Collection[UUID]]] = [
        ("added", added), ("removed", removed), ("expected", changed),
    ]  # fmt: skip
    shown = [(kind, tape_id) for kind, ids in kinds for tape_id in sorted(ids)][:MOST_CHANGES]
    titles = dict(
        TapeRecord.objects.filter(
            id__in=[tape_id for _, tape_id in shown], deleted_at__isnull=True
        ).values_list("id", "title")
    )
    return VersionChanges(
        before=before,
        after=after,
        added_count=len(added),
        removed_count=len(removed),
        expected_count=len(changed),
        same_count=len(old.keys() & new.keys()) - len(changed),
        tapes=[
            ChangedTape(tape_id, titles.get(tape_id, ""), kind, old.get(tape_id, ""),
                        new.get(tape_id, ""))
            for kind, tape_id in shown
        ],
    )  # fmt: skip


def read_version(dataset_id: UUID, number: int) -> dict[UUID, str]:
    """Return the tapes of a version with the expected answer of each.

    Raises:
        NotFoundError: the dataset has no such version.
    """
    version = _of(dataset_id).filter(number=number).first()
    if version is None:
        raise NotFoundError(f"The dataset has no version {number}.", number=number)
    members = DatasetVersionTapeRecord.objects.filter(version=version)
    return dict(members.values_list("tape_id", "expected"))


def read_expected(
    dataset_id: UUID, number: int, tape_ids: Collection[UUID]
) -> Iterator[tuple[UUID, str]]:
    """Yield the expected answers of the given tapes in a version."""
    ids = list(tape_ids)
    for start in range(0, len(ids), _PAGE):
        members = DatasetVersionTapeRecord.objects.filter(
            version__dataset_id=dataset_id,
            version__number=number,
            tape_id__in=ids[start : start + _PAGE],
        )
        yield from members.values_list("tape_id", "expected")


def read_now(tape_ids: Collection[UUID]) -> dict[UUID, str]:
    """Return the current expected answers of the given tapes."""
    ids, found = list(tape_ids), dict[UUID, str]()
    for start in range(0, len(ids), _PAGE):
        tapes = TapeRecord.objects.filter(id__in=ids[start : start + _PAGE])
        found |= dict(tapes.values_list("id", "expected"))
    return found


def _store(dataset_id: UUID, number: int, members: Mapping[UUID, str]) -> DatasetVersionRecord:
    made = DatasetVersionRecord.objects.create(
        dataset_id=dataset_id,
        number=number,
        content_hash=hash_members(members),
        tape_count=len(members),
    )
    rows = ((made.id, tape_id, expected) for tape_id, expected in members.items())
    insert_rows(DatasetVersionTapeRecord, ("version_id", "tape_id", "expected"), rows)
    return made


def _of(dataset_id: UUID) -> QuerySet[DatasetVersionRecord, DatasetVersionRecord]:
    return DatasetVersionRecord.objects.filter(dataset_id=dataset_id)


def _row(record: DatasetVersionRecord) -> DatasetVersion:
    return DatasetVersion(record.number, record.content_hash, record.tape_count, record.created_at)
