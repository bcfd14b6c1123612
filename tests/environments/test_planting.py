"""An instruction is planted into one answer of a tool, and the tape alone decides into which."""

from typing import Any, Literal

import pytest

from tapes_app.engine import Tape, ToolCalls, ToolResult, UserStep
from tapes_app.engine.environment.planting import PLANTED, Plant, plant_into
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.environment.tool_functions import tool
from tapes_app.engine.environment.tool_rules import ToolRule
from tapes_app.environments.planting import PlantingEnvironment
from tapes_app.environments.policy import PolicyEnvironment

PAGE = "First line.\nSecond line.\nThird line.\nFourth line."


@tool
def read_page(name: str) -> str:
    """Read a page.

    Args:
        name: of the page
    """
    if name == "none":
        raise ValueError("there is no such page")
    return PAGE


def ask(*names: str) -> Tape:
    calls = [
        {"id": str(at), "function": {"name": "read_page", "arguments": {"name": name}}}
        for at, name in enumerate(names)
    ]
    return Tape(steps=(UserStep(content="Go."), ToolCalls.model_validate({"tool_calls": calls})))


async def react(tape: Tape, *rules: ToolRule, **plant: Any) -> list[int]:
    """Return which of the observations has the instruction."""
    ruled = PolicyEnvironment(ToolEnvironment([read_page]), {}, rules=rules)
    environment = PlantingEnvironment(ruled, Plant(instruction="Obey.", **plant))
    answered = await environment.react(tape)
    results = answered.steps[2:]
    marked = [at for at, step in enumerate(results) if step.metadata.other.get(PLANTED) == "Obey."]
    assert marked == [at for at, step in enumerate(results) if "Obey." in str(step.content_dict())]
    return marked


async def test_the_nth_answer_without_an_error_gets_it_and_no_other() -> None:
    assert await react(ask("a", "none", "b", "c"), occurrence=2) == [2]
    assert await react(ask("a", "b"), tool="read_*") == [0]
    assert await react(ask("a", "b"), tool="search") == []


async def test_what_a_rule_answers_is_not_the_tools_answer() -> None:
    deny = ToolRule(action="deny", tool="read_page", arguments="name == 'a'")

    assert await react(ask("a", "b"), deny) == [1]


async def test_a_tape_that_has_it_gets_no_second_one() -> None:
    environment = PlantingEnvironment(ToolEnvironment([read_page]), Plant(instruction="Obey."))
    first = await environment.react(ask("a"))
    again = ask("a").steps[1].with_metadata(id="other")

    second = await environment.react(first.append(again))

    assert [PLANTED in step.metadata.other for step in second] == [False, False, True, False, False]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("begin", f"Obey.\n\n{PAGE}"),
        ("middle", "First line.\nSecond line.\n\nObey.\n\nThird line.\nFourth line."),
        ("end", f"{PAGE}\n\nObey."),
    ],
)
def test_a_place_in_the_longest_text(place: Literal["begin", "middle", "end"], text: str) -> None:
    plant = Plant(instruction="Obey.", place=place)
    step = ToolResult(content={"hits": [{"title": "A", "text": PAGE}, {"text": "short"}]})

    planted = plant_into(step, plant)

    assert isinstance(planted, ToolResult)
    assert planted.content == {"hits": [{"title": "A", "text": text}, {"text": "short"}]}
    assert plant_into(ToolResult(content=7), plant) == ToolResult(content=7)
