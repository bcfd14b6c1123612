"""A studio with word problems and an agent whose teacher errs as often as one asks."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from optimize_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app import job_kinds as tape_job_kinds  # noqa: F401 - the same, of tapes
from tapes_app.management.named import find_operator
from tapes_app.models import JobRecord
from tests.builders.made_once import make_once
from tests.http.asking import call
from tests.jobs.hosting import workers_beside
from tests.waiting import wait_until

TASKS = 4
MANY_TASKS = 12
"""For what is said of chance; each of their runs takes a test its time."""

RIGHT = {"script": {"error_rate": 0.0}}
WRONG = {"script": {"error_rate": 1.0, "seed": 1}}


@dataclass
class Bench:
    """An owner's browser, word problems, and an agent whose teacher errs as often as asked."""

    tasks: int = TASKS
    client: Client = field(default_factory=Client)

    def ask(self, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
        return call(self.client, method, path, body, expect=expect)

    @property
    def agent_version(self) -> str:
        (agent,) = (one for one in self.ask("GET", "agents") if one["name"] == "math")
        return str(agent["latest_version_id"])

    def vary(self, parameters: Any) -> Any:
        return {"agent_version_id": self.agent_version, "parameters": parameters}

    def describe(self, **changes: Any) -> Any:
        return {
            "name": "exam",
            "q": "dataset:math-test",
            "variants": [self.vary(RIGHT), self.vary(WRONG)],
            **changes,
        }

    def start(self, **changes: Any) -> str:
        return str(self.ask("POST", "sweeps", self.describe(**changes), expect=202)["id"])

    def amend(self, job: str, **changes: Any) -> None:
        self.ask("POST", f"sweeps/{job}/amend", changes, expect=202)

    def look(self, job: str, query: str = "") -> Any:
        return self.ask("GET", f"sweeps/{job}{query}")

    def wait_for(self, job: str) -> None:
        """Wait for the end of a sweep by its row: looking takes the processor that runs need."""
        ended = JobRecord.objects.filter(finished_at__isnull=False)
        wait_until(
            ended.filter(id=job).exists,
            "the sweep to end",
            progress=ended.count,
            pause_seconds=0.1,
        )

    def finished(self, **changes: Any) -> str:
        """Return a sweep that has ended, on a bench on which nothing else has happened."""
        asked = json.dumps([self.tasks, changes], sort_keys=True).replace(self.agent_version, "")
        name = f"sweep-{hashlib.sha256(asked.encode()).hexdigest()[:8]}"
        make_once(name, lambda: self.finish(self.start(**changes)))
        self.sign_in()  # sessions are rows, too
        return str(JobRecord.objects.get(kind="sweep").id)

    def sign_in(self) -> None:
        self.client.force_login(User.objects.get(pk=find_operator("").user_id))

    def finish(self, job: str) -> Any:
        with workers_beside("agents", "serve"):
            self.wait_for(job)
        return self.look(job)


of_many_tasks = pytest.mark.parametrize("bench", [MANY_TASKS], indirect=True)


@pytest.fixture
def bench(transactional_db: None, request: pytest.FixtureRequest) -> Bench:
    tasks = getattr(request, "param", TASKS)
    call_command("make_problems", "--split", "test", "--count", str(tasks), "--seed", "1")
    bench = Bench(tasks)
    bench.sign_in()
    return bench
