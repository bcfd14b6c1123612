"""Regression tests: which tapes are tests, how many of their steps are kept, and what passes."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.engine.errors import NotFoundError, TapeRangeError
from tapes_app.models import RegressionTestRecord
from tapes_app.projects.domain.rows import row_of
from tapes_app.tapes.store.access import get_tape_to_change


@dataclass(frozen=True, slots=True)
class RegressionTestRow:
    """What makes a tape a regression test."""

    tape_id: UUID
    kept_count: int
    """How many leading steps a run keeps."""

    pass_check: dict[str, Any]
    """The condition for passing, in the form of Run N's checks."""


@transaction.atomic
def set_test(
    tape_id: UUID, project: UUID, *, pass_check: dict[str, Any], kept_count: int | None = None
) -> None:
    """Make a tape a regression test, or change the condition for passing.

    The number of kept steps stays as it was, or is the tape's current length.

    Raises:
        NotFoundError: there is no such tape in this project.
        ArchivedError: the tape is archived.
        TapeRangeError: the tape has fewer steps than that.
    """
    tape = get_tape_to_change(tape_id, project)
    if kept_count is not None and not 0 <= kept_count <= tape.step_count:
        raise TapeRangeError(
            f"Cannot keep {kept_count} steps: the tape has {tape.step_count}.", at=kept_count
        )
    kept = {} if kept_count is None else {"kept_count": kept_count}
    RegressionTestRecord.objects.update_or_create(
        tape_id=tape.id,
        defaults={"pass_check": pass_check, **kept},
        create_defaults={"pass_check": pass_check, "kept_count": tape.step_count, **kept},
    )


def set_tests(rows: Iterable[RegressionTestRow]) -> None:
    """Make newly written tapes regression tests."""
    RegressionTestRecord.objects.bulk_create(RegressionTestRecord(**asdict(row)) for row in rows)


def find_test(tape_id: UUID) -> RegressionTestRow | None:
    """Return a tape's regression test; `None` if it is not one."""
    return find_tests([tape_id]).get(tape_id)


def find_tests(tape_ids: Collection[UUID]) -> dict[UUID, RegressionTestRow]:
    """Return the regression tests among the given tapes, in one query."""
    rows = RegressionTestRecord.objects.filter(tape_id__in=tape_ids)
    return {row.tape_id: row_of(RegressionTestRow, row) for row in rows}


def load_test(tape_id: UUID, project: UUID) -> RegressionTestRow:
    """Return a tape's regression test.

    Raises:
        NotFoundError: the project has no such tape, or it is not a regression test.
    """
    tests = RegressionTestRecord.objects.filter(
        tape_id=tape_id, tape__project_id=project, tape__deleted_at__isnull=True
    )
    row = next(iter(tests), None)
    if row is None:
        raise NotFoundError("Regression test not found.", tape_id=str(tape_id))
    return row_of(RegressionTestRow, row)
