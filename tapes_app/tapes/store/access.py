"""Finds the rows of tapes and steps: every lookup goes through the project."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any
from uuid import UUID

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, Expression, F, Q, QuerySet, UUIDField
from django.db.models.expressions import Combinable
from django.db.models.sql.compiler import SQLCompiler

from tapes_app.engine.errors import ArchivedError, NotFoundError
from tapes_app.models import StepRecord, TapeRecord
from tapes_app.projects.domain.columns import fit_text, read_uuid
from tapes_app.projects.store.records import ids_like
from tapes_app.tapes.domain.spans import Spans, read_spans

MAX_SPANS = 100
"""A tape with more spans gets its own copies of rows, so that reading it stays a small query."""


def get_tape(
    tape_id: UUID,
    project: UUID,
    *,
    for_update: bool = False,
    related: tuple[str, ...] = (),
) -> TapeRecord:
    """Return a live tape's row.

    Raises:
        NotFoundError: there is no such tape in this project, or it is deleted.
    """
    records = _find_live(tape_id, project)
    if for_update:
        records = records.select_for_update()
    if related:
        records = records.select_related(*related)
    record = next(iter(records), None)  # at most one: `first` would sort them
    if record is None:
        raise _no_tape(tape_id)
    return record


def get_spans(tape_id: UUID, project: UUID) -> Spans:
    """Return where the steps of a live tape are.

    Raises:
        NotFoundError: there is no such tape in this project, or it is deleted.
    """
    (stored,) = get_columns(tape_id, project, "spans")
    return read_spans(stored)


def get_columns(tape_id: UUID, project: UUID, *names: str) -> tuple[Any, ...]:
    """Return some columns of a live tape: half the work of loading its full row, which has fifty.

    Raises:
        NotFoundError: there is no such tape in this project, or it is deleted.
    """
    rows = _find_live(tape_id, project).values_list(*names)
    row: tuple[Any, ...] | None = next(iter(rows), None)
    if row is None:
        raise _no_tape(tape_id)
    return row


def require_tape(tape_id: UUID, project: UUID) -> None:
    """Check that there is such a tape, for callers that need to know only that.

    Raises:
        NotFoundError: there is no such tape in this project, or it is deleted.
    """
    if not _find_live(tape_id, project).exists():
        raise _no_tape(tape_id)


def _find_live(tape_id: UUID, project: UUID) -> QuerySet[TapeRecord]:
    return TapeRecord.objects.filter(id=tape_id, project_id=project, deleted_at__isnull=True)


def pick_tapes(tape_ids: Iterable[UUID], project: UUID) -> QuerySet[TapeRecord]:
    """Return the given tapes that are in the project and not deleted, in no order."""
    picked = TapeRecord.objects.filter(is_in(project), id__in=set(tape_ids))
    return picked.filter(deleted_at__isnull=True).order_by()


def is_in(project: UUID) -> Q:
    """Return the condition that rows, found by other means, belong to a project.

    With a plain equality, SQLite would scan all tapes of the project instead of looking up the
    tapes whose ids are given.
    """
    return Q(project_id__gte=project, project_id__lte=project)


def _no_tape(tape_id: UUID) -> NotFoundError:
    return NotFoundError("Tape not found.", tape_id=str(tape_id))


def get_tape_to_change(tape_id: UUID, project: UUID) -> TapeRecord:
    """Return a tape's row, locked, for a caller that will write to it, run it or branch from it.

    Raises:
        NotFoundError: there is no such tape in this project, or it is deleted.
        ArchivedError: the tape is archived.
    """
    tape = get_tape(tape_id, project, for_update=True)
    refuse_archived(tape)
    return tape


def refuse_archived(tape: TapeRecord) -> None:
    """Raise `ArchivedError` for a tape that is read-only until it is restored."""
    if tape.archived_at is not None:
        raise ArchivedError(
            "This tape is archived and cannot be changed or run; restore it first.",
            tape_id=str(tape.id),
        )


def is_of_family(root: UUID) -> Q:
    """Return the condition that selects a family: its oldest tape and all of its descendants."""
    return Q(root_id=root) | Q(id=root)


def spans_filter(spans: Spans) -> Q:
    """Return the condition that selects exactly the steps of some spans.

    Writers keep a tape's spans few (`MAX_SPANS`), so the condition stays small.
    """
    return Q(_InSpans(spans)) if spans else Q(pk__in=())


def read_columns(
    spans: Spans, *columns: str, **computed: Combinable
) -> dict[tuple[UUID, int], tuple[Any, ...]]:
    """Return columns of the steps of some spans by log and position, in one query.

    A column may be one of the `computed` ones.
    """
    rows = (
        StepRecord.objects.filter(spans_filter(spans))
        .order_by()
        .annotate(**computed)
        .values_list("log_id", "position", *columns)
    )
    return {(row[0], row[1]): row[2:] for row in rows}


class _InSpans(Expression):
    """Whether a step is in one of the given spans, of which there is at least one.

    A chain of `Q` produces the same SQL, but resolves the names and values of each span one by one:
    that was a fifth of the time of exporting short tapes.
    """

    conditional = True
    output_field = BooleanField()

    def __init__(self, spans: Spans) -> None:
        super().__init__()
        self._spans = spans
        self._columns: list[Any] = [F("log_id"), F("position")]

    def get_source_expressions(self) -> list[Any]:
        return self._columns

    def set_source_expressions(self, exprs: Sequence[Any]) -> None:
        self._columns = list(exprs)

    def as_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, tuple[str | int, ...]]:
        (log, _), (position, _) = map(compiler.compile, self._columns)
        one = f"({log} = %s AND {position} >= %s AND {position} < %s)"
        write = UUIDField().get_db_prep_value
        values = [(write(span.log, connection), span.start, span.end) for span in self._spans]
        return f"({' OR '.join([one] * len(values))})", tuple(chain.from_iterable(values))


def find_tape_ids(project: UUID, text: str) -> list[UUID]:
    """Return the live tape with this id, or those that had it in their files.

    If there are none, return those whose ids start with it.
    """
    records = TapeRecord.objects.filter(is_in(project), deleted_at__isnull=True)
    tape_id = read_uuid(text.lower())
    if tape_id is not None and records.filter(id=tape_id).exists():
        return [tape_id]
    named = records.filter(source_id=fit_text(text, 200)).values_list("id", flat=True)
    return list(named[:100]) or ids_like(records, text)
