"""Lenses over HTTP: one's own, shared ones, and who may change what."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.models import ProjectRecord

pytestmark = pytest.mark.django_db

LOOK = {
    "query": "error=1",
    "sort": "-cost",
    "columns": [{"id": "title", "width": 300, "is_pinned": True}, {"id": "cost"}],
    "marks": [{"column": "cost", "comparison": ">", "value": "0.05", "tone": "bad"}],
}


def send(client: Client, method: str, path: str = "", **body: Any) -> Any:
    address = f"/api/v1/lenses{path}"
    return client.generic(method, address, json.dumps(body), content_type="application/json")


def names(client: Client) -> list[str]:
    return [lens["name"] for lens in client.get("/api/v1/lenses").json()["items"]]


@pytest.fixture
def colleague(project: ProjectRecord) -> Client:
    """Somebody who writes in the same project."""
    user = User.objects.create_user("colleague")
    project.memberships.create(user=user, role="member")
    client = Client()
    client.force_login(user)
    return client


def test_a_lens_keeps_query_order_columns_and_marks(studio: Client) -> None:
    made = send(studio, "POST", name="Dear ones", look=LOOK)

    assert made.status_code == 201
    (listed,) = studio.get("/api/v1/lenses").json()["items"]
    assert listed == made.json()
    assert listed["look"]["query"] == "error=1"
    assert listed["look"]["columns"][0] == {"id": "title", "width": 300, "is_pinned": True}
    assert listed["look"]["marks"] == LOOK["marks"]
    assert (listed["is_own"], listed["can_change"], listed["is_shared"]) == (True, True, False)


def test_a_lens_is_ones_own_until_it_is_shared(
    studio: Client, colleague: Client, viewer: Client
) -> None:
    lens = send(colleague, "POST", name="Mine", look=LOOK).json()
    path = f"/{lens['id']}"
    assert names(studio) == names(viewer) == []
    assert send(studio, "PATCH", path, name="Ours").status_code == 404
    assert send(studio, "DELETE", path).status_code == 404

    send(colleague, "PATCH", path, is_shared=True)

    assert names(studio) == names(viewer) == ["Mine"]


def test_a_shared_lens_is_changed_by_its_author_and_by_owners_of_the_project(
    studio: Client, colleague: Client, viewer: Client
) -> None:
    of_owner = send(studio, "POST", name="The owner's", is_shared=True).json()
    of_member = send(colleague, "POST", name="The member's", is_shared=True).json()

    refused = send(colleague, "PATCH", f"/{of_owner['id']}", name="Stolen")
    assert refused.status_code == 403
    assert "save it under another name" in refused.json()["message"]
    assert send(colleague, "DELETE", f"/{of_owner['id']}").status_code == 403
    shown = {lens["name"]: lens["can_change"] for lens in list_of(colleague)}
    assert shown == {"The owner's": False, "The member's": True}
    assert not any(lens["can_change"] for lens in list_of(viewer))

    assert send(studio, "PATCH", f"/{of_member['id']}", name="Mended").status_code == 200
    assert send(studio, "DELETE", f"/{of_member['id']}").status_code == 204
    assert names(colleague) == ["The owner's"]


def test_viewers_keep_lenses_for_themselves_and_share_none(
    studio: Client, viewer: Client, project: ProjectRecord
) -> None:
    made = send(viewer, "POST", name="Seen", look=LOOK)
    path = f"/{made.json()['id']}"
    assert (made.status_code, made.json()["can_change"]) == (201, True)
    assert send(viewer, "PATCH", path, name="Seen again").status_code == 200
    assert (names(viewer), names(studio)) == (["Seen again"], [])

    for refused in (
        send(viewer, "POST", name="Shared", is_shared=True),
        send(viewer, "PATCH", path, is_shared=True),
    ):
        assert refused.status_code == 403
        assert "can only view" in refused.json()["message"]
    assert names(studio) == []
    assert send(viewer, "DELETE", path).status_code == 204


def test_who_shared_a_lens_and_may_only_look_now_changes_it_no_more(
    colleague: Client, project: ProjectRecord
) -> None:
    path = f"/{send(colleague, 'POST', name='Ours', is_shared=True).json()['id']}"
    project.memberships.filter(user__username="colleague").update(role="viewer")

    assert [lens["can_change"] for lens in list_of(colleague)] == [False]
    assert send(colleague, "PATCH", path, name="Mine").status_code == 403
    assert send(colleague, "DELETE", path).status_code == 403


def test_one_person_has_one_lens_of_a_name_and_another_person_may_have_it_too(
    studio: Client, colleague: Client
) -> None:
    send(studio, "POST", name="Same")

    again = send(studio, "POST", name="Same")

    assert again.status_code == 409
    assert send(colleague, "POST", name="Same").status_code == 201
    assert names(studio) == ["Same"]


@pytest.mark.parametrize(
    "body",
    [
        {"name": ""},
        {"name": "x" * 101},
        {"name": "nul\x00"},
        {"name": "a", "look": {"sort": "colour"}},
        {"name": "a", "look": {"columns": [{"id": "title", "width": 1}]}},
        {"name": "a", "look": {"marks": [{**LOOK["marks"][0], "tone": "pink"}]}},  # type: ignore[dict-item]
        {"name": "a", "look": {"marks": LOOK["marks"] * 21}},  # type: ignore[operator]
        {"name": "a", "look": {"script": "x"}},
    ],
)
def test_a_lens_that_could_not_be_shown_is_refused_and_not_kept(
    studio: Client, body: dict[str, Any]
) -> None:
    answer = send(studio, "POST", **body)

    assert answer.status_code == 422
    assert names(studio) == []


def list_of(client: Client) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = client.get("/api/v1/lenses").json()["items"]
    return items
