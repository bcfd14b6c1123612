"""The program over its folder: one at a time, its address, its key, its limits, its end."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from optimize_app.programs import ProgramFolder
from optimize_app.serving.__main__ import BUSY, ENDED, REFUSED, main
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.server_folder import ServerFolder
from tests.finetune.folders import make_base
from tests.serving.servers import SECONDS, Running, body_of, running, write_server

_STUDIO = """
import signal, subprocess, sys
subprocess.run(sys.argv[1:])
print(flush=True)
signal.pause()
"""
ENDLESS = {"max_tokens": 4000, "structured_outputs": {"regex": "a{3900}"}, "stream": True}


@pytest.fixture
def narrow(
    base: Path,
    adapters: dict[str, Path],
    tmp_path: Path,
    own_processes: None,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Running]:
    """A server with a key that writes one answer at a time and holds one adapter."""
    monkeypatch.setenv("PYTHONWARNINGS", "error::FutureWarning")  # or it would print one
    folder = write_server(
        tmp_path / "server", base, api_key="secret", max_batch=1, max_waiting=1, max_adapters=1,
        grace_seconds=0.1,
    )  # fmt: skip
    for name, place in adapters.items():
        (folder / "adapters" / name).symlink_to(place)
    with running(folder) as started:
        yield started


def test_a_narrow_server_from_its_start_to_its_end(narrow: Running) -> None:
    # It wants its key.
    for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "secret"}):
        asked = httpx.get(f"{narrow.url}/v1/models", headers=headers, trust_env=False)
        assert (asked.status_code, asked.json()["error"]["code"]) == (401, "invalid_api_key")
    assert httpx.get(f"{narrow.url}/health", trust_env=False).status_code == 200

    # It has room for one adapter, and answers as each of them in turn.
    once = [narrow.text(temperature=0, model=name) for name in ("one.v1", "two", "dora")]
    again = [narrow.text(temperature=0, model=name) for name in ("one.v1", "two", "dora")]
    assert once == again
    assert len(set(once)) == 3
    assert narrow.metric("adapters") == 1

    # A second one does not start beside it.
    assert main([str(narrow.folder)]) == BUSY
    address = json.loads((narrow.folder / "address.json").read_text())
    assert address["pid"] == narrow.process.pid == int((narrow.folder / "lock").read_text())

    # One is written, one waits, a third is sent away.
    with narrow.client() as client:
        body = body_of("hi", **ENDLESS)
        with client.stream("POST", "/v1/chat/completions", json=body) as first:
            lines = first.iter_lines()
            next(lines)
            with client.stream("POST", "/v1/chat/completions", json={**body, "n": 2}) as refused:
                assert refused.status_code == 429
                assert refused.headers["retry-after"] == "1"

            # What is being written when it ends is told so.
            narrow.process.terminate()
            last = [line for line in lines if line][-2:]
    assert json.loads(last[0].removeprefix("data: "))["error"]["code"] == "server_stopping"
    assert last[1] == "data: [DONE]"
    assert narrow.process.wait(SECONDS) == ENDED
    assert not (narrow.folder / "address.json").exists()


def test_a_server_ends_by_its_stop_file(base: Path, tmp_path: Path) -> None:
    folder = write_server(tmp_path, base)

    with running(folder) as server:
        (folder / "watched").touch()
        assert server.ask().status_code == 200
        (folder / "stop").touch()
        assert server.process.wait(SECONDS) == ENDED

    assert not (folder / "stop").exists()
    assert not (folder / "address.json").exists()


@pytest.mark.parametrize(
    ("unwatched", "idle", "is_stopped", "reason"),
    [
        (None, 0, False, None),
        (100, 299, False, None),
        (130, 0, False, "Its watcher is gone."),
        (100, 301, False, "There was no request for 5 minutes."),
        (None, 0, True, "Somebody asked it to stop."),
    ],
)
def test_a_server_ends_when_nobody_needs_it(
    tmp_path: Path, unwatched: float | None, idle: float, is_stopped: bool, reason: str | None
) -> None:
    folder = ServerFolder(tmp_path)
    config = ServerConfig(base="any", unwatched_minutes=2, idle_minutes=5)
    if unwatched is not None:
        folder.watched_file.touch()
        os.utime(folder.watched_file, (0, time.time() - unwatched))
    if is_stopped:
        folder.stop_file.touch()

    assert folder.find_reason_to_stop(config, idle) == reason


@pytest.mark.parametrize(
    ("is_killed", "unwatched", "is_gone"),
    [(True, 10, True), (True, 0, False), (False, 10, False)],
    ids=["with its studio", "its worker lives", "its studio lives"],
)
def test_a_server_ends_with_its_studio_and_not_with_its_worker(
    tmp_path: Path, *, is_killed: bool, unwatched: float, is_gone: bool
) -> None:
    folder = ServerFolder(tmp_path)
    worker = (
        "import sys; from pathlib import Path;"
        "from optimize_app.serving.server.server_folder import ServerFolder;"
        "ServerFolder(Path(sys.argv[1])).note_watched()"
    )
    studio = [sys.executable, "-c", _STUDIO, sys.executable, "-c", worker, str(tmp_path)]
    with subprocess.Popen(studio, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()  # its worker has noted that it watches, and is gone
        if is_killed:
            process.kill()
            process.wait()
        os.utime(folder.watched_file, (0, time.time() - unwatched))
        reason = folder.find_reason_to_stop(ServerConfig(base="any"), 0)
        must_stop = folder.must_stop()
        process.kill()

    assert (reason, must_stop) == ("Its studio is gone." if is_gone else None, is_gone)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"base": "nowhere/at/all"}, "nowhere/at/all"),
        ({"max_context": 5000}, "made for 4,096"),
        ({"port": 99_999}, "port"),
        ({"unknown": 1}, "unknown"),
        ({"host": "192.0.2.1"}, "cannot be used"),
    ],
)
def test_a_server_that_cannot_start_says_why(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], config: dict[str, object],
    words: str,
) -> None:  # fmt: skip
    settings = {"base": str(base), "device": "cpu", **config}
    (tmp_path / "server.json").write_text(json.dumps(settings))

    assert main([str(tmp_path)]) == REFUSED

    assert words in capsys.readouterr().err


def test_a_base_that_knows_no_chats_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_server(tmp_path, make_base(tmp_path / "base", template=None))

    assert main([str(tmp_path)]) == REFUSED

    assert "has no chat template" in capsys.readouterr().err


def test_a_folder_that_is_held_or_empty_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == REFUSED
    assert "no server.json" in capsys.readouterr().err

    write_server(tmp_path, tmp_path)
    with ProgramFolder(tmp_path).hold():
        assert main([str(tmp_path)]) == BUSY
    assert "Another server" in capsys.readouterr().err
