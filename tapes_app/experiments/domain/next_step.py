"""Comparing an agent's next step with the recorded one: its kind, its tools and their arguments.

Each level depends on the previous one: tools are compared only if the kind is right, arguments only
if the tools are. So the score grows with how far an action is right: 0, one third for the kind, two
thirds for the tools too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tapes_app.engine.environment.actions import ends_turn
from tapes_app.engine.model.reasoning import REASONING
from tapes_app.engine.tape.dialog_steps import ToolCalls
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.thoughts import answered_json

TOOL_CALLS = "tool_calls"
KIND_SCORE, TOOL_SCORE = 1 / 3, 2 / 3

_NOT_DONE = frozenset({"kind", "metadata", "tool_call_id", *REASONING})
_QUOTED = 60


@dataclass(frozen=True, slots=True)
class NextStep:
    """What an action does: its kind, the tools that it calls in order, and their arguments.

    For an action that calls no tool, the arguments are its own fields.
    """

    step_kind: str
    tools: tuple[str, ...]
    arguments: tuple[Any, ...]


def describe_step(step: Step) -> NextStep:
    """Return what an action does, without ids and reasoning."""
    if isinstance(step, ToolCalls):
        calls = [call.model_dump(mode="json").get("function", {}) for call in step.tool_calls]
        tools = tuple(str(call.get("name", "")) for call in calls)
        return NextStep(TOOL_CALLS, tools, tuple(map(_read_arguments, step.tool_calls)))
    fields = {name: value for name, value in answered_json(step).items() if name not in _NOT_DONE}
    return NextStep(step.kind, (), (fields,))


def find_action(steps: Sequence[Step]) -> NextStep | None:
    """Return the first action among new steps, or `None` if there is none."""
    return next((describe_step(step) for step in steps if ends_turn(step)), None)


def compare_steps(wanted: NextStep, actual: NextStep | None) -> tuple[float, str]:
    """Return how closely an action matches the recorded one, from 0 to 1, and why."""
    if actual is None:
        return 0.0, f"There is no action; {_name(wanted)} was recorded."
    if actual.step_kind != wanted.step_kind:
        return 0.0, f"The kind is {_name(actual)} and not {_name(wanted)}."
    if actual.tools != wanted.tools:
        given = ", ".join(actual.tools)
        return KIND_SCORE, f"The kind is right, the tool is {given!r} and not {_name(wanted)}."
    for given, right in zip(actual.arguments, wanted.arguments, strict=False):
        if _plain(given) != _plain(right):
            return (
                TOOL_SCORE,
                f"Kind and tool are right, the arguments are not: {_part(given, right)}.",
            )
    return 1.0, "Kind, tool and arguments are as recorded."


def _read_arguments(call: Any) -> Any:
    try:
        return call.parsed_arguments()
    except ValueError:  # a model may write invalid JSON
        return str(call.function.arguments)


def _plain(value: Any) -> Any:
    """Return a value without surrounding blanks in texts, for comparison; 3 equals 3.0 anyway."""
    match value:
        case str():
            return value.strip()
        case dict():
            return {str(name): _plain(each) for name, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value


def _part(given: Any, right: Any) -> str:
    """Describe the first argument that differs."""
    if not isinstance(given, dict) or not isinstance(right, dict):
        return f"{_short(given)} in place of {_short(right)}"
    for name in (*right, *given):
        if name not in given:
            return f"{_short(name)} is missing"
        if name not in right:
            return f"{_short(name)} was not recorded"
        if _plain(given[name]) != _plain(right[name]):
            return f"{_short(name)} is {_short(given[name])} and not {_short(right[name])}"
    return "they differ"


def _name(step: NextStep) -> str:
    return repr(", ".join(step.tools) or step.step_kind)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
