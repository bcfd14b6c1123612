"""Datasets in the store: of many who put the same in at once, one changes something."""

from uuid import UUID

import pytest

from tapes_app.bulk.store import dataset_tapes, datasets
from tapes_app.bulk.store.undo_log import UndoableChange, take_change
from tapes_app.library.store.plans import TapeFilter
from tapes_app.tapes.store.saving import save_tape
from tests.builders.at_once import at_once
from tests.builders.tapes import make_tape


@pytest.mark.django_db(transaction=True)
def test_who_put_the_same_in_at_once_have_changed_it_once(project_id: UUID, user: int) -> None:
    tapes = tuple(save_tape(project_id, make_tape(1)) for _ in range(3))
    dataset = datasets.create_dataset(project_id, owner=user, name="d").id
    where = TapeFilter(ids=tapes)

    changes = at_once(lambda _: dataset_tapes.add_tapes(dataset, project_id, where, owner=user))

    counts = [one.changed_count for one in changes if isinstance(one, UndoableChange)]
    assert sorted(counts)[-2:] == [0, 3]
    assert datasets.load_dataset(dataset, project_id).tape_count == 3


@pytest.mark.django_db
def test_more_than_one_page_of_tapes_goes_in_and_out(
    project_id: UUID, user: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset_tapes, "_PAGE", 2)
    tapes = tuple(save_tape(project_id, make_tape(1)) for _ in range(5))
    dataset = datasets.create_dataset(project_id, owner=user, name="d").id
    where = TapeFilter(ids=tapes)

    added = dataset_tapes.add_tapes(dataset, project_id, where, owner=user)
    assert added.id is not None
    assert datasets.load_dataset(dataset, project_id).tape_count == 5
    assert (
        dataset_tapes.restore(project_id, take_change(added.id, project_id, [dataset_tapes.ADDED]))
        == 5
    )
    assert datasets.load_dataset(dataset, project_id).tape_count == 0
