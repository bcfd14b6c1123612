"""Suites that an agent pins, and the sweeps that measured one of its versions on a dataset."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max

from optimize_app.models import PinnedSuiteRecord, SweptVersionRecord


@dataclass(frozen=True, slots=True)
class Pin:
    """A suite that an agent pins."""

    dataset_id: UUID
    name: str
    is_deleted: bool
    """A deleted suite never passes; an owner may unpin it."""


@dataclass(frozen=True, slots=True)
class SweptVersion:
    """A variant of a sweep that is an unchanged agent version, on the tapes of a dataset."""

    sweep_id: UUID
    variant: int
    version_id: UUID
    dataset_id: UUID


def list_pins(agent_id: UUID, project: UUID) -> list[Pin]:
    """Return the suites that an agent pins, in the order in which they were pinned."""
    found = PinnedSuiteRecord.objects.filter(project_id=project, agent_id=agent_id)
    rows = found.select_related("dataset").order_by("created_at", "id")
    return [
        Pin(row.dataset_id, row.dataset.name, row.dataset.deleted_at is not None) for row in rows
    ]


def list_measured_on(
    version_ids: Collection[UUID], project: UUID, *, limit: int
) -> list[tuple[UUID, str]]:
    """Return the datasets on which sweeps measured these versions, the last used one first."""
    found = SweptVersionRecord.objects.filter(
        version_id__in=version_ids, dataset__project_id=project, dataset__deleted_at__isnull=True
    )
    rows = found.values_list("dataset_id", "dataset__name").annotate(newest=Max("created_at"))
    return [(id, name) for id, name, _ in rows.order_by("-newest", "dataset_id")[:limit]]


def pin(agent_id: UUID, dataset_id: UUID, project: UUID, *, owner: int | None) -> None:
    """Pin a suite; does nothing if it is pinned already."""
    PinnedSuiteRecord.objects.get_or_create(
        agent_id=agent_id,
        dataset_id=dataset_id,
        defaults={"project_id": project, "owner_id": owner},
    )


def unpin(agent_id: UUID, dataset_id: UUID, project: UUID) -> None:
    """Remove a pin; does nothing if there is none."""
    PinnedSuiteRecord.objects.filter(
        project_id=project, agent_id=agent_id, dataset_id=dataset_id
    ).delete()


def remember_versions(found: Iterable[SweptVersion]) -> None:
    """Keep which versions a sweep measures; what is recorded already stays."""
    rows = [
        SweptVersionRecord(
            sweep_id=one.sweep_id,
            variant=one.variant,
            version_id=one.version_id,
            dataset_id=one.dataset_id,
        )
        for one in found
    ]
    SweptVersionRecord.objects.bulk_create(rows, ignore_conflicts=True)


def list_sweeps_of(
    version_ids: Collection[UUID], dataset_ids: Collection[UUID]
) -> list[SweptVersion]:
    """Return the sweeps that measured these versions on these datasets, newest first."""
    found = SweptVersionRecord.objects.filter(
        version_id__in=version_ids, dataset_id__in=dataset_ids
    )
    columns = ("sweep_id", "variant", "version_id", "dataset_id")
    rows = found.order_by("-created_at", "-id").values_list(*columns)
    return [SweptVersion(*row) for row in rows]
