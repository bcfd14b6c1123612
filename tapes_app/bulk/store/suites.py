"""Suites: datasets that contain regression tests, and the tapes of one in order."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q

from tapes_app.bulk.store.datasets import get_dataset
from tapes_app.models import DatasetRecord, DatasetTapeRecord
from tapes_app.projects.domain.rows import Page, row_of
from tapes_app.projects.store.records import list_newest

_LIVE = Q(tape__deleted_at__isnull=True, tape__archived_at__isnull=True)
_IS_TEST = Q(tape__regression_test__isnull=False)


@dataclass(frozen=True, slots=True)
class SuiteName:
    """A dataset as a suite, without the results of its runs."""

    id: UUID
    name: str
    description: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class SuiteCounts:
    test_count: int
    """How many tapes are regression tests."""

    task_count: int
    """How many are other tapes: run from their start, and compared with their expected answer."""


@dataclass(frozen=True, slots=True)
class SuiteTape:
    """The parts of a suite's tape that describe its tests."""

    tape_id: UUID
    title: str
    parent_id: UUID | None
    agent_name: str
    expected: str
    step_count: int


def list_suites(project: UUID, *, after: str | None = None, limit: int = 50) -> Page[SuiteName]:
    """Return a page of the datasets that contain regression tests, newest first.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    tests = DatasetTapeRecord.objects.filter(_LIVE, _IS_TEST, dataset_id=OuterRef("pk"))
    suites = DatasetRecord.objects.filter(
        Exists(tests), project_id=project, deleted_at__isnull=True
    )
    return list_newest(suites, partial(row_of, SuiteName), after=after, limit=limit)


def load_suite(dataset_id: UUID, project: UUID) -> SuiteName:
    """Return one dataset as a suite.

    Raises:
        NotFoundError: no such dataset in this project.
    """
    return row_of(SuiteName, get_dataset(dataset_id, project))


def count_suites(dataset_ids: list[UUID]) -> dict[UUID, SuiteCounts]:
    """Return how many tests and other tapes the given datasets have, in one query."""
    members = DatasetTapeRecord.objects.filter(_LIVE, dataset_id__in=dataset_ids).order_by()
    rows = members.values_list("dataset_id").annotate(
        tests=Count("id", filter=_IS_TEST), tasks=Count("id", filter=~_IS_TEST)
    )
    found = {dataset_id: SuiteCounts(tests, tasks) for dataset_id, tests, tasks in rows}
    return {id: found.get(id, SuiteCounts(0, 0)) for id in dataset_ids}


def list_suite_tapes(dataset_id: UUID, *, limit: int) -> list[SuiteTape]:
    """Return the tapes of a suite in the order in which they were added, without archived ones."""
    members = DatasetTapeRecord.objects.filter(_LIVE, dataset_id=dataset_id)
    columns = ("title", "parent_id", "agent_name", "expected", "step_count")
    rows = members.order_by("added_at", "id").values_list(
        "tape_id", *(f"tape__{name}" for name in columns)
    )
    return [SuiteTape(*row) for row in rows[:limit]]
