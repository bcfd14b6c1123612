"""What a model answers to a tape of anybody, as steps of that tape: its own kinds, calls, words."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tapes_app.engine.briefing import Briefing
from tapes_app.engine.dialog_steps import (
    AssistantStep,
    AssistantThought,
    ParsingFailure,
    ToolCall,
    ToolCalls,
)
from tapes_app.engine.errors import StepError
from tapes_app.engine.llm import LLMOutput
from tapes_app.engine.parsing import strip_fence
from tapes_app.engine.reasoning import REASONING
from tapes_app.engine.steps import Step, family_of, parse_step
from tapes_app.engine.tape import Tape
from tapes_app.gallery.continuation.call_kinds import find_kind, turns_calls_into_steps
from tapes_app.gallery.continuation.own_kinds import own_kinds

_NOT_WRITTEN = frozenset({"metadata", *REASONING})
"""Fields of a step that no model writes into it."""


class _NoStepError(ValueError):
    """An answer in the form of a step that is none; becomes a failure that the model sees."""


def read_steps(output: LLMOutput, tape: Tape, briefing: Briefing, *, agent: str) -> list[Step]:
    """Return the steps of an answer that is not empty.

    A JSON object with a kind, or a list of them, is read as such steps where the tape has steps
    of that form; a call of a tool that is called like one of its kinds too.
    """
    kinds = own_kinds(tape)
    text = output.content or ""
    try:
        if output.tool_calls:
            return list(_read_calls(output, kinds, tape, briefing, agent))
        bodies = _find_bodies(text) if kinds else []
        if bodies:
            return [_read_step(body, tape, briefing, agent) for body in bodies]
    except _NoStepError as error:
        written = text or json.dumps(list(output.tool_calls), ensure_ascii=False)
        return [ParsingFailure(error=str(error), llm_output=written)]
    return [AssistantStep.from_llm_output(output)]


def write_steps(steps: Iterable[Step]) -> str:
    """Return the text that `read_steps` makes these steps of."""
    bodies = [
        {name: value for name, value in step.to_json().items() if name not in _NOT_WRITTEN}
        for step in steps
    ]
    return json.dumps(bodies if len(bodies) > 1 else bodies[0], indent=2, ensure_ascii=False)


def _find_bodies(text: str) -> list[dict[str, Any]]:
    """Return the objects with a kind that are all of a text; none where it is anything else.

    Raises:
        _NoStepError: it would be one, and is broken.
    """
    written = strip_fence(text).strip()
    if not written.startswith(("{", "[")):
        return []
    try:
        value = json.loads(written, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        if '"kind"' in written:
            raise _NoStepError(f"Expected a step or a list of steps as JSON: {error}.") from error
        return []
    bodies = value if isinstance(value, list) else [value]
    are_steps = all(isinstance(body, dict) and isinstance(body.get("kind"), str) for body in bodies)
    return bodies if are_steps else []


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _read_calls(
    output: LLMOutput, kinds: frozenset[str], tape: Tape, briefing: Briefing, agent: str
) -> Iterator[Step]:
    calls = ToolCalls.from_llm_output(output)
    is_class = turns_calls_into_steps(tape, kinds, has_tools=bool(briefing.recorded.tools))
    found = [
        (call, find_kind(call.function.name, kinds, is_class=is_class)) for call in calls.tool_calls
    ]
    others = tuple(call for call, kind in found if kind is None)
    if len(others) == len(found):
        yield calls
        return
    if calls.content:
        yield AssistantThought(content=calls.content)
    for call, kind in found:
        if kind is not None:
            body = {**_read_arguments(call), "kind": kind}
            yield _read_step(body, tape, briefing, agent)
    if others:
        yield ToolCalls(tool_calls=others)


def _read_arguments(call: ToolCall) -> dict[str, Any]:
    try:
        return call.parsed_arguments()
    except (ValueError, RecursionError) as error:
        raise _NoStepError(f"The arguments of a call cannot be read: {error}.") from error


def _read_step(body: dict[str, Any], tape: Tape, briefing: Briefing, agent: str) -> Step:
    try:
        step = parse_step({key: value for key, value in body.items() if key not in _NOT_WRITTEN})
    except StepError as error:
        raise _NoStepError(error.message) from error
    # What a kind is that nobody told is guessed from who wrote it.
    family = family_of(briefing.tell(step.with_metadata(agent=agent), tape))
    if family in ("observation", "control"):
        raise _NoStepError(
            f"A step of kind {step.kind!r} is not yours to write; answer with a thought or an "
            "action."
        )
    return step
