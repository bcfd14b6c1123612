"""Pin, rename, archive and bring back; an archived tape is read-only wherever one asks."""

from typing import Any

import pytest
from django.test import Client

from tests.http.worlds import World

pytestmark = pytest.mark.django_db


@pytest.fixture
def tape(studio: Client, world: World) -> str:
    """The address of a tape on which nothing runs."""
    assert studio.post(f"/api/v1/jobs/{world.job}/cancel").json()["state"] == "cancelled"
    return f"/api/v1/tapes/{world.tape}"


def patch(client: Client, path: str, **body: Any) -> Any:
    return client.patch(path, body, content_type="application/json")


def post(client: Client, path: str, **body: Any) -> Any:
    return client.post(path, body, content_type="application/json")


def listed(client: Client, **query: str) -> list[str]:
    return [row["title"] for row in client.get("/api/v1/tapes", query).json()["items"]]


def test_a_tape_gets_another_name_everywhere(studio: Client, tape: str) -> None:
    renamed = patch(studio, tape, title="  The one\nthat failed ")

    assert renamed.status_code == 200
    assert renamed.json()["title"] == "The one that failed"
    assert listed(studio) == ["The one that failed"]
    assert studio.get(f"{tape}/family").json()["items"][0]["title"] == "The one that failed"


def test_a_name_must_say_something(studio: Client, tape: str) -> None:
    assert patch(studio, tape, title="").status_code == 422
    assert patch(studio, tape, title="x" * 301).status_code == 422
    assert patch(studio, tape, colour="red").status_code == 422


def test_a_pinned_tape_can_be_listed_alone(studio: Client, tape: str) -> None:
    post(studio, f"{tape}/fork", at=1)

    assert patch(studio, tape, is_pinned=True).json()["is_pinned"]
    assert len(listed(studio)) == 2
    assert len(listed(studio, q="is:pinned")) == 1

    patch(studio, tape, is_pinned=False)
    assert listed(studio, q="is:pinned") == []


def test_an_archived_tape_leaves_the_list_and_comes_back(studio: Client, tape: str) -> None:
    assert patch(studio, tape, is_archived=True).json()["is_archived"]
    assert listed(studio) == []
    assert listed(studio, q="is:archived") == ["question 0"]
    assert studio.get(tape).status_code == 200

    patch(studio, tape, is_archived=False)
    assert listed(studio) == ["question 0"]
    assert listed(studio, q="is:archived") == []


def test_an_archived_tape_is_read_only(studio: Client, world: World, tape: str) -> None:
    operations = [{"op": "delete", "position": 0}]
    draft = {"version": 0, "operations": operations, "applied_count": 1}
    assert studio.put(f"{tape}/draft", draft, content_type="application/json").status_code == 200
    patch(studio, tape, is_archived=True)

    version = str(world.version)
    refused = [
        post(studio, f"{tape}/resume", agent_version_id=version),
        post(studio, f"{tape}/resume", agent_version_id=version, at=1),
        post(studio, f"{tape}/resume", agent_version_id=version, use_draft=True),
        post(studio, f"{tape}/fork", at=1),
        post(studio, f"{tape}/save"),
        studio.put(f"{tape}/draft", {**draft, "version": 1}, content_type="application/json"),
        patch(studio, tape, title="another"),
    ]

    assert [answer.status_code for answer in refused] == [409] * len(refused)
    assert {answer.json()["code"] for answer in refused} == {"archived"}
    assert "restore it first" in refused[0].json()["message"]
    assert studio.get(tape).json()["step_count"] == 6
    assert studio.get(f"{tape}/family").json()["count"] == 1


def test_restoring_and_naming_go_in_one_request(studio: Client, tape: str) -> None:
    patch(studio, tape, is_archived=True)

    again = patch(studio, tape, is_archived=False, title="back")

    assert (again.status_code, again.json()["title"]) == (200, "back")


def test_a_tape_that_a_run_grows_is_not_put_away(studio: Client, world: World) -> None:
    refused = patch(studio, f"/api/v1/tapes/{world.tape}", is_archived=True)

    assert refused.status_code == 409
    assert "stop it" in refused.json()["message"]


def test_a_tape_is_kept_from_training_and_so_are_its_children(studio: Client, tape: str) -> None:
    marked = patch(studio, tape, is_kept_from_training=True, split="validation").json()
    child = post(studio, f"{tape}/fork", at=1).json()["tape_id"]
    patch(studio, tape, is_kept_from_training=False)

    inherited = studio.get(f"/api/v1/tapes/{child}").json()
    assert (marked["is_kept_from_training"], marked["split"]) == (True, "validation")
    assert (inherited["is_kept_from_training"], inherited["split"]) == (True, "validation")
    assert studio.get(tape).json()["is_kept_from_training"] is False
    assert patch(studio, tape, split="other").status_code == 422
    assert patch(studio, tape, split="").json()["split"] == ""
