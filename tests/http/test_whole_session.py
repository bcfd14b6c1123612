"""The main job over HTTP: import, edit, resume with a real worker, reply, compare."""

import asyncio
import json
import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tapes_app import job_kinds  # noqa: F401 - registers what a worker can do
from tapes_app.agents.store.agents import create_agent
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.jobs.services.host import Host
from tapes_app.models import MembershipRecord, ProjectRecord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ASKED = "Tell me something about sevens."
BETTER = "What is 6 * 7?"


class Browser:
    """Talks to the API as the page does, and has a worker do what was queued."""

    def __init__(self) -> None:
        owner = User.objects.create_user("ada")
        self.project = ProjectRecord.objects.create(name="Ours")
        MembershipRecord.objects.create(project=self.project, user=owner, role="owner")
        self.client = Client()
        self.client.force_login(owner)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        data = "" if body is None else json.dumps(body)
        answer = self.client.generic(
            method, f"/api/v1/{path}", data, content_type="application/json"
        )
        assert answer.status_code < 300, answer.content
        return answer.json() if answer.content else None

    def work(self) -> None:
        asyncio.run(Host("agents", concurrency=4, stopping=threading.Event()).work())


def test_a_tape_is_imported_edited_resumed_answered_and_compared() -> None:
    browser = Browser()
    version = create_agent(browser.project.id, gallery_agents.get("chat")())
    agent = {"agent_version_id": str(version.id)}

    # Import a tape.
    tape = {"metadata": {"id": "t"}, "context": None, "steps": [{"kind": "user", "content": ASKED}]}
    file = SimpleUploadedFile("tape.json", json.dumps(tape).encode())
    upload = browser.client.post("/api/v1/uploads", {"files": [file], "batch": "mine"}).json()
    browser.work()
    result = browser.ask("GET", f"uploads/{upload['id']}")
    assert (result["imported"], result["refused"]) == (1, [])
    [row] = browser.ask("GET", f"tapes?q=batch:{result['batch_id']}")["items"]

    # Edit its only step and resume from there.
    step = {"kind": "user", "content": BETTER}
    draft = {
        "version": 0,
        "operations": [{"op": "replace", "position": 0, "step": step}],
        "applied_count": 1,
    }
    browser.ask("PUT", f"tapes/{row['id']}/draft", draft)
    run = browser.ask("POST", f"tapes/{row['id']}/resume", {**agent, "use_draft": True})
    browser.work()
    child = browser.ask("GET", f"tapes/{run['tape_id']}")
    steps = browser.ask("GET", f"tapes/{run['tape_id']}/steps")["items"]
    assert child["parent_id"] == row["id"]
    assert child["job"]["state"] == "waiting"
    assert (steps[0]["writer"], steps[0]["edited_by"]) == ("person", "ada")
    assert "42" in steps[-1]["body"]["content"]
    call = browser.ask("GET", f"tapes/{run['tape_id']}/steps/{steps[-1]['position']}/call")
    assert call["messages"][-1]["role"] == "tool"

    # Answer the agent, which waits.
    browser.ask("POST", f"tapes/{run['tape_id']}/reply", {"text": "And 5 + 5?"})
    browser.work()
    grown = browser.ask("GET", f"tapes/{run['tape_id']}/steps")["items"]
    assert "10" in grown[-1]["body"]["content"]
    assert len(grown) > len(steps)

    # Compare with the parent, replay, and stop.
    diff = browser.ask("GET", f"tapes/{row['id']}/diff/{run['tape_id']}")
    assert diff["first_divergence"] == 0
    assert browser.ask("POST", f"tapes/{run['tape_id']}/replay")["is_identical"]
    stopped = browser.ask("POST", f"jobs/{run['job_id']}/cancel")
    assert (stopped["state"], stopped["cancelled_by"]) == ("cancelled", "ada")
