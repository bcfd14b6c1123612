"""Drafts, Save, Resume, Reply and Diff over HTTP: nothing runs and nothing is made half."""

from typing import Any

import pytest
from django.test import Client

from tapes_app.agents.store.agents import create_agent
from tapes_app.engine.agent.spec import LLMSpec
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.models import JobRecord, ProjectRecord, TapeRecord
from tests.http.asking import REPLACE, call, put_draft
from tests.http.worlds import World, spec

pytestmark = pytest.mark.django_db


@pytest.fixture
def idle(world: World, project: ProjectRecord) -> World:
    """A world whose run is over."""
    request_cancel(project.id, world.job, person="ada")
    return world


def test_a_draft_is_kept_with_its_redo_and_makes_no_child(studio: Client, world: World) -> None:
    body = {"version": 0, "operations": [REPLACE, REPLACE], "applied_count": 1}

    saved = call(studio, "PUT", f"tapes/{world.tape}/draft", body)

    assert (saved["version"], saved["applied_count"], len(saved["operations"])) == (1, 1, 2)
    assert call(studio, "GET", f"tapes/{world.tape}/draft") == saved
    assert call(studio, "GET", f"tapes/{world.tape}")["draft"] == saved
    assert TapeRecord.objects.count() == 1


def test_a_draft_that_another_tab_changed_is_not_overwritten(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE)
    body = {"version": 0, "operations": [], "applied_count": 0}

    refused = call(studio, "PUT", f"tapes/{world.tape}/draft", body, expect=409)

    assert refused["code"] == "conflict"


def test_a_draft_is_only_seen_by_its_person(studio: Client, viewer: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE)

    assert call(viewer, "GET", f"tapes/{world.tape}/draft")["version"] == 0


def test_an_undone_draft_leaves_nothing(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE)

    call(studio, "DELETE", f"tapes/{world.tape}/draft", expect=204)

    assert call(studio, "GET", f"tapes/{world.tape}/draft")["operations"] == []
    assert TapeRecord.objects.count() == 1


def test_a_preview_shows_what_is_new_and_what_is_stale(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE)

    preview = call(studio, "GET", f"tapes/{world.tape}/draft/preview")

    assert preview["resume_at"] == 2
    assert [step["source"] for step in preview["items"]] == [0, None, 2, 3, 4, 5]
    assert [step["is_stale"] for step in preview["items"]] == [False, False] + [True] * 4
    assert preview["items"][1]["body"]["content"] == "better"
    assert preview["items"][1]["gist"] == "better"
    assert preview["items"][0]["body"] is None


def test_an_edit_outside_the_tape_is_named(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE, {"op": "delete", "position": 50})

    refused = call(studio, "GET", f"tapes/{world.tape}/draft/preview", expect=422)

    assert refused["code"] == "edit_invalid"
    assert refused["message"].startswith("Edit 2 (delete) is at step 50")


def test_save_makes_a_child_that_names_parent_and_writer(studio: Client, world: World) -> None:
    job_count = JobRecord.objects.count()
    put_draft(studio, world.tape, REPLACE)

    made = call(studio, "POST", f"tapes/{world.tape}/save", expect=201)

    child = call(studio, "GET", f"tapes/{made['tape_id']}")
    steps = call(studio, "GET", f"tapes/{made['tape_id']}/steps")["items"]
    assert (child["parent_id"], child["forked_at"], child["author"]) == (str(world.tape), 1, "ada")
    assert child["step_count"] == 6
    assert steps[1]["body"]["content"] == "better"
    assert (steps[1]["writer"], steps[1]["edited_by"], steps[1]["is_own"]) == (
        "person",
        "ada",
        True,
    )
    assert not steps[0]["is_own"]
    assert call(studio, "GET", f"tapes/{world.tape}/draft")["operations"] == []
    assert JobRecord.objects.count() == job_count


def test_a_step_that_does_not_fit_its_kind_is_refused_and_nothing_is_made(
    studio: Client, world: World
) -> None:
    wrong = {"op": "insert", "position": 0, "step": {"kind": "user", "words": "hi"}}
    put_draft(studio, world.tape, wrong)

    preview = call(studio, "GET", f"tapes/{world.tape}/draft/preview")
    refused = call(studio, "POST", f"tapes/{world.tape}/save", expect=422)

    assert preview["items"][0]["problem"] == "content: Field required."
    assert refused["message"].startswith("Step 0: content: Field required.")
    assert TapeRecord.objects.count() == 1
    assert call(studio, "GET", f"tapes/{world.tape}/draft")["version"] == 1


def test_nothing_to_save_is_said(studio: Client, world: World) -> None:
    refused = call(studio, "POST", f"tapes/{world.tape}/save", expect=422)

    assert "change something first" in refused["message"]


def test_resume_from_an_edit_leaves_the_stale_steps_behind(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE)
    body = {
        "agent_version_id": str(world.version),
        "use_draft": True,
        "parameters": {"temperature": 0.5},
    }

    started = call(studio, "POST", f"tapes/{world.tape}/resume", body, expect=201)

    child = call(studio, "GET", f"tapes/{started['tape_id']}")
    job = call(studio, "GET", f"jobs/{started['job_id']}")
    steps = call(studio, "GET", f"tapes/{started['tape_id']}/steps")["items"]
    assert [step["kind"] for step in steps] == ["user", "assistant", "set_next_node"]
    assert (child["parent_id"], child["step_count"]) == (str(world.tape), 3)
    assert (job["state"], job["tape_id"]) == ("queued", started["tape_id"])
    assert call(studio, "GET", f"tapes/{world.tape}/draft")["operations"] == []


def test_resume_from_a_step_makes_a_child(studio: Client, world: World) -> None:
    body = {"agent_version_id": str(world.version), "at": 1}

    started = call(studio, "POST", f"tapes/{world.tape}/resume", body, expect=201)

    assert started["tape_id"] != str(world.tape)
    assert call(studio, "GET", f"tapes/{started['tape_id']}")["forked_at"] == 1


def test_resume_without_edit_grows_the_tape_itself(studio: Client, idle: World) -> None:
    body = {"agent_version_id": str(idle.version)}

    started = call(studio, "POST", f"tapes/{idle.tape}/resume", body, expect=201)

    assert started["tape_id"] == str(idle.tape)


def test_a_tape_that_a_run_grows_is_not_grown_by_another(studio: Client, world: World) -> None:
    body = {"agent_version_id": str(world.version)}

    refused = call(studio, "POST", f"tapes/{world.tape}/resume", body, expect=409)

    assert refused["code"] == "conflict"


def test_resume_past_the_end_makes_nothing(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE)
    body = {"agent_version_id": str(world.version), "use_draft": True, "at": 7}

    call(studio, "POST", f"tapes/{world.tape}/resume", body, expect=422)

    assert TapeRecord.objects.count() == 1
    assert call(studio, "GET", f"tapes/{world.tape}/draft")["version"] == 1


def test_resume_with_a_model_without_its_key_names_the_variable_and_makes_nothing(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    model = {"name": "cloud", "litellm_model": "openai/gpt", "api_key_env": "NO_SUCH_VARIABLE_KEY"}
    added = call(studio, "POST", "models", model, expect=201)
    body = {"agent_version_id": str(world.version), "model_id": added["id"], "at": 1}

    refused = call(studio, "POST", f"tapes/{world.tape}/resume", body, expect=409)

    assert refused["code"] == "model_key_missing"
    assert "NO_SUCH_VARIABLE_KEY" in refused["message"]
    assert TapeRecord.objects.count() == 1


def test_resume_with_an_agent_whose_model_is_gone_says_which(
    studio: Client, world: World, project: ProjectRecord
) -> None:
    lost = spec("lost").model_copy(update={"llms": {"default": LLMSpec(model="gone")}})
    version = create_agent(project.id, lost)
    body = {"agent_version_id": str(version.id), "at": 1}

    refused = call(studio, "POST", f"tapes/{world.tape}/resume", body, expect=422)

    assert "'gone'" in refused["message"]


def test_a_session_starts_with_what_was_said(studio: Client, world: World) -> None:
    body = {"agent_version_id": str(world.version), "message": "Hello there"}

    started = call(studio, "POST", "tapes", body, expect=201)

    tape = call(studio, "GET", f"tapes/{started['tape_id']}")
    steps = call(studio, "GET", f"tapes/{started['tape_id']}/steps")["items"]
    assert (tape["title"], tape["agent_name"]) == ("Hello there", "talker")
    assert tape["job"]["id"] == started["job_id"]
    assert [(step["kind"], step["writer"]) for step in steps] == [("user", "person")]


def test_a_reply_that_nobody_waits_for_is_refused(studio: Client, idle: World) -> None:
    refused = call(studio, "POST", f"tapes/{idle.tape}/reply", {"text": "yes"}, expect=409)

    assert refused["code"] == "conflict"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("tapes", {"message": "x"}),
        ("tapes", {"agent_version_id": "x", "message": "x"}),
        ("tapes/{0}/resume", {"agent_version_id": "{1}", "parameters": {"temperature": 9}}),
        ("tapes/{0}/resume", {"agent_version_id": "{1}", "tempature": 1}),
        ("tapes/{0}/reply", {"text": ""}),
        ("tapes/{0}/fork", {"at": -1}),
        ("tapes/{0}/fork", {"at": 7}),
    ],
)
def test_bad_bodies_are_refused_in_a_sentence(
    studio: Client, world: World, path: str, body: dict[str, Any]
) -> None:
    filled = {
        key: value.format(world.tape, world.version) if isinstance(value, str) else value
        for key, value in body.items()
    }

    refused = call(studio, "POST", path.format(world.tape), filled, expect=422)

    assert set(refused) == {"code", "message", "details"}


def test_a_diff_with_the_parent_shows_the_changed_words(studio: Client, world: World) -> None:
    put_draft(
        studio,
        world.tape,
        {"op": "replace", "position": 1, "step": {"kind": "assistant", "content": "answer nought"}},
    )
    child = call(studio, "POST", f"tapes/{world.tape}/save", expect=201)["tape_id"]

    diff = call(studio, "GET", f"tapes/{world.tape}/diff/{child}")

    assert [(row["op"], row["count"]) for row in diff["rows"]] == [
        ("equal", 1),
        ("changed", 1),
        ("equal", 4),
    ]
    field = diff["rows"][1]["fields"][0]
    assert field["path"] == "content"
    assert [word["op"] for word in field["words"]] == ["equal", "delete", "insert"]
    assert diff["first_divergence"] == 1
    assert (diff["left"]["step_count"], diff["right"]["step_count"]) == (6, 6)
    assert {diff[side]["outcome"] for side in ("left", "right")} == {""}
    assert diff["left"]["created_at"] < diff["right"]["created_at"]


def test_a_replay_of_what_the_agent_did_is_identical(studio: Client, world: World) -> None:
    result = call(studio, "POST", f"tapes/{world.tape}/replay")

    assert result == {
        "is_identical": True,
        "step_count": 6,
        "node_run_count": 2,
        "divergence": None,
    }


def test_a_replay_without_a_known_version_names_the_writer_and_offers_agents_like_it(
    studio: Client, world: World
) -> None:
    path = f"tapes/{world.tape}/replay"
    TapeRecord.objects.filter(id=world.tape).update(agent_version=None, agent_name="old talker")

    refused = call(studio, "POST", path, expect=422)
    (near,) = refused["details"]["nearest"]
    replayed = call(studio, "POST", path, {"agent_version_id": near["agent_version_id"]})

    assert refused["code"] == "writer_unknown"
    assert "No version of 'old talker', which wrote this tape, is known here" in refused["message"]
    assert (near["name"], near["agent_version_id"]) == ("talker", str(world.version))
    assert replayed["is_identical"]


def test_a_replay_of_an_edited_tape_says_where_it_differs(studio: Client, world: World) -> None:
    put_draft(
        studio,
        world.tape,
        {"op": "replace", "position": 0, "step": {"kind": "user", "content": "?"}},
    )
    child = call(studio, "POST", f"tapes/{world.tape}/save", expect=201)["tape_id"]

    result = call(studio, "POST", f"tapes/{child}/replay", {})

    assert not result["is_identical"]
    assert (result["divergence"]["position"], result["divergence"]["reason"]) == (1, "prompt")
    assert "question 0" in result["divergence"]["diff"]
