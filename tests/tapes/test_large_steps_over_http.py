"""Steps of several megabytes: a page has their beginnings and says so; alone each comes whole."""

import json
from typing import Any

import pytest
from django.test import Client

from tapes_app.engine.tape.dialog_steps import ToolResult, UserStep
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.models import ProjectRecord
from tapes_app.tapes.domain.step_cuts import (
    LONGEST_PAGE,
    LONGEST_STEP,
    MOST_READ_OF_STEP,
    share_fairly,
)
from tapes_app.tapes.store.saving import save_tape
from tests.http.asking import call, put_draft
from tests.runs.browsers import RunBrowser
from tests.runs.tool_plugin import build_tool_agent

pytestmark = pytest.mark.django_db

LONG = "Ein Käse, " * 600_000
"""Six million characters: more than is read of one step for a page."""


def store(project: ProjectRecord, *contents: Any) -> str:
    steps = tuple(ToolResult(content=content, tool_call_id="c1") for content in contents)
    return str(save_tape(project.id, Tape(steps=(UserStep(content="go"), *steps))))


def size_of(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def test_a_page_has_the_beginning_of_a_large_step_and_says_what_is_missing(
    studio: Client, project: ProjectRecord
) -> None:
    tape = store(project, LONG, "short")

    said, large, short = call(studio, "GET", f"tapes/{tape}/steps")["items"]
    whole = call(studio, "GET", f"tapes/{tape}/steps/1")

    assert (said["cut"], short["cut"], short["body"]["content"]) == (None, None, "short")
    assert large["body"]["kind"] == "tool"
    assert LONG.startswith(large["body"]["content"])
    assert 0.9 * LONGEST_STEP < size_of(large["body"]) < 1.1 * LONGEST_STEP
    assert large["cut"]["places"] == ["/content"]
    assert large["cut"]["size"] > len(LONG) > MOST_READ_OF_STEP
    assert (whole["body"]["content"], whole["cut"]) == (LONG, None)


def test_what_is_small_in_a_large_step_stays_whole(studio: Client, project: ProjectRecord) -> None:
    parts = [
        {"type": "text", "text": "See this."},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 900_000}},
        {"type": "text", "text": "And \x00 that."},
    ]
    tape = store(project, parts, list(range(300_000)))

    _, image, numbers = call(studio, "GET", f"tapes/{tape}/steps")["items"]

    first, cut, last = image["body"]["content"]
    assert (first, last) == (parts[0], parts[2])
    assert cut["image_url"]["url"] == "data:image/png;base64,"
    assert image["cut"]["places"] == ["/content/1/image_url/url"]
    assert image["body"]["tool_call_id"] == "c1"
    shown = numbers["body"]["content"]
    assert (shown, numbers["cut"]["places"]) == (list(range(len(shown))), ["/content"])
    assert size_of(shown) < LONGEST_STEP


def test_a_page_of_many_large_steps_is_bounded_as_a_whole(
    studio: Client, project: ProjectRecord
) -> None:
    tape = store(project, *["x" * 200_000] * 60, "short")

    page = call(studio, "GET", f"tapes/{tape}/steps?count=100")["items"]

    assert len(page) == 62
    assert size_of(page) < 1.1 * LONGEST_PAGE
    assert [step["cut"] is None for step in page] == [True, *[False] * 60, True]


def test_a_large_step_is_cut_in_comparisons_too(studio: Client, project: ProjectRecord) -> None:
    tape = store(project, LONG)
    longer = {"kind": "tool", "content": f"{LONG}!", "tool_call_id": "c1"}
    put_draft(studio, tape, {"op": "replace", "position": 1, "step": longer})
    child = call(studio, "POST", f"tapes/{tape}/save", expect=201)["tape_id"]

    rows = call(studio, "GET", f"tapes/{tape}/diff/{child}")["rows"]
    before = call(studio, "GET", f"tapes/{child}/steps/1/replaced")

    (field,) = rows[-1]["fields"]
    assert field["is_cut"]
    assert size_of(rows) < 3 * LONGEST_STEP
    assert before["before"]["cut"]["places"] == ["/content"]
    assert size_of(before) < 4 * LONGEST_STEP
    # The child was made of the whole step.
    assert call(studio, "GET", f"tapes/{child}/steps/1")["body"]["content"] == f"{LONG}!"


def test_a_step_whose_beginning_cannot_be_read_is_still_listed(
    studio: Client, project: ProjectRecord
) -> None:
    deep = UnknownStep.model_validate({"kind": "odd", "n" * 5_000_000: 1, "after": "x"})
    tape = str(save_tape(project.id, Tape(steps=(deep,))))

    (step,) = call(studio, "GET", f"tapes/{tape}/steps")["items"]

    assert step["body"]["kind"] == "odd"
    assert (size_of(step) < LONGEST_STEP, step["cut"]["size"] > 5_000_000) == (True, True)


@pytest.mark.django_db(transaction=True)
def test_what_a_run_streams_of_a_large_step_is_its_beginning() -> None:
    browser = RunBrowser(json.dumps(["look_long"]), spec=build_tool_agent())

    browser.run()

    (frame,) = [
        one["step"]
        for one in browser.frames()
        if one["type"] == "step.added" and one["step"]["kind"] == "tool"
    ]
    whole = browser.ask("GET", f"tapes/{browser.tape_id}/steps/{frame['position']}")
    assert frame["cut"]["places"] == ["/content"]
    assert size_of(frame) < 1.1 * LONGEST_STEP
    assert len(whole["body"]["content"]) == 1_000_000


@pytest.mark.parametrize(
    ("sizes", "room", "most", "limit"),
    [
        ([1, 2, 3], 6, 100, 100),
        ([10, 10, 10], 6, 100, 2),
        ([1, 50, 50], 21, 100, 10),
        ([50], 1000, 40, 40),
        ([], 6, 7, 7),
    ],
)
def test_room_is_shared_fairly(sizes: list[int], room: int, most: int, limit: int) -> None:
    assert share_fairly(sizes, room, most) == limit
