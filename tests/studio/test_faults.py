"""A disk or a database that fails: a sentence at the start, an answer while the studio runs."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from asgiref.testing import ApplicationCommunicator
from pytest_django.fixtures import Settings

from studio.asgi import application
from tests.studio.flaky_link import FlakyLink
from tests.studio.managing import make_token, mode_of_all
from tests.studio.new_databases import new_databases
from tests.studio.running_studio import (
    ROOT,
    find_free_port,
    run_studio,
    studio_environment,
    up_command,
    wait_until_green,
)
from tests.waiting import PATIENCE_SECONDS, wait_until


def refused_start(data_dir: Path, **variables: str) -> str:
    started = subprocess.run(
        up_command(data_dir, find_free_port()),
        cwd=ROOT,
        env=studio_environment(**variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert started.returncode == 2, started.stdout + started.stderr
    (line,) = started.stderr.splitlines()
    return line


@pytest.mark.slow
def test_a_data_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")

    said = refused_start(tmp_path / "data")

    assert said.startswith(f"The data folder {tmp_path / 'data'} cannot be used: ")
    assert "is a file" in said
    assert (tmp_path / "data").read_text() == "a file"


@pytest.fixture
def not_writable(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() == 0:
        yield Path("/sys/kernel/studio")  # where not even root can make a folder
        return
    tmp_path.chmod(0o500)
    yield tmp_path / "data"
    tmp_path.chmod(0o700)


@pytest.mark.slow
def test_a_data_folder_that_cannot_be_written_is_refused(not_writable: Path) -> None:
    said = refused_start(not_writable)

    assert said.startswith(f"The data folder {not_writable} cannot be used: ")
    assert said.endswith("name another folder in STUDIO_DATA_DIR.")


@pytest.mark.slow
def test_a_damaged_database_is_refused_and_kept(tmp_path: Path) -> None:
    database = tmp_path / "studio.sqlite3"
    database.write_bytes(b"no database " * 1000)

    said = refused_start(tmp_path)

    assert said.startswith(f"The database {database} cannot be used: file is not a database.")
    assert "docs/operations.md" in said
    assert database.read_bytes() == b"no database " * 1000


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_named(tmp_path: Path) -> None:
    url = f"postgresql://ada:s3cret-word@127.0.0.1:{find_free_port()}/tapes"

    said = refused_start(tmp_path, DATABASE_URL=url)

    assert said.startswith("The database 'tapes' of DATABASE_URL does not answer: connection")
    assert "s3cret-word" not in said


@pytest.mark.slow
def test_a_full_disk_stops_the_start(tmp_path: Path) -> None:
    said = refused_start(tmp_path, STUDIO_SPARE_BYTES=str(2**60))

    assert "(STUDIO_SPARE_BYTES)" in said
    assert not (tmp_path / "studio.sqlite3").exists()


async def send_upload(size: int) -> tuple[int, dict[str, str]]:
    """Start an upload without sending its body; return the answer."""
    headers = [(b"host", b"127.0.0.1"), (b"content-length", str(size).encode())]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/v1/uploads",
        "query_string": b"",
        "headers": headers,
    }
    upload = ApplicationCommunicator(application, scope)
    begun = await upload.receive_output(timeout=PATIENCE_SECONDS)
    said = await upload.receive_output(timeout=PATIENCE_SECONDS)
    return begun["status"], json.loads(said["body"])


async def test_an_upload_without_room_is_refused_before_it_is_read(settings: Settings) -> None:
    settings.STUDIO_SPARE_BYTES = 0

    status, said = await send_upload(2**60)

    assert (status, said["code"]) == (507, "no_space")


@pytest.mark.slow
def test_what_was_open_to_others_is_private_after_a_start(tmp_path: Path) -> None:
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    (tmp_path / "models" / "tiny" / "weights").write_text("weights")
    for path in (tmp_path, tmp_path / "models", *tmp_path.rglob("*")):
        path.chmod(0o755)
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.write_text("not ours")
    outside.chmod(0o644)
    (tmp_path / "models" / "linked").symlink_to(outside)

    with run_studio(tmp_path) as studio:
        studio.wait_until_ready()
        (tmp_path / "models" / "linked").unlink()
        modes = mode_of_all(tmp_path) | {tmp_path.stat().st_mode & 0o777}

    assert modes <= {0o700, 0o600}
    assert outside.stat().st_mode & 0o777 == 0o644


@pytest.fixture
def link() -> Iterator[tuple[FlakyLink, str]]:
    """A new database, and a link to its server that can be cut."""
    with new_databases(1) as (address,):
        parts = urlsplit(address)
        cable = FlakyLink(parts.hostname or "127.0.0.1", parts.port or 5432)
        person = parts.netloc.rpartition("@")[0]
        yield cable, parts._replace(netloc=f"{person}@127.0.0.1:{cable.port}").geturl()
        cable.cut()


@pytest.mark.slow
def test_a_database_that_goes_away_is_said_and_all_goes_on_when_it_is_back(
    tmp_path: Path, link: tuple[FlakyLink, str]
) -> None:
    cable, url = link
    with run_studio(tmp_path, DATABASE_URL=url) as studio:
        studio.wait_until_ready()
        token = make_token(studio.data_dir, DATABASE_URL=url)
        with httpx.Client(
            base_url=studio.url, headers={"Authorization": f"Bearer {token}"}, timeout=60
        ) as script:
            assert follow_an_import(script) == "succeeded"

            cable.cut()
            asked = script.get("/api/v1/session")
            page = script.get("/", headers={"Cookie": "studio_session_x=y"})
            health = script.get("/healthz")

            assert (asked.status_code, asked.json()["code"]) == (503, "database_unavailable")
            assert asked.headers["Retry-After"] == "5"
            assert page.status_code in {302, 503}
            assert health.status_code == 503
            assert health.json()["parts"]["database"] == "failing"

            cable.join()
            wait_until_green(studio.url)
            wait_until(
                lambda: script.get("/api/v1/session").status_code == 200, "the API to answer"
            )
            assert follow_an_import(script) == "succeeded"


def follow_an_import(script: httpx.Client) -> str:
    """Import a tape, read the job's stream to its end, and return how it ended."""
    said = {"files": ("one.jsonl", '{"messages": [{"role": "user", "content": "x"}]}\n')}
    job = script.post("/api/v1/uploads", files=said).json()
    stream = script.get(f"/api/v1/jobs/{job['id']}/stream").text
    assert "event: job.state" in stream
    return str(script.get(f"/api/v1/jobs/{job['id']}").json()["state"])
