"""Who is in a project and who may change that, over HTTP."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tapes_app.models import AccessTokenRecord, InvitationRecord, MembershipRecord, ProjectRecord
from tests.http.asking import call
from tests.http.people import elsewhere, owner, project, studio, viewer, world
from tests.http.worlds import World

__all__ = ["elsewhere", "owner", "project", "studio", "viewer", "world"]
pytestmark = pytest.mark.django_db

PASSWORD = "a long pass phrase of nobody"


@pytest.fixture(autouse=True)
def accounts(settings: Any) -> None:
    settings.STUDIO_ACCOUNTS = True


@pytest.fixture
def member(project: ProjectRecord) -> Client:
    user = User.objects.create_user("max", password="x")
    MembershipRecord.objects.create(project=project, user=user, role="member")
    return signed_in(user)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def id_of(name: str) -> int:
    return User.objects.get(username=name).pk


def invite(client: Client, role: str = "member") -> str:
    """Return the path of a new invitation's link."""
    return str(call(client, "POST", "invitations", {"role": role}, 201)["path"])


def roles(client: Client) -> dict[str, str]:
    return {one["name"]: one["role"] for one in call(client, "GET", "people")["items"]}


def test_everybody_sees_who_is_here(studio: Client, member: Client, viewer: Client) -> None:
    call(studio, "POST", "tokens", {"name": "nightly"}, 201)

    people = {one["name"]: one for one in call(viewer, "GET", "people")["items"]}

    assert roles(viewer) == {"ada": "owner", "max": "member", "vera": "viewer"}
    assert people["ada"]["token_count"] == 1
    assert people["ada"]["last_seen_at"] is not None
    assert people["max"]["last_seen_at"] is None
    assert [name for name, one in people.items() if one["is_you"]] == ["vera"]


def test_a_link_makes_an_account_in_the_role_that_was_chosen(studio: Client) -> None:
    link = invite(studio, "viewer")
    stranger = Client()

    shown = stranger.get(link).content.decode()
    joined = stranger.post(link, {"name": "bo", "password": PASSWORD})

    assert "ada invites you to the project Ours as a viewer" in shown
    assert joined.status_code == 302
    assert roles(stranger) == {"ada": "owner", "bo": "viewer"}
    assert User.objects.get(username="bo").check_password(PASSWORD)


def test_whoever_has_an_account_joins_with_it(studio: Client, elsewhere: World) -> None:
    sam = signed_in(User.objects.get(username="sam"))
    link = invite(studio)

    assert "Join as sam" in sam.get(link).content.decode()
    joined = sam.post(link, {"how": "join"})

    assert roles(studio)["sam"] == "member"
    assert joined.headers["Location"].startswith("/p/")
    assert not InvitationRecord.objects.exists()


def test_a_link_is_good_for_one_person(studio: Client) -> None:
    link = invite(studio)
    Client().post(link, {"name": "bo", "password": PASSWORD})

    second = Client().post(link, {"name": "cy", "password": PASSWORD})

    assert second.status_code == 404
    assert "has been used" in second.content.decode()
    assert not User.objects.filter(username="cy").exists()


def test_a_link_that_is_revoked_or_too_old_is_good_for_nothing(studio: Client) -> None:
    revoked, old = invite(studio), invite(studio)
    newest, first = call(studio, "GET", "invitations")["items"]
    call(studio, "DELETE", f"invitations/{first['id']}", expect=204)
    past = timezone.now() - timedelta(seconds=1)
    InvitationRecord.objects.filter(id=newest["id"]).update(expires_at=past)

    assert Client().get(revoked).status_code == 404
    assert Client().get(old).status_code == 404
    assert call(studio, "GET", "invitations")["items"] == []


def test_a_link_is_told_once_and_kept_nowhere(studio: Client) -> None:
    token = invite(studio).removeprefix("/invite/")

    listed = call(studio, "GET", "invitations")

    assert token not in json.dumps(listed)
    assert token not in str(InvitationRecord.objects.values().get())
    left = InvitationRecord.objects.get().expires_at - timezone.now()
    assert timedelta(days=6, hours=23) < left <= timedelta(days=7)


@pytest.mark.parametrize(
    ("name", "password", "said"),
    [
        ("bo", "short", "too short"),
        ("bo", "12345678901234", "entirely numeric"),
        ("ada", PASSWORD, "already exists"),
        ("<b>bo</b>", PASSWORD, "valid username"),
        ("", PASSWORD, "blank"),
        ("nul\x00", PASSWORD, "valid username"),
    ],
)
def test_a_name_or_password_that_cannot_be_used_says_why_and_spends_nothing(
    studio: Client, name: str, password: str, said: str
) -> None:
    link = invite(studio)

    answer = Client().post(link, {"name": name, "password": password})

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert "<b>bo" not in answer.content.decode()
    assert InvitationRecord.objects.count() == 1
    assert User.objects.count() == 1


def test_whoever_is_here_already_keeps_the_link_for_somebody_else(
    studio: Client, member: Client
) -> None:
    link = invite(studio, "owner")

    answer = member.post(link, {"how": "join"})

    assert "already in this project" in answer.content.decode()
    assert roles(studio)["max"] == "member"
    assert InvitationRecord.objects.count() == 1


def test_an_invitation_of_another_site_joins_nobody(studio: Client, member: Client) -> None:
    link = invite(studio)
    browser = Client(enforce_csrf_checks=True)

    assert browser.post(link, {"name": "bo", "password": PASSWORD}).status_code == 403
    assert not User.objects.filter(username="bo").exists()


@pytest.mark.parametrize("role", ["member", "viewer"])
def test_only_owners_invite_change_and_remove(
    role: str, studio: Client, member: Client, viewer: Client
) -> None:
    asker = {"member": member, "viewer": viewer}[role]
    ada = id_of("ada")

    for method, path, body in (
        ("GET", "invitations", None),
        ("POST", "invitations", {"role": "owner"}),
        ("PATCH", f"people/{ada}", {"role": "viewer"}),
        ("DELETE", f"people/{ada}", None),
    ):
        assert call(asker, method, path, body, 403)["code"] == "not_allowed"
    assert roles(studio)["ada"] == "owner"


def test_a_token_of_an_owner_administers_nothing(studio: Client, member: Client) -> None:
    token = call(studio, "POST", "tokens", {"name": "x", "access": "write"}, 201)["token"]
    script = Client(headers={"Authorization": f"Bearer {token}"})
    place = call(studio, "GET", "session")["project_id"]

    for method, path, body in (
        ("POST", "invitations", {"role": "owner"}),
        ("PATCH", f"people/{id_of('max')}", {"role": "owner"}),
        ("DELETE", f"people/{id_of('max')}", None),
        ("DELETE", "membership", None),
        ("POST", "projects", {"name": "Mine"}),
        ("PATCH", f"projects/{place}", {"is_archived": True}),
    ):
        assert "sign in for that" in call(script, method, path, body, 403)["message"]


def test_a_role_is_changed_and_counts_at_once(studio: Client, member: Client, world: World) -> None:
    call(studio, "PATCH", f"people/{id_of('max')}", {"role": "viewer"}, 204)

    assert call(member, "GET", "session")["can_write"] is False
    call(member, "PATCH", f"tapes/{world.tape}", {"title": "x"}, 403)


def test_the_last_owner_neither_leaves_nor_steps_down(studio: Client, member: Client) -> None:
    ada = id_of("ada")
    for method, path, body in (
        ("PATCH", f"people/{ada}", {"role": "member"}),
        ("DELETE", f"people/{ada}", None),
        ("DELETE", "membership", None),
    ):
        refused = call(studio, method, path, body, 409)
        assert refused["message"] == (
            "A project needs an owner; make somebody else an owner first."
        )

    call(studio, "PATCH", f"people/{id_of('max')}", {"role": "owner"}, 204)
    call(studio, "DELETE", "membership", expect=204)
    assert roles(member) == {"max": "owner"}


def test_who_is_switched_off_is_no_other_owner(studio: Client, member: Client) -> None:
    call(studio, "PATCH", f"people/{id_of('max')}", {"role": "owner"}, 204)
    User.objects.filter(username="max").update(is_active=False)

    call(studio, "DELETE", "membership", expect=409)
    assert roles(studio) == {"ada": "owner"}


def test_who_is_removed_is_out_with_their_tokens(studio: Client, member: Client) -> None:
    made = call(member, "POST", "tokens", {"name": "mine", "access": "write"}, 201)
    place = call(studio, "GET", "session")["project_id"]

    call(studio, "DELETE", f"people/{id_of('max')}", expect=204)

    assert call(member, "GET", "session", expect=403)["code"] == "no_project"
    told = member.get("/api/v1/session", headers={"X-Project": place})
    assert told.json()["code"] == "no_project"
    script = Client(headers={"Authorization": f"Bearer {made['token']}"})
    assert script.get("/api/v1/session").status_code == 401
    assert not AccessTokenRecord.objects.exists()


def test_who_was_removed_and_is_elsewhere_is_told_that_this_project_is_gone(
    studio: Client, elsewhere: World
) -> None:
    sam = signed_in(User.objects.get(username="sam"))
    sam.post(invite(studio), {"how": "join"})
    place = call(studio, "GET", "session")["project_id"]
    here = {"X-Project": place}
    assert sam.get("/api/v1/session", headers=here).status_code == 200

    call(studio, "DELETE", f"people/{id_of('sam')}", expect=204)

    answer = sam.get("/api/v1/session", headers=here)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_a_member")


def test_the_project_used_last_is_the_default(studio: Client, project: ProjectRecord) -> None:
    call(studio, "GET", "session")

    other = call(studio, "POST", "projects", {"name": "A project that sorts first"}, 201)["id"]
    stays = call(studio, "GET", "session")["project_id"]
    call(studio, "GET", f"tapes?project={other}")
    moved = call(studio, "GET", "session")["project_id"]

    assert (stays, moved) == (str(project.id), other)
    refused = call(studio, "GET", f"session?project={uuid4()}", expect=404)
    assert refused["code"] == "not_a_member"


def test_viewers_leave_too(studio: Client, viewer: Client) -> None:
    call(viewer, "DELETE", "membership", expect=204)

    assert roles(studio) == {"ada": "owner"}


def test_there_is_nobody_to_invite_where_one_person_has_the_studio(
    studio: Client, settings: Any
) -> None:
    settings.STUDIO_ACCOUNTS = False

    assert "STUDIO_ACCOUNTS=1" in call(studio, "POST", "invitations", {}, 409)["message"]


@pytest.mark.parametrize("token", ["x", "..", "\u00e9\u2028", "%00", "x" * 5000])
def test_a_hostile_link_is_merely_wrong(token: str, db: None) -> None:
    assert Client().get(f"/invite/{token}").status_code == 404
