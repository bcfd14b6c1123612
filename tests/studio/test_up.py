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
    run_studio_from_nothing,
    studio_environment,
    up_command,
    wait_until_green,
)
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def taken_port() -> Iterator[int]:
    """A port on which another program listens."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield int(other.getsockname()[1])


@pytest.fixture(scope="module")
def studio(taken_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    """A studio on a fresh folder, started with a port that it cannot have."""
    with run_studio_from_nothing(tmp_path_factory.mktemp("studio"), taken_port) as running:
        running.wait_until_ready()
        yield running


def test_everything_is_green_when_the_link_is_printed(studio: RunningStudio) -> None:
    health = httpx.get(f"{studio.url}/healthz").json()

    assert (health["status"], health["parts"]) == (
        "ok",
        {"database": "ok", "broker": "ok", "worker": "ok", "disk": "ok"},
    )
    assert health["listened_seconds_ago"].keys() == {"agents", "train", "serve"}
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

    assert second.returncode == 2
    assert f"Another studio is already using the data folder {studio.data_dir}" in second.stderr
    assert studio.url in second.stderr
    assert is_green(studio.url)


@pytest.mark.parametrize("name", ["studio: web", "agents"])
def test_a_killed_child_is_started_again(studio: RunningStudio, name: str) -> None:
    killed, server = studio.find_child(name), studio.find_child("forkserver")
    assert killed
    assert server

    server.terminate()  # as by a signal to all processes; children are forked from it all the same
    killed.kill()

    wait_until(lambda: not killed.is_running())
    wait_until(lambda: studio.find_child(name) is not None)
    wait_until_green(studio.url)
    assert studio.find_child("forkserver") == server


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_ends_every_process_and_frees_the_folder(tmp_path: Path, signal_number: int) -> None:
    with run_studio(tmp_path) as studio:
        studio.wait_until_ready()
        family = psutil.Process(studio.process.pid).children(recursive=True)

        status = studio.stop(signal_number)

        assert status == 0
        wait_until(lambda: not [process for process in family if _is_alive(process)])
        assert studio.lines[-1] == "Stopped."
        assert (tmp_path / "lock").read_text() == ""


def test_children_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    with run_studio(tmp_path) as studio:
        studio.wait_until_ready()
        family = psutil.Process(studio.process.pid).children(recursive=True)

        studio.process.kill()

        wait_until(lambda: not [process for process in family if _is_alive(process)])


def test_a_taken_port_is_named_and_the_next_one_used(
    studio: RunningStudio, taken_port: int
) -> None:
    assert any(line.startswith(f"Port {taken_port} is taken") for line in studio.lines)
    assert not studio.url.endswith(f":{taken_port}")
    assert is_green(studio.url)


_AGENT = """\
from tapes_app.engine import Agent, TalkNode, register

agent = Agent.create("reloaded", templates={"system": "Talk."}, nodes=[TalkNode()])
register(agent, description="DESCRIPTION")
"""


def test_a_change_of_a_module_of_ones_own_counts_without_a_restart(tmp_path: Path) -> None:
    module = tmp_path / "studio_reloaded.py"
    module.write_text(_AGENT.replace("DESCRIPTION", "as it was"))

    with run_studio(
        tmp_path / "data",
        options=["--reload"],
        STUDIO_PLUGINS="studio_reloaded",
        PYTHONPATH=str(tmp_path),
    ) as studio:
        studio.wait_until_ready()
        with httpx.Client(follow_redirects=True, timeout=PATIENCE_SECONDS) as browser:
            browser.get(studio.link)
            before = _describe(browser, studio.url)
            module.write_text("raise RuntimeError('not finished')")
            studio.wait_for_line("(Reloaded)")
            between = _describe(browser, studio.url)
            module.write_text(_AGENT.replace("DESCRIPTION", "as it is now"))
            studio.wait_for_line("(Reloaded)")
            after = _describe(browser, studio.url)

    assert (before, between, after) == ("as it was", None, "as it is now")
    assert "RuntimeError: not finished" in studio.output


def _describe(browser: httpx.Client, url: str) -> str | None:
    shipped = browser.get(f"{url}/api/v1/gallery").json()
    found = {agent["name"]: agent["description"] for agent in shipped}
    assert "chat" in found
    return found.get("reloaded")


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
