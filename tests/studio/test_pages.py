"""Sign-in, headers, hosts and the shape of errors, over HTTP."""

import json
import time
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django.fixtures import Settings

from studio.logins import create_login_token, load_owner, use_login_token
from tapes_app.jobs.store.workers import remove_beat, write_beat

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed_in(client: Client) -> Client:
    client.force_login(load_owner())
    return client


def test_a_page_sends_strangers_to_the_sign_in_page_that_names_the_link(client: Client) -> None:
    answer = client.get("/tapes/1", follow=True)

    assert answer.redirect_chain == [("/login/?next=/tapes/1", 302)]
    assert "one-time link" in answer.content.decode()


def test_a_fresh_link_signs_in_and_a_spent_one_does_not(client: Client) -> None:
    link = f"/login/{create_login_token()}"

    assert client.get(link).headers["Location"] == "/"
    client.logout()

    assert client.get(link).status_code == 403


def test_an_expired_link_does_not_sign_in(client: Client) -> None:
    link = f"/login/{create_login_token(lifetime_seconds=-1)}"

    assert client.get(link).status_code == 403
    assert "_auth_user_id" not in client.session


def test_only_a_hash_of_the_token_is_kept(settings: Settings) -> None:
    token = create_login_token()

    kept = [*Path(settings.STUDIO_DATA_DIR, "logins").iterdir()]

    assert not [path for path in kept if token in path.name or token in path.read_text()]
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}


@pytest.mark.parametrize("token", ["", "..", "../secret_key", "x" * 5000, "\x00"])
def test_a_hostile_token_is_merely_wrong(token: str) -> None:
    assert not use_login_token(token)


def test_the_owner_may_open_the_admin_under_the_policy(signed_in: Client) -> None:
    answer = signed_in.get("/admin/")

    assert answer.status_code == 200
    assert "<script>" not in answer.content.decode()


def test_signing_out_takes_a_post(signed_in: Client) -> None:
    assert signed_in.get("/logout/").status_code == 200
    assert "_auth_user_id" in signed_in.session

    signed_in.post("/logout/")

    assert "_auth_user_id" not in signed_in.session


def test_with_accounts_people_sign_in_with_name_and_password(
    client: Client, settings: Settings
) -> None:
    settings.STUDIO_ACCOUNTS = True
    User.objects.create_user("ada", password="a long pass phrase")

    assert 'name="password"' in client.get("/login/").content.decode()
    wrong = client.post("/login/", {"username": "ada", "password": "guess"})
    right = client.post(
        "/login/?next=/agents", {"username": "ada", "password": "a long pass phrase"}
    )

    assert 'role="alert"' in wrong.content.decode()
    assert right.headers["Location"] == "/agents"


@pytest.mark.parametrize("path", ["/", "/login/", "/admin/", "/healthz", "/api/v1/nope"])
def test_every_answer_forbids_inline_scripts_frames_and_sniffing(
    signed_in: Client, path: str
) -> None:
    headers = signed_in.get(path).headers

    assert "script-src 'self';" in headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


def test_a_foreign_host_name_is_refused(client: Client) -> None:
    assert client.get("/healthz", headers={"Host": "evil.example"}).status_code == 400


def test_the_front_end_answers_every_other_address(
    signed_in: Client, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("<title>the front end</title>")
    settings.FRONTEND_DIST = tmp_path

    answer = signed_in.get("/tapes/0190/diff/0191")

    assert answer.content == b"<title>the front end</title>"
    assert "csrftoken" in answer.cookies


def test_a_front_end_that_is_built_while_the_studio_runs_has_its_files(
    client: Client, settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "secret.js").write_text("not an asset")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-Ab12Cd34.js").write_text("run()")
    settings.FRONTEND_DIST = tmp_path

    answer = client.get("/static/assets/index-Ab12Cd34.js")

    assert answer.getvalue() == b"run()"
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in answer.headers["Cache-Control"]
    assert client.get("/static/assets/index-Ef56Gh78.js").status_code == 404
    assert client.get("/static/assets/..%2Fsecret.js").status_code == 404


def test_a_missing_front_end_is_explained(
    signed_in: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.FRONTEND_DIST = tmp_path

    answer = signed_in.get("/")

    assert answer.status_code == 503
    assert "npm run build" in answer.content.decode()


@pytest.mark.parametrize("path", ["/static/nope.js", "/ws/nope", "/api/nope"])
def test_a_missing_file_is_not_the_front_end(signed_in: Client, path: str) -> None:
    assert signed_in.get(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [("/api/v1/nope", 404, "not_found"), ("/api/v2/x", 404, "not_found")],
)
def test_the_api_answers_unknown_addresses_in_its_own_shape(
    signed_in: Client, path: str, status: int, code: str
) -> None:
    answer = signed_in.get(path)

    assert answer.status_code == status
    assert json.loads(answer.content) == {
        "code": code,
        "message": "No page or API endpoint exists at this address.",
        "details": {},
    }


def test_health_tells_when_a_worker_last_listened_to_each_queue(client: Client) -> None:
    now = time.time()
    write_beat("elsewhere", 1, {"agents": now - 60, "train": now - 1})
    write_beat("elsewhere", 2, {"agents": now - 1, "train": now - 60, "serve": now - 60})

    answer = client.get("/healthz")
    for pid in (1, 2):
        remove_beat("elsewhere", pid)

    listened = answer.json()["listened_seconds_ago"]
    assert answer.json()["parts"]["worker"] == "ok"
    assert listened == pytest.approx({"agents": 1, "serve": 60, "train": 1}, abs=0.9)


def test_health_is_for_everyone_and_tells_no_secrets(client: Client) -> None:
    answer = client.get("/healthz")

    assert answer.status_code == 503  # no worker runs in this test
    assert answer.json() == {
        "status": "failing",
        "parts": {"database": "ok", "broker": "ok", "worker": "failing", "disk": "ok"},
        "listened_seconds_ago": {"agents": None, "serve": None, "train": None},
    }
