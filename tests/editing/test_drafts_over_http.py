"""Drafts over HTTP: what others do, tapes that grew, bad steps, and what became of the old ones."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.steps import parse_step
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import MembershipRecord, ProjectRecord, TapeRecord
from tapes_app.tapes.store.saving import save_tape
from tapes_app.tapes.store.tapes import append_steps
from tests.http.asking import REPLACE, call, put_draft
from tests.http.worlds import World

pytestmark = pytest.mark.django_db

TOOL = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Adds two numbers.",
        "parameters": {"type": "object", "properties": {"a": {"type": "number"}}},
    },
}


@pytest.fixture
def colleague(project: ProjectRecord) -> Client:
    """A browser in which another member of the project is signed in."""
    user = User.objects.create_user("ben", password="x")
    MembershipRecord.objects.create(project=project, user=user, role="member")
    client = Client()
    client.force_login(user)
    return client


def save_child(client: Client, tape: Any, *operations: Any) -> Any:
    put_draft(client, tape, *operations)
    return call(client, "POST", f"tapes/{tape}/save", expect=201)["tape_id"]


def grow(world: World) -> None:
    append_steps(world.tape, [UserStep(content="late")], project=world.project, expected_count=6)


def test_one_is_told_who_else_edits_the_tape(
    studio: Client, colleague: Client, world: World
) -> None:
    put_draft(colleague, world.tape, REPLACE, REPLACE, REPLACE)

    tape = call(studio, "GET", f"tapes/{world.tape}")
    saved = put_draft(studio, world.tape, REPLACE)

    for others in (tape["other_drafts"], saved["others"]):
        assert [(other["person"], other["change_count"]) for other in others] == [("ben", 3)]
    assert "operations" not in tape["other_drafts"][0]
    assert [
        other["person"] for other in call(colleague, "GET", f"tapes/{world.tape}/draft")["others"]
    ] == ["ada"]


def test_changes_made_together_stay_together_through_the_server(
    studio: Client, world: World
) -> None:
    together = [{**REPLACE, "group": 1}, {"op": "delete", "position": 2, "group": 1}]

    put_draft(studio, world.tape, REPLACE, *together)

    stored = call(studio, "GET", f"tapes/{world.tape}/draft")["operations"]
    assert [operation.get("group", "alone") for operation in stored] == ["alone", 1, 1]
    child = call(studio, "POST", f"tapes/{world.tape}/save", expect=201)["tape_id"]
    assert call(studio, "GET", f"tapes/{child}")["step_count"] == 5


def test_an_undone_draft_of_another_is_no_news(
    studio: Client, colleague: Client, world: World
) -> None:
    body = {"version": 0, "operations": [REPLACE], "applied_count": 0}
    call(colleague, "PUT", f"tapes/{world.tape}/draft", body)

    assert call(studio, "GET", f"tapes/{world.tape}")["other_drafts"] == []


def test_two_people_save_two_children_and_neither_overwrites_the_other(
    studio: Client, colleague: Client, world: World
) -> None:
    put_draft(colleague, world.tape, REPLACE)
    mine = save_child(studio, world.tape, {"op": "delete", "position": 5})

    theirs = call(colleague, "POST", f"tapes/{world.tape}/save", expect=201)["tape_id"]

    assert len({mine, theirs, str(world.tape)}) == 3
    assert call(studio, "GET", f"tapes/{world.tape}")["step_count"] == 6
    assert call(studio, "GET", f"tapes/{theirs}")["author"] == "ben"


@pytest.mark.parametrize("path", ["save", "resume"])
def test_a_draft_of_a_tape_that_grew_is_refused_until_its_person_accepts_the_growth(
    studio: Client, world: World, path: str
) -> None:
    put_draft(studio, world.tape, REPLACE)
    grow(world)
    body = {"agent_version_id": str(world.version), "use_draft": True} if path == "resume" else None

    refused = call(studio, "POST", f"tapes/{world.tape}/{path}", body, expect=409)

    assert refused["code"] == "tape_grown"
    assert refused["details"] == {"base_step_count": 6, "step_count": 7}
    draft = call(studio, "GET", f"tapes/{world.tape}/draft")
    assert (draft["base_step_count"], draft["step_count"], draft["version"]) == (6, 7, 1)
    accepted = {
        "version": 1,
        "operations": [REPLACE],
        "applied_count": 1,
        "base_step_count": 7,
    }
    call(studio, "PUT", f"tapes/{world.tape}/draft", accepted)
    call(studio, "POST", f"tapes/{world.tape}/{path}", body, expect=201)


def test_an_archived_tape_is_not_edited(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE)
    TapeRecord.objects.filter(id=world.tape).update(archived_at=timezone.now())
    body = {"version": 1, "operations": [], "applied_count": 0}

    for method, path, sent in (("PUT", "draft", body), ("POST", "save", None)):
        refused = call(studio, method, f"tapes/{world.tape}/{path}", sent, expect=409)
        assert refused["code"] == "archived"
        assert "restore it first" in refused["message"]

    assert call(studio, "GET", f"tapes/{world.tape}/draft")["version"] == 1
    assert TapeRecord.objects.count() == 1


@pytest.mark.parametrize(
    ("step", "field", "reason"),
    [
        ({"kind": "user", "words": "hi"}, "/content", "content: Field required"),
        ({"kind": "assistant", "content": 5}, "/content", "content: "),
        ({"kind": "k" * 101, "content": "x"}, "/kind", "at most 100 characters"),
        ({"content": "no kind"}, "", "needs a text field 'kind'"),
        ({"kind": ""}, "", "needs a text field 'kind'"),
        (
            {"kind": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]},
            "/tool_calls/0/function/name",
            "Field required",
        ),
    ],
)
def test_a_bad_step_is_told_while_typing_and_refused_at_save(
    studio: Client, world: World, step: dict[str, Any], field: str, reason: str
) -> None:
    saved = put_draft(studio, world.tape, {"op": "insert", "position": 2, "step": step})

    refused = call(studio, "POST", f"tapes/{world.tape}/save", expect=422)

    (problem,) = saved["problems"]
    assert (problem["position"], problem["field"]) == (2, field)
    assert reason in problem["message"]
    assert refused["code"] == "edit_invalid"
    assert refused["details"]["position"] == 2
    assert reason in refused["message"]
    assert TapeRecord.objects.count() == 1


def test_steps_that_fit_and_kinds_that_nobody_knows_are_no_problem(
    studio: Client, world: World
) -> None:
    odd = {"op": "insert", "position": 0, "step": {"kind": "odd_thing", "anything": [1, None]}}

    saved = put_draft(studio, world.tape, REPLACE, odd)

    assert saved["problems"] == []


def test_an_operation_outside_the_tape_is_a_problem_at_its_position(
    studio: Client, world: World
) -> None:
    saved = put_draft(studio, world.tape, {"op": "move", "position": 1, "to": 9})

    assert [problem["position"] for problem in saved["problems"]] == [9]


def test_lineage_cannot_be_edited(studio: Client, world: World) -> None:
    edit = {"op": "metadata", "values": {"parent_id": "x"}}
    body = {"version": 0, "operations": [edit], "applied_count": 1}

    refused = call(studio, "PUT", f"tapes/{world.tape}/draft", body, expect=422)

    assert "cannot be edited" in refused["message"]


def test_steps_are_reordered_and_context_and_metadata_changed_in_one_revision(
    studio: Client, world: World
) -> None:
    child = save_child(
        studio,
        world.tape,
        {"op": "move", "position": 0, "to": 2},
        {"op": "context", "value": {"task": "another"}},
        {"op": "metadata", "title": "Turned round", "values": {"result": 4, "note": "mine"}},
    )

    tape = call(studio, "GET", f"tapes/{child}")
    kinds = [step["kind"] for step in call(studio, "GET", f"tapes/{child}/steps")["items"]]
    assert kinds[:3] == ["assistant", "set_next_node", "user"]
    assert (tape["title"], tape["context"]) == ("Turned round", {"task": "another"})
    assert (tape["metadata"]["result"], tape["metadata"]["note"]) == (4, "mine")
    assert tape["metadata"]["parent_id"] == str(world.tape)
    assert call(studio, "GET", f"tapes/{world.tape}")["title"] != "Turned round"


def test_an_edited_session_loses_the_result_of_its_original_and_a_renamed_one_keeps_it(
    studio: Client, project: ProjectRecord
) -> None:
    tape = Tape.model_validate(
        {"metadata": {"result": 4}, "steps": [{"kind": "user", "content": "a"}]}
    )
    tape_id = save_tape(project.id, tape)
    other = {"op": "replace", "position": 0, "step": {"kind": "user", "content": "b"}}
    renamed = {"op": "metadata", "title": "New", "values": {"result": 4}}

    edited = call(studio, "GET", f"tapes/{save_child(studio, tape_id, other)}")
    same = call(studio, "GET", f"tapes/{save_child(studio, tape_id, renamed)}")

    assert edited["metadata"].get("result") is None
    assert (same["metadata"]["result"], same["title"]) == (4, "New")


def test_a_child_of_a_renamed_tape_keeps_the_name(studio: Client, world: World) -> None:
    TapeRecord.objects.filter(id=world.tape).update(title="By hand")

    child = save_child(studio, world.tape, REPLACE)

    assert call(studio, "GET", f"tapes/{child}")["title"] == "By hand"


def test_a_kept_step_lets_the_agent_go_on_behind_it(studio: Client, world: World) -> None:
    put_draft(studio, world.tape, REPLACE, {"op": "keep", "position": 3})

    preview = call(studio, "GET", f"tapes/{world.tape}/draft/preview")

    assert preview["resume_at"] == 4
    assert [step["is_stale"] for step in preview["items"]] == [False] * 4 + [True] * 2


def test_the_child_remembers_who_wrote_which_step(studio: Client, project: ProjectRecord) -> None:
    asked = {"agent": "adder", "node": "act", "prompt_id": "p1"}
    calls = {"tool_calls": [{"id": "c", "function": {"name": "add", "arguments": "{}"}}]}
    tape = Tape().append(
        UserStep(content="1 + 1?"),
        ToolCalls.model_validate(calls).with_metadata(**asked),
        ToolResult(content="2", tool_call_id="c"),
        AssistantStep(content="2").with_metadata(**asked, id="last"),
    )
    llm_call = LLMCall(
        prompt=Prompt(id="p1", messages=(user_message("1 + 1?"),), tools=(TOOL,)),
        output=LLMOutput(content="2"),
        llm={"model_name": "test/model"},
    )
    tape_id = save_tape(project.id, tape, calls=[llm_call])
    said = {"op": "insert", "position": 4, "step": {"kind": "user", "content": "thanks"}}

    child = save_child(studio, tape_id, said)

    steps = call(studio, "GET", f"tapes/{child}/steps")["items"]
    assert [step["writer"] for step in steps] == [
        "environment", "agent", "environment", "agent", "person",
    ]  # fmt: skip
    assert [step["edited_by"] for step in steps] == ["", "", "", "", "ada"]
    models = [call(studio, "GET", f"tapes/{child}/steps/{at}/call")["model_name"] for at in (1, 3)]
    assert models == ["test/model"] * 2
    (tool,) = call(studio, "GET", f"tapes/{child}/tools")
    assert tool["name"] == "add"
    assert tool["parameters"]["properties"] == {"a": {"type": "number"}}


def test_the_tools_of_a_tape_are_all_that_were_called_in_its_family(
    studio: Client, project: ProjectRecord
) -> None:
    def calls(name: str) -> dict[str, Any]:
        asked = [{"id": "c", "function": {"name": name, "arguments": "{}"}}]
        return {"kind": "assistant", "tool_calls": asked}

    steps = [{"kind": "user", "content": "go"}, calls("look"), {"kind": "user", "content": "on"}]
    parent = save_tape(project.id, Tape().append(*map(parse_step, steps)))
    other = save_tape(project.id, Tape().append(parse_step(calls("elsewhere"))))

    child = save_child(studio, parent, {"op": "replace", "position": 1, "step": calls("leap")})

    assert [tool["name"] for tool in call(studio, "GET", f"tapes/{parent}/tools")] == [
        "leap",
        "look",
    ]
    assert call(studio, "GET", f"tapes/{child}/tools") == call(
        studio, "GET", f"tapes/{parent}/tools"
    )
    assert [tool["name"] for tool in call(studio, "GET", f"tapes/{other}/tools")] == ["elsewhere"]


def test_a_step_of_a_child_knows_what_was_recorded_before(studio: Client, world: World) -> None:
    other = {"op": "replace", "position": 3, "step": {"kind": "user", "content": "question one"}}
    child = save_child(studio, world.tape, other)

    (item,) = call(studio, "GET", f"tapes/{child}/replaced")["items"]
    detail = call(studio, "GET", f"tapes/{child}/steps/3/replaced")
    same = call(studio, "GET", f"tapes/{child}/steps/4/replaced")

    assert (item["position"], item["before_position"], item["gist"]) == (3, 3, "question 1")
    assert detail["before"]["body"]["content"] == "question 1"
    (field,) = detail["fields"]
    assert [word["op"] for word in field["words"]] == ["equal", "delete", "insert"]
    assert same == {"before": None, "fields": []}


def test_what_a_node_said_before_is_found_by_its_role_when_no_word_is_alike(
    studio: Client, project: ProjectRecord
) -> None:
    def by(prompt: str, text: str) -> AssistantStep:
        return AssistantStep(content=text).with_metadata(agent="a", node="say", prompt_id=prompt)

    parent = Tape().append(UserStep(content="go"), by("p1", "red"), by("p2", "green"))
    tape_id = save_tape(project.id, parent)
    child = save_child(studio, tape_id, {"op": "cut", "position": 1})
    append_steps(child, [by("p3", "nothing alike")], project=project.id, expected_count=1)

    (item,) = call(studio, "GET", f"tapes/{child}/replaced")["items"]

    assert (item["position"], item["before_position"], item["gist"]) == (1, 1, "red")


def test_a_tape_without_a_parent_replaces_nothing(studio: Client, world: World) -> None:
    assert call(studio, "GET", f"tapes/{world.tape}/replaced") == {"items": []}
