"""Requests from elsewhere and from people with bad intentions, over a real connection."""

import gzip
import io
import json
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.studio.running_studio import ROOT, RunningStudio, is_green
from tests.waiting import PATIENCE_SECONDS, wait_until

PAGES = ["/", "/login/", "/admin/", "/healthz", "/api/v1/session", "/static/icon.svg", "/nope"]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example", "%"])
@pytest.mark.parametrize("path", PAGES[:5])
def test_another_host_name_gets_nothing(owner: httpx.Client, path: str, host: str) -> None:
    answer = owner.get(path, headers={"Host": host})

    assert answer.status_code in {400, 404}
    assert "Tape Studio" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-CSRFToken": "a" * 32},
        {"X-CSRFToken": ""},
    ],
)
def test_a_write_without_the_token_is_refused(owner: httpx.Client, headers: dict[str, str]) -> None:
    answer = owner.post("/api/v1/models", json={"name": "x"}, headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null"])
def test_a_write_from_another_origin_is_refused_even_with_the_token(
    owner: httpx.Client, token: dict[str, str], origin: str
) -> None:
    answer = owner.post("/api/v1/models", json={}, headers={**token, "Origin": origin})

    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")


@pytest.mark.parametrize("path", PAGES)
def test_no_other_origin_may_read_and_no_page_may_frame(owner: httpx.Client, path: str) -> None:
    for method in ("GET", "OPTIONS"):
        answer = owner.request(method, path, headers={"Origin": "http://evil.example"})

        assert not [name for name in answer.headers if name.startswith("access-control-")]
        assert answer.headers.get("X-Frame-Options", "DENY") == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_session_that_somebody_planted_is_not_the_one_that_signs_in(
    studio: RunningStudio, stranger: httpx.Client, owner: httpx.Client, fresh_link: str
) -> None:
    name = next(name for name in owner.cookies if name.startswith("studio_session"))
    planted = "planted0planted0planted0planted0"
    stranger.cookies.set(name, planted)

    stranger.get("/login/")
    stranger.get(fresh_link)

    assert stranger.get("/api/v1/session").status_code == 200
    with httpx.Client(base_url=studio.url, cookies={name: planted}) as attacker:
        assert attacker.get("/api/v1/session").status_code == 401


def test_cookies_are_kept_from_scripts_and_other_sites(
    studio: RunningStudio, fresh_link: str
) -> None:
    with httpx.Client(base_url=studio.url) as client:
        answer = client.get(fresh_link)
        client.get("/")
        cookies = answer.headers.get_list("set-cookie")

    (session,) = [cookie for cookie in cookies if cookie.startswith("studio_session")]
    assert "HttpOnly" in session
    assert all("SameSite=Lax" in cookie for cookie in cookies)


def test_signing_out_ends_the_session_on_the_server(studio: RunningStudio, fresh_link: str) -> None:
    with httpx.Client(base_url=studio.url) as client:
        client.get(fresh_link)
        client.get("/")
        kept = dict(client.cookies)
        client.post("/logout/", headers={"X-CSRFToken": kept["csrftoken"]})

        with httpx.Client(base_url=studio.url, cookies=kept) as thief:
            assert thief.get("/api/v1/session").status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        "/static/../manage.py",
        "/static/%2e%2e/%2e%2e/manage.py",
        "/static/..%2f..%2fmanage.py",
        "/static/assets/../../../manage.py",
        "/static/%2fetc/passwd",
        "//etc/passwd",
        "/static//etc/passwd",
        "/static/..\\..\\manage.py",
        "/static/%00",
        "/login/..%2f..%2fsecret_key",
        "/login/../secret_key",
        "/../../../../etc/passwd",
        "/api/v1/exports/../../../manage.py",
        "/%c0%ae%c0%ae/manage.py",
    ],
)
def test_no_address_leads_to_a_file_of_the_machine(
    studio: RunningStudio, owner: httpx.Client, path: str
) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())

    answer = ask_exactly(studio, path, cookies)

    status = int(answer.split()[1])
    assert status < 500
    secret = (studio.data_dir / "secret_key").read_text().strip()
    for inside in ("DJANGO_SETTINGS_MODULE", "root:", secret):
        assert inside not in answer


def test_a_body_that_is_too_large_is_refused(owner: httpx.Client, token: dict[str, str]) -> None:
    body = b'{"name": "' + b"x" * (65 * 2**20) + b'"}'
    head = {**token, "Content-Type": "application/json"}

    answer = owner.post("/api/v1/models", content=body, headers=head)

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_a_body_without_a_length_does_not_fill_the_memory(
    owner: httpx.Client, token: dict[str, str]
) -> None:
    def pieces() -> Iterator[bytes]:
        yield b'{"name": "'
        for _ in range(80):
            yield b"x" * 2**20
        yield b'"}'

    head = {**token, "Content-Type": "application/json"}
    answer = owner.post("/api/v1/models", content=pieces(), headers=head)

    assert answer.status_code in {400, 413, 422}


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 120 + b"]" * 120])
def test_a_deep_body_is_refused(owner: httpx.Client, token: dict[str, str], body: bytes) -> None:
    head = {**token, "Content-Type": "application/json"}

    answer = owner.post("/api/v1/models", content=body, headers=head)

    assert 400 <= answer.status_code < 500


NAMES = [
    "../../../../evil.json",
    "..\\..\\evil.json",
    "/etc/evil.json",
    "C:\\evil.json",
    "evil.json\x00.txt",
    "....//....//evil.json",
    "a/../../evil.json",
    "~/evil.json",
    "CON.json",
    "evil" * 100 + ".json",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_files_name_is_never_a_path(
    studio: RunningStudio, owner: httpx.Client, token: dict[str, str], name: str
) -> None:
    result = upload(owner, token, {name: a_tape(f"tape of {name[:50]!a}")}, paths=[name])

    assert result["imported"] == 1, result["refused"]
    assert _outside_files(studio) == []
    exported = owner.get(f"/api/v1/batches/{result['batch_id']}/export")
    assert exported.status_code == 200
    assert_tame(zipfile.ZipFile(io.BytesIO(exported.content)))


def test_an_archive_with_slippery_names_is_not_unpacked(
    studio: RunningStudio, owner: httpx.Client, token: dict[str, str]
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../../evil.json", a_tape("slippery"))
    result = upload(owner, token, {"tapes.zip": packed.getvalue()})

    assert result["imported"] == 0
    assert result["refused"]
    assert _outside_files(studio) == []


def test_a_file_that_unpacks_without_end_is_refused(
    owner: httpx.Client, token: dict[str, str]
) -> None:
    bomb = gzip.compress(b'[{"a":"' + b"0" * (256 * 2**20), 9)

    result = upload(owner, token, {"bomb.json.gz": bomb})

    assert result["imported"] == 0
    assert "decompresses to more than" in result["refused"][0]["reason"]


def test_a_billion_laughs_are_refused(owner: httpx.Client, token: dict[str, str]) -> None:
    lines = ["a0: &a0 [lol]"]
    lines += [
        f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 30)
    ]

    result = upload(owner, token, {"laughs.yaml": "\n".join(lines).encode()})

    assert result["imported"] == 0


def test_the_studio_is_well_after_all_that(studio: RunningStudio) -> None:
    assert is_green(studio.url)
    assert "Internal Server Error" not in studio.output


def ask_exactly(
    studio: RunningStudio,
    path: str,
    cookies: str,
    *,
    method: str = "GET",
    headers: dict[str, str] | None = None,
) -> str:
    """Send a path as it stands, which no client library does, and return the whole answer."""
    host = studio.url.removeprefix("http://")
    port = int(host.partition(":")[2])
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    lines += [f"Cookie: {cookies}", "", ""]
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as connection:
        connection.sendall("\r\n".join(lines).encode("latin1"))
        pieces = []
        while piece := connection.recv(65536):
            pieces.append(piece)
    return b"".join(pieces).decode("latin1")


def upload(
    client: httpx.Client,
    token: dict[str, str],
    files: dict[str, bytes],
    paths: list[str] | None = None,
) -> Any:
    parts = [("files", (name, content)) for name, content in files.items()]
    form = {} if paths is None else {"paths": [path.replace("\x00", "") for path in paths]}
    started = client.post("/api/v1/uploads", files=parts, data=form, headers=token)
    assert started.status_code in {200, 201, 202}, started.text
    job = started.json()["id"]
    wait_until(lambda: client.get(f"/api/v1/jobs/{job}").json()["state"] == "succeeded")
    return client.get(f"/api/v1/uploads/{job}").json()


def a_tape(name: str) -> bytes:
    steps = [{"kind": "user", "content": name}]
    return json.dumps({"metadata": {"id": name}, "context": None, "steps": steps}).encode()


def assert_tame(archive: zipfile.ZipFile) -> None:
    for name in archive.namelist():
        assert not name.startswith("/"), name
        assert ".." not in Path(name).parts, name
        assert "\\" not in name, name


def _outside_files(studio: RunningStudio) -> list[Path]:
    """Return what the studio wrote where it should not."""
    around = studio.data_dir.parent.parent
    uploads = studio.data_dir / "uploads"
    places = [Path("/etc/evil.json"), Path("/evil.json"), ROOT / "evil.json"]
    return [
        path
        for path in [*around.rglob("*evil*"), *(place for place in places if place.exists())]
        if uploads not in path.parents
    ]
