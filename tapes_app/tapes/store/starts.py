"""The starts of tapes: the steps before an agent's first, and the batches that tapes are in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from tapes_app.models import TapeRecord
from tapes_app.tapes.domain.spans import cut_spans, places, read_spans
from tapes_app.tapes.store.access import get_columns, read_columns

_PAGE = 100


@dataclass(frozen=True, slots=True)
class TapeStart:
    """How many leading steps a person or the environment wrote."""

    step_count: int
    has_context: bool

    @property
    def is_empty(self) -> bool:
        """There is no request: an agent has nothing to start with."""
        return not self.step_count and not self.has_context


@dataclass(frozen=True, slots=True)
class SourceBatch:
    """A batch, and how many of the given tapes are in it."""

    id: UUID
    name: str
    tape_count: int


def find_start(tape_id: UUID, project: UUID) -> TapeStart:
    """Return the start of a tape: what is observed before an agent thinks or acts.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    stored, count, context = get_columns(tape_id, project, "spans", "step_count", "context")
    spans = read_spans(stored)
    has_context = context not in (None, "", [], {})
    for start in range(0, count, _PAGE):
        part = cut_spans(spans, start, _PAGE)
        families = read_columns(part, "family")
        for position, place in enumerate(places(part), start=start):
            if families[place] != ("observation",):
                return TapeStart(position, has_context)
    return TapeStart(count, has_context)


def list_source_batches(project: UUID, tape_ids: Sequence[UUID]) -> list[SourceBatch]:
    """Return the batches that the given tapes are in, largest first."""
    tapes = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True, id__in=tape_ids)
    counted = (
        tapes.filter(batch__isnull=False)
        .values_list("batch__id", "batch__name")
        .annotate(count=Count("id"))
        .order_by("-count")
    )
    return [SourceBatch(*row) for row in counted]


def list_parent_batches(
    project: UUID, batch_ids: Collection[UUID]
) -> dict[UUID, list[SourceBatch]]:
    """Return for each given batch the batches of its tapes' parents, largest first."""
    tapes = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    counted = (
        tapes.filter(batch_id__in=batch_ids, parent__batch__isnull=False)
        .values_list("batch_id", "parent__batch__id", "parent__batch__name")
        .annotate(count=Count("id"))
        .order_by("-count")
    )
    found: dict[UUID, list[SourceBatch]] = {batch_id: [] for batch_id in batch_ids}
    for batch_id, *row in counted:
        found[batch_id].append(SourceBatch(*row))
    return found


def find_main_version(project: UUID, tape_ids: Sequence[UUID]) -> UUID | None:
    """Return the agent version that wrote most of the tapes; `None` if none here wrote any."""
    tapes = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True, id__in=tape_ids)
    counted = (
        tapes.filter(agent_version__isnull=False)
        .order_by()
        .values_list("agent_version_id")
        .annotate(count=Count("id"))
        .order_by("-count", "agent_version_id")
    )
    found: tuple[UUID, int] | None = counted.first()
    return found[0] if found is not None else None


def find_untold_tasks(project: UUID, batch_ids: Collection[UUID]) -> set[UUID]:
    """Return the batches with a tape that does not name its task."""
    tapes = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True, task="")
    found = tapes.filter(batch_id__in=batch_ids).order_by().values_list("batch_id", flat=True)
    return set(found.distinct())
