"""Drafts of agents over HTTP: kept even if invalid, undone, shared, saved as versions."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tapes_app.authoring.domain.spec_size import MOST_NODES
from tapes_app.authoring.store import drafts
from tapes_app.models import MembershipRecord, ProjectRecord
from tests.http.asking import call
from tests.http.worlds import World, spec

pytestmark = pytest.mark.django_db

BRIEF = spec(text="Be brief.").model_dump(mode="json")
JUDGE = {"type": "builders.MonoNode", "settings": {"name": "judge", "steps": ["verdict"]}}
SAY = {"type": "tests.SayNode", "settings": {"name": "say"}}


def put(client: Client, world: World, value: Any, revision: int = 0, expect: int = 200) -> Any:
    body = {"spec": value, "revision": revision}
    return call(client, "PUT", f"agents/{world.agent}/draft", body, expect=expect)


def show(client: Client, world: World) -> Any:
    return call(client, "GET", f"agents/{world.agent}/draft")


def move(client: Client, world: World, how: str, revision: int, expect: int = 200) -> Any:
    body = {"revision": revision}
    return call(client, "POST", f"agents/{world.agent}/draft/{how}", body, expect=expect)


def save(client: Client, world: World, revision: int, note: str = "", expect: int = 201) -> Any:
    body = {"revision": revision, "note": note}
    return call(client, "POST", f"agents/{world.agent}/draft/save", body, expect=expect)


def errors(draft: Any) -> list[str]:
    return [one["path"] for one in draft["problems"] if one["severity"] == "error"]


@pytest.fixture
def colleague(project: ProjectRecord) -> Client:
    user = User.objects.create_user("ben", password="x")
    MembershipRecord.objects.create(project=project, user=user, role="member")
    client = Client()
    client.force_login(user)
    return client


def test_without_a_draft_the_newest_version_is_shown(studio: Client, world: World) -> None:
    draft = show(studio, world)

    assert draft["base"] == {"version_id": str(world.version), "number": 1}
    assert draft["spec"]["nodes"] == [SAY]
    assert (draft["revision"], draft["is_changed"], draft["problems"]) == (0, False, [])
    assert [(node["path"], node["agent"]) for node in draft["graph"]["nodes"]] == [
        ("/nodes/0", "talker")
    ]


def test_an_invalid_draft_is_kept_with_its_problems(studio: Client, world: World) -> None:
    wrong = {**BRIEF, "nodes": [SAY, {**SAY, "settings": {"name": "say", "colour": "red"}}]}

    put(studio, world, wrong)
    draft = show(studio, world)

    assert draft["spec"] == wrong
    assert (draft["is_changed"], draft["changed_by"]) == (True, "ada")
    assert errors(draft) == ["/nodes/1/settings/name", "/nodes/1/settings/colour"]


def test_a_draft_that_is_no_agent_at_all_is_kept_without_a_graph(
    studio: Client, world: World
) -> None:
    draft = put(studio, world, {"nodes": "many", "colour": "red"})

    assert draft["graph"] is None
    assert errors(draft) == ["/name", "/nodes", "/colour"]


def test_changes_are_undone_and_repeated(studio: Client, world: World) -> None:
    put(studio, world, BRIEF)
    put(studio, world, {**BRIEF, "description": "Briefer."}, revision=1)

    undone = move(studio, world, "undo", 2)
    first = move(studio, world, "undo", 3)
    repeated = move(studio, world, "redo", 4)

    assert (undone["spec"], undone["can_redo"]) == (BRIEF, True)
    assert (first["is_changed"], first["can_undo"]) == (False, False)
    assert repeated["spec"] == BRIEF
    assert move(studio, world, "redo", 5)["spec"]["description"] == "Briefer."
    assert "nothing to redo" in move(studio, world, "redo", 6, expect=409)["message"]


def test_a_change_after_undoing_ends_what_could_be_repeated(studio: Client, world: World) -> None:
    put(studio, world, BRIEF)
    move(studio, world, "undo", 1)

    draft = put(studio, world, {**BRIEF, "description": "Other."}, revision=2)

    assert (draft["can_undo"], draft["can_redo"]) == (True, False)


def test_the_history_of_a_draft_is_bounded(
    studio: Client, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MOST_STATES", 3)
    for revision in range(4):
        put(studio, world, {**BRIEF, "description": str(revision)}, revision=revision)

    move(studio, world, "undo", 4)
    oldest = move(studio, world, "undo", 5)

    assert (oldest["spec"]["description"], oldest["can_undo"]) == ("1", False)


def test_a_large_history_keeps_what_is_shown(
    studio: Client, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "MOST_CHARACTERS", 10)

    draft = put(studio, world, BRIEF)

    assert (draft["spec"], draft["can_undo"]) == (BRIEF, False)


def test_of_two_people_the_second_is_told_who_changed_the_draft(
    studio: Client, colleague: Client, world: World
) -> None:
    put(studio, world, BRIEF)

    refused = put(colleague, world, BRIEF, revision=0, expect=409)
    undo = move(colleague, world, "undo", 0, expect=409)

    assert refused["code"] == "draft_changed"
    assert (refused["details"]["changed_by"], refused["details"]["revision"]) == ("ada", 1)
    assert "ada has changed this draft" in refused["message"]
    assert undo["code"] == "draft_changed"
    assert show(studio, world)["revision"] == 1


def test_a_page_that_missed_that_the_draft_was_discarded_is_refused(
    studio: Client, colleague: Client, world: World
) -> None:
    put(studio, world, BRIEF)
    call(colleague, "DELETE", f"agents/{world.agent}/draft", expect=204)
    put(colleague, world, {**BRIEF, "description": "Mine."}, revision=2)

    refused = put(studio, world, BRIEF, revision=1, expect=409)

    assert refused["details"]["changed_by"] == "ben"
    assert show(studio, world)["spec"]["description"] == "Mine."


def test_a_discarded_draft_is_gone_with_its_history(studio: Client, world: World) -> None:
    put(studio, world, BRIEF)

    call(studio, "DELETE", f"agents/{world.agent}/draft", expect=204)
    draft = show(studio, world)

    assert (draft["is_changed"], draft["can_undo"], draft["can_redo"]) == (False, False, False)
    assert draft["changed_by"] == ""
    assert put(studio, world, BRIEF, revision=draft["revision"])["can_undo"]


def test_a_draft_becomes_a_version_with_a_note(studio: Client, world: World) -> None:
    put(studio, world, BRIEF)

    version = save(studio, world, 1, note="Shorter answers.")
    draft = show(studio, world)
    agent = call(studio, "GET", f"agents/{world.agent}")

    assert (version["number"], version["note"], version["saved_by"]) == (
        2, "Shorter answers.", "ada"
    )  # fmt: skip
    assert (draft["base"]["number"], draft["is_changed"], draft["can_undo"]) == (2, False, False)
    assert [(one["number"], one["note"]) for one in agent["versions"]] == [
        (2, "Shorter answers."),
        (1, ""),
    ]


def test_a_draft_with_errors_becomes_no_version(studio: Client, world: World) -> None:
    wrong = {**BRIEF, "nodes": [SAY, {"type": "os.system"}]}
    put(studio, world, wrong)

    refused = save(studio, world, 1, expect=422)

    assert refused["code"] == "draft_invalid"
    assert refused["details"]["problems"][0]["path"] == "/nodes/1/type"
    assert "no node type 'os.system'" in refused["message"]
    assert show(studio, world)["spec"] == wrong
    assert call(studio, "GET", f"agents/{world.agent}")["version_count"] == 1


def test_a_draft_with_warnings_becomes_a_version(studio: Client, world: World) -> None:
    draft = put(studio, world, {**BRIEF, "templates": {"system": "Speak {language}."}})

    assert [one["severity"] for one in draft["problems"]] == ["warning"]
    assert save(studio, world, 1)["number"] == 2


def test_a_draft_is_not_saved_over_a_version_that_it_does_not_know(
    studio: Client, world: World
) -> None:
    revision = put(studio, world, BRIEF)["revision"]
    other = {"spec": spec(text="Be kind.").model_dump(mode="json")}
    call(studio, "POST", f"agents/{world.agent}/versions", other, expect=201)

    refused = save(studio, world, revision, expect=409)
    body = {"revision": revision, "ignores_newer": True}
    saved = call(studio, "POST", f"agents/{world.agent}/draft/save", body, expect=201)

    assert (refused["code"], refused["details"]) == ("draft_outdated", {"base": 1, "newest": 2})
    assert "Version 2 was added after this draft was begun with version 1." in refused["message"]
    assert saved["number"] == 3


def test_what_an_older_version_has_already_is_not_saved_again(studio: Client, world: World) -> None:
    first = show(studio, world)["spec"]
    put(studio, world, BRIEF)
    save(studio, world, 1)
    put(studio, world, first, revision=2)

    refused = save(studio, world, 3, expect=409)

    assert "This is version 1 already" in refused["message"]
    assert show(studio, world)["spec"] == first


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"nodes": [SAY] * (MOST_NODES + 1)}, "1,001 nodes"),
        ({"nodes": [SAY] * 10_000}, "10,000 nodes"),
        ({"subagents": [{"nodes": [SAY] * 600}, {"nodes": [SAY] * 600}]}, "1,201 nodes"),
        ({"subagents": [{"name": "a"}] * 300}, "300 subagents"),
        ({"templates": {"system": "{{" * 5_000_000}}, "10,000,"),
        ({"templates": {"x": json.loads("[" * 60 + "]" * 60)}}, "nested deeper"),
    ],
)
def test_a_draft_that_is_too_large_is_refused(
    studio: Client, world: World, changes: Any, reason: str
) -> None:
    refused = put(studio, world, {**BRIEF, **changes}, expect=422)

    assert refused["code"] == "spec_too_large"
    assert reason in refused["message"]
    assert show(studio, world)["revision"] == 0


def test_what_a_draft_changes_is_listed_by_the_names_of_its_parts(
    studio: Client, world: World
) -> None:
    path = f"agents/{world.agent}/draft/changes"
    assert call(studio, "GET", f"{path}?revision=0") == []
    kind = {"name": "verdict", "family": "thought", "fields": [{"name": "why", "type": "text"}]}
    put(studio, world, {**BRIEF, "kinds": [kind], "nodes": [JUDGE, SAY]})

    changes = call(studio, "GET", f"{path}?revision=1")
    stale = call(studio, "GET", f"{path}?revision=0", expect=409)
    put(studio, world, {**BRIEF, "nodes": "none"}, revision=1)
    invalid = call(studio, "GET", f"{path}?revision=2", expect=422)

    assert [(one["path"], one["op"]) for one in changes] == [
        ("templates.system", "added"), ("nodes.judge", "added"), ("kinds.verdict", "added"),
    ]  # fmt: skip
    assert (stale["code"], invalid["code"]) == ("draft_changed", "draft_invalid")


def test_hostile_text_is_kept_as_text(studio: Client, world: World) -> None:
    hostile = "\x00\ud800 {0.__class__} <script> {{ 7*7 }}"

    draft = put(studio, world, {**BRIEF, "templates": {"system": hostile, "__class__": "x"}})

    assert draft["spec"]["templates"] == {"system": hostile, "__class__": "x"}
    assert show(studio, world)["spec"]["templates"]["system"] == hostile


def test_numbers_that_json_does_not_have_are_refused(studio: Client, world: World) -> None:
    answer = studio.put(
        f"/api/v1/agents/{world.agent}/draft",
        '{"revision": 0, "spec": {"templates": {"a": NaN}}}',
        content_type="application/json",
    )

    assert answer.status_code == 422
    assert "NaN" in answer.json()["message"]


def test_a_viewer_sees_a_draft_and_changes_nothing(
    studio: Client, viewer: Client, world: World
) -> None:
    put(studio, world, BRIEF)

    put(viewer, world, BRIEF, revision=1, expect=403)

    assert show(viewer, world)["spec"] == BRIEF


def test_the_draft_of_another_project_is_not_there(studio: Client, elsewhere: World) -> None:
    path = f"agents/{elsewhere.agent}/draft"

    call(studio, "GET", path, expect=404)
    call(studio, "PUT", path, {"spec": BRIEF, "revision": 0}, expect=404)
    call(studio, "DELETE", path, expect=404)


def test_a_version_added_meanwhile_is_what_the_next_draft_begins_with(
    studio: Client, world: World
) -> None:
    body = {"spec": BRIEF}
    call(studio, "POST", f"agents/{world.agent}/versions", body, expect=201)

    draft = put(studio, world, {**BRIEF, "nodes": [SAY, SAY]})

    assert draft["base"]["number"] == 2
    assert move(studio, world, "undo", 1)["spec"] == BRIEF


def test_a_draft_has_the_sentences_of_its_tool_rules(studio: Client, world: World) -> None:
    rules = [{"action": "deny", "tool": "pay", "reason": "Ask."}, {"action": "nothing"}]

    draft = put(studio, world, {**BRIEF, "tool_rules": rules})

    assert draft["tool_rules"] == ["Refuse pay, and tell the agent: Ask.", ""]
    assert errors(draft) == ["/tool_rules/1/action"]
