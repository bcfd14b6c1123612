"""What keeps a library quick that grows."""

from uuid import UUID

import pytest
from django.db import connection

from tapes_app.engine.tape import Tape
from tapes_app.jobs.store import upkeep
from tapes_app.jobs.store.upkeep import keep_quick
from tapes_app.tapes.store.saving import save_tape
from tests.builders.tapes import user_step

pytestmark = pytest.mark.django_db


def test_rows_are_counted_once_and_again_when_there_are_twice_as_many(
    project_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_LEAST_STEPS", 4)
    save_tape(project_id, Tape(steps=tuple(user_step(f"step {at}") for at in range(5))))
    known = keep_quick(0)

    if connection.vendor == "postgresql":
        assert known == 0
        return
    assert known >= 5
    assert "step" in analysed_tables()
    assert keep_quick(known) == known
    save_tape(project_id, Tape(steps=tuple(user_step(f"step {at}") for at in range(known))))
    assert keep_quick(known) >= 2 * known


def test_a_small_library_is_left_alone(project_id: UUID) -> None:
    save_tape(project_id, Tape(steps=(user_step("one"),)))

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


def analysed_tables() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT DISTINCT tbl FROM sqlite_stat1")
        return {name for (name,) in cursor.fetchall()}
