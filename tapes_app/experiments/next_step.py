"""The next step of an agent beside the recorded one: its kind, its tools and their arguments.

One stands on the other: tools are compared where the kind is right, arguments where the tools are.
So a score says how far an action is right: 0, then a third for the kind, two for the tools too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tapes_app.engine.dialog_steps import ToolCalls
from tapes_app.engine.environment import ends_turn
from tapes_app.engine.reasoning import REASONING
from tapes_app.engine.steps import Step

TOOL_CALLS = "tool_calls"
KIND_SCORE, TOOL_SCORE = 1 / 3, 2 / 3

_NOT_DONE = frozenset({"kind", "metadata", "tool_call_id", *REASONING})
_QUOTED = 60


@dataclass(frozen=True, slots=True)
class NextStep:
    """What an action does: the kind, the tools that it calls in their order, and their arguments.

    Of an action that calls no tool the arguments are its own fields.
    """

    step_kind: str
    tools: tuple[str, ...]
    arguments: tuple[Any, ...]


def describe_step(step: Step) -> NextStep:
    """Return what an action does; ids and reasoning say nothing of it."""
    if isinstance(step, ToolCalls):
        calls = [call.model_dump(mode="json").get("function", {}) for call in step.tool_calls]
        tools = tuple(str(call.get("name", "")) for call in calls)
        return NextStep(TOOL_CALLS, tools, tuple(map(_read_arguments, step.tool_calls)))
    fields = {name: value for name, value in step.to_json().items() if name not in _NOT_DONE}
    return NextStep(step.kind, (), (fields,))


def find_action(steps: Sequence[Step]) -> NextStep | None:
    """Return the first action among new steps; `None`: there is none."""
    return next((describe_step(step) for step in steps if ends_turn(step)), None)


def compare_steps(wanted: NextStep, came: NextStep | None) -> tuple[float, str]:
    """Return how far an action is the recorded one, from 0 to 1, and why."""
    if came is None:
        return 0.0, f"No action came; {_name(wanted)} was recorded."
    if came.step_kind != wanted.step_kind:
        return 0.0, f"The kind is {_name(came)} and not {_name(wanted)}."
    if came.tools != wanted.tools:
        said = ", ".join(came.tools)
        return KIND_SCORE, f"The kind is right, the tool is {said!r} and not {_name(wanted)}."
    for said, right in zip(came.arguments, wanted.arguments, strict=False):
        if _plain(said) != _plain(right):
            return (
                TOOL_SCORE,
                f"Kind and tool are right, the arguments are not: {_part(said, right)}.",
            )
    return 1.0, "Kind, tool and arguments are as recorded."


def _read_arguments(call: Any) -> Any:
    try:
        return call.parsed_arguments()
    except ValueError:  # a model may write what is no JSON
        return str(call.function.arguments)


def _plain(value: Any) -> Any:
    """Return a value in which blanks at the ends of texts, and 3 beside 3.0, make no difference."""
    match value:
        case str():
            return value.strip()
        case dict():
            return {str(name): _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value


def _part(said: Any, right: Any) -> str:
    """Say at which argument two differ first."""
    if not isinstance(said, dict) or not isinstance(right, dict):
        return f"{_short(said)} in place of {_short(right)}"
    for name in (*right, *said):
        if name not in said:
            return f"{_short(name)} is missing"
        if name not in right:
            return f"{_short(name)} was not given"
        if _plain(said[name]) != _plain(right[name]):
            return f"{_short(name)} is {_short(said[name])} and not {_short(right[name])}"
    return "they differ"


def _name(step: NextStep) -> str:
    return repr(", ".join(step.tools) or step.step_kind)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
