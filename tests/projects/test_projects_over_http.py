"""Projects are made, renamed, archived and brought back, over HTTP."""

import pytest
from django.test import Client

from tests.http.asking import call
from tests.http.people import elsewhere, owner, project, studio, viewer, world
from tests.http.worlds import World

__all__ = ["elsewhere", "owner", "project", "studio", "viewer", "world"]
pytestmark = pytest.mark.django_db


def test_whoever_makes_a_project_owns_it(viewer: Client) -> None:
    made = call(viewer, "POST", "projects", {"name": "  Mine "}, 201)

    assert (made["name"], made["role"], made["archived_at"]) == ("Mine", "owner", None)
    mine = viewer.get("/api/v1/session", headers={"X-Project": made["id"]}).json()
    assert (mine["project"], mine["can_write"]) == ("Mine", True)


def test_a_name_is_given_once(studio: Client, elsewhere: World) -> None:
    here = call(studio, "GET", "session")["project_id"]

    assert "already exists" in call(studio, "POST", "projects", {"name": "Theirs"}, 409)["message"]
    call(studio, "PATCH", f"projects/{here}", {"name": "Theirs"}, 409)
    call(studio, "PATCH", f"projects/{here}", {"name": "   "}, 422)
    assert call(studio, "GET", "session")["project"] == "Ours"


def test_owners_rename(studio: Client, viewer: Client) -> None:
    here = call(studio, "GET", "session")["project_id"]

    renamed = call(studio, "PATCH", f"projects/{here}", {"name": "Our own"})
    refused = call(viewer, "PATCH", f"projects/{here}", {"name": "Vera's"}, 403)

    assert renamed["name"] == "Our own"
    assert "Only owners of project 'Our own'" in refused["message"]


def test_an_archived_project_is_read_and_not_changed(
    studio: Client, viewer: Client, world: World
) -> None:
    call(studio, "PATCH", f"projects/{world.project}", {"is_archived": True})

    assert call(studio, "GET", f"tapes/{world.tape}")["id"] == str(world.tape)
    assert call(studio, "GET", "session")["can_write"] is False
    refused = call(studio, "PATCH", f"tapes/{world.tape}", {"title": "x"}, 403)
    assert refused["message"] == (
        "Project 'Ours' is archived; an owner can restore it under Projects."
    )
    call(viewer, "PATCH", f"projects/{world.project}", {"is_archived": False}, 403)


def test_it_is_brought_back_by_an_owner(studio: Client, world: World) -> None:
    call(studio, "PATCH", f"projects/{world.project}", {"is_archived": True})

    back = call(studio, "PATCH", f"projects/{world.project}", {"is_archived": False})

    assert back["archived_at"] is None
    call(studio, "PATCH", f"tapes/{world.tape}", {"title": "x"})


def test_what_is_archived_is_offered_last_and_not_in_the_menu(studio: Client, world: World) -> None:
    other = call(studio, "POST", "projects", {"name": "Zebra"}, 201)
    call(studio, "PATCH", f"projects/{world.project}", {"is_archived": True})

    session = call(studio, "GET", "session")
    names = [one["name"] for one in call(studio, "GET", "projects")["items"]]

    assert session["project"] == "Zebra"
    assert [one["id"] for one in session["projects"]] == [other["id"]]
    assert names == ["Zebra", "Ours"]


def test_another_persons_project_does_not_exist(studio: Client, elsewhere: World) -> None:
    call(studio, "PATCH", f"projects/{elsewhere.project}", {"name": "x"}, 404)
