"""Where tapes begin: the steps before an agent's first, and the batches that tapes are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count

from tapes_app.models import StepRecord, TapeRecord
from tapes_app.storage.spans import cut_spans, places, read_spans
from tapes_app.storage.tape_access import get_tape, spans_filter

_PAGE = 100


@dataclass(frozen=True, slots=True)
class TapeStart:
    """How many leading steps a person or the environment wrote."""

    step_count: int
    has_context: bool

    @property
    def is_empty(self) -> bool:
        """Nothing was asked: an agent has nothing to begin with."""
        return not self.step_count and not self.has_context


@dataclass(frozen=True, slots=True)
class SourceBatch:
    """A batch with how many of some tapes are in it."""

    id: UUID
    name: str
    tape_count: int


def find_start(tape_id: UUID, project: UUID) -> TapeStart:
    """Return the start of a tape: what is observed before an agent thinks or does anything.

    Raises:
        NotFoundError: no such tape in this project.
    """
    tape = get_tape(tape_id, project)
    spans = read_spans(tape.spans)
    has_context = tape.context not in (None, "", [], {})
    for start in range(0, tape.step_count, _PAGE):
        part = cut_spans(spans, start, _PAGE)
        rows = StepRecord.objects.filter(spans_filter(part)).order_by()
        columns = ("log_id", "position", "family")
        families = {(log, at): family for log, at, family in rows.values_list(*columns)}
        for position, place in enumerate(places(part), start=start):
            if families[place] != "observation":
                return TapeStart(position, has_context)
    return TapeStart(tape.step_count, has_context)


def list_source_batches(
    project: UUID, *, tape_ids: Sequence[UUID] | None = None, parents_of: UUID | None = None
) -> list[SourceBatch]:
    """Return the batches that some tapes are in, or the parents of a batch's; largest first."""
    tapes = TapeRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    if tape_ids is not None:
        rows, batch = tapes.filter(id__in=tape_ids), "batch"
    else:
        rows, batch = tapes.filter(batch_id=parents_of), "parent__batch"
    counted = (
        rows.filter(**{f"{batch}__isnull": False})
        .values_list(f"{batch}__id", f"{batch}__name")
        .annotate(count=Count("id"))
        .order_by("-count")
    )
    return [SourceBatch(id, name, count) for id, name, count in counted]


def have_all_tasks(batch_id: UUID, project: UUID) -> bool:
    """Tell whether every tape of a batch names its task."""
    tapes = TapeRecord.objects.filter(project_id=project, batch_id=batch_id)
    return not tapes.filter(deleted_at__isnull=True, task="").exists()
