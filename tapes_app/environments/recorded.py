"""Observations taken from a recorded tape, with a warning where the action differs."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, NamedTuple

from tapes_app.engine.environment.actions import (
    PendingAction,
    UnknownActionError,
    split_action,
    wants_answer,
)
from tapes_app.engine.environment.environment import Environment, NoEnvironment
from tapes_app.engine.environment.wrapper import WrapperEnvironment
from tapes_app.engine.model.messages import canonical_json
from tapes_app.engine.tape.dialog_steps import ToolCall, ToolCalls, ToolResult, deed_content
from tapes_app.engine.tape.steps import Step, family_of
from tapes_app.engine.tape.tape import Tape

DEVIATION = "deviation"
"""Key in `metadata.other` of a replayed observation that answered another action."""


class Exchange(NamedTuple):
    """An action of a tape, or one of its calls, with its observations; none if it is open."""

    name: str
    """The tool, or the kind of the action."""

    content: str
    """Arguments or fields, as canonical JSON: equal content means equal actions."""

    observations: tuple[Step, ...]


class _Recorded(NamedTuple):
    tape_id: str
    place: int
    """How many actions, counting each tool call, came before it on its tape."""

    exchange: Exchange


class RecordedEnvironment(WrapperEnvironment):
    """Answers the n-th action of a tape with what followed the n-th action of a recording.

    `recordings` are in order of trust: the tape itself, then its nearest ancestor. Each is read
    only when the previous ones cannot answer. An action that differs from the recorded one gets the
    observation of an equal action if any recording has one, else that of the next action with the
    same name. Such an observation is marked in its metadata, because it may not be plausible (paper
    2.4.1). What no recording can answer goes to the environment inside. No position is kept here;
    the tape alone shows how far the replay is.
    """

    def __init__(
        self, recordings: AsyncIterator[Tape], *, inner: Environment | None = None
    ) -> None:
        super().__init__(inner or NoEnvironment())
        self.name = "recorded"
        self._unread = recordings
        self._read: list[_Recorded] = []

    def can_run_together(self, pending: PendingAction) -> bool:
        return False  # recordings are read one after the other

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        count = _count_before(pending, tape)
        name, content = describe_action(pending)
        found = await self._find(count, name, content)
        if found is None:
            return await self._observe_live(pending, tape, count)
        deviation = _describe_deviation(found.exchange, content)
        return [
            _copy(step, pending.tool_call, found.tape_id, deviation)
            for step in found.exchange.observations
        ]

    async def _observe_live(self, pending: PendingAction, tape: Tape, count: int) -> Sequence[Step]:
        try:
            return await super().observe(pending, tape)
        except UnknownActionError as error:
            raise UnknownActionError(
                f"No recorded tape has an observation for {pending.name!r} as action {count + 1}; "
                "run it live, or cut the tape here.",
                action=pending.name,
            ) from error

    async def _find(self, count: int, name: str, content: str) -> _Recorded | None:
        """Return the best recorded answer to an action.

        That is an equal action from the same position on, then an earlier equal one, then the next
        one with the same name; each from the first recording that has it.
        """
        earlier: _Recorded | None = None
        other: _Recorded | None = None
        index = 0
        while index < len(self._read) or await self._read_next():
            found = self._read[index]
            index += 1
            if found.exchange.name != name:
                continue
            is_equal, is_later = found.exchange.content == content, found.place >= count
            if is_equal and is_later:
                return found
            if is_equal:
                earlier = earlier or found
            elif is_later:
                other = other or found
        return earlier or other

    async def _read_next(self) -> bool:
        """Read recordings until one contains something new; return false when none is left.

        What related tapes share is kept once: a long lineage costs little more than one tape.
        """
        known = {_identify(found) for found in self._read}
        async for tape in self._unread:
            new = [
                found
                for place, exchange in enumerate(list_exchanges(tape))
                if exchange.observations
                and _identify(found := _Recorded(tape.id, place, exchange)) not in known
            ]
            if new:
                self._read += new
                return True
        return False


def _identify(found: _Recorded) -> tuple[object, ...]:
    ids = (step.metadata.id for step in found.exchange.observations)
    return (found.place, found.exchange.name, found.exchange.content, *ids)


def _copy(step: Step, call: ToolCall | None, tape_id: str, deviation: str) -> Step:
    other: dict[str, Any] = {**step.metadata.other, "replayed_from": tape_id}
    if deviation:
        other[DEVIATION] = deviation
    copy = step.with_metadata(id="", other=other)
    if call is not None and isinstance(copy, ToolResult):
        return copy.model_copy(update={"tool_call_id": call.id})
    return copy


def list_exchanges(tape: Tape) -> Iterator[Exchange]:
    """Yield every action of a tape, tool calls one by one, with its observations in order."""
    turn: list[PendingAction] = []
    observations: list[Step] = []
    for position, step in enumerate(tape.steps):
        family = family_of(step)
        if family == "observation":
            observations.append(step)
        elif observations:
            yield from _match(turn, observations)
            turn, observations = [], []
        if wants_answer(step):
            turn.extend(split_action(position, step))
    yield from _match(turn, observations)


def describe_action(pending: PendingAction) -> tuple[str, str]:
    """Return the name of an action, or of one of its calls, and its content for comparison."""
    call = pending.tool_call
    if call is None:
        return pending.name, canonical_json(deed_content(pending.action))
    try:
        arguments: Any = call.parsed_arguments()
    except (ValueError, RecursionError):
        arguments = call.function.arguments
    return pending.name, canonical_json(arguments)


def _match(turn: list[PendingAction], observations: list[Step]) -> Iterator[Exchange]:
    left = list(observations)
    for pending in turn:
        answer = _take(left, pending.tool_call)
        yield Exchange(*describe_action(pending), (answer,) if answer is not None else ())


def _take(left: list[Step], call: ToolCall | None) -> Step | None:
    """Remove the observation that answers a call by its id, or any other action by its position."""
    for index, step in enumerate(left):
        if isinstance(step, ToolResult):
            fits = call is not None and call.id in ("", step.tool_call_id)
        else:
            fits = call is None
        if fits:
            return left.pop(index)
    return None


def _count_before(pending: PendingAction, tape: Tape) -> int:
    """Return how many actions, counting each tool call, come before this one."""
    before = enumerate(tape.steps[: pending.position])
    count = sum(len(split_action(at, step)) for at, step in before if wants_answer(step))
    if isinstance(pending.action, ToolCalls) and pending.tool_call is not None:
        count += pending.action.tool_calls.index(pending.tool_call)
    return count


def _describe_deviation(found: Exchange, content: str) -> str:
    if found.content == content:
        return ""
    return (
        f"This answered another action when it was recorded: {found.name} {found.content}. "
        "It may not match what the agent asks for now."
    )
