"""Tapes whose agents are not here, and imported transcripts, are edited and resumed over HTTP."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.agents.store import agents
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.steps import Step, UnknownStep, family_of
from tapes_app.exchange.services.import_files import import_files
from tapes_app.gallery.continuation.agent import NAME
from tapes_app.interchange.folders import collect_files
from tapes_app.models import MembershipRecord, ProjectRecord
from tapes_app.tapes.store.loading import load_tape
from tests.http.asking import call, put_draft
from tests.interchange.chats import build_conversation, store_lines
from tests.jobs.builders import read_row
from tests.recordings import EACH_FOLDER
from tests.runs.browsers import work
from tests.runs.test_fit_over_http import by, look, store, team


@pytest.fixture
def place() -> tuple[Client, ProjectRecord]:
    """A project and its owner's browser, for tests in which a worker takes part."""
    owner = User.objects.create_user("ada", password="x")
    project = ProjectRecord.objects.create(name="Ours")
    MembershipRecord.objects.create(project=project, user=owner, role="owner")
    client = Client()
    client.force_login(owner)
    return client, project


def continuation(project: ProjectRecord) -> UUID:
    row = agents.find_agent(NAME, project.id)
    assert row is not None
    return row.latest_version_id


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
@pytest.mark.parametrize("folder", EACH_FOLDER)
def test_every_recorded_tape_can_be_edited_and_resumed(
    transactional_db: None, place: tuple[Client, ProjectRecord], folder: Path
) -> None:
    studio, project = place
    assert import_files(project.id, collect_files(folder), batch_name=folder.name).imported
    version = continuation(project)

    for row in call(studio, "GET", "tapes?limit=200")["items"]:
        steps = load_tape(UUID(row["id"]), project.id).steps
        at = last_open_place(steps)
        operation: dict[str, Any] = {"op": "insert", "position": 0, "step": SAID}
        if steps:
            body = {**steps[at - 1].to_json(), **CHANGED.get(steps[at - 1].kind, {})}
            operation = {"op": "replace", "position": at - 1, "step": body}
        put_draft(studio, row["id"], operation)
        fit = look(studio, UUID(row["id"]), version, "&use_draft=true")
        assert (fit["can_continue"], fit["problems"]) == (True, []), row["title"]
        options = {"agent_version_id": str(version), "use_draft": True}
        started = call(studio, "POST", f"tapes/{row['id']}/resume", options, expect=201)
        work()

        child = load_tape(UUID(started["tape_id"]), project.id)
        assert read_row(UUID(started["job_id"])).state == "waiting"
        assert len(child) == max(at, 1) + 1
        assert child.steps[-1].metadata.agent == NAME
        assert str(child.steps[-1].content_dict()["content"]).startswith("I am a script")


SAID = {"kind": "user", "content": "Something else was said here."}
CHANGED = {"user": SAID, "tool": {"content": "Something else came back."}}


def last_open_place(steps: Sequence[Step]) -> int:
    """Return how many steps are kept: up to the last observation, where an agent acts next."""
    families = [family_of(step) for step in steps]
    found = "observation" in families
    return len(families) - families[::-1].index("observation") if found else len(steps)


@pytest.mark.django_db(transaction=True)
def test_an_imported_transcript_is_edited_and_resumed(
    transactional_db: None, place: tuple[Client, ProjectRecord], tmp_path: Path
) -> None:
    studio, project = place
    store_lines(tmp_path / "chats.jsonl", build_conversation())
    import_files(project.id, collect_files(tmp_path), batch_name="chats")
    (row,) = call(studio, "GET", "tapes")["items"]
    step = {"kind": "tool", "content": "30 degrees, sun", "tool_call_id": "call_1"}
    put_draft(studio, row["id"], {"op": "replace", "position": 3, "step": step})

    options = {"agent_version_id": str(continuation(project)), "use_draft": True}
    started = call(studio, "POST", f"tapes/{row['id']}/resume", options, expect=201)
    work()

    steps = call(studio, "GET", f"tapes/{started['tape_id']}/steps")["items"]
    assert [step["kind"] for step in steps] == ["system", "user", "assistant", "tool", "assistant"]
    assert "I read 4 messages; the last one says: 30 degrees, sun" in steps[-1]["body"]["content"]
    asked = call(studio, "GET", f"tapes/{started['tape_id']}/steps/4/call")
    assert asked["tools"] == build_conversation()["tools"]
    call(studio, "POST", f"tapes/{started['tape_id']}/reply", {"text": "Thanks"})
    work()
    assert len(load_tape(UUID(started["tape_id"]), project.id)) == 7


@pytest.mark.django_db
def test_it_is_offered_first_where_nothing_of_the_team_is_here(
    studio: Client, project: ProjectRecord
) -> None:
    asked = UnknownStep.model_validate({"kind": "search_action", "query": "moon"})
    tape = store(project, UserStep(content="hi"), by("gaia", "act", asked))
    other = agents.create_agent(project.id, team("a talker", "say"))
    agents.create_agent(project.id, gallery_agents.get(NAME)())

    fit = look(studio, tape, other.id)

    assert "kind_missing" in [one["code"] for one in fit["problems"]]
    assert [near["name"] for near in fit["nearest"]] == [NAME]
    assert look(studio, tape, continuation(project))["can_continue"]
