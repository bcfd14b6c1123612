"""Signing in with an OpenID provider: who gets in, and what others are shown."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from studio.env import SettingError, StudioEnvironment
from tapes_app.models import IdentityRecord, MembershipRecord
from tests.http.asking import call
from tests.http.people import owner, project, studio
from tests.studio.openid_provider import OpenIDProvider, provider
from tests.studio.running_studio import find_free_port

__all__ = ["owner", "project", "provider", "studio"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def configured(settings: Settings, provider: OpenIDProvider) -> None:
    environment = StudioEnvironment.from_variables(provider.settings())
    settings.STUDIO_ACCOUNTS = environment.accounts
    settings.STUDIO_OIDC_NAME = environment.oidc_name
    settings.STUDIO_OIDC_ISSUER = environment.oidc_issuer
    settings.STUDIO_OIDC_CLIENT_ID = environment.oidc_client_id
    settings.STUDIO_OIDC_CLIENT_SECRET = environment.oidc_client_secret


def come_back(client: Client, provider: OpenIDProvider, subject: str, goal: str = "") -> Any:
    """Go to the provider with the studio's button, sign in there, and return."""
    sent = client.get("/login/oidc/", {"next": goal})
    return client.get(provider.sign_in(sent.headers["Location"], subject))


def who_is(client: Client) -> str:
    user = client.session.get("_auth_user_id")
    return User.objects.get(pk=user).username if user else ""


def said(answer: Any) -> str:
    page: str = answer.content.decode()
    assert 'role="alert"' in page
    return page.partition('role="alert">')[2].partition("</p>")[0]


def test_there_is_no_button_and_no_such_page_unless_a_provider_is_named(
    settings: Settings,
) -> None:
    assert "Sign in with Example ID" in Client().get("/login/").content.decode()

    settings.STUDIO_OIDC_ISSUER = settings.STUDIO_OIDC_NAME = ""

    assert "Sign in with" not in Client().get("/login/").content.decode()
    assert [Client().get(f"/login/oidc/{end}").status_code for end in ("", "done")] == [404, 404]


def test_an_invitation_makes_an_account_that_signs_in_by_the_button_from_then_on(
    studio: Client, provider: OpenIDProvider
) -> None:
    provider.know("7", email="bo@example.org", email_verified=True, preferred_username="bo")
    link = call(studio, "POST", "invitations", {"role": "viewer"}, 201)["path"]
    invited, later = Client(), Client()

    shown = invited.get(link).content.decode()
    back = come_back(invited, provider, "7", goal=link)
    asked = invited.get(link).content.decode()
    joined = invited.post(link, {"name": "Bo"})
    again = come_back(later, provider, "7", goal="/models")

    assert "Continue with Example ID" in shown
    assert back.headers["Location"] == link
    assert "Example ID says that you are bo@example.org." in asked
    assert 'value="bo"' in asked
    assert joined.status_code == 302
    assert MembershipRecord.objects.get(user__username="Bo").role == "viewer"
    assert not User.objects.get(username="Bo").has_usable_password()
    assert (again.headers["Location"], who_is(later)) == ("/models", "Bo")
    later.post("/logout/")
    assert who_is(later) == ""


def test_who_has_an_account_here_joins_by_the_invitation_after_the_provider(
    studio: Client, provider: OpenIDProvider
) -> None:
    sam = User.objects.create_user("sam")
    IdentityRecord.objects.create(user=sam, issuer=provider.url, subject="sam")
    link = call(studio, "POST", "invitations", {"role": "member"}, 201)["path"]
    client = Client()

    back = come_back(client, provider, "sam", goal=link)

    assert back.headers["Location"] == link
    assert not MembershipRecord.objects.filter(user=sam).exists()
    assert "Join as sam" in client.get(link).content.decode()
    assert client.post(link).status_code == 302
    assert MembershipRecord.objects.get(user=sam).role == "member"


def test_a_verified_address_leads_to_the_account_that_an_operator_gave_it_to(
    provider: OpenIDProvider,
) -> None:
    User.objects.create_user("eve", email="Eve@example.org", password="a long pass phrase")
    provider.know("9", email="eve@example.org", email_verified=True)
    client = Client()

    come_back(client, provider, "9")
    provider.know("9", email="renamed@example.org", email_verified=True)
    renamed = Client()
    come_back(renamed, provider, "9")

    assert (who_is(client), who_is(renamed)) == ("eve", "eve")
    provider.know("10", email="eve@example.org", email_verified=True)
    assert come_back(Client(), provider, "10").status_code == 403


@pytest.mark.parametrize("claims", [{}, {"email_verified": False}, {"email_verified": "true"}])
def test_an_address_that_is_not_verified_leads_nowhere(
    provider: OpenIDProvider, claims: dict[str, object]
) -> None:
    User.objects.create_user("ida", email="ida@example.org")
    provider.know("11", email="ida@example.org", **claims)
    client = Client()

    answer = come_back(client, provider, "11")

    assert answer.status_code == 403
    assert "Ask an owner of a project for an invitation" in said(answer)
    assert who_is(client) == ""


def test_who_is_not_invited_or_switched_off_is_told_so(
    studio: Client, provider: OpenIDProvider
) -> None:
    off = User.objects.create_user("off", is_active=False)
    IdentityRecord.objects.create(user=off, issuer=provider.url, subject="off")
    provider.know("12", preferred_username="<b>mallory</b>")

    refused = come_back(Client(), provider, "off")
    stranger = come_back(Client(), provider, "12", goal="/models")

    assert (refused.status_code, stranger.status_code) == (403, 403)
    assert "is switched off" in said(refused)
    assert "&lt;b&gt;mallory&lt;/b&gt;, who has no account here" in said(stranger)
    assert not User.objects.filter(username__contains="mallory").exists()


def test_an_answer_that_this_browser_has_not_asked_for_signs_nobody_in(
    provider: OpenIDProvider,
) -> None:
    mallory, victim = Client(), Client()
    asked = mallory.get("/login/oidc/").headers["Location"]
    back = provider.sign_in(asked, "mallory")

    answer = victim.get(back)

    assert answer.status_code == 400
    assert "start it again" in said(answer)
    assert who_is(victim) == ""
    assert "did not sign you in" in said(victim.get("/login/oidc/done?error=access_denied"))


def test_an_answer_for_something_else_is_not_believed(provider: OpenIDProvider) -> None:
    client = Client()
    IdentityRecord.objects.create(
        user=User.objects.create_user("zoe"), issuer=provider.url, subject="zoe"
    )
    sent = client.get("/login/oidc/").headers["Location"]
    session = client.session
    (state,) = [name for name in session.keys() if name.startswith("_state")]  # noqa: SIM118
    session[state]["data"]["nonce"] = "of another sign-in"
    session.save()

    answer = client.get(provider.sign_in(sent, "zoe"))

    assert answer.status_code == 502
    assert "could not be checked" in said(answer)
    assert who_is(client) == ""


def test_a_provider_that_is_down_is_said_on_the_sign_in_page(settings: Settings) -> None:
    settings.STUDIO_OIDC_ISSUER = f"http://127.0.0.1:{find_free_port()}"

    answer = Client().get("/login/oidc/")

    assert answer.status_code == 502
    assert said(answer) == "Example ID does not answer; try again in a while."
    assert "Password" in answer.content.decode()


@pytest.mark.parametrize("goal", ["//evil.example", "https://evil.example/", "javascript:alert(1)"])
def test_signing_in_leads_nowhere_else(provider: OpenIDProvider, goal: str) -> None:
    User.objects.create_user("kai", email="kai@example.org")
    provider.know("13", email="kai@example.org", email_verified=True)

    assert come_back(Client(), provider, "13", goal=goal).headers["Location"] == "/"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"STUDIO_ACCOUNTS": "0"}, "needs STUDIO_ACCOUNTS=1"),
        ({"STUDIO_OIDC_CLIENT_SECRET": ""}, "needs STUDIO_OIDC_CLIENT_ID and"),
        ({"STUDIO_OIDC_ISSUER": "http://id.example.org"}, "must begin with https://"),
    ],
)
def test_settings_that_cannot_work_stop_the_start(
    provider: OpenIDProvider, changes: dict[str, str], sentence: str
) -> None:
    with pytest.raises(SettingError, match=f"STUDIO_OIDC_ISSUER.*{sentence}"):
        StudioEnvironment.from_variables(provider.settings(**changes))
