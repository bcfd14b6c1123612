"""Whatever is asked of the web process, its event loop stays free for everybody else.

`watched_loop/sitecustomize.py` defines what counts as blocked, and why a busy machine does not.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case

from tests.http.routes import describe_api
from tests.studio.managing import make_token
from tests.studio.running_studio import ROOT, RunningStudio, run_studio
from tests.waiting import PATIENCE_SECONDS

WATCHED = ROOT / "tests" / "studio" / "watched_loop"
STEPS = 20_000
EXAMPLES = 2
TOO_LONG = {"POST /api/v1/studies"}
"""They start hours of work with their defaults; the check before it is asked for like any other."""
FEW = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)

_TRY = """
import asyncio, hashlib, re, sys, time
sys.path.insert(0, sys.argv[1])
from sitecustomize import Watch

def turn_long():
    begun = time.thread_time()
    while time.thread_time() - begun < 0.4: pass

def keep_the_lock():  # an expression keeps it until it is through
    begun = time.thread_time()
    length = 20
    while time.thread_time() - begun < 0.4:
        begun = time.thread_time()
        re.match("(a+)+$", "a" * length + "b")
        length += 1

async def main():
    Watch(asyncio.get_running_loop(), sys.argv[2])
    what = sys.argv[3]
    if what == "on the loop": turn_long()
    if what == "with the lock":
        for _ in range(3): await asyncio.to_thread(keep_the_lock)
    if what == "without the lock":
        await asyncio.to_thread(hashlib.pbkdf2_hmac, "sha256", b"a", b"b", 1_000_000)
    if what == "beside the loop": await asyncio.to_thread(turn_long)
    await asyncio.sleep(0.1)

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "place"),
    [
        ("on the loop", "in turn_long"),
        ("with the lock", "in keep_the_lock"),
        ("without the lock", None),
        ("beside the loop", None),
    ],
)
def test_the_watch_tells_what_holds_the_loop_up_and_nothing_else(
    tmp_path: Path, own_processes: None, what: str, place: str | None
) -> None:
    told = tmp_path / "told"

    command = [sys.executable, "-c", _TRY, str(WATCHED), str(told), what]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stderr
    lines = read(told)
    assert bool(lines) is (place is not None)
    # Not all of them: work that ended meanwhile is no longer anywhere.
    assert place is None or any(place in json.loads(line)["place"] for line in lines)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file into which the watch of the web process writes."""
    return tmp_path_factory.mktemp("watch") / "told"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory, told: Path) -> Iterator[RunningStudio]:
    with run_studio(
        tmp_path_factory.mktemp("studio"), WATCHED_LOOP=str(told), PYTHONPATH=str(WATCHED)
    ) as running:
        running.wait_until_ready()
        yield running


@pytest.fixture(scope="module")
def http(studio: RunningStudio) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {make_token(studio.data_dir)}"}
    with httpx.Client(base_url=f"{studio.url}/api/v1", headers=headers, timeout=120) as client:
        yield client


@pytest.fixture(scope="module")
def ids(http: httpx.Client) -> dict[str, str]:
    """Rows that the studio has, by the names of parameters; the tape has 20,000 steps."""
    said = [{"kind": "assistant", "content": f"This is number {at}."} for at in range(1, STEPS)]
    tape = {"metadata": {"id": "long"}, "steps": [{"kind": "user", "content": "Count."}, *said]}
    sent = http.post("/uploads", files={"files": ("long.json", json.dumps(tape))})
    job = sent.raise_for_status().json()["id"]
    http.get(f"/jobs/{job}/stream").raise_for_status()  # ends with the job
    found = http.get("/tapes", params={"q": "steps>10000"}).raise_for_status().json()["items"]
    agent = http.get("/agents").raise_for_status().json()[0]
    batch = http.get("/batches").raise_for_status().json()
    return {
        "tape_id": found[0]["id"],
        "other_id": found[0]["id"],
        "job_id": job,
        "agent_id": agent["id"],
        "agent_version_id": agent["default_version_id"],
        "batch_id": (batch["items"] if isinstance(batch, dict) else batch)[0]["id"],
    }


def list_operations() -> list[Any]:
    """Return the operations, without those too long; those that remove something come last."""
    description = json.loads(json.dumps(describe_api(), default=str))
    schema: Any = schemathesis.openapi.from_dict(description)
    found: list[Any] = [result.ok() for result in iter(schema.get_all_operations())]
    assert {operation.label for operation in found} >= TOO_LONG
    found = [operation for operation in found if operation.label not in TOO_LONG]
    return sorted(found, key=lambda operation: operation.method.upper() == "DELETE")


@pytest.mark.slow
def test_no_request_holds_up_those_of_others(
    studio: RunningStudio, http: httpx.Client, ids: dict[str, str], told: Path
) -> None:
    # A separate connection for each: a kept one may be closed while the request is repeated.
    headers = {"Authorization": http.headers["Authorization"], "Connection": "close"}
    held: dict[str, list[str]] = {}
    seen = len(read(told))
    for operation in list_operations():

        @FEW
        @given(case=operation.as_strategy())
        def ask(case: Case[Any]) -> None:
            if case.method != "DELETE":
                for values in (case.path_parameters, case.body):
                    if isinstance(values, dict):
                        values |= {name: ids[name] for name in values if name in ids}
            case.call(base_url=studio.url, headers=headers, timeout=PATIENCE_SECONDS)

        try:
            ask()
        except requests.Timeout:
            assert operation.label.endswith("/stream")  # of a job that is running
        lines = read(told)
        if lines[seen:]:
            held[operation.label] = lines[seen:]
        seen = len(lines)

    assert held == {}


def read(told: Path) -> list[str]:
    return told.read_text(encoding="utf-8").splitlines() if told.exists() else []
