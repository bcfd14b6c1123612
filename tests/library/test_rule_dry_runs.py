"""Dry runs of tool rules over recorded tapes, over HTTP and as a command."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from tapes_app.agents.store.agents import ensure_version
from tapes_app.engine.environment.tool_rules import ToolRule
from tapes_app.engine.tape.dialog_steps import ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.management.named import find_operator
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store.saving import save_tape
from tests.commands.running import fail, run_json, run_lines
from tests.http.asking import call
from tests.http.worlds import spec

pytestmark = pytest.mark.django_db

HOSTILE = "<img src=x onerror=alert(1)>"
PAY = {"action": "deny", "tool": "pay", "arguments": "amount > `1000`", "reason": "Ask."}
READ = {"action": "ask", "tool": "read"}
ONCE_READ = {"action": "replace", "tool": "*", "after_tool": "read", "answer": "later"}


@pytest.fixture
def tape(project: ProjectRecord) -> str:
    return store_payments(project.id)


def store_payments(project_id: UUID) -> str:
    """Store a tape with `pay(5)`, `read(page)` and `pay(5000)`."""
    steps: list[Any] = [UserStep(content="Pay them")]
    for at, (name, arguments) in enumerate(
        [("pay", {"amount": 5}), ("read", {"page": HOSTILE}), ("pay", {"amount": 5000})]
    ):
        made = {"id": f"c{at}", "function": {"name": name, "arguments": json.dumps(arguments)}}
        step = ToolCalls.model_validate({"tool_calls": [made]})
        steps.append(step.with_metadata(agent="payer"))
        steps.append(ToolResult(content="done", tool_call_id=f"c{at}"))
    return str(save_tape(project_id, Tape(steps=tuple(steps))))


def dry_run(client: Client, *rules: Any, q: str = "", expect: int = 200) -> Any:
    body = {"rules": rules, "q": q}
    return call(client, "POST", "tool-rules/dry-run", body, expect=expect)


def test_calls_that_rules_would_have_stopped_are_listed_with_their_step(
    studio: Client, tape: str
) -> None:
    found = dry_run(studio, PAY, READ, ONCE_READ, {"action": "allow"})

    assert [
        (one["position"], one["tool"], one["rule"], one["action"]) for one in found["calls"]
    ] == [
        (3, "read", 1, "ask"),
        (5, "pay", 0, "deny"),
    ]
    assert {one["tape_id"] for one in found["calls"]} == {tape}
    assert json.loads(found["calls"][0]["arguments"]) == {"page": HOSTILE}
    assert [one["count"] for one in found["rules"]] == [1, 1, 0, 1]
    assert (found["tape_count"], found["stopped_count"], found["is_cut"]) == (1, 2, False)


def test_what_came_before_a_call_decides_as_in_a_run(studio: Client, tape: str) -> None:
    (later,) = dry_run(studio, ONCE_READ)["calls"]

    assert (later["position"], later["agent"]) == (5, "payer")


def test_only_the_tapes_of_the_query_are_read(studio: Client, tape: str) -> None:
    assert dry_run(studio, READ, q="title:nothing")["tape_count"] == 0
    assert dry_run(studio, READ, q="agnt:x", expect=422)["code"] == "query_invalid"


def test_a_rule_that_cannot_decide_is_refused_with_its_place(studio: Client) -> None:
    refused = dry_run(studio, READ, {**PAY, "arguments": "amount > 1000"}, expect=422)

    assert refused["message"].startswith("Tool rule 2: Write a number in backticks")
    assert (refused["details"]["rule"], refused["details"]["field"]) == (1, "arguments")


def test_a_command_prints_the_same(tmp_path: Path) -> None:
    person = find_operator("")
    tape = store_payments(person.project_id)
    ruled = spec().model_copy(update={"tool_rules": (ToolRule.model_validate(PAY),)})
    ensure_version(person.project_id, ruled)
    file = tmp_path / "rules.yaml"
    file.write_text("tool_rules: [{action: deny, tool: read}]")

    lines = run_lines("try_rules", "talker", "-q", "tool:pay")
    other = run_json("try_rules", "talker@1", "-q", "tool:pay", "--rules", str(file))
    of_agent = run_json("try_rules", "talker")

    assert lines[0] == f'{tape} step 5: denied by rule 1: pay {{"amount": 5000}}'
    assert lines[1].startswith("rule 1: 1 call: Refuse pay when amount > 1000")
    assert lines[-1] == "1 tape read: 1 call would have been stopped."
    assert [one["tool"] for one in other["calls"]] == ["read"]
    assert of_agent["tape_count"] == 0
    assert fail("try_rules", "talker", "--limit", "0").startswith("--limit must be")
