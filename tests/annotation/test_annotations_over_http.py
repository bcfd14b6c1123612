"""Notes, scores and labels: where they belong, who may change them, and what they survive."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tapes_app.annotation.services.annotations import record_annotation
from tapes_app.annotation.services.checks import AnnotationValues
from tapes_app.annotation.store.rows import Anchor
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import AnnotationRecord, MembershipRecord, ProjectRecord
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import World

pytestmark = pytest.mark.django_db
HOSTILE = "a\u202eb\U0001f600<script>\x00\ud800 tail"


def at(tape: Any, rest: str = "") -> str:
    return f"/api/v1/tapes/{tape}/annotations{rest}"


def add(client: Client, tape: Any, **values: Any) -> Any:
    return client.post(at(tape), json.dumps(values), content_type="application/json")


def texts_of(client: Client, tape: Any) -> list[str]:
    return [item["text"] for item in client.get(at(tape)).json()["items"]]


@pytest.fixture
def colleague(project: ProjectRecord) -> Client:
    user = User.objects.create_user("bob", password="x")
    MembershipRecord.objects.create(project=project, user=user, role="member")
    client = Client()
    client.force_login(user)
    return client


def store_text(project: ProjectRecord, owner: User, text: str) -> Any:
    return save_tape(project.id, Tape().append(UserStep(content=text)), owner=owner.pk)


def test_a_note_on_a_piece_of_text_keeps_its_words_and_its_author(
    studio: Client, world: World
) -> None:
    made = add(
        studio, world.tape, position=0, field="/content", start=0, end=8,
        quote="question", text="Which one?",
    )  # fmt: skip

    assert made.status_code == 201, made.content
    note = made.json()
    assert (note["quote"], note["source"], note["source_name"]) == ("question", "person", "ada")
    assert (note["position"], note["start"], note["end"]) == (0, 0, 8)
    assert note["can_edit"]
    assert note["can_delete"]
    assert "Which one?" in texts_of(studio, world.tape)


def test_spans_count_code_points_of_hostile_text(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    tape = store_text(project, owner, HOSTILE)

    made = add(
        studio, tape, position=0, field="/content", start=3, end=4,
        quote="\U0001f600", text="this sign",
    )  # fmt: skip
    odd = add(studio, tape, position=0, field="/content", start=12, end=14, text="odd")

    assert made.status_code == 201, made.content
    assert made.json()["quote"] == "\U0001f600"
    assert odd.status_code == 201, odd.content
    assert [item["quote"] for item in studio.get(at(tape)).json()["items"]] == [
        "\U0001f600",
        "\x00\ud800",
    ]


def test_a_span_that_holds_other_words_is_refused(studio: Client, world: World) -> None:
    refused = add(
        studio, world.tape, position=0, field="/content", start=0, end=8, quote="an edit", text="x"
    )

    assert refused.status_code == 422
    assert "select it again" in refused.json()["message"]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"text": "  "}, "needs a text"),
        ({"text": "x", "value": 1}, "cannot have a value"),
        ({"kind": "label"}, "needs a name"),
        ({"kind": "score", "value": 1, "scale": "thumbs"}, "needs the name"),
        ({"kind": "score", "name": "quality"}, "needs a value"),
        ({"kind": "score", "name": "q", "value": 6, "scale": "five"}, "from 1 to 5"),
        ({"kind": "score", "name": "q", "value": 2.5, "scale": "five"}, "between two points"),
        ({"kind": "score", "name": "q", "value": 1.01, "scale": "fraction"}, "from 0 to 1"),
        ({"text": "x", "field": "/content"}, "Give the position of the step"),
        ({"text": "x", "position": 0, "field": "content"}, "not a JSON pointer"),
        ({"text": "x", "position": 0, "field": "/nothing"}, "no field"),
        ({"text": "x", "position": 0, "field": "/content", "start": 1}, "a start and an end"),
        (
            {"text": "x", "position": 0, "field": "/content", "start": 3, "end": 999},
            "outside of field",
        ),
        ({"text": "x", "position": 0, "field": "", "start": 0, "end": 1}, "is not text"),
        ({"text": "half \ud800"}, "characters that are not allowed"),
        ({"text": "x" * 20_001}, "the limit is 20000"),
        ({"text": "x", "position": 0, "field": "/" + "a" * 300}, "the limit is 300"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(
    studio: Client, world: World, values: dict[str, Any], reason: str
) -> None:
    refused = add(studio, world.tape, **values)

    assert refused.status_code == 422, refused.content
    assert reason in refused.json()["message"]


def test_a_step_that_is_not_there_is_not_found(studio: Client, world: World) -> None:
    assert add(studio, world.tape, position=999, text="x").status_code == 404


def test_a_note_on_a_shared_step_shows_on_forks_and_one_on_the_tape_does_not(
    studio: Client, world: World
) -> None:
    add(studio, world.tape, position=0, text="on a shared step")
    add(studio, world.tape, position=3, text="on a later step")
    add(studio, world.tape, text="on the tape")
    fork = studio.post(
        f"/api/v1/tapes/{world.tape}/fork", json.dumps({"at": 2}), content_type="application/json"
    ).json()["tape_id"]

    add(studio, fork, position=0, text="said on the fork")

    assert set(texts_of(studio, fork)) == {
        f"a note of {world.project}",
        "on a shared step",
        "said on the fork",
    }
    assert "said on the fork" in texts_of(studio, world.tape)
    assert {item["position"] for item in studio.get(at(fork)).json()["items"]} == {0, 1}


def test_only_who_said_it_may_change_it(studio: Client, colleague: Client, world: World) -> None:
    mine = add(studio, world.tape, position=0, text="mine").json()
    theirs = colleague.get(at(world.tape)).json()["items"]
    path = at(world.tape, f"/{mine['id']}")
    words = json.dumps({"text": "put into my mouth"})

    refused = colleague.patch(path, words, content_type="application/json")
    kept = colleague.delete(path)
    changed = studio.patch(path, json.dumps({"text": "better"}), content_type="application/json")

    assert [item["can_edit"] for item in theirs if item["id"] == mine["id"]] == [False]
    assert (refused.status_code, kept.status_code) == (403, 403)
    assert "'ada' wrote this" in refused.json()["message"]
    assert changed.json()["text"] == "better"


def test_an_owner_takes_out_what_anybody_said_and_who_may_delete_it_may_bring_it_back(
    studio: Client, colleague: Client, world: World
) -> None:
    theirs = add(colleague, world.tape, position=0, text="rude").json()
    path = at(world.tape, f"/{theirs['id']}")

    deleted = studio.delete(path)

    assert deleted.status_code == 204
    assert "rude" not in texts_of(colleague, world.tape)
    assert AnnotationRecord.objects.filter(id=theirs["id"]).exists()
    assert studio.post(f"{path}/restore").status_code == 200
    assert "rude" in texts_of(colleague, world.tape)
    colleague.delete(path)
    assert colleague.post(f"{path}/restore").status_code == 200
    assert colleague.post(f"{path}/restore").status_code == 404
    mine = at(world.tape, f"/{add(studio, world.tape, position=0, text='mine').json()['id']}")
    studio.delete(mine)
    assert colleague.post(f"{mine}/restore").status_code == 404
    assert "mine" not in texts_of(studio, world.tape)


def test_a_score_keeps_its_scale_and_can_be_changed_within_it(studio: Client, world: World) -> None:
    score = add(
        studio, world.tape, position=1, kind="score", name="quality", value=4, scale="five"
    ).json()
    path = at(world.tape, f"/{score['id']}")

    changed = studio.patch(path, json.dumps({"value": 2}), content_type="application/json")
    refused = studio.patch(path, json.dumps({"value": 9}), content_type="application/json")

    assert (changed.json()["value"], changed.json()["scale"]) == (2, "five")
    assert refused.status_code == 422


def test_judges_and_checkers_are_named_and_nobody_edits_their_words(
    studio: Client, world: World
) -> None:
    record_annotation(
        world.project,
        world.tape,
        Anchor(position=1),
        AnnotationValues("score", "correct", 0.0, "thumbs", "Not the price asked for."),
        source="judge",
        source_name="price judge v2",
        details={"rubric": "price"},
    )

    (said,) = [i for i in studio.get(at(world.tape)).json()["items"] if i["source"] == "judge"]

    assert (said["source_name"], said["value"]) == ("price judge v2", 0)
    assert not said["can_edit"]
    assert said["can_delete"]
    assert AnnotationRecord.objects.get(id=said["id"]).details == {
        "scale": "thumbs",
        "rubric": "price",
    }


def test_a_judge_cannot_point_at_what_is_not_there(world: World) -> None:
    with pytest.raises(InvalidInputError, match="no field"):
        record_annotation(
            world.project,
            world.tape,
            Anchor(position=1, field="/nothing"),
            AnnotationValues("note", text="x"),
            source="checker",
            source_name="c",
        )


def test_the_list_asks_the_store_as_often_however_much_is_said(
    studio: Client, world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(6):  # three of them find out who asks
        first = studio.get(at(world.tape))
    for number in range(20):
        add(studio, world.tape, position=number % 4, text=f"note {number}")

    with django_assert_num_queries(6):
        many = studio.get(at(world.tape))

    assert len(many.json()["items"]) == len(first.json()["items"]) + 20


def test_a_correction_lies_over_the_text_which_stays(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    tape = store_text(project, owner, "It rose by 4 percent.")
    where = {"position": 0, "field": "/content", "start": 11, "end": 12, "kind": "correction"}

    made = add(studio, tape, **where, quote="4", text="5")

    assert made.status_code == 201, made.content
    assert (made.json()["quote"], made.json()["text"]) == ("4", "5")
    assert add(studio, tape, **where, text="").json()["text"] == ""
    body = studio.get(f"/api/v1/tapes/{tape}/steps").json()["items"][0]["body"]
    assert body["content"] == "It rose by 4 percent."
    changed = studio.patch(
        at(tape, f"/{made.json()['id']}"),
        json.dumps({"text": "6"}),
        content_type="application/json",
    )
    assert changed.json()["text"] == "6"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"start": None, "end": None}, "needs a span of text"),
        ({"text": "4"}, "same as the recorded text"),
        ({"quote": "7"}, "select it again"),
        ({"value": 1.0}, "cannot have a value"),
    ],
)
def test_a_correction_that_corrects_nothing_is_refused(
    studio: Client, project: ProjectRecord, owner: User, changes: dict[str, Any], says: str
) -> None:
    tape = store_text(project, owner, "It rose by 4 percent.")
    where = {"position": 0, "field": "/content", "start": 11, "end": 12, "kind": "correction"}

    refused = add(studio, tape, **{**where, "text": "5", **changes})

    assert refused.status_code == 422
    assert says in refused.json()["message"]
    assert studio.get(at(tape)).json()["items"] == []
