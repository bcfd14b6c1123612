"""What keeps a library quick that grows."""

from uuid import UUID

import pytest
from django.db import connection

from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store import upkeep
from tapes_app.jobs.store.upkeep import keep_quick
from tapes_app.models import StepRecord
from tapes_app.tapes.store.saving import save_tape
from tests.builders.tapes import user_step

pytestmark = pytest.mark.django_db


def test_rows_are_counted_once_and_again_when_there_are_twice_as_many(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_LEAST_STEPS", 4)
    count = grow_library(project_id)

    if connection.vendor == "postgresql":
        assert keep_quick(0) == 0
        return
    assert keep_quick(0) == count
    assert "step" in analysed_tables()
    assert keep_quick(count // 2 + 1) == count // 2 + 1
    assert keep_quick(count // 2) == count


def test_a_small_library_is_left_alone(project_id: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "_LEAST_STEPS", grow_library(project_id) + 1)

    assert keep_quick(0) == 0


def test_indexes_of_a_table_are_told_to_be_of_one_length(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor == "postgresql":
        return
    monkeypatch.setattr(upkeep, "_LEAST_STEPS", 1)
    save_tape(project_id, Tape(steps=tuple(user_step(f"step {at}") for at in range(5))))
    keep_quick(0)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sqlite_stat1 SET stat = '99 7 1' WHERE idx = 'tape_newest_of_all'")

        upkeep.level_counts()

        cursor.execute("SELECT stat FROM sqlite_stat1 WHERE idx = 'tape_newest_of_all'")
        assert cursor.fetchone() == ("1 7 1",)


def grow_library(project_id: UUID) -> int:
    """Save a tape; return how many steps there are, with those that earlier tests deleted."""
    save_tape(project_id, Tape(steps=tuple(user_step(f"step {at}") for at in range(5))))
    return StepRecord.objects.latest("id").pk


def analysed_tables() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tbl FROM sqlite_stat1")
        return {name for (name,) in cursor.fetchall()}
