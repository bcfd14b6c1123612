"""A tape as an attempt at its task: where it first fails, which way it went, who else passed."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from tapes_app.library.suspicion import PathSign
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.projects.rows import row_of
from tapes_app.tapes.spans import Spans, cut_spans, places, read_spans
from tapes_app.tapes.store.access import is_of_family, spans_filter
from tapes_app.tapes.task_outcome import Outcome

MOST_PASSED = 12
"""How many tapes that passed are looked at, the newest."""

MOST_STEPS = 2_000
"""Of each tape: who parts later than that is not told."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is read of a tape before anything is looked for on it."""

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
    """Return the first step that reports an error, in one query; in none where none does."""
    if not error_count:
        return None
    found = StepRecord.objects.filter(spans_filter(spans), is_error=True).order_by()
    gists = {(log, at): gist for log, at, gist in found.values_list("log_id", "position", "gist")}
    for index, place in enumerate(places(spans)):
        if place in gists:
            return StepLine(index, gists[place])
    return None


def load_gist(spans: Spans, position: int) -> str:
    """Return the line that says what a step says."""
    at = spans_filter(cut_spans(spans, position, 1))
    return StepRecord.objects.filter(at).order_by().values_list("gist", flat=True)[0]


def load_path(spans: Spans) -> list[PathSign]:
    """Return the signs of the first steps of a tape, in one query that reads no bodies."""
    first = cut_spans(spans, 0, MOST_STEPS)
    columns = ("log_id", "position", "kind", "node", "tools", "call_digest", "is_error")
    rows = StepRecord.objects.filter(spans_filter(first)).order_by().values_list(*columns)
    found = {(row[0], row[1]): row[2:] for row in rows}
    return [_sign(found[place]) for place in places(first)]


def _sign(row: tuple[Any, ...]) -> PathSign:
    kind, node, tools, call_digest, is_error = row
    # What an assistant only says is an action too, in other words each time.
    call = "" if kind == "assistant" and not tools else call_digest or ""
    return PathSign(kind, node, call, is_error)


def list_passed(attempt: Attempt) -> list[Spans]:
    """Return the newest tapes that passed the task of a tape; without a task, of its family."""
    passed = TapeRecord.objects.filter(
        project_id=attempt.project, outcome=TapeRecord.Outcome.PASSED, deleted_at__isnull=True
    )
    alike = _of_task(passed, attempt)
    newest = alike.exclude(id=attempt.id).order_by("-created_at")
    return [read_spans(spans) for spans in newest.values_list("spans", flat=True)[:MOST_PASSED]]


def _of_task(passed: QuerySet[TapeRecord], attempt: Attempt) -> QuerySet[TapeRecord]:
    if attempt.task:
        return passed.filter(task=attempt.task)
    return passed.filter(is_of_family(attempt.root_id))
