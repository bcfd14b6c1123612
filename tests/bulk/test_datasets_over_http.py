"""Datasets over HTTP: made, filled, asked for in queries, changed and put back as they were."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import TapeChangeRecord, TapeRecord
from tapes_app.tapes.store.removal import delete_tape
from tapes_app.tapes.store.saving import save_tape
from tests.http.asking import call
from tests.http.worlds import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def tapes(world: World) -> list[str]:
    """Three tapes of the owner's project that are in no dataset."""
    return [
        str(save_tape(world.project, Tape(steps=(UserStep(content=f"number {number}"),))))
        for number in range(3)
    ]


def make(client: Client, name: str = "hard ones", expect: int = 201, **body: Any) -> Any:
    return call(client, "POST", "datasets", {"name": name, **body}, expect)


def add(client: Client, dataset: Any, expect: int = 200, **selection: Any) -> Any:
    return call(client, "POST", f"datasets/{dataset['id']}/add", selection, expect)


def remove(client: Client, dataset: Any, **selection: Any) -> Any:
    return call(client, "POST", f"datasets/{dataset['id']}/remove", selection)


def undo(client: Client, change: Any, expect: int = 200) -> Any:
    return call(client, "POST", f"datasets/changes/{change['id']}/undo", expect=expect)


def listed(client: Client, query: str) -> set[str]:
    answer = client.get("/api/v1/tapes", {"q": query})
    assert answer.status_code == 200, answer.content
    return {row["id"] for row in answer.json()["items"]}


def test_a_dataset_is_made_filled_and_counted(studio: Client, tapes: list[str]) -> None:
    TapeRecord.objects.filter(id=tapes[0]).update(
        split="train", input_tokens=5, output_tokens=2, cost_micro_usd=30
    )
    TapeRecord.objects.filter(id=tapes[1]).update(split="test", is_kept_from_training=True)
    TapeRecord.objects.filter(id=tapes[2]).update(archived_at=timezone.now())

    made = make(studio, "  hard ones ", description="What fails.")
    change = add(studio, made, tape_ids=tapes)
    found = call(studio, "GET", f"datasets/{made['id']}")

    assert (made["name"], made["owner_name"], made["tape_count"]) == ("hard ones", "ada", 0)
    assert (change["tape_count"], change["changed_count"]) == (3, 3)
    assert found["updated_at"] > made["updated_at"]
    told = {name: value for name, value in found.items() if name.endswith(("_count", "tokens"))}
    assert told == {
        "tape_count": 3, "archived_count": 1, "train_count": 1, "validation_count": 0,
        "test_count": 1, "unsplit_count": 1, "kept_count": 1, "step_count": 3, "tokens": 7,
        "llm_call_count": 0, "unpriced_call_count": 0,
    }  # fmt: skip
    assert found["cost_micro_usd"] == 30
    assert call(studio, "GET", "datasets")["items"][0] == found


def test_a_dataset_is_made_with_tapes_in_it_or_not_at_all(
    studio: Client, tapes: list[str], elsewhere: World
) -> None:
    made = make(studio, "all", selection={"q": "-tag:seen"})
    refused = make(
        studio, "none", selection={"tape_ids": [*tapes, str(elsewhere.tape)]}, expect=404
    )
    make(studio, "none", selection={"q": "agnt:x"}, expect=422)

    assert made["tape_count"] == 3
    assert refused["message"] == "Only 3 of 4 tapes are in this project."
    assert "none" not in [one["name"] for one in call(studio, "GET", "datasets/names")]


def test_undoing_takes_back_exactly_what_was_changed_and_once(
    studio: Client, tapes: list[str]
) -> None:
    made = make(studio, selection={"tape_ids": tapes[:1]})

    added = add(studio, made, tape_ids=tapes)
    assert added["changed_count"] == 2
    assert undo(studio, added) == {"tape_count": 2}
    assert listed(studio, 'dataset:"hard ones"') == set(tapes[:1])

    removed = remove(studio, made, tape_ids=tapes)
    assert (removed["tape_count"], removed["changed_count"]) == (3, 1)
    assert listed(studio, 'dataset:"hard ones"') == set()
    assert undo(studio, removed) == {"tape_count": 1}
    assert listed(studio, 'dataset:"hard ones"') == set(tapes[:1])
    again = undo(studio, removed, expect=404)

    removed = remove(studio, made, tape_ids=tapes)
    add(studio, made, tape_ids=tapes)
    undo(studio, removed)
    assert call(studio, "GET", f"datasets/{made['id']}")["tape_count"] == 3
    assert again["message"] == "This change can no longer be undone."


def test_a_change_is_taken_back_within_a_day_and_by_its_own_route(
    studio: Client, tapes: list[str]
) -> None:
    made = make(studio)
    added = add(studio, made, tape_ids=tapes)

    call(studio, "POST", f"tapes/changes/{added['id']}/undo", expect=404)
    TapeChangeRecord.objects.update(created_at=timezone.now() - timedelta(hours=25))
    undo(studio, added, expect=404)

    assert listed(studio, f"dataset:{made['id']}") == set(tapes)


def test_a_change_that_changes_nothing_offers_no_undo(studio: Client, tapes: list[str]) -> None:
    made = make(studio, selection={"tape_ids": tapes})

    nothing: dict[str, Any] = {"id": None, "tape_count": 3, "changed_count": 0, "left_out": []}
    assert add(studio, made, tape_ids=tapes) == nothing


def test_what_the_query_shows_is_taken_out_while_it_shows_it(
    studio: Client, tapes: list[str]
) -> None:
    made = make(studio, selection={"tape_ids": tapes})

    removed = remove(studio, made, q='dataset:"hard ones"')

    assert removed["changed_count"] == 3
    assert call(studio, "GET", f"datasets/{made['id']}")["tape_count"] == 0


def test_queries_ask_for_datasets_by_name_and_by_id(
    studio: Client, tapes: list[str], world: World
) -> None:
    one = make(studio, "one", selection={"tape_ids": tapes[:2]})
    make(studio, "two", selection={"tape_ids": tapes[1:]})
    own = str(world.tape)

    assert listed(studio, "dataset:one") == set(tapes[:2])
    assert listed(studio, f"dataset:{one['id']}") == set(tapes[:2])
    assert listed(studio, "dataset:one,two") == set(tapes)
    assert listed(studio, "dataset:one dataset:two") == {tapes[1]}
    assert listed(studio, "-dataset:one has:dataset") == {tapes[2], own}
    assert listed(studio, 'dataset:"" OR dataset:nowhere') == set()
    call(studio, "DELETE", f"datasets/{one['id']}", expect=204)
    assert listed(studio, "dataset:one") == set()
    assert listed(studio, f"dataset:{one['id']}") == set()
    assert listed(studio, 'dataset:""') == {tapes[0]}


def test_completion_knows_the_datasets(studio: Client, world: World) -> None:
    make(studio, "hard ones")
    gone = make(studio, "hard and gone")
    call(studio, "DELETE", f"datasets/{gone['id']}", expect=204)

    fields = studio.get("/api/v1/tapes/completion", {"q": "data"}).json()
    names = studio.get("/api/v1/tapes/completion", {"q": "dataset:ha"}).json()

    assert [option["text"] for option in fields["options"]] == ["dataset:"]
    assert [option["text"] for option in names["options"]] == ['"hard ones"']


def test_datasets_of_others_are_not_there(
    studio: Client, tapes: list[str], world: World, elsewhere: World
) -> None:
    theirs = {"id": str(elsewhere.dataset)}

    add(studio, theirs, tape_ids=tapes, expect=404)

    assert listed(studio, f"dataset:{elsewhere.dataset}") == set()
    assert listed(studio, "has:dataset") == {str(world.tape)}


def test_names_say_in_which_a_tape_is(studio: Client, tapes: list[str], world: World) -> None:
    make(studio, "b", selection={"tape_ids": tapes[:1]})
    make(studio, "A")

    names = call(studio, "GET", f"datasets/names?tape={tapes[0]}")

    told = [(one["name"], one["has_tape"]) for one in names]
    assert told == [("A", False), ("b", True), (f"dataset of {world.project}", False)]


def test_a_deleted_dataset_comes_back_with_its_tapes(studio: Client, tapes: list[str]) -> None:
    made = make(studio, selection={"tape_ids": tapes})
    call(studio, "DELETE", f"datasets/{made['id']}", expect=204)
    call(studio, "GET", f"datasets/{made['id']}", expect=404)
    assert made["id"] not in [one["id"] for one in call(studio, "GET", "datasets")["items"]]

    back = call(studio, "POST", f"datasets/{made['id']}/restore")

    assert back["tape_count"] == 3
    call(studio, "POST", f"datasets/{made['id']}/restore", expect=404)


def test_a_name_is_taken_once(studio: Client) -> None:
    first, second = make(studio, "one"), make(studio, "two")
    assert make(studio, " one", expect=409)["code"] == "conflict"
    refused = call(studio, "PATCH", f"datasets/{second['id']}", {"name": "one"}, expect=409)
    assert refused["message"] == ("The project already has a dataset 'one'; choose another name.")

    call(studio, "DELETE", f"datasets/{first['id']}", expect=204)
    renamed = call(studio, "PATCH", f"datasets/{second['id']}", {"name": "one"})

    assert (renamed["name"], renamed["description"]) == ("one", "")
    call(studio, "POST", f"datasets/{first['id']}/restore", expect=409)


def test_deleted_tapes_do_not_count(studio: Client, tapes: list[str], world: World) -> None:
    made = make(studio, selection={"tape_ids": tapes})

    for tape_id in TapeRecord.objects.filter(id__in=tapes[:2]).values_list("id", flat=True):
        delete_tape(tape_id, world.project)

    assert call(studio, "GET", f"datasets/{made['id']}")["tape_count"] == 1


def test_the_list_takes_as_many_queries_however_long_it_is_and_has_pages(
    studio: Client, tapes: list[str]
) -> None:
    make(studio, "0")
    with CaptureQueriesContext(connection) as few:
        call(studio, "GET", "datasets")
    for number in range(1, 5):
        make(studio, str(number), selection={"tape_ids": tapes})
    with CaptureQueriesContext(connection) as many:
        first = call(studio, "GET", "datasets?limit=3")

    rest = call(studio, "GET", f"datasets?after={first['next'].replace('+', '%2B')}")

    assert len(many) == len(few)
    assert [one["name"] for one in first["items"]] == ["4", "3", "2"]
    assert [one["name"] for one in rest["items"]][:2] == ["1", "0"]
    call(studio, "GET", "datasets?after=nonsense", expect=422)


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b"])
def test_a_name_that_is_none_is_refused(studio: Client, world: World, name: str) -> None:
    make(studio, name, expect=422)
    changed = {"name": name}
    call(studio, "PATCH", f"datasets/{world.dataset}", changed, expect=422)


def test_who_may_only_look_changes_no_dataset(viewer: Client, world: World) -> None:
    assert call(viewer, "GET", "datasets")["items"][0]["id"] == str(world.dataset)

    make(viewer, expect=403)
    add(viewer, {"id": str(world.dataset)}, tape_ids=[str(world.tape)], expect=403)


def test_word_problems_come_with_their_solver_and_a_taken_name_is_refused(
    studio: Client,
) -> None:
    asked = {"split": "test", "count": 4, "seed": 2}

    made = call(studio, "POST", "datasets/word-problems", asked, expect=201)
    again = call(studio, "POST", "datasets/word-problems", asked, expect=409)
    call(studio, "POST", "datasets/word-problems", {"count": 10_001}, expect=422)

    assert (made["name"], made["tape_count"]) == ("math-test", 4)
    assert "math" in {agent["name"] for agent in call(studio, "GET", "agents")}
    assert "already has a dataset" in again["message"]
    assert TapeRecord.objects.filter(task__startswith="math test 2-").count() == 4
