"""What a step is linked to: the call that it answers, and the prompts that contain it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from tapes_app.calls.domain.mentions import StepMention
from tapes_app.engine.model.messages import Message
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.call_digests import tool_called_by, tools_of
from tapes_app.tapes.domain.rows import StepRow
from tapes_app.tapes.services.tapes import load_step
from tapes_app.tapes.store import headers
from tapes_app.tapes.store.later_prompts import LaterPrompt, list_later_prompts

_LOOKED_BACK = 100
"""How many preceding steps are searched for the call of an observation."""

_MOST_PROMPTS = 100
_WRITTEN_BY_PEOPLE = frozenset({"user", "system", "question", "task"})


@dataclass(frozen=True)
class Cause:
    """The action that an observation answers."""

    position: int
    told_by: Literal["id", "order"]
    """`id` if the observation names the call, `order` if this is simply the preceding action."""

    tool: str
    """The tool that was called; empty if unknown."""

    seconds: float | None
    """Seconds from the action to the observation, if both were recorded live."""


@dataclass(frozen=True)
class StepLinks:
    cause: Cause | None
    prompts: list[int]
    """For each later call whose prompt contains this step, its first non-control step."""

    later_prompt_count: int
    """How many later prompts were searched."""

    is_cut: bool
    """Whether there are more later prompts."""


def load_step_links(person: Person, tape_id: UUID, position: int) -> StepLinks:
    """Return what a step answers, and which later prompts contain it, as far as recorded.

    Raises:
        NotFoundError: no such step.
    """
    step = load_step(person, tape_id, position)
    found = list_later_prompts(tape_id, person.project_id, position, count=_MOST_PROMPTS + 1)
    later = found[:_MOST_PROMPTS]
    mentioned_in = _find_mentions(StepMention(step.body), later)
    return StepLinks(
        cause=_find_cause(person, tape_id, step),
        prompts=mentioned_in,
        later_prompt_count=len(later),
        is_cut=len(found) > len(later),
    )


def _find_mentions(mention: StepMention, prompts: Sequence[LaterPrompt]) -> list[int]:
    """Return the positions of the prompts that contain a step; shared messages are read once."""
    known: dict[int, bool] = {}

    def is_mentioned(message: Message) -> bool:
        if id(message) not in known:
            known[id(message)] = mention.is_in(message)
        return known[id(message)]

    return [prompt.position for prompt in prompts if any(map(is_mentioned, prompt.messages))]


def _find_cause(person: Person, tape_id: UUID, step: StepRow) -> Cause | None:
    if step.family != "observation" or step.writer == "person" or step.kind in _WRITTEN_BY_PEOPLE:
        return None
    start = max(0, step.position - _LOOKED_BACK)
    count = step.position - start
    before = headers.load_step_page(tape_id, person.project_id, start=start, count=count)[::-1]
    for action in before:
        tool = tool_called_by(action.body, step.body)
        if tool:
            return Cause(action.position, "id", tool, _seconds_between(action, step))
    nearest = next((one for one in before if one.family == "action"), None)
    if nearest is None:
        return None
    tools = tools_of(nearest.body)
    tool = tools[0] if len(tools) == 1 else ""
    return Cause(nearest.position, "order", tool, _seconds_between(nearest, step))


def _seconds_between(action: StepRow, observation: StepRow) -> float | None:
    """Return how long the environment took; `None` for imported steps, which have no timing."""
    if action.writer != "agent" or observation.writer != "environment":
        return None
    seconds = (observation.created_at - action.created_at).total_seconds()
    return seconds if seconds > 0 else None
