"""The prompt that a tape, or one of its ancestors, was last continued with."""

from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.llm import Prompt
from tapes_app.models import StepRecord
from tapes_app.tapes.domain.spans import places
from tapes_app.tapes.store.access import get_spans, spans_filter
from tapes_app.tapes.store.calls import load_call
from tapes_app.tapes.store.recorded_calls import list_lineage

_MOST_ANCESTORS = 20
"""How many ancestors are searched."""


@dataclass(frozen=True, slots=True)
class LastPrompt:
    """A recorded prompt, and the first of the steps that its answer became."""

    tape_id: UUID
    position: int
    prompt: Prompt


def find_last_prompt(tape_id: UUID, project: UUID, *, not_of: str) -> LastPrompt | None:
    """Return the prompt of a tape's last call, or else its nearest ancestor's first.

    Calls of the agent named by `not_of` do not count.

    Raises:
        NotFoundError: there is no such tape in this project.
    """
    own = _list_calls(tape_id, project, not_of)
    if own:
        return _load(tape_id, project, *own[-1])
    for ancestor in list_lineage(tape_id, project)[1 : _MOST_ANCESTORS + 1]:
        with suppress(NotFoundError):  # this ancestor was deleted
            calls = _list_calls(ancestor, project, not_of)
            if calls:
                return _load(ancestor, project, *calls[0])
    return None


def _load(tape_id: UUID, project: UUID, position: int, call_id: UUID) -> LastPrompt:
    return LastPrompt(tape_id, position, load_call(call_id, project).call.prompt)


def _list_calls(tape_id: UUID, project: UUID, not_of: str) -> list[tuple[int, UUID]]:
    """Return the calls behind a tape's steps in order, each with its first step."""
    spans = get_spans(tape_id, project)
    steps = StepRecord.objects.filter(spans_filter(spans), llm_call__isnull=False).order_by()
    asked = {
        (log, position): call_id
        for log, position, call_id, agent in steps.values_list(
            "log_id", "position", "llm_call_id", "agent"
        )
        if agent.partition("/")[0] != not_of
    }
    found: dict[UUID, int] = {}
    for position, place in enumerate(places(spans)):
        call_id = asked.get(place)
        if call_id is not None:
            found.setdefault(call_id, position)
    return [(position, call_id) for call_id, position in found.items()]
