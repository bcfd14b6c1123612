"""The sample project: loaded once, really run, without a key or a network."""

import asyncio
import json
import time
from io import StringIO
from uuid import UUID

import pytest
from django.core.management import call_command

from tapes_app.agents.services.sample_project import SAMPLE_AGENTS, load_sample
from tapes_app.agents.store import agents as agent_storage
from tapes_app.engine.agent.replay import replay_tape
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolResult
from tapes_app.engine.tape.tape import Tape
from tapes_app.projects.store.projects import ensure_default_project
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store import removal as tape_removal
from tests.gallery.running import build_gallery_agent

pytestmark = pytest.mark.django_db


def load_tapes(tape_ids: list[UUID]) -> list[Tape]:
    project = ensure_default_project().id
    return [tape_loading.load_tape(tape_id, project) for tape_id in tape_ids]


def answer_of(tape: Tape) -> str:
    step = tape.steps[-1]
    assert isinstance(step, AssistantStep)
    return step.content


def test_it_holds_good_runs_failures_and_forks_that_mend_them() -> None:
    report = load_sample()

    good, wrong, mended, unknown, talk, mixed, unmixed = load_tapes(report.tape_ids)
    assert len(good) == 20
    assert "Vulcan Materials makes" in answer_of(good)
    assert "Aster Mills" in answer_of(wrong)
    assert "Aster Robotics" in answer_of(mended)
    assert "I am a script" in answer_of(unknown)
    assert any(isinstance(step, ToolResult) and step.is_error for step in unknown.steps)
    assert answer_of(talk) == "You are welcome."
    assert "different things" in answer_of(mixed)
    assert "10 km are 6.21" in answer_of(unmixed)
    assert mended.metadata.parent_id == wrong.id
    assert unmixed.metadata.parent_id == mixed.id


def test_a_fork_shares_its_first_steps_with_its_parent() -> None:
    report = load_sample()
    _, wrong, mended, *_ = load_tapes(report.tape_ids)

    header = headers.load_header(report.tape_ids[2], ensure_default_project().id)

    assert mended.steps[:3] == wrong.steps[:3]
    assert header.forked_at == 3


def test_the_wrong_company_is_judged_and_its_mended_fork_too() -> None:
    ids = load_sample().tape_ids
    project = ensure_default_project().id

    good, wrong, mended, unknown = (headers.load_header(tape_id, project) for tape_id in ids[:4])

    assert [row.outcome for row in (good, wrong, mended, unknown)] == ["pass", "fail", "pass", ""]
    assert wrong.expected == mended.expected == "Aster Robotics"
    assert "Aster Mills" in wrong.actual


def test_loading_again_changes_nothing() -> None:
    first = load_sample()
    again = load_sample()

    assert again.tape_ids == []
    assert again.agents == first.agents == dict.fromkeys(SAMPLE_AGENTS, 1)


def test_a_deleted_sample_tape_does_not_come_back() -> None:
    project = ensure_default_project().id
    tape_removal.delete_tape(load_sample().tape_ids[0], project)

    assert load_sample().tape_ids == []


def test_agents_are_stored_as_versions_that_the_tapes_name() -> None:
    report = load_sample()
    project = ensure_default_project().id

    agents = {row.name: row for row in agent_storage.list_agents(project)}
    header = headers.load_header(report.tape_ids[0], project)

    assert set(agents) == set(SAMPLE_AGENTS)
    assert header.agent_version_id == agents["analyst"].latest_version_id


@pytest.mark.parametrize(("agent", "number"), [("analyst", 0), ("analyst", 1), ("chat", 4)])
def test_its_tapes_replay_from_the_store(agent: str, number: int) -> None:
    project = ensure_default_project().id
    tape_id = load_sample().tape_ids[number]
    calls = {row.call.prompt.id: row.call for row in call_storage.list_calls(tape_id, project)}

    tape = tape_loading.load_tape(tape_id, project)
    result = asyncio.run(replay_tape(build_gallery_agent(agent), tape, calls))

    assert result.divergence is None
    assert result.node_run_count == len(calls)


def test_loading_is_quick() -> None:
    started = time.process_time()

    load_sample()

    assert time.process_time() - started < 3


@pytest.mark.parametrize("is_json", [True, False])
def test_the_command_says_what_it_made(is_json: bool) -> None:
    out = StringIO()

    call_command("load_sample", stdout=out, json=is_json)

    text = out.getvalue().strip()
    if is_json:
        assert len(json.loads(text)["tape_ids"]) == 7
    else:
        assert text.endswith("7 tapes created.")
