"""The family of a tape for the branch map, and words found inside one tape."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.splice import ReplaceStep, splice
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import AnnotationRecord, ProjectRecord
from tapes_app.tapes.store.edits import fork_tape, save_spliced
from tapes_app.tapes.store.families import load_family
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import World

pytestmark = pytest.mark.django_db


def get(client: Client, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/v1/tapes/{path}", query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def talk(count: int) -> Tape:
    """`count` steps: what a person says and what is answered, in turn."""
    return Tape().append(
        *(
            UserStep(content=f"question {at}") if at % 2 == 0 else AssistantStep(content=f"{at}")
            for at in range(count)
        )
    )


def edit_step(tape: UUID, project: UUID, position: int, *, by: int) -> UUID:
    changed = AssistantStep(content="changed").to_json()
    operation = ReplaceStep(op="replace", position=position, step=changed)
    edited = splice(load_tape(tape, project), [operation], author="ada")
    return save_spliced(tape, edited, project=project, edited_by=by)


def test_every_tape_of_a_family_tells_where_it_leaves_its_parent(
    studio: Client, project: ProjectRecord
) -> None:
    root = save_tape(project.id, talk(6))
    left = fork_tape(root, project=project.id, at=2)
    leaf = fork_tape(left, project=project.id)

    for member in (root, left, leaf):
        family = get(studio, f"{member}/family")
        assert [row["id"] for row in family["items"]] == [str(root), str(left), str(leaf)]
        assert [row["forked_at"] for row in family["items"]] == [None, 2, 2]
        assert (family["count"], family["stride"]) == (3, 1)


def test_own_steps_come_as_bands_with_edits_and_errors_marked(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    failure = UnknownStep.model_validate({"kind": "search_failure", "error": "no network"})
    root = save_tape(project.id, talk(4).append(failure))
    child = edit_step(root, project.id, 1, by=owner.pk)

    rows = get(studio, f"{root}/family")["items"]

    assert rows[0]["bands"][:4] == [0, 1, 2, 3]
    assert rows[0]["families"][:4] == "oaoa"
    assert (rows[0]["edits"], rows[0]["errors"]) == ([], [4])
    assert rows[1]["id"] == str(child)
    assert (rows[1]["bands"][0], rows[1]["families"][0]) == (1, "a")
    assert (rows[1]["edits"], rows[1]["errors"]) == ([1], [4])


def test_a_score_of_the_whole_tape_colours_it(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    for value in (0.5, 1.0):
        AnnotationRecord.objects.create(
            project=project, tape_id=world.tape, kind="score", name="ok", value=value
        )

    (row,) = get(studio, f"{world.tape}/family")["items"]

    assert row["score"] == 0.75
    assert row["is_active"]
    assert row["cost_micro_usd"] == 24


def test_a_deleted_branch_is_in_no_family(studio: Client, project: ProjectRecord) -> None:
    root = save_tape(project.id, talk(2))
    child = fork_tape(root, project=project.id, at=1)

    assert studio.delete(f"/api/v1/tapes/{child}").status_code == 204

    assert get(studio, f"{root}/family")["count"] == 1


def test_a_large_family_is_told_coarsely_and_in_as_many_queries(
    project: ProjectRecord, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    root = save_tape(project.id, talk(2000))
    for at in range(0, 2000, 40):
        fork_tape(root, project=project.id, at=at)

    with django_assert_num_queries(10):
        family = load_family(root, project.id)

    assert len(family.items) == 51
    assert family.stride > 1
    assert len(family.items[0].bands) <= 241
    assert family.items[1].bands == ()


def test_words_are_found_in_the_whole_text_of_a_step(
    studio: Client, project: ProjectRecord
) -> None:
    long = "x " * 2000 + "the Needle, at last" + " y" * 2000
    tape = save_tape(project.id, Tape().append(UserStep(content="hay"), UserStep(content=long)))

    found = get(studio, f"{tape}/find", text="needle LAST")

    assert [hit["position"] for hit in found["items"]] == [1]
    assert "the Needle, at last" in found["items"][0]["excerpt"]
    assert len(found["items"][0]["excerpt"]) <= 120
    assert get(studio, f"{tape}/find", text="needle hay")["items"] == []
    assert get(studio, f"{tape}/find", text="  ")["items"] == []
    assert len(get(studio, f"{tape}/find", text="USER")["items"]) == 2


def test_a_fork_finds_the_steps_that_it_shares_at_its_own_places(
    studio: Client, project: ProjectRecord, owner: User
) -> None:
    root = save_tape(project.id, talk(6))
    child = edit_step(root, project.id, 1, by=owner.pk)

    def positions(text: str) -> list[int]:
        return [hit["position"] for hit in get(studio, f"{child}/find", text=text)["items"]]

    assert positions("question") == [0, 2, 4]
    assert positions("changed") == [1]
    assert positions("100%") == []
