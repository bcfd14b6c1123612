"""The linter over HTTP: findings of a tape, lists by finding, rules with the place of a mistake."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from tapes_app.agents.store.agents import create_agent
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.lint.services.linting import lint_and_keep, list_stale_tapes
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store.saving import save_tape
from tests.http.worlds import spec

pytestmark = pytest.mark.django_db


def send(client: Client, method: str, path: str, **body: Any) -> Any:
    return client.generic(
        method, f"/api/v1/{path}", json.dumps(body), content_type="application/json"
    )


def calling(name: str = "search") -> Step:
    call = {"id": "c", "function": {"name": name, "arguments": {}}}
    return ToolCalls.model_validate({"tool_calls": [call]}).with_metadata(agent="bot")


def store(project: ProjectRecord, *steps: Step, **options: Any) -> UUID:
    tape_id = save_tape(project.id, Tape(steps=steps), **options)
    list(lint_and_keep(project.id, [tape_id]))
    return tape_id


def store_bad(project: ProjectRecord, **options: Any) -> UUID:
    """Store a tape whose call has no answer."""
    return store(project, UserStep(content="bad"), calling(), **options)


def store_good(project: ProjectRecord, **options: Any) -> UUID:
    return store(project, UserStep(content="good"), AssistantStep(content="Hello."), **options)


def listed(client: Client, query: str) -> set[str]:
    return {row["id"] for row in client.get("/api/v1/tapes", {"q": query}).json()["items"]}


def test_a_tape_tells_its_findings(studio: Client, project: ProjectRecord) -> None:
    tape_id = store_bad(project)

    answer = studio.get(f"/api/v1/tapes/{tape_id}/lint")

    assert answer.json() == {
        "items": [
            {
                "detector": "unfulfilled_action",
                "title": "Action without observation",
                "severity": "warning",
                "position": 1,
                "field": "/tool_calls/0",
                "message": "The call of 'search' has no observation: the tape ends here.",
            }
        ]
    }


def test_the_list_is_narrowed_to_what_was_found(studio: Client, project: ProjectRecord) -> None:
    bad, good = store_bad(project), store_good(project)
    unseen = save_tape(project.id, Tape(steps=(UserStep(content="never linted"),)))

    assert listed(studio, "lint:unfulfilled_action") == {str(bad)}
    assert listed(studio, "lint:any") == {str(bad)}
    assert listed(studio, "lint:none") == {str(good)}
    assert listed(studio, "lint:unknown_tool") == set()
    assert listed(studio, "") == {str(bad), str(good), str(unseen)}


def test_the_facet_counts_tapes_within_the_other_filters(
    studio: Client, project: ProjectRecord
) -> None:
    for _ in range(2):
        store_bad(project)
    store_good(project)
    save_tape(project.id, Tape(steps=(UserStep(content="never linted"),)))

    every = studio.get("/api/v1/tapes/lint").json()
    searched = studio.get("/api/v1/tapes/lint?q=good").json()

    assert every == {
        "items": [
            {
                "detector": "unfulfilled_action",
                "title": "Action without observation",
                "severity": "warning",
                "tape_count": 2,
            }
        ],
        "finding_count": 2,
        "found_count": 2,
        "tape_count": 4,
        "linted_count": 3,
        "is_cut": False,
        "stale_count": 1,
    }
    assert (searched["items"], searched["tape_count"]) == ([], 1)


def test_findings_come_with_the_gravest_first(studio: Client, project: ProjectRecord) -> None:
    rule = {"name": "no greeting", "text": "never content == 'Hello.'", "severity": "error"}
    send(studio, "POST", "lint/rules", **rule)
    store_good(project)
    for _ in range(2):
        store_bad(project)

    items = studio.get("/api/v1/tapes/lint").json()["items"]

    told = [(item["detector"], item["severity"], item["tape_count"]) for item in items]
    assert told == [("rule:no greeting", "error", 1), ("unfulfilled_action", "warning", 2)]


def test_the_trend_counts_by_agent_version(studio: Client, project: ProjectRecord) -> None:
    first = create_agent(project.id, spec())
    store_bad(project, agent_version=first.id)
    store_good(project, agent_version=first.id)

    answer = studio.get(f"/api/v1/lint/trend/{first.agent_id}").json()

    [version] = answer["versions"]
    assert (version["version"], version["tape_count"]) == (1, 2)
    assert [(item["detector"], item["tape_count"]) for item in version["items"]] == [
        ("unfulfilled_action", 1)
    ]


def test_a_rule_is_made_changed_and_removed(studio: Client, project: ProjectRecord) -> None:
    tape_id = store_good(project)
    rule = {"name": "no talk", "text": "never kind == 'assistant'", "severity": "error"}

    made = send(studio, "POST", "lint/rules", **rule)
    found = studio.get(f"/api/v1/tapes/{tape_id}/lint").json()["items"]
    assert made.status_code == 201
    assert [(item["detector"], item["title"], item["position"]) for item in found] == [
        ("rule:no talk", "no talk", 1)
    ]

    list(lint_and_keep(project.id, [tape_id]))
    assert listed(studio, 'lint:"rule:no talk"') == {str(tape_id)}
    path = f"lint/rules/{made.json()['id']}"
    changed = send(studio, "PATCH", path, is_enabled=False)
    assert changed.json()["is_enabled"] is False
    assert studio.get(f"/api/v1/tapes/{tape_id}/lint").json()["items"] == []
    assert listed(studio, 'lint:"rule:no talk"') == set()
    assert listed(studio, "lint:none") == {str(tape_id)}

    assert studio.delete(f"/api/v1/{path}").status_code == 204
    assert studio.get("/api/v1/lint/rules").json() == {"items": []}


def test_two_rules_of_one_name_are_refused(studio: Client) -> None:
    rule = {"name": "same", "text": "never is_error"}
    send(studio, "POST", "lint/rules", **rule)

    again = send(studio, "POST", "lint/rules", **rule)

    assert again.status_code == 409
    assert "another name" in again.json()["message"]


MISTAKES = [
    ("", 0, ""),
    ("kind == 'tool'", 0, "never"),
    ("nevr kind == 'tool'", 0, "never"),
    ("never", 5, ""),
    ("before kind == 'tool'", 0, ""),
    ("kind == 'a' before", 18, ""),
    ("kind == 'a' within two steps of kind == 'b'", 19, "within 2 steps of"),
    ("kind == 'a' within 0 steps of kind == 'b'", 19, ""),
    ("kind == 'a' before kind == 'b' before kind == 'c'", 31, ""),
    ("never kind = 'tool'", 11, "=="),
    ("never kind == 'a' and is_error", 18, "&&"),
    ("never position > 5", 17, "`5`"),
    ('never kind == "tool"', 14, "'tool'"),
    ("never kind == tool", 14, "'tool'"),
    ("never family == 'thoughts'", 17, "'thought'"),
    ("never contain(content, 'x')", 6, "contains"),
    ("kind == 'a' before kind = 'b'", 24, "=="),
]


@pytest.mark.parametrize(("text", "position", "suggestion"), MISTAKES)
@pytest.mark.parametrize("path", ["lint/rules", "lint/rules/check"])
def test_a_rule_with_a_mistake_is_refused_at_its_place(
    studio: Client, path: str, text: str, position: int, suggestion: str
) -> None:
    name = {"name": "new"} if path == "lint/rules" else {}

    answer = send(studio, "POST", path, text=text, **name)

    error = answer.json()
    assert answer.status_code == 422
    assert error["code"] == "rule_invalid"
    assert error["message"].endswith((".", "?"))
    assert error["details"] == {"position": position, "suggestion": suggestion}


def test_a_rule_is_tried_on_the_newest_tapes(studio: Client, project: ProjectRecord) -> None:
    bad = store_bad(project)
    store_good(project)

    answer = send(studio, "POST", "lint/rules/check", text="never tool_calls").json()

    assert answer == {
        "looked_at": 2,
        "match_count": 1,
        "matches": [{"tape_id": str(bad), "title": "bad", "position": 1}],
    }


def test_the_message_counts_characters_of_the_whole_rule(studio: Client) -> None:
    answer = send(studio, "POST", "lint/rules/check", text="never kind = 'x'")

    assert answer.json()["message"] == "Write 'equal' as '==' (character 12)."


RULES = [
    ("always kind == 'user' || metadata.agent", [2]),
    ("never is_error", [2]),
    ("never family == 'observation' && position > `0`", [2]),
    ("tool_calls before kind == 'tool'", []),
    ("kind == 'tool' before kind == 'user'", [0]),
    ("kind == 'tool' within 1 step of tool_calls", []),
    ("kind == 'user' within 1 steps of kind == 'tool'", [2]),
    ("never contains(not_null(content, ''), 'before') ", []),
    ("never content == 'never before or within 2 steps of'", []),
    ("never node == 'act' && agent == 'bot'", [1]),
]


@pytest.mark.parametrize(("text", "positions"), RULES)
def test_rules_mean_what_they_say(
    studio: Client, project: ProjectRecord, text: str, positions: list[int]
) -> None:
    failed = ToolResult(content="gone", tool_call_id="c", is_error=True)
    steps = [UserStep(content="hi"), calling().with_metadata(agent="bot", node="act"), failed]
    tape_id = save_tape(project.id, Tape(steps=tuple(steps)))

    made = send(studio, "POST", "lint/rules", name="it", text=text)

    assert made.status_code == 201, made.json()
    found = studio.get(f"/api/v1/tapes/{tape_id}/lint").json()["items"]
    assert [item["position"] for item in found if item["detector"] == "rule:it"] == positions


def test_the_text_of_a_rule_is_bounded(studio: Client) -> None:
    answer = send(studio, "POST", "lint/rules", name="long", text="never " + "x" * 3_000)

    assert answer.status_code == 422


def test_a_job_lints_what_is_stale(studio: Client, project: ProjectRecord) -> None:
    answer = send(studio, "POST", "lint/jobs")

    assert answer.status_code == 201
    assert (answer.json()["kind"], answer.json()["state"]) == ("lint", "queued")


def test_a_finding_is_kept_as_a_note_by_the_linter_once(
    studio: Client, project: ProjectRecord
) -> None:
    tape_id = store_bad(project)
    (found,) = studio.get(f"/api/v1/tapes/{tape_id}/lint").json()["items"]
    wanted = {"detector": found["detector"], "position": found["position"]}

    for _ in range(2):
        assert send(studio, "POST", f"tapes/{tape_id}/lint/notes", **wanted).status_code == 201

    (note,) = studio.get(f"/api/v1/tapes/{tape_id}/annotations").json()["items"]
    assert (note["source"], note["source_name"]) == ("linter", found["detector"])
    assert (note["text"], note["position"]) == (found["message"], found["position"])
    refused = send(studio, "POST", f"tapes/{tape_id}/lint/notes", **{**wanted, "position": 0})
    assert refused.status_code == 404
    assert "no longer reports a finding at step 0" in refused.json()["message"]


def test_a_detector_is_turned_off_in_one_project_and_on_again(
    studio: Client, project: ProjectRecord
) -> None:
    bad = store_bad(project)

    switched = send(studio, "PATCH", "lint/detectors/unfulfilled_action", is_enabled=False)

    assert switched.json() == {
        "name": "unfulfilled_action",
        "title": "Action without observation",
        "severity": "warning",
        "is_enabled": False,
    }
    off = [
        one for one in studio.get("/api/v1/lint/detectors").json()["items"] if not one["is_enabled"]
    ]
    assert [one["name"] for one in off] == ["unfulfilled_action"]
    assert listed(studio, "lint:unfulfilled_action") == set()
    assert studio.get(f"/api/v1/tapes/{bad}/lint").json() == {"items": []}
    assert studio.get("/api/v1/tapes/lint").json()["stale_count"] == 1  # the others look again
    assert list_stale_tapes(project.id) == [bad]
    list(lint_and_keep(project.id, [bad]))
    assert listed(studio, "lint:none") == {str(bad)}

    send(studio, "PATCH", "lint/detectors/unfulfilled_action", is_enabled=True)

    list(lint_and_keep(project.id, [bad]))
    assert listed(studio, "lint:unfulfilled_action") == {str(bad)}


def test_a_detector_that_there_is_not_is_said(studio: Client) -> None:
    refused = send(studio, "PATCH", "lint/detectors/nothing", is_enabled=False)

    assert (refused.status_code, refused.json()["message"]) == (
        404, "There is no detector 'nothing'.",
    )  # fmt: skip
