"""A browser that talks to the API about one run, and a worker that does what it orders."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.test import Client

from tapes_app.agents.store.agents import ensure_version
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.services.host import Host
from tapes_app.jobs.store.log import read_events
from tapes_app.tapes.store.calls import CallRow, list_calls
from tapes_app.tapes.store.loading import load_tape
from tapes_app.tapes.store.saving import save_tape
from tests.jobs.hosting import WatchedHost, host_beside
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.plugin import build_counter
from tests.runs.sessions import store_member
from tests.runs.tool_plugin import HOLD, holding
from tests.waiting import wait_until


def work() -> None:
    """Let a worker do everything that is queued."""
    asyncio.run(Host("agents", concurrency=8, stopping=threading.Event()).work())


@contextmanager
def working() -> Iterator[WatchedHost]:
    """Let a worker run beside the test until everything is done."""
    with host_beside("agents") as host:
        yield host


class RunBrowser:
    """Has a tape open, starts runs on it and orders them about."""

    def __init__(self, say: str = "3", *, spec: AgentSpec | None = None) -> None:
        self.person = store_member()
        version = ensure_version(
            self.person.project_id, spec or build_counter(), owner=self.person.user_id
        )
        self.version_id = str(version.id)
        self.tape_id = save_tape(
            self.person.project_id,
            Tape(steps=(UserStep(content=say),)),
            owner=self.person.user_id,
            writer="person",
        )
        self.job_id = ""
        self.client = Client()
        self.client.force_login(User.objects.get(pk=self.person.user_id))

    def ask(self, method: str, path: str, body: Any = None, *, expect: int = 200) -> Any:
        data = "" if body is None else json.dumps(body)
        answer = self.client.generic(
            method, f"/api/v1/{path}", data, content_type="application/json"
        )
        assert answer.status_code == expect, answer.content
        return answer.json() if answer.content else None

    def resume(self, *, expect: int = 201, **options: Any) -> Any:
        """Start a run on the open tape; if a child is made, open that."""
        body = {"agent_version_id": self.version_id, "max_turns": 500, **options}
        started = self.ask("POST", f"tapes/{self.tape_id}/resume", body, expect=expect)
        if expect == 201:
            self.tape_id, self.job_id = started["tape_id"], started["job_id"]
        return started

    def run(self, **options: Any) -> Any:
        """Start a run, let a worker do it, and return the job as it is then."""
        self.resume(**options)
        work()
        return self.job()

    def order(self, command: str, body: Any = None, *, expect: int = 200) -> Any:
        method = "PUT" if command == "breakpoints" else "POST"
        return self.ask(method, f"jobs/{self.job_id}/{command}", body, expect=expect)

    def go_on(self, command: str, body: Any = None) -> Any:
        """Give an order that queues the job again, let a worker do it, return the job."""
        self.order(command, body)
        work()
        return self.job()

    def job(self) -> Any:
        return self.ask("GET", f"jobs/{self.job_id}")

    def tape(self) -> Tape:
        return load_tape(self.tape_id, self.person.project_id)

    def kinds(self) -> list[str]:
        return [step.kind.removeprefix("test_") for step in self.tape()]

    def calls(self) -> list[CallRow]:
        return list_calls(self.tape_id, self.person.project_id)

    def frames(self) -> list[dict[str, Any]]:
        events = read_events({UUID(self.job_id): 0}, limit=1_000_000)
        return [json.loads(event.payload) for event in events]

    def steps(self) -> list[Any]:
        items: list[Any] = self.ask("GET", f"tapes/{self.tape_id}/steps")["items"]
        return items


@contextmanager
def model_that_answers(browser: RunBrowser, *behaviours: Behaviour) -> Iterator[str]:
    """Let the studio have a model that answers so; the value is its id."""
    with OpenAIServer() as server:
        server.plan(*behaviours)
        model = {"name": "local", "litellm_model": "openai/test-model", "base_url": server.base_url}
        yield browser.ask("POST", "models", model, expect=201)["id"]


@contextmanager
def speaking(browser: RunBrowser) -> Iterator[WatchedHost]:
    """Let a worker do a run whose first answer stops after three words until `HOLD` is set."""
    words = Behaviour(text="one two three four five", after=HOLD, first=4)
    with model_that_answers(browser, words) as model_id, holding():
        browser.resume(model_id=model_id)
        with working() as worker:
            wait_until(lambda: any(one["type"] == "step.delta" for one in browser.frames()))
            yield worker
