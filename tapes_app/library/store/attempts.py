"""A tape as an attempt at its task: where it first fails, which path it took, who else passed."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from tapes_app.library.domain.suspicion import PathSign
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.projects.domain.rows import row_of
from tapes_app.tapes.domain.spans import Spans, cut_spans, places, read_spans
from tapes_app.tapes.domain.task_outcome import Outcome
from tapes_app.tapes.store.access import is_of_family, read_columns, spans_filter

MOST_PASSED = 12
"""How many of the newest passed tapes are compared."""

MOST_STEPS = 2_000
"""How many steps of each tape are compared; tapes that diverge later are not reported."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is read of a tape before anything is searched on it."""

    id: UUID
    project: UUID
    task: str
    outcome: Outcome
    root_id: UUID
    spans: Spans
    error_count: int


@dataclass(frozen=True, slots=True)
class StepLine:
    position: int
    gist: str


def read_attempt(record: TapeRecord) -> Attempt:
    return row_of(
        Attempt,
        record,
        project=record.project_id,
        root_id=record.root_id or record.id,
        spans=read_spans(record.spans),
    )


def find_first_error(spans: Spans, error_count: int) -> StepLine | None:
    """Return the first step that reports an error, in one query; in none if there are no errors."""
    if not error_count:
        return None
    found = StepRecord.objects.filter(spans_filter(spans), is_error=True).order_by()
    gists = {(log, at): gist for log, at, gist in found.values_list("log_id", "position", "gist")}
    shown = (StepLine(at, gists[place]) for at, place in enumerate(places(spans)) if place in gists)
    return next(shown, None)


def load_gist(spans: Spans, position: int) -> str:
    """Return the one-line summary of a step."""
    at = spans_filter(cut_spans(spans, position, 1))
    return StepRecord.objects.filter(at).order_by().values_list("gist", flat=True)[0]


def load_path(spans: Spans) -> list[PathSign]:
    """Return the signs of a tape's first steps, in one query that reads no bodies."""
    first = cut_spans(spans, 0, MOST_STEPS)
    found = read_columns(first, "kind", "node", "tools", "call_digest", "is_error", "family")
    return [_sign(found[place]) for place in places(first)]


def _sign(row: tuple[Any, ...]) -> PathSign:
    kind, node, tools, call_digest, is_error, family = row
    # An assistant's message is an action too, but its wording differs each time.
    call = "" if kind == "assistant" and not tools else call_digest or ""
    return PathSign(kind, node, call, is_error, family != "observation")


def list_passed(attempt: Attempt) -> list[Spans]:
    """Return the newest tapes that passed the same task; if the tape has no task, of its family."""
    passed = TapeRecord.objects.filter(
        project_id=attempt.project, outcome=TapeRecord.Outcome.PASSED, deleted_at__isnull=True
    )
    same_task = Q(task=attempt.task) if attempt.task else is_of_family(attempt.root_id)
    newest = passed.filter(same_task).exclude(id=attempt.id).order_by("-created_at")
    return [read_spans(spans) for spans in newest.values_list("spans", flat=True)[:MOST_PASSED]]
