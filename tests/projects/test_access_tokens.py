"""Access tokens over HTTP: made once, good for one project, and for nothing when they are over."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from tapes_app.models import AccessTokenRecord, MembershipRecord, ProjectRecord
from tests.http.asking import call
from tests.http.people import elsewhere, owner, project, studio, viewer, world
from tests.http.worlds import World

__all__ = ["elsewhere", "owner", "project", "studio", "viewer", "world"]
pytestmark = pytest.mark.django_db


def make(client: Client, name: str = "nightly", **values: Any) -> str:
    made = call(client, "POST", "tokens", {"name": name, **values}, 201)
    return str(made["token"])


def script(token: str) -> Client:
    """Return a client as a script is one: no cookie, no CSRF token, a header."""
    return Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {token}"})


def refusal(token: str) -> dict[str, Any]:
    answer = script(token).get("/api/v1/session")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    return dict(answer.json())


def test_a_script_reads_and_writes_without_a_browser(studio: Client, world: World) -> None:
    token = make(studio, access="write")
    told = {"title": "Named by a script"}

    call(script(token), "PATCH", f"tapes/{world.tape}", told)

    assert call(script(token), "GET", f"tapes/{world.tape}")["title"] == "Named by a script"
    assert call(script(token), "GET", "session")["user"] == "ada"


def test_the_token_is_told_once_and_kept_nowhere(studio: Client, world: World) -> None:
    token = make(studio)

    (listed,) = call(studio, "GET", "tokens")["items"]

    assert listed["hint"] == token[:8]
    assert listed["access"] == "read"
    assert listed["last_used_at"] is None
    assert token not in json.dumps(listed)
    assert token not in str(AccessTokenRecord.objects.values().get())


def test_its_use_is_remembered(studio: Client, world: World) -> None:
    call(script(make(studio)), "GET", "session")

    assert call(studio, "GET", "tokens")["items"][0]["last_used_at"] is not None


def test_what_is_revoked_is_good_for_nothing(studio: Client, world: World) -> None:
    token = make(studio)
    (listed,) = call(studio, "GET", "tokens")["items"]

    call(studio, "DELETE", f"tokens/{listed['id']}", expect=204)

    assert refusal(token)["code"] == "invalid_token"
    assert call(studio, "GET", "tokens")["items"] == []


def test_what_has_expired_is_good_for_nothing(studio: Client, world: World) -> None:
    token = make(studio, days=1)
    AccessTokenRecord.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert "expired" in refusal(token)["message"]


def test_it_may_be_good_until_it_is_revoked(studio: Client, world: World) -> None:
    token = make(studio, days=None)

    assert call(studio, "GET", "tokens")["items"][0]["expires_at"] is None
    call(script(token), "GET", "session")


@pytest.mark.parametrize("token", ["", "tst_", "x" * 5000, "\u00e9\u2028", "tst_' OR 1=1 --"])
def test_what_is_no_token_is_refused(token: str, world: World) -> None:
    answer = Client().get("/api/v1/session", headers={"Authorization": f"Bearer {token}"})

    assert answer.status_code == 401
    assert answer.json()["code"] == "invalid_token"


def test_it_ends_with_its_persons_account(studio: Client, owner: User, world: World) -> None:
    token = make(studio)
    owner.is_active = False
    owner.save()

    assert refusal(token)["code"] == "invalid_token"


def test_it_ends_with_its_persons_place_in_the_project(
    studio: Client, owner: User, project: ProjectRecord, settings: Any
) -> None:
    settings.STUDIO_ACCOUNTS = True
    token = make(studio)
    MembershipRecord.objects.filter(user=owner).delete()

    assert "left its project" in refusal(token)["message"]


def test_it_is_good_for_one_project(
    studio: Client, owner: User, world: World, elsewhere: World
) -> None:
    MembershipRecord.objects.create(project_id=elsewhere.project, user=owner, role="owner")
    token = make(studio)

    call(studio, "GET", f"tapes/{elsewhere.tape}?project={elsewhere.project}")
    call(script(token), "GET", f"tapes/{elsewhere.tape}", expect=404)
    call(script(token), "GET", f"tapes/{elsewhere.tape}?project={elsewhere.project}", expect=404)
    call(script(token), "GET", f"tapes/{world.tape}?project={world.project}")


def test_a_token_makes_and_revokes_none(studio: Client, world: World) -> None:
    token = make(studio, access="write")
    (listed,) = call(studio, "GET", "tokens")["items"]

    call(script(token), "POST", "tokens", {"name": "more"}, expect=403)
    call(script(token), "DELETE", f"tokens/{listed['id']}", expect=403)

    call(script(token), "GET", "session")


def test_a_viewers_token_can_only_read(viewer: Client, world: World) -> None:
    refused = call(viewer, "POST", "tokens", {"name": "n", "access": "write"}, expect=403)

    assert "can only read" in refused["message"]
    call(script(make(viewer)), "GET", f"tapes/{world.tape}")


def test_a_token_writes_no_longer_when_its_person_may_not(
    studio: Client, owner: User, world: World
) -> None:
    token = make(studio, access="write")
    MembershipRecord.objects.filter(user=owner).update(role="viewer")

    call(script(token), "PATCH", f"tapes/{world.tape}", {"title": "x"}, expect=403)


def test_other_peoples_tokens_are_nobodys_business(
    studio: Client, viewer: Client, world: World
) -> None:
    make(viewer)
    (theirs,) = call(viewer, "GET", "tokens")["items"]

    assert call(studio, "GET", "tokens")["items"] == []
    call(studio, "DELETE", f"tokens/{theirs['id']}", expect=404)


@pytest.mark.parametrize(
    "values", [{"name": " "}, {"name": "n" * 101}, {"days": 0}, {"days": 9999}, {"access": "all"}]
)
def test_a_mistaken_token_is_not_made(studio: Client, world: World, values: dict[str, Any]) -> None:
    call(studio, "POST", "tokens", {"name": "nightly", **values}, expect=422)

    assert call(studio, "GET", "tokens")["items"] == []


def test_a_name_is_used_once(studio: Client, world: World) -> None:
    make(studio)

    refused = call(studio, "POST", "tokens", {"name": "nightly"}, expect=409)

    assert "choose another name" in refused["message"]


def test_a_token_counts_before_a_cookie_and_another_scheme_does_not(
    studio: Client, viewer: Client, world: World
) -> None:
    by_token = viewer.get(
        "/api/v1/session", headers={"Authorization": f"Bearer {make(studio)}"}
    ).json()
    behind_a_proxy = studio.get("/api/v1/session", headers={"Authorization": "Basic YTpi"})

    assert (by_token["user"], by_token["role"]) == ("ada", "viewer")
    assert behind_a_proxy.json()["user"] == "ada"


def test_the_command_line_makes_lists_and_revokes_them(world: World) -> None:
    def tokens(*arguments: str) -> Any:
        out = StringIO()
        call_command("tokens", *arguments, "--json", stdout=out)
        return json.loads(out.getvalue())

    token = tokens("make", "backup", "--access", "write", "--days", "0")["token"]
    (listed,) = tokens("list")["tokens"]
    call(script(token), "GET", "session")
    tokens("revoke", "backup")

    assert (listed["name"], listed["access"], listed["expires_at"]) == ("backup", "write", None)
    assert refusal(token)["code"] == "invalid_token"
    with pytest.raises(SystemExit):
        tokens("revoke", "backup")
