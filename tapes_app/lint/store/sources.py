"""What the linter reads of a stored tape: its steps, its calls' numbers, the tools on offer."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from tapes_app.engine.steps import Step, parse_step
from tapes_app.engine.tape import Tape, TapeMetadata
from tapes_app.lint.findings import CallFacts
from tapes_app.llms.context_limits import find_context_limit
from tapes_app.models import StepRecord
from tapes_app.tapes.spans import places, read_spans
from tapes_app.tapes.store.access import get_columns, spans_filter
from tapes_app.tapes.store.kind_families import tell_steps, told_in
from tapes_app.tapes.store.offered_tools import load_tools


@dataclass(frozen=True, slots=True)
class LintSource:
    """One tape as the linter wants it."""

    tape: Tape
    version: int
    """Of the tape's row; rises with every append."""

    agent_version_id: UUID | None
    calls: dict[str, CallFacts]
    """By prompt id, as far as calls are recorded."""

    offered_tools: list[dict[str, Any]]
    """Tools in the prompts of those calls, each list once."""


def load_tape_state(tape_id: UUID, project: UUID) -> tuple[int, int]:
    """Return what changes whenever there is something new to lint: version and count of calls.

    Raises:
        NotFoundError: no such tape in this project.
    """
    version, call_count = get_columns(tape_id, project, "version", "llm_call_count")
    return version, call_count


def load_lint_source(tape_id: UUID, project: UUID) -> LintSource:
    """Return a tape with its calls' numbers, in three queries whatever its length.

    Raises:
        NotFoundError: no such tape in this project.
    """
    stored, context, version, agent_version = get_columns(
        tape_id, project, "spans", "context", "version", "agent_version_id"
    )
    spans = read_spans(stored)
    rows = (
        StepRecord.objects.filter(spans_filter(spans))
        .order_by()
        .values_list("log_id", "position", "body", *(f"llm_call__{name}" for name in _OF_CALL))
    )
    found = {(row[0], row[1]): row[2:] for row in rows}
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
    told = tuple(tell_steps(steps, told_in(project)))
    tape = Tape.model_construct(metadata=TapeMetadata(id=str(tape_id)), context=context, steps=told)
    return LintSource(tape, version, agent_version, calls, load_tools(sorted(settings)))


_OF_CALL = ("model_name", "input_tokens", "output_tokens", "settings_id")
