"""Regression tests: which tapes are one, how many of their steps are kept, and what passes."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.engine.errors import NotFoundError, TapeRangeError
from tapes_app.models import RegressionTestRecord
from tapes_app.tapes.store.access import get_tape_to_change


@dataclass(frozen=True, slots=True)
class RegressionTestRow:
    """What makes a tape a regression test."""

    tape_id: UUID
    kept_count: int
    """How many leading steps a run keeps."""

    pass_check: dict[str, Any]
    """What passes, as checks of Run N are written."""


@transaction.atomic
def set_test(
    tape_id: UUID, project: UUID, *, pass_check: dict[str, Any], kept_count: int | None = None
) -> None:
    """Make a tape a regression test, or change what passes one.

    What is kept stays as it was, or is the whole tape as it is now.

    Raises:
        NotFoundError: no such tape in this project.
        ArchivedError: the tape is archived.
        TapeRangeError: fewer steps than that are on the tape.
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
    """Make tapes that were written just now regression tests."""
    RegressionTestRecord.objects.bulk_create(
        RegressionTestRecord(
            tape_id=row.tape_id, kept_count=row.kept_count, pass_check=row.pass_check
        )
        for row in rows
    )


def find_test(tape_id: UUID) -> RegressionTestRow | None:
    """Return what makes a tape a regression test; `None`: it is none."""
    return find_tests([tape_id]).get(tape_id)


def find_tests(tape_ids: Collection[UUID]) -> dict[UUID, RegressionTestRow]:
    """Return those of some tapes that are regression tests, in one query."""
    rows = RegressionTestRecord.objects.filter(tape_id__in=tape_ids)
    return {
        row.tape_id: RegressionTestRow(row.tape_id, row.kept_count, row.pass_check) for row in rows
    }


def load_test(tape_id: UUID, project: UUID) -> RegressionTestRow:
    """Return what makes a tape a regression test.

    Raises:
        NotFoundError: the project has no such tape, or it is no regression test.
    """
    tests = RegressionTestRecord.objects.filter(
        tape_id=tape_id, tape__project_id=project, tape__deleted_at__isnull=True
    )
    row = next(iter(tests), None)
    if row is None:
        raise NotFoundError("Regression test not found.", tape_id=str(tape_id))
    return RegressionTestRow(row.tape_id, row.kept_count, row.pass_check)
