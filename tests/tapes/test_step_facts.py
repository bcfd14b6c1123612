"""The line that an outline shows of a step, and the title of a tape."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.tape.control_steps import Call
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolResult
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.tapes.domain.step_facts import TITLE_LENGTH, describe_step, find_title, title_of
from tests.interchange.builders import read_tapes

CALL = {"id": "1", "function": {"name": "add", "arguments": {}}}
RECORDED = Path(__file__).parent.parent / "recorded" / "tapeagents"

kinds = st.sampled_from(("user", "system", "task", "page_observation", "tool", "odd_page", "PAGE"))
values = st.one_of(st.text(max_size=20), st.integers(), st.none(), st.lists(st.text(max_size=3)))
bodies = st.builds(
    lambda kind, body: {**body, "kind": kind},
    kinds,
    st.dictionaries(st.sampled_from(("content", "text", "task", "note")), values, max_size=3),
)
contexts = st.one_of(
    st.none(),
    st.text(max_size=20),
    st.dictionaries(st.sampled_from(("task", "question", "topic")), values, max_size=3),
)


@pytest.mark.parametrize(
    ("body", "gist"),
    [
        ({"kind": "user", "content": "Hello\nthere"}, "Hello there"),
        ({"kind": "set_next_node", "next_node": "act"}, "act"),
        ({"kind": "set_next_node", "next_node": 1}, "1"),
        (
            {"kind": "call_together", "calls": [{"agent_name": name} for name in ("a", "b", "c")]},
            "a, b and c at once, until all have answered",
        ),
        (
            {"kind": "call_together", "calls": [{"agent_name": "voter"}] * 3, "join": 2},
            "voter 3 times at once, until 2 have answered",
        ),
        ({"kind": "call_together", "calls": [1, {"agent_name": 2}], "join": []}, "nobody at once"),
        ({"kind": "join", "answered": [1, 2]}, "All have answered: 1 and 2"),
        ({"kind": "join", "answered": [2], "cancelled": [1]}, "2 answered, 1 was cancelled"),
        ({"kind": "join", "answered": {"a": 1}}, "All have answered: nobody"),
        ({"kind": "tool", "content": [{"type": "text", "text": "A photograph"}]}, "A photograph"),
        ({"kind": "odd", "deep": {"words": "inner"}}, "inner"),
        ({"kind": "tool", "content": 84, "tool_call_id": "call_1"}, "84"),
        ({"kind": "odd", "code": 200, "body": "Welcome"}, "Welcome"),
        ({"kind": "tool", "content": 6.25, "tool_call_id": "call_1"}, "6.25"),
        (
            {"kind": "tool", "content": {"open": 3}, "tool_call_id": "call_1"},
            '{"content": {"open": 3}}',
        ),
    ],
)
def test_a_step_is_told_in_one_line(body: dict[str, Any], gist: str) -> None:
    assert describe_step(body) == gist


@pytest.mark.parametrize(
    ("body", "gist"),
    [
        ({"content": "<think>41? No.</think>\n\nIt is 42."}, "It is 42."),
        ({"content": [{"type": "text", "text": "<think>41?</think>42"}]}, "42"),
        ({"content": "<think>41?</think>", "reasoning": "Add them."}, "Add them."),
        ({"content": "<think>41?", "tool_calls": [CALL]}, "add({})"),
        ({"content": "<think>41? It never ends"}, "<think>41? It never ends"),
    ],
)
def test_an_agents_step_is_told_by_what_it_says_and_not_by_what_it_thinks(
    body: dict[str, Any], gist: str
) -> None:
    assert describe_step({"kind": "assistant", **body}, "action") == gist
    assert describe_step({"kind": "user", **body}).startswith("<think>")


def test_a_teams_tape_is_called_after_the_call_that_opens_it() -> None:
    steps = [Call(agent_name="Manager", content="Make a plot"), ToolResult(content="[ 0% ]")]

    assert find_title(steps) == "Make a plot"


def step(kind: str, **body: Any) -> Step:
    """Return a step as a file holds it."""
    [read] = Tape.model_validate({"steps": [{"kind": kind, **body}]}).steps
    return read


PAGE = step("page_observation", text="RootWebArea Knowledge Home", current_page=1, total_pages=1)
ASKED = step("task", task="How many projects were finished?")
THOUGHT = step("reasoning_thought", reasoning="I search for it")


@pytest.mark.parametrize(
    ("steps", "context", "title"),
    [
        ([PAGE, ASKED], None, "How many projects were finished?"),
        ([PAGE, THOUGHT, step("user", content="Look it up")], None, "Look it up"),
        ([PAGE, THOUGHT], {"task": "Find the number"}, "Find the number"),
        ([PAGE, THOUGHT], {"tools": ["search"]}, "I search for it"),
        ([PAGE], {"topic": "Projects"}, "Projects"),
        ([PAGE], None, "RootWebArea Knowledge Home"),
        ([step("tool", content="12"), PAGE], None, "12"),
        ([PAGE], {"task": 7, "question": "  ", "goal": "Win"}, "Win"),
    ],
)
def test_a_tape_is_called_after_what_was_asked_and_never_a_page_where_more_is_said(
    steps: list[Step], context: Any, title: str
) -> None:
    assert title_of(Tape(steps=tuple(steps), context=context)) == title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("data_science/final_tape.json", "Paint the fence blue."),
        ("delegate_stack/start_tape.json", "The heron stood and sang."),
        ("delegate_stack/tape2.json", "The heron stood and sang."),
        ("gaia_agent/tapes/l1_task002.json", "Who painted the harbour mural?"),
        ("gsm8k_tuning/tapes/task0_attempt1.json", "Three nets of 14 fish?"),
        ("intro_notebook/failed_tape.json", "When is high water in Bergen and Porto?"),
        ("optimize/tape.json", "Who keeps the Grey Lock?"),
        (
            "workarena/task9_seed900_workarena.servicenow.knowledge-base-search.json",
            "Find the opening hours of the harbour office.",
        ),
    ],
)
def test_a_recorded_tape_is_called_after_its_task(name: str, title: str) -> None:
    [imported] = read_tapes(RECORDED / name)

    assert title_of(imported.tape) == title


@given(steps=st.lists(bodies, max_size=6), context=contexts)
def test_whatever_a_file_holds_has_a_title_of_one_line_where_anything_is_said(
    steps: list[dict[str, Any]], context: Any
) -> None:
    tape = Tape.model_validate({"steps": steps, "context": context})

    title = title_of(tape)

    assert len(title) <= TITLE_LENGTH
    assert "\n" not in title
    if find_title(tape.steps):
        assert title


def test_a_title_is_no_thought_of_an_agent() -> None:
    steps = (AssistantStep(content="<think>Greet them.</think>\n\nWelcome!"),)

    assert title_of(Tape(steps=steps)) == "Welcome!"
    assert find_title(steps) == "Welcome!"
