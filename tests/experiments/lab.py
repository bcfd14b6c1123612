"""A tape, an agent that is right only when it is told how, and a worker: for tests of Run N."""

import asyncio
import json
import threading
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.test import Client

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.agents.store import agents
from tapes_app.agents.store import llm_models as models
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.services.host import Host
from tapes_app.models import MembershipRecord, ProjectRecord
from tapes_app.tapes.store import saving as tape_saving
from tests.http.worlds import spec
from tests.runs import plugin  # noqa: F401 - an environment in which a person answers

ASKED = "What is 6 * 7?"
HINTED = "What is 6 * 7? Think step by step."
SAYS_42 = {"kind": "contains", "text": "42"}
PRICE = 1_000_000
"""Micro US dollars for a million tokens: one for each."""


def answer(prompt: Prompt) -> LLMOutput:
    """Answer rightly when hinted; break when asked to; judge when asked to judge."""
    asked = prompt.messages[-1].text
    if "<done>" in asked:
        is_right = "42" in asked
        return LLMOutput(content=json.dumps({"score": 0.9 if is_right else 0.1, "reason": "seen"}))
    return LLMOutput(content="It is 42." if "step by step" in asked else "It is 24.")


class Lab:
    """Talks to the API as the page does, and lets a worker do what was queued."""

    def __init__(self) -> None:
        if "test-lab" not in scripts:
            scripts.add("test-lab", answer)
        self.owner = User.objects.create_user("ada")
        self.project = ProjectRecord.objects.create(name="Ours")
        MembershipRecord.objects.create(project=self.project, user=self.owner, role="owner")
        self.client = Client()
        self.client.force_login(self.owner)
        self.model = self.add_model("clever", "script:test-lab")
        talker = spec(model="clever").model_copy(update={"environment": "test-person"})
        self.version = agents.create_agent(self.project.id, talker).id
        self.tape = self.add_tape(ASKED)

    def add_model(self, name: str, litellm_model: str, **values: Any) -> UUID:
        fields: dict[str, Any] = {
            "base_url": "",
            "api_key_env": "",
            "parameters": {},
            "input_price": PRICE,
            "cache_read_price": PRICE,
            "output_price": PRICE,
            **values,
        }
        row = models.create_model(
            self.project.id,
            owner=self.owner.pk,
            name=name,
            litellm_model=litellm_model,
            **fields,
        )
        return row.id

    def add_tape(self, *said: str) -> UUID:
        tape = Tape(steps=tuple(UserStep(content=text) for text in said))
        return tape_saving.save_tape(
            self.project.id, tape, owner=self.owner.pk, writer="person", agent_version=self.version
        )

    def ask(self, method: str, path: str, body: Any = None, *, expect: int = 200) -> Any:
        data = "" if body is None else json.dumps(body, default=str)
        answer = self.client.generic(
            method, f"/api/v1/{path}", data, content_type="application/json"
        )
        assert answer.status_code == expect, answer.content
        return answer.json() if answer.content else None

    def edit(self, text: str = HINTED, *, fix: str = "A", position: int = 0) -> None:
        """Draft another question in the place of a step, as one of the fixes."""
        step = {"kind": "user", "content": text}
        body = {
            "version": 0,
            "operations": [{"op": "replace", "position": position, "step": step}],
            "applied_count": 1,
        }
        self.ask("PUT", f"tapes/{self.tape}/draft?fix={fix}", body)

    def start(self, *, expect: int = 201, **values: Any) -> Any:
        body = {"agent_version_id": self.version, **values}
        return self.ask("POST", f"tapes/{self.tape}/experiments", body, expect=expect)

    def check(self, *, expect: int = 200, **values: Any) -> Any:
        body = {"agent_version_id": self.version, **values}
        return self.ask("POST", f"tapes/{self.tape}/experiments/check", body, expect=expect)

    def show(self, experiment: Any) -> Any:
        return self.ask("GET", f"experiments/{experiment['row']['id']}")

    def work(self) -> None:
        asyncio.run(Host("agents", concurrency=8, stopping=threading.Event()).work())

    def run(self, **values: Any) -> Any:
        """Start an experiment, let it come to its end and return it."""
        started = self.start(**values)
        self.work()
        return self.show(started)


def column(experiment: Any, name: str) -> list[Any]:
    return [branch[name] for branch in experiment["branches"]]


def arm(experiment: Any, name: str) -> Any:
    [found] = [side["group"] for side in experiment["summary"]["arms"] if side["arm"] == name]
    return found


def edited_arm(experiment: Any) -> Any:
    [found] = [side for side in experiment["summary"]["arms"] if side["arm"] == "edited"]
    return found
