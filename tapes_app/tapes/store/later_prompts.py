"""The prompts of the LLM calls behind the later steps of a tape."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.model.messages import Message
from tapes_app.models import StepRecord
from tapes_app.tapes.domain.spans import cut_spans, read_spans
from tapes_app.tapes.store.access import get_columns, spans_filter
from tapes_app.tapes.store.prompt_tree import load_prompts


@dataclass(frozen=True, slots=True)
class LaterPrompt:
    """The prompt of a call, and the first step that resulted from it, except control steps."""

    position: int
    messages: tuple[Message, ...]


def list_later_prompts(
    tape_id: UUID, project: UUID, position: int, *, count: int
) -> list[LaterPrompt]:
    """Return the prompts of the next `count` calls after a step, in step order.

    The call that produced the step itself is not included. Prompts that share messages share the
    message objects.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    seen: dict[UUID, _CallStep] = {}
    own: UUID | None = None
    for step in _list_calls(tape_id, project, position):
        if step.position == position:
            own = step.call
        elif step.call in seen:
            if seen[step.call].is_control and not step.is_control:
                seen[step.call] = step
        elif step.call != own:
            if len(seen) == count:
                break
            seen[step.call] = step
    prompts = load_prompts(step.leaf for step in seen.values() if step.leaf is not None)
    return [
        LaterPrompt(step.position, prompts[step.leaf] if step.leaf else ())
        for step in seen.values()
    ]


@dataclass(frozen=True, slots=True)
class _CallStep:
    position: int
    call: UUID
    leaf: bytes | None
    is_control: bool


def _list_calls(tape_id: UUID, project: UUID, start: int) -> Iterator[_CallStep]:
    """Yield each step from `start` on that resulted from a call."""
    stored, count = get_columns(tape_id, project, "spans", "step_count")
    offset = start
    for span in cut_spans(read_spans(stored), start, count):
        steps = StepRecord.objects.filter(spans_filter((span,)), llm_call__isnull=False)
        columns = ("position", "llm_call_id", "llm_call__prompt_node_id", "family")
        found = steps.order_by("position").values_list(*columns)
        for place, call, leaf, family in found.iterator(200):
            yield _CallStep(
                position=offset + place - span.start,
                call=call,
                leaf=None if leaf is None else bytes(leaf),
                is_control=family == "control",
            )
        offset += span.count
