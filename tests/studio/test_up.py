"""`manage.py up` with real processes: start, second start, dead children, and the end."""

import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.studio.running_studio import (
    ROOT,
    RunningStudio,
    find_free_port,
    is_green,
    run_studio,
    studio_environment,
    up_command,
    wait_until,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    with run_studio(tmp_path_factory.mktemp("studio")) as running:
        running.wait_until_ready()
        yield running


def test_everything_is_green_when_the_link_is_printed(studio: RunningStudio) -> None:
    answer = httpx.get(f"{studio.url}/healthz")

    assert answer.json() == {
        "status": "ok",
        "parts": {"database": "ok", "broker": "ok", "worker": "ok"},
    }
    assert f"Tape Studio:  {studio.url}" in studio.lines
    assert studio.link.startswith(f"{studio.url}/login/")


def test_the_link_signs_in_once_and_only_once(studio: RunningStudio) -> None:
    link = studio.link

    with httpx.Client(follow_redirects=False) as first, httpx.Client() as second:
        signed_in = first.get(link)
        used_again = second.get(link)

        assert signed_in.status_code == 302
        assert first.get(f"{studio.url}/").status_code in {200, 503}
        assert used_again.status_code == 403
        assert "used already" in used_again.text


def test_a_second_start_on_the_same_folder_says_so_and_changes_nothing(
    studio: RunningStudio,
) -> None:
    second = subprocess.run(
        up_command(studio.data_dir, find_free_port()),
        cwd=ROOT,
        env=studio_environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert second.returncode == 1
    assert f"A studio already runs on the data folder {studio.data_dir}" in second.stderr
    assert studio.url in second.stderr
    assert is_green(studio.url)


@pytest.mark.parametrize("name", ["studio.web", "-Q agents"])
def test_a_killed_child_is_started_again(studio: RunningStudio, name: str) -> None:
    killed = studio.find_child(name)
    assert killed

    killed.kill()

    wait_until(lambda: not killed.is_running())
    wait_until(lambda: studio.find_child(name) is not None)
    wait_until(lambda: is_green(studio.url))


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_ends_every_process_and_frees_the_folder(tmp_path: Path, signal_number: int) -> None:
    with run_studio(tmp_path) as studio:
        studio.wait_until_ready()
        family = psutil.Process(studio.process.pid).children(recursive=True)

        status = studio.stop(signal_number)

        assert status == 0
        assert not [process for process in family if process.is_running()]
        assert studio.lines[-1] == "Stopped."
        assert (tmp_path / "lock").read_text() == ""


def test_children_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    with run_studio(tmp_path) as studio:
        studio.wait_until_ready()
        family = psutil.Process(studio.process.pid).children(recursive=True)

        studio.process.kill()

        wait_until(lambda: not [process for process in family if _is_alive(process)])


def test_a_taken_port_is_named_and_the_next_one_used(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]

        with run_studio(tmp_path, taken) as studio:
            studio.wait_for_line(f"(Port {taken} is taken)")
            url = studio.wait_for_line(r"Tape Studio: +(\S+)")

            assert not url.endswith(f":{taken}")
            assert is_green(url)


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
