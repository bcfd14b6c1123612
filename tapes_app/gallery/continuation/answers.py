"""A model's answer on anyone's tape, as steps of that tape: its kinds, calls, or text."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from tapes_app.engine.errors import StepError
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.prompts.briefing import Briefing
from tapes_app.engine.prompts.parsing import bare_answer
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    AssistantThought,
    ParsingFailure,
    ToolCall,
    ToolCalls,
)
from tapes_app.engine.tape.steps import AgentStep, Step, family_of, parse_step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.continuation.own_kinds import find_kind, own_kinds, turns_calls_into_steps


class _NoStepError(ValueError):
    """An answer looks like a step but is not; becomes a failure that the model sees."""


def read_steps(output: LLMOutput, tape: Tape, briefing: Briefing, *, agent: str) -> list[Step]:
    """Return the steps of an answer, which must not be empty.

    A JSON object with a kind, or a list of them, is read as steps if the tape has steps of that
    form; so is a call of a tool named like one of its kinds.
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
    """Return the text from which `read_steps` makes these steps."""
    hidden = AgentStep.hidden_fields
    bodies = [
        {name: value for name, value in step.to_json().items() if name not in hidden}
        for step in steps
    ]
    return json.dumps(bodies if len(bodies) > 1 else bodies[0], indent=2, ensure_ascii=False)


def _find_bodies(text: str) -> list[dict[str, Any]]:
    """Return the objects with a kind that make up a text; none if it is anything else.

    Raises:
        _NoStepError: the text looks like such an object, but is invalid.
    """
    written = bare_answer(text).strip()
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
    hidden = AgentStep.hidden_fields
    try:
        step = parse_step({key: value for key, value in body.items() if key not in hidden})
    except StepError as error:
        raise _NoStepError(error.message) from error
    # A kind without a told family is guessed from who wrote the step.
    family = family_of(briefing.classify(step.with_metadata(agent=agent), tape))
    if family in ("observation", "control"):
        raise _NoStepError(
            f"A step of kind {step.kind!r} is not yours to write; answer with a thought or an "
            "action."
        )
    return step
