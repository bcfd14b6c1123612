"""A step that was sent cut is not saved as an edit by mistake."""

from typing import Any

import pytest
from django.test import Client

from tapes_app.engine.tape.dialog_steps import ToolResult, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ProjectRecord
from tapes_app.tapes.store.saving import save_tape
from tests.http.asking import call, put_draft

pytestmark = pytest.mark.django_db

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 900_000}}


def store(project: ProjectRecord, *contents: Any) -> str:
    steps = tuple(ToolResult(content=content, tool_call_id="c1") for content in contents)
    return str(save_tape(project.id, Tape(steps=(UserStep(content="go"), *steps))))


def refuse(client: Client, tape: str, position: int, step: Any, *, op: str = "replace") -> str:
    operation = {"op": op, "position": position, "step": step}
    body = {"version": 0, "operations": [operation], "applied_count": 1}
    refused = call(client, "PUT", f"tapes/{tape}/draft", body, expect=422)
    assert refused["code"] == "step_cut"
    assert call(client, "GET", f"tapes/{tape}/draft")["operations"] == []
    return str(refused["message"])


@pytest.mark.parametrize("content", ["Ein Käse, " * 600_000, "x" * 300_000, [IMAGE], [7] * 300_000])
def test_a_cut_step_that_comes_back_is_refused_and_told_where_the_whole_is(
    studio: Client, project: ProjectRecord, content: Any
) -> None:
    tape = store(project, content)
    body = call(studio, "GET", f"tapes/{tape}/steps")["items"][1]["body"]
    picked = {"kind": "tool", "content": body["content"], "tool_call_id": "c1"}

    for step in (body, {**body, "content": "Shorter."}, picked):
        assert f"/tapes/{tape}/steps/1 and edit that" in refuse(studio, tape, 1, step)
    refuse(studio, tape, 0, body, op="insert")


def test_a_large_step_is_shortened_on_purpose_and_rewritten_whole(
    studio: Client, project: ProjectRecord
) -> None:
    tape = store(project, "x" * 400_000)
    whole = call(studio, "GET", f"tapes/{tape}/steps/1")["body"]
    assert "$cut" not in whole

    for content in (whole["content"][:100_000], f"{whole['content']}!"):
        call(studio, "DELETE", f"tapes/{tape}/draft", expect=204)
        step = {"kind": "tool", "content": content, "tool_call_id": "c1"}
        put_draft(studio, tape, {"op": "replace", "position": 1, "step": step})
        child = call(studio, "POST", f"tapes/{tape}/save", expect=201)["tape_id"]
        assert call(studio, "GET", f"tapes/{child}/steps/1")["body"]["content"] == content


def test_a_step_that_a_page_of_many_has_cut_is_refused_too(
    studio: Client, project: ProjectRecord
) -> None:
    tape = store(project, *["x" * 200_000] * 60)
    body = call(studio, "GET", f"tapes/{tape}/steps?count=100")["items"][30]["body"]

    assert len(body["content"]) < 200_000
    refuse(studio, tape, 30, body)
