"""A worker whose event loop is blocked: detected, state logged, replaced, its runs continued."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from studio.children import Child, ChildSpec
from studio.listening import DEAF_AFTER_SECONDS
from studio.stuck_workers import STUCK_AFTER_SECONDS, StuckWorkers
from tapes_app.jobs.store.workers import HEARTBEAT_SECONDS
from tests.studio.running_studio import (
    ROOT,
    RunningStudio,
    run_studio,
    studio_environment,
    wait_until_green,
)
from tests.waiting import PATIENCE_SECONDS, wait_until

_PLUGIN = """\
from pathlib import Path
from threading import Event

from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine import scripts

MARK = Path(__file__).with_name("was-stuck")
GO_ON = Path(__file__).with_name("go-on")


@scripts.register("stuck-until-told")
def wait(prompt):
    while not GO_ON.exists():
        Event().wait(0.05)
    return LLMOutput(content="I was told")


@scripts.register("stuck-once")
def answer(prompt):
    if not MARK.exists():
        MARK.touch()
        Event().wait()
    return LLMOutput(content="here I am")
"""

_SPEC = {
    "name": "stuck",
    "llms": {"default": {"model": "script:stuck-once"}},
    "templates": {"system": "Talk."},
    "nodes": [{"type": "engine.TalkNode"}],
    "environment": "chat",
}


_HANGING = """
from threading import Event

from tapes_app.engine import Agent, LLMOutput, TalkNode, register, tool


@tool(seconds=0.2)
def hang_for_ever() -> None:
    Event().wait()


def play(prompt):
    if any(message.role == "tool" for message in prompt.messages):
        return LLMOutput(content="all of them hung")
    call = {"type": "function", "function": {"name": "hang_for_ever", "arguments": "{}"}}
    return LLMOutput(tool_calls=tuple({"id": f"c{number}", **call} for number in range(16)))


hung = Agent.create("hung", templates={"system": "Talk."}, nodes=[TalkNode(tools=[hang_for_ever])])
register(hung, script=play)
"""


@pytest.mark.slow
def test_a_worker_full_of_tools_that_never_end_is_replaced_and_its_runs_go_on(
    tmp_path: Path,
) -> None:
    with _open_studio(tmp_path, studio_hung=_HANGING) as (studio, browser):
        shipped = _ask(browser, "GET", "gallery")
        (spec,) = [one["spec"] for one in shipped if one["name"] == "hung"]
        run = _start_run(browser, spec)
        named = studio.wait_for_line("This worker ends, .* hold it up: (.+)")
        _wait_for_answer(browser, run)
        steps = _ask(browser, "GET", f"tapes/{run['tape_id']}/steps")["items"]

    assert "hang_for_ever" in named
    results = [step["body"] for step in steps if step["kind"] == "tool"]
    assert len(results) == 16
    assert "was stopped: it had not finished after 0.2 seconds" in results[0]["content"]
    assert steps[-1]["body"]["content"] == "all of them hung"


@pytest.mark.slow
def test_a_stuck_worker_is_replaced_and_its_runs_go_on(tmp_path: Path) -> None:
    with _open_studio(tmp_path, studio_stuck=_PLUGIN) as (studio, browser):
        run = _start_run(browser, _SPEC)
        studio.wait_for_line("The worker agents is (stuck)")
        _wait_for_answer(browser, run)
        steps = _ask(browser, "GET", f"tapes/{run['tape_id']}/steps")["items"]

    assert [step["body"]["content"] for step in steps if "content" in step["body"]] == [
        "Hi",
        "here I am",
    ]
    assert "studio_stuck.py" in studio.output
    assert "in answer" in studio.output


@pytest.mark.slow
def test_a_worker_that_listens_no_more_is_reported_and_replaced(tmp_path: Path) -> None:
    with _open_studio(tmp_path, studio_stuck=_PLUGIN) as (studio, browser):
        health = f"{studio.url}/healthz"
        _stop_listening(studio, "agents")
        studio.wait_for_line("This worker no longer listens to (agents)")
        wait_until(lambda: httpx.get(health).status_code == 503, pause_seconds=0.2)
        parts = httpx.get(health).json()["parts"]
        studio.wait_for_line("The worker agents is (stuck)")
        (tmp_path / "was-stuck").touch()
        _wait_for_answer(browser, _start_run(browser, _SPEC))
        wait_until_green(studio.url)

    assert parts["worker"] == "failing"
    assert DEAF_AFTER_SECONDS + STUCK_AFTER_SECONDS + HEARTBEAT_SECONDS < 30


@pytest.mark.slow
def test_with_redis_a_worker_that_listens_no_more_is_reported_and_left_in_peace(
    tmp_path: Path, redis_url: str
) -> None:
    with run_studio(tmp_path, REDIS_URL=redis_url) as studio:
        studio.wait_until_ready()
        _stop_listening(studio, "agents", REDIS_URL=redis_url)
        studio.wait_for_line("This worker no longer listens to (agents)")
        health = f"{studio.url}/healthz"
        wait_until(lambda: httpx.get(health).status_code == 503, pause_seconds=0.2)
        listened = httpx.get(health).json()["listened_seconds_ago"]

    assert listened["agents"] > DEAF_AFTER_SECONDS > listened["train"]
    assert "is stuck" not in studio.output


@pytest.mark.slow
def test_other_runs_do_not_wait_for_a_node_that_blocks(tmp_path: Path) -> None:
    (tmp_path / "was-stuck").touch()
    blocking = {**_SPEC, "llms": {"default": {"model": "script:stuck-until-told"}}}

    with _open_studio(tmp_path, studio_stuck=_PLUGIN) as (studio, browser):
        held = _start_run(browser, {**blocking, "name": "blocking"})
        studio.wait_for_line("(has blocked the worker)")
        other = _start_run(browser, _SPEC)
        _wait_for_answer(browser, other)
        state_meanwhile = _ask(browser, "GET", f"jobs/{held['job_id']}")["state"]
        (tmp_path / "go-on").touch()
        _wait_for_answer(browser, held)
        answer = _ask(browser, "GET", f"tapes/{held['tape_id']}/steps")["items"][-1]

    assert state_meanwhile == "running"
    assert answer["body"]["content"] == "I was told"
    assert "is stuck" not in studio.output


def test_a_worker_is_stuck_when_its_file_has_not_changed_for_long(tmp_path: Path) -> None:
    child = Child(ChildSpec("worker", signal.pause))
    child.start(0.0)
    stuck = StuckWorkers(tmp_path)
    beat = tmp_path / f"{os.uname().nodename}-{child.pid}.json"

    before = stuck.is_stuck(child, 0.0)
    beat.touch()
    looks = [stuck.is_stuck(child, now) for now in (1.0, STUCK_AFTER_SECONDS, 1_000.0)]
    os.utime(beat, (5, 5))
    after_a_beat = stuck.is_stuck(child, 2_000.0)
    stuck.end(child)

    assert not before
    assert looks == [False, False, True]
    assert not after_a_beat
    assert not child.is_alive()
    assert not beat.exists()


@contextmanager
def _open_studio(folder: Path, **modules: str) -> Iterator[tuple[RunningStudio, httpx.Client]]:
    """Run a studio with plugin modules of the given text, and sign in."""
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    path = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    with run_studio(folder / "data", STUDIO_PLUGINS=",".join(modules), PYTHONPATH=path) as studio:
        studio.wait_until_ready()
        address = f"{studio.url}/api/v1/"
        with httpx.Client(
            base_url=address, follow_redirects=True, timeout=PATIENCE_SECONDS
        ) as browser:
            browser.get(studio.link)
            _ask(browser, "GET", "session")
            yield studio, browser


def _stop_listening(studio: RunningStudio, queue: str, **settings: str) -> None:
    """End the consumer of a queue in every worker, while their processes live on."""
    celery = [sys.executable, "-m", "celery", "-q", "-A", "studio.celery"]
    subprocess.run(
        [*celery, "control", "cancel_consumer", queue],
        cwd=ROOT,
        env=studio_environment(STUDIO_DATA_DIR=str(studio.data_dir), **settings),
        check=True,
        stdout=subprocess.DEVNULL,
    )


def _start_run(browser: httpx.Client, spec: dict[str, Any]) -> Any:
    version = _ask(browser, "POST", "agents", {"spec": spec})["latest_version_id"]
    return _ask(browser, "POST", "tapes", {"agent_version_id": version, "message": "Hi"})


def _wait_for_answer(browser: httpx.Client, run: dict[str, Any]) -> None:
    def is_answered() -> bool:
        return bool(_ask(browser, "GET", f"jobs/{run['job_id']}")["state"] == "waiting")

    wait_until(is_answered, "the answer", pause_seconds=0.2)  # the new worker needs the processor


def _ask(browser: httpx.Client, method: str, path: str, body: Any = None) -> Any:
    headers = {"X-CSRFToken": browser.cookies.get("csrftoken") or ""}
    answer = browser.request(method, path, json=body, headers=headers)
    assert answer.status_code < 300, answer.text
    return answer.json()
