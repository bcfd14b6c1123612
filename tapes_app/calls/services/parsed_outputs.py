"""A model's answer and how it was parsed: which part became which step, and what failed."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tapes_app.agents.services.agents import build_replay_agent
from tapes_app.agents.services.briefing import brief_agent
from tapes_app.agents.services.defined_kinds import load_defined_kinds
from tapes_app.calls.services.calls import require_call
from tapes_app.calls.services.parse_failures import (
    OutputProblem,
    PartName,
    find_failure,
    place_failure,
)
from tapes_app.engine.agent.node_code import make_prompt
from tapes_app.engine.agent.resume import regenerate_steps
from tapes_app.engine.agent.selection import Selection
from tapes_app.engine.errors import ConflictError, StudioError
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.model.reasoning import SIGNED
from tapes_app.engine.prompts.json_places import list_items
from tapes_app.engine.prompts.parsing import bare_answer
from tapes_app.engine.tape.steps import Step
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.rows import StepRow
from tapes_app.tapes.domain.step_facts import strings_in
from tapes_app.tapes.store import calls, headers, loading

_MAX_STEPS = 200


@dataclass(frozen=True)
class OutputPart:
    """A part of an answer and the steps made from it."""

    part: PartName
    index: int | None
    """Index of the tool call."""

    start: int | None
    end: int | None
    """End of the piece of text, in code points; `None`: the entire part."""

    positions: list[int]


@dataclass(frozen=True)
class ParsedOutput:
    positions: list[int]
    """All steps on the tape that came from the answer."""

    parts: list[OutputPart]
    problem: OutputProblem | None


@dataclass(frozen=True)
class MadeSteps:
    """Steps that an answer would have made, without ids and agents, and the steps they replace."""

    positions: list[int]
    steps: list[dict[str, Any]]
    made_by: str
    """The node that made them; empty if the recorded step itself was rewritten."""


def load_parsed_output(person: Person, tape_id: UUID, call_id: UUID) -> ParsedOutput:
    """Return which parts of a call's answer became which steps of the tape.

    Raises:
        NotFoundError: the tape has no step from such a call.
    """
    positions = require_call(person, tape_id, call_id)
    output = calls.load_answer(call_id, person.project_id).call.output
    steps = _load_steps(person, tape_id, positions)
    message = find_failure(steps)
    problem = None
    if message is not None:
        version_id = headers.load_header(tape_id, person.project_id).agent_version_id
        own = tuple(load_defined_kinds(person.project_id, version_id).values())
        problem = place_failure(message, output, own)
    return ParsedOutput(positions, list(find_parts(output, steps)), problem)


def make_steps(person: Person, tape_id: UUID, call_id: UUID, output: LLMOutput) -> MadeSteps:
    """Return the steps that the tape would have if the model had given another answer.

    The node that made the call parses it, as in a run. On a tape whose agent is not here, a plain
    text answer replaces the text in the recorded step.

    Raises:
        NotFoundError: the tape has no step from such a call.
        ConflictError: neither is possible; the message explains why.
    """
    positions = require_call(person, tape_id, call_id)
    steps = _load_steps(person, tape_id, positions)
    header = headers.load_header(tape_id, person.project_id)
    reason = "the agent that made the call was not recorded"
    if header.agent_version_id is not None:
        try:
            made, node = _ask_node(person, tape_id, header.agent_version_id, steps[0], output)
        except (StudioError, ValueError) as error:
            reason = error.message if isinstance(error, StudioError) else str(error)
        else:
            return MadeSteps(positions, [_plain(step) for step in made], node)
    rewritten = _rewrite_text(person, call_id, steps, output)
    if rewritten is None:
        raise ConflictError(
            f"This answer cannot be turned into steps: {reason}. Copy it and edit the step."
        )
    return rewritten


def find_parts(output: LLMOutput, steps: Sequence[StepRow]) -> Iterator[OutputPart]:
    """Yield the parts of an answer, each with the steps that contain their text."""
    left = list(steps)
    if output.reasoning_content:
        positions = _steps_with_reasoning(output.reasoning_content, left)
        yield OutputPart("reasoning", None, None, None, positions)
    for index, call in enumerate(output.tool_calls):
        yield OutputPart("tool_call", index, None, None, _steps_of_call(left, steps, call))
    content = output.content or ""
    if content.strip():
        yield from _parts_of_text(content, left)


def _steps_of_call(
    left: list[StepRow], steps: Sequence[StepRow], call: dict[str, Any]
) -> list[int]:
    function = call.get("function") or {}
    by_id = [
        row.position
        for row in steps
        if any(
            isinstance(made, dict) and made.get("id") == call.get("id")
            for made in row.body.get("tool_calls") or ()
        )
    ]
    return by_id or _take(left, lambda row: row.kind == function.get("name"))


def _steps_with_reasoning(reasoning: str, left: list[StepRow]) -> list[int]:
    """Return the answers that hold this reasoning, or else the step that is it."""
    with_reasoning = [
        row.position for row in left if row.body.get("reasoning_content") == reasoning
    ]
    return with_reasoning or _take(left, lambda row: reasoning.strip() in _texts(row))


def _parts_of_text(content: str, left: list[StepRow]) -> Iterator[OutputPart]:
    """Yield the items of a JSON answer with their steps, or the text as one part."""
    body = bare_answer(content)
    offset = content.rfind(body)  # thoughts in front of it may quote it
    try:
        json.loads(body)
        places = list_items(body)
    except (ValueError, RecursionError):
        places = []
    found = []
    for place in places:
        value = json.loads(body[place.start : place.end])
        kind = value.get("kind") if isinstance(value, dict) else None
        positions = _take(left, lambda row, kind=kind: row.kind == kind) if kind else []
        found.append(
            OutputPart("content", None, offset + place.start, offset + place.end, positions)
        )
    if any(part.positions for part in found):
        yield from found
        return
    yield OutputPart("content", None, None, None, _steps_with_words(content, left))


def _steps_with_words(content: str, left: list[StepRow]) -> list[int]:
    words = content.strip()
    same = [row.position for row in left if words in _texts(row)]
    if same:
        return same
    return [
        row.position
        for row in left
        if any(len(text) > 1 and text in content for text in _texts(row))
    ]


def _texts(row: StepRow) -> set[str]:
    """Return the texts of a step, at any depth, without its kind and metadata."""
    values = (value for name, value in row.body.items() if name not in _NO_WORDS)
    return {text.strip() for text in strings_in(values)} - {""}


_NO_WORDS = frozenset({"kind", "metadata", "next_node", *SIGNED})


def _take(left: list[StepRow], is_wanted: Any) -> list[int]:
    """Return the position of the first wanted step and remove it from `left`."""
    row = next((row for row in left if is_wanted(row)), None)
    if row is None:
        return []
    left.remove(row)
    return [row.position]


def _load_steps(person: Person, tape_id: UUID, positions: Sequence[int]) -> list[StepRow]:
    first, last = positions[0], positions[-1]
    count = min(last - first + 1, _MAX_STEPS)
    rows = headers.load_steps(tape_id, person.project_id, start=first, count=count)
    wanted = set(positions)
    return [row for row in rows if row.position in wanted]


def _ask_node(
    person: Person, tape_id: UUID, version_id: UUID, first: StepRow, output: LLMOutput
) -> tuple[tuple[Step, ...], str]:
    tape = loading.load_tape(tape_id, person.project_id)
    agent = build_replay_agent(person.project_id, version_id, tape_id)
    agent = brief_agent(agent, tape, tape_id, person.project_id)
    member = agent.find_subagent(first.agent.partition("/")[2])
    node = member.find_node(first.node)
    if node is None:
        raise ConflictError(f"agent {agent.name!r} has no node {first.node!r}")
    before = tape.fork(first.position)
    selection = Selection(member, first.agent, node)
    prompt = make_prompt(selection, before)
    steps = asyncio.run(regenerate_steps(selection, before, prompt, output))
    if not steps:
        raise ConflictError(f"node {node.name!r} does not turn it into a step")
    return steps, node.name


def _plain(step: Step) -> dict[str, Any]:
    return {name: value for name, value in step.to_json().items() if name != "metadata"}


def _rewrite_text(
    person: Person, call_id: UUID, steps: Sequence[StepRow], output: LLMOutput
) -> MadeSteps | None:
    """Put the new text where the recorded step contains the recorded text."""
    old = calls.load_answer(call_id, person.project_id).call.output.content
    if not old or not output.content or output.tool_calls:
        return None
    for row in steps:
        for name, value in row.body.items():
            if name not in _NO_WORDS and isinstance(value, str) and value.strip() == old.strip():
                body = {key: item for key, item in row.body.items() if key != "metadata"}
                return MadeSteps([row.position], [{**body, name: output.content}], "")
    return None
