"""Tests of loading many tapes at once: as one by one, but with few queries."""

from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.tapes.store.edits import fork_tape
from tapes_app.tapes.store.loading import load_tape, load_tapes
from tapes_app.tapes.store.removal import delete_tape
from tapes_app.tapes.store.saving import save_tape
from tests.builders.tapes import make_steps, make_tape

pytestmark = pytest.mark.django_db


def test_many_tapes_come_in_the_order_asked_for_as_one_by_one(project_id: UUID) -> None:
    parent = save_tape(project_id, make_tape(5))
    ids = [save_tape(project_id, make_tape(count)) for count in (3, 700, 0, 2)]
    ids += [fork_tape(parent, project=project_id, at=at) for at in (4, 2, 4)]
    wanted = [*reversed(ids), parent, ids[0]]

    loaded = list(load_tapes(wanted, project_id))

    assert loaded == [load_tape(tape_id, project_id) for tape_id in wanted]


def test_imported_tapes_keep_the_ids_of_their_file(project_id: UUID) -> None:
    metadata = TapeMetadata(id="of the file", parent_id="of another")
    tape = Tape(metadata=metadata, steps=make_steps(2))
    tape_id = save_tape(project_id, tape)

    (loaded,) = load_tapes([tape_id], project_id, as_source=True)

    assert loaded == tape


def test_a_tape_that_is_not_there_leaves_its_place_empty(
    project_id: UUID, other_project_id: UUID
) -> None:
    here, deleted = (save_tape(project_id, make_tape(2)) for _ in range(2))
    elsewhere = save_tape(other_project_id, make_tape(2))
    delete_tape(deleted, project_id)

    loaded = list(load_tapes([elsewhere, here, deleted, uuid4()], project_id))

    assert loaded == [None, load_tape(here, project_id), None, None]


def test_short_tapes_are_read_together(project_id: UUID) -> None:
    ids = [save_tape(project_id, make_tape(2)) for _ in range(40)]

    with CaptureQueriesContext(
        connection,
    ) as queries:
        loaded = list(load_tapes(ids, project_id))

    assert len(loaded) == 40
    assert len(queries) < 10
