"""Many tapes pinned, archived, deleted or marked at once, and all of it taken back."""

from typing import Any
from uuid import UUID

import pytest

from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store.job import create_job
from tapes_app.models import BatchRecord, TapeChangeRecord, TapeRecord
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.saving import save_tape
from tests.exchange.test_exports_over_http import Place, place
from tests.http.asking import call

__all__ = ["place"]

pytestmark = pytest.mark.django_db


def store(place: Place, count: int, *, batch: str = "many") -> list[str]:
    project = place.world.project
    into = ensure_batch(project, batch).id
    return [
        str(save_tape(project, Tape(steps=(UserStep(content=f"tape {n}"),)), batch=into))
        for n in range(count)
    ]


def change(place: Place, said: dict[str, Any], expect: int = 200, **chosen: Any) -> Any:
    return call(place.client, "POST", "tapes/changes", {**chosen, "change": said}, expect)


def undo(place: Place, done: Any, expect: int = 200) -> Any:
    return call(place.client, "POST", f"tapes/changes/{done['id']}/undo", expect=expect)


def listed(place: Place, query: str) -> set[str]:
    rows = call(place.client, "GET", f"tapes?q=batch:many {query}&limit=200")["items"]
    return {row["id"] for row in rows}


@pytest.mark.parametrize(
    "column",
    ["is_pinned", "is_kept_from_training"],
)
def test_all_that_a_list_shows_is_changed_and_taken_back_exactly(place: Place, column: str) -> None:
    said = {column: True}
    tapes = store(place, 5)
    call(place.client, "PATCH", f"tapes/{tapes[0]}", said)

    done = change(place, said, q="batch:many")
    after = [call(place.client, "GET", f"tapes/{tape}")[column] for tape in tapes]
    undone = undo(place, done)

    assert (done["tape_count"], done["changed_count"], done["left_out"]) == (5, 4, [])
    assert after == [True] * 5
    assert undone == {"tape_count": 4}
    back = [call(place.client, "GET", f"tapes/{tape}")[column] for tape in tapes]
    assert back == [True, False, False, False, False]
    undo(place, done, expect=404)
    assert change(place, said, tape_ids=[tapes[0]])["id"] is None


def test_a_split_goes_back_to_what_each_had(place: Place) -> None:
    tapes = store(place, 3)
    call(place.client, "PATCH", f"tapes/{tapes[0]}", {"split": "test"})

    done = change(place, {"split": "train"}, q="batch:many")
    undo(place, done)

    splits = [call(place.client, "GET", f"tapes/{tape}")["split"] for tape in tapes]
    assert splits == ["test", "", ""]


def test_archived_tapes_leave_the_list_but_for_those_at_work(place: Place) -> None:
    tapes = store(place, 4)
    create_job(place.world.project, "run", request={}, tape_id=UUID(tapes[3]))

    done = change(place, {"is_archived": True}, q="batch:many")

    assert done["changed_count"] == 3
    assert done["left_out"] == [{"why": "it has an unfinished run", "tape_count": 1}]
    assert listed(place, "") == {tapes[3]}
    undo(place, done)
    assert listed(place, "") == set(tapes)


def test_a_deleted_family_goes_whole_and_comes_back_whole(place: Place) -> None:
    root, other, _ = store(place, 3)
    child = call(place.client, "POST", f"tapes/{root}/fork", {"at": 1}, expect=201)["tape_id"]

    refused = change(place, {"is_deleted": True}, q="batch:many")
    assert refused["changed_count"] == 2
    assert refused["left_out"] == [
        {"why": "another tape was forked from it and shares its steps", "tape_count": 1}
    ]
    assert BatchRecord.objects.get(name="many").tape_count == 1
    undo(place, refused)
    assert BatchRecord.objects.get(name="many").tape_count == 3

    done = change(place, {"is_deleted": True}, tape_ids=[root, child, other])
    assert (done["changed_count"], done["left_out"]) == (3, [])
    call(place.client, "GET", f"tapes/{child}", expect=404)
    assert undo(place, done) == {"tape_count": 3}
    assert call(place.client, "GET", f"tapes/{child}")["parent_id"] == root


def test_many_tapes_are_changed_in_few_queries(
    place: Place, django_assert_max_num_queries: Any
) -> None:
    store(place, 60)
    with django_assert_max_num_queries(40):
        done = change(place, {"is_deleted": True}, q="batch:many")
    assert done["changed_count"] == 60


def test_what_makes_no_sense_or_is_elsewhere_is_refused(place: Place) -> None:
    [tape] = store(place, 1)
    for said in ({}, {"is_pinned": True, "is_archived": True}, {"is_deleted": False}):
        change(place, said, expect=422, tape_ids=[tape])
    change(place, {"is_pinned": True}, expect=404, tape_ids=[str(place.world.project)])
    change(place, {"is_pinned": True}, expect=422, q="is:")
    assert not TapeChangeRecord.objects.filter(name="is_pinned").exists()
    assert TapeRecord.objects.get(id=tape).pinned_at is None


def test_all_of_a_list_goes_into_a_queue_once(place: Place) -> None:
    store(place, 3)
    queue = call(place.client, "POST", "queues", {"name": "look", "preset": "GREADTH"}, expect=201)
    chosen = {"selection": {"q": "batch:many"}}

    first = call(place.client, "POST", f"queues/{queue['id']}/items", chosen)
    again = call(place.client, "POST", f"queues/{queue['id']}/items", chosen)
    made = call(
        place.client, "POST", "queues", {"name": "new", "preset": "GREADTH", **chosen}, expect=201
    )

    assert (first["added_count"], again["added_count"]) == (3, 0)
    assert made["item_count"] == 3
