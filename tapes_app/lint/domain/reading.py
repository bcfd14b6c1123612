"""One pass over a tape: who acted, what answered it, and who was asked to act next.

Every detector reads this, so that a tape is walked only once, however many detectors there are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tapes_app.engine.tape.control_steps import FinalStep
from tapes_app.engine.tape.dialog_steps import (
    PARSING_FAILURE,
    AssistantStep,
    SystemStep,
    ToolCall,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.families import Family, is_error_step
from tapes_app.engine.tape.steps import Step, ends_tape, families_of
from tapes_app.engine.tape.tape import Tape
from tapes_app.lint.domain.findings import LintContext
from tapes_app.lint.domain.words import keys_of, stems_of, texts_of

_ASIDES = ("loop_warning", "join")
"""Observations that come alongside an answer and are not answers themselves."""

_PERSON_KINDS = ("user", "system", "task", "question")


@dataclass
class Exchange:
    """One action, or one of its tool calls, with the observations that answered it."""

    position: int
    step: Step
    call: ToolCall | None = None
    call_index: int = 0
    answers: list[int] = field(default_factory=list)
    """Positions of its observations."""


class Reading:
    """A tape as detectors see it. Positions are indices into `steps`."""

    def __init__(self, tape: Tape, context: LintContext) -> None:
        self.context = context
        self.start: Any = tape.context
        self.steps: Sequence[Step] = tape.steps
        self.families: list[Family] = families_of(tape.steps)

    @cached_property
    def bodies(self) -> list[dict[str, Any]]:
        """Each step as JSON."""
        return [step.to_json() for step in self.steps]

    @cached_property
    def texts(self) -> list[str]:
        """The text of each step, without kind and metadata."""
        return [
            "\n".join(texts_of([body[key] for key in body if key not in ("kind", "metadata")]))
            for body in self.bodies
        ]

    @cached_property
    def stems(self) -> list[set[str]]:
        """For each step, the word stems that other steps may use; see `stems_of`.

        For steps by agents, these include the keys of their JSON.
        """
        return [
            stems_of(text if family == "observation" else f"{text}\n{_keys_of(body)}")
            for text, family, body in zip(self.texts, self.families, self.bodies, strict=True)
        ]

    @cached_property
    def turns(self) -> list[tuple[int, int, int]]:
        """Each turn as start, end of what agents wrote, end of the observations after it."""
        found: list[tuple[int, int, int]] = []
        start, count = 0, len(self.steps)
        while start < count:
            middle = start
            while middle < count and self.families[middle] != "observation":
                middle += 1
            end = middle
            while end < count and self.families[end] == "observation":
                end += 1
            found.append((start, middle, end))
            start = end
        return found

    @cached_property
    def exchanges(self) -> list[Exchange]:
        """All actions that ask for an answer, in order, with their answers."""
        by_lane: dict[str, list[int]] = {}
        for at, step in enumerate(self.steps):
            by_lane.setdefault(step.metadata.lane, []).append(at)
        turns = (turn for places in by_lane.values() for turn in self._split_turns(places))
        found = [item for wrote, seen in turns for item in self._exchanges_of(wrote, seen)]
        found.sort(key=lambda item: item.position)
        self._match_late_results(found)
        return found

    @cached_property
    def facts(self) -> list[dict[str, Any]]:
        """The facts that rules' conditions test: each step as JSON, with who wrote it and where."""
        return [
            {
                "position": at,
                "family": family,
                "agent": step.metadata.agent,
                "node": step.metadata.node,
                "is_error": is_error_step(body, family),
                **body,
            }
            for at, (step, family, body) in enumerate(
                zip(self.steps, self.families, self.bodies, strict=True)
            )
        ]

    def is_error(self, position: int) -> bool:
        return position in self._errors

    @cached_property
    def _errors(self) -> set[int]:
        return {
            at
            for at, family in enumerate(self.families)
            if family == "observation" and is_error_step(self.bodies[at], family)
        }

    def is_from_person(self, position: int) -> bool:
        """Return whether an observation is a person's message or setting, not a tool's answer."""
        step = self.steps[position]
        return isinstance(step, UserStep | SystemStep) or step.kind in _PERSON_KINDS

    def is_stop(self, position: int) -> bool:
        return ends_tape(self.steps[position])

    @cached_property
    def answer(self) -> int | None:
        """Position of the answer that the tape ends with; `None` while it has not ended.

        In a session without an answer, its last step takes that role.
        """
        last: int | None = None
        for at in range(len(self.steps) - 1, -1, -1):
            if self.families[at] == "control" or not self.texts[at].strip():
                continue
            step = self.steps[at]
            if isinstance(step, FinalStep):
                last = at
                continue
            is_answer = is_talk(step) or "answer" in step.kind or self.is_stop(at)
            return at if is_answer and self.families[at] == "action" else last
        return last

    def _split_turns(self, places: Sequence[int]) -> Iterator[tuple[list[int], list[int]]]:
        """Yield where each turn's steps by agents are, and the observations after them."""
        wrote: list[int] = []
        seen: list[int] = []
        for at in places:
            if self.families[at] == "observation":
                seen.append(at)
                continue
            if seen:
                yield wrote, seen
                wrote, seen = [], []
            wrote.append(at)
        yield wrote, seen

    def _exchanges_of(self, wrote: Sequence[int], seen: Sequence[int]) -> list[Exchange]:
        items: list[Exchange] = []
        for position in wrote:
            if self.families[position] == "action" and not self.is_stop(position):
                items.extend(_split(position, self.steps[position]))
        answers = [at for at in seen if self.steps[at].kind not in _ASIDES]
        by_id: dict[str, list[int]] = {}
        others: list[int] = []
        for at in answers:
            step = self.steps[at]
            if isinstance(step, ToolResult) and step.tool_call_id:
                by_id.setdefault(step.tool_call_id, []).append(at)
            else:
                others.append(at)
        for item in items:
            item.answers = by_id.get(item.call.id, []) if item.call is not None else []
        for item in items:
            if not item.answers:
                # An error may answer a call without its id; a person's message never does.
                fits = item.call is None or not item.call.id
                found = next((at for at in others if fits or not self.is_from_person(at)), None)
                if found is not None:
                    others.remove(found)
                    item.answers = [found]
        return items

    def _match_late_results(self, exchanges: list[Exchange]) -> None:
        """Match a result that arrives after the agent has continued by its id."""
        taken = {at for item in exchanges for at in item.answers}
        late: dict[str, list[int]] = {}
        for at, step in enumerate(self.steps):
            if isinstance(step, ToolResult) and step.tool_call_id and at not in taken:
                late.setdefault(step.tool_call_id, []).append(at)
        for item in exchanges:
            if item.call is None or item.answers or not item.call.id:
                continue
            left = late.get(item.call.id, [])
            item.answers = [at for at in left if at > item.position][:1]
            late[item.call.id] = [at for at in left if at not in item.answers]


def _split(position: int, step: Step) -> list[Exchange]:
    if step.kind == PARSING_FAILURE:
        return []
    if isinstance(step, ToolCalls):
        return [Exchange(position, step, call, index) for index, call in enumerate(step.tool_calls)]
    return [Exchange(position, step)]


def _keys_of(body: dict[str, Any]) -> str:
    values = [value for key, value in body.items() if key not in ("kind", "metadata")]
    return "\n".join(keys_of(values))


def is_talk(step: Step) -> bool:
    """Return whether an action is only a message, so that nobody must answer it."""
    return isinstance(step, AssistantStep)
