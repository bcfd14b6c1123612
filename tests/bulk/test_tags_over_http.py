"""Tags over HTTP: put on many tapes at once, counted, and put back exactly as they were."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import TapeChangeRecord
from tapes_app.tapes.store.saving import save_tape
from tests.http.asking import call
from tests.http.worlds import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def tapes(world: World) -> list[str]:
    """Three tapes of the owner's project without tags."""
    return [
        str(save_tape(world.project, Tape(steps=(UserStep(content=f"number {number}"),))))
        for number in range(3)
    ]


def tag(client: Client, expect: int = 200, **body: Any) -> Any:
    return call(client, "POST", "tapes/tags", body, expect)


def tags_of(client: Client, *tape_ids: str) -> list[list[str]]:
    return [call(client, "GET", f"tapes/{tape_id}")["tags"] for tape_id in tape_ids]


def test_tags_are_put_on_many_tapes_and_counted(studio: Client, tapes: list[str]) -> None:
    changed = tag(studio, tape_ids=tapes, add=["  Good   one ", "B"])

    assert (changed["tape_count"], changed["changed_count"]) == (3, 3)
    assert tags_of(studio, *tapes) == [["b", "good one"]] * 3
    assert call(studio, "GET", "tapes/tags") == [
        {"name": "b", "tape_count": 3},
        {"name": "good one", "tape_count": 3},
        {"name": "seen", "tape_count": 1},
    ]
    rows = {row["id"]: row["tags"] for row in call(studio, "GET", "tapes")["items"]}
    assert rows[tapes[0]] == ["b", "good one"]


def test_undoing_puts_back_exactly_what_was_changed(studio: Client, tapes: list[str]) -> None:
    tag(studio, tape_ids=tapes[:1], add=["kept", "gone"])
    before = tags_of(studio, *tapes)

    changed = tag(studio, tape_ids=tapes, add=["kept"], remove=["gone"])
    assert tags_of(studio, *tapes) == [["kept"]] * 3
    undone = call(studio, "POST", f"tapes/tags/{changed['id']}/undo")

    assert undone == {"tape_count": 3}
    assert tags_of(studio, *tapes) == before == [["gone", "kept"], [], []]
    again = call(studio, "POST", f"tapes/tags/{changed['id']}/undo", expect=404)
    assert again["message"] == "This change can no longer be undone."


def test_a_change_that_changes_nothing_offers_no_undo(studio: Client, tapes: list[str]) -> None:
    tag(studio, tape_ids=tapes, add=["good"])
    count = TapeChangeRecord.objects.count()

    same = tag(studio, tape_ids=tapes, add=["GOOD"], remove=["never there"])

    assert same == {"id": None, "tape_count": 3, "changed_count": 0, "left_out": []}
    assert TapeChangeRecord.objects.count() == count


def test_all_that_a_list_shows_are_tagged(studio: Client, tapes: list[str], world: World) -> None:
    assert call(studio, "POST", "tapes/count", {}) == {"tape_count": 4}
    assert call(studio, "POST", "tapes/count", {"q": f"batch:{world.batch}"}) == {"tape_count": 1}

    changed = tag(studio, q=f"batch:{world.batch}", add=["of the batch"])

    assert changed["changed_count"] == 1
    assert tags_of(studio, str(world.tape), *tapes) == [["of the batch", "seen"], [], [], []]


def test_children_do_not_inherit_tags(studio: Client, world: World) -> None:
    child = call(studio, "POST", f"tapes/{world.tape}/fork", {"at": 1}, expect=201)

    assert tags_of(studio, str(world.tape), str(child["tape_id"])) == [["seen"], []]


def test_the_tags_of_a_page_take_one_query(studio: Client, tapes: list[str]) -> None:
    with CaptureQueriesContext(
        connection,
    ) as without:
        call(studio, "GET", "tapes")
    tag(studio, tape_ids=tapes, add=["a", "b", "c"])
    with CaptureQueriesContext(connection) as with_tags:
        call(studio, "GET", "tapes")

    assert len(with_tags) == len(without)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"add": ["x"], "remove": [" X"]}, "Tag 'x' cannot be both added and removed."),
        ({}, "Choose at least one tag to add or remove."),
        ({"add": ["  "]}, "A tag needs at least one character."),
        ({"add": ["x" * 101]}, "A tag has 101 characters; the limit is 100."),
        ({"add": ["a\0b"]}, "A tag contains characters that are not allowed; remove them."),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    studio: Client, tapes: list[str], body: dict[str, Any], message: str
) -> None:
    refused = tag(studio, tape_ids=tapes, expect=422, **body)

    assert refused["message"] == message
    assert tags_of(studio, *tapes) == [[], [], []]


def test_a_tape_of_others_tags_nothing(studio: Client, tapes: list[str], elsewhere: World) -> None:
    refused = tag(studio, tape_ids=[*tapes, str(elsewhere.tape)], add=["x"], expect=404)

    assert refused["message"] == "Only 3 of 4 tapes are in this project."
    assert tags_of(studio, *tapes) == [[], [], []]
    assert [one["name"] for one in call(studio, "GET", "tapes/tags")] == ["seen"]
