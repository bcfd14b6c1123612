"""What the linter reads of a stored tape: its steps, its calls' numbers, the offered tools."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tapes_app.engine.tape.steps import Step, parse_step
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.lint.domain.findings import CallFacts
from tapes_app.llms.context_limits import find_context_limit
from tapes_app.tapes.domain.spans import places, read_spans
from tapes_app.tapes.store.access import get_columns, read_columns
from tapes_app.tapes.store.kind_families import assign_step_families, assigned_families_in
from tapes_app.tapes.store.offered_tools import load_tools


@dataclass(frozen=True, slots=True)
class LintSource:
    """One tape as the linter reads it."""

    tape: Tape
    version: int
    """Version of the tape's row; increases with every append."""

    agent_version_id: UUID | None
    calls: dict[str, CallFacts]
    """Recorded calls, by prompt id."""

    offered_tools: list[dict[str, Any]]
    """Tools in the prompts of those calls, each distinct list once."""


def load_tape_state(tape_id: UUID, project: UUID) -> tuple[int, int]:
    """Return what changes whenever there is something new to lint: version and number of calls.

    Raises:
        NotFoundError: no such tape in this project.
    """
    version, call_count = get_columns(tape_id, project, "version", "llm_call_count")
    return version, call_count


def load_lint_source(tape_id: UUID, project: UUID) -> LintSource:
    """Return a tape with its calls' numbers, in three queries regardless of its length.

    Raises:
        NotFoundError: no such tape in this project.
    """
    stored, context, version, agent_version = get_columns(
        tape_id, project, "spans", "context", "version", "agent_version_id"
    )
    spans = read_spans(stored)
    found = read_columns(spans, "body", *(f"llm_call__{name}" for name in _OF_CALL))
    steps: list[Step] = []
    calls: dict[str, CallFacts] = {}
    settings: set[bytes] = set()
    for place in places(spans):
        body, model, taken, given, digest = found[place]
        step = parse_step(body)
        steps.append(step)
        if digest is not None:
            settings.add(bytes(digest))
            if step.metadata.prompt_id not in calls:
                limit = find_context_limit(model)
                facts = CallFacts(input_tokens=taken, output_tokens=given, context_limit=limit)
                calls[step.metadata.prompt_id] = facts
    read_steps = tuple(assign_step_families(steps, assigned_families_in(project)))
    tape = Tape.model_construct(
        metadata=TapeMetadata(id=str(tape_id)), context=context, steps=read_steps
    )
    return LintSource(tape, version, agent_version, calls, load_tools(sorted(settings)))


_OF_CALL = ("model_name", "input_tokens", "output_tokens", "settings_id")
