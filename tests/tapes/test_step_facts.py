"""The line that an outline shows of a step, and the title of a tape."""

from typing import Any

import pytest

from tapes_app.engine.control_steps import Call
from tapes_app.engine.dialog_steps import ToolResult
from tapes_app.tapes.step_facts import describe_step, find_title

pytestmark = pytest.mark.both_databases


@pytest.mark.parametrize(
    ("body", "gist"),
    [
        ({"kind": "user", "content": "Hello\nthere"}, "Hello there"),
        ({"kind": "set_next_node", "next_node": "act"}, "act"),
        ({"kind": "set_next_node", "next_node": 1}, "1"),
        ({"kind": "tool", "content": [{"type": "text", "text": "A photograph"}]}, "A photograph"),
        ({"kind": "odd", "deep": {"words": "inner"}}, "inner"),
    ],
)
def test_a_step_is_told_in_one_line(body: dict[str, Any], gist: str) -> None:
    assert describe_step(body) == gist


def test_a_teams_tape_is_called_after_the_call_that_opens_it() -> None:
    steps = [Call(agent_name="Manager", content="Make a plot"), ToolResult(content="[ 0% ]")]

    assert find_title(steps) == "Make a plot"
