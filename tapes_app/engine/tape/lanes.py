"""Lanes: the tapes of agents that were called together, each as if it had been called alone.

A lane's tape is what its caller's tape was at the call, a `Call` in place of the `CallTogether`,
and the lane's own steps. It is an ordinary tape, so whatever selects nodes, makes prompts, answers
actions, replays or trains works on it unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tapes_app.engine.errors import DelegationError
from tapes_app.engine.tape.control_steps import Call, CallTogether, Join, Respond
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.engine.tape.view import compute_view_stack


class Lane(NamedTuple):
    """One of the agents that were called together, seen from the tape on which they were."""

    path: str
    """As the steps of the tape record it; empty: the tape itself."""

    tape: Tape
    positions: list[int]
    """Where each step of the lane's tape is on the other one; its call: the `CallTogether`."""

    depth: int
    """How many views are left on the lane's stack once it has answered."""


def list_open_lanes(tape: Tape) -> list[Lane]:
    """Return the lanes that have not answered yet, of the agents called together last.

    Raises:
        DelegationError: the delegation on the tape cannot be followed.
    """
    stack = compute_view_stack(tape)
    if stack.lanes is None:
        return []
    return [_project(tape, stack.lanes.position, number) for number in stack.lanes.unanswered]


def find_lane(tape: Tape, at: int) -> tuple[Lane, int]:
    """Return the lane of the step at a position, with all its later steps, and the step's place.

    Raises:
        DelegationError: the step is of a lane in which nobody is at work there.
    """
    lane, place = Lane("", tape, list(range(len(tape))), 0), at
    while below := lane.tape[place].metadata.lane:
        lanes = compute_view_stack(Tape(steps=lane.tape.steps[:place])).lanes
        open_numbers = {str(number): number for number in lanes.unanswered} if lanes else {}
        number = open_numbers.get(below.partition("/")[0])
        if lanes is None or number is None:
            raise DelegationError(
                f"Step {at} is of lane {tape[at].metadata.lane!r}, but no agent is at work there: "
                "none was called, or it has answered. Remove the step.",
                position=at,
            )
        inner = _project(lane.tape, lanes.position, number)
        place = inner.positions.index(place, lanes.position + 1)
        positions = [lane.positions[position] for position in inner.positions]
        path = f"{lane.path}/{inner.path}".removeprefix("/")
        lane = Lane(path, inner.tape, positions, inner.depth)
    return lane, place


def put_in_lane(step: Step, lane: str) -> Step:
    """Return a step of a lane's tape as it is on the tape that the lane belongs to."""
    below = step.metadata.lane
    return step.with_metadata(lane=f"{lane}/{below}" if below else lane) if lane else step


def order_by_lane(steps: Sequence[Step]) -> list[int]:
    """Return the places of all steps, those of agents called together one lane after the other.

    It is the same for every order in which the lanes finished.
    """
    return _order_below(list(enumerate(step.metadata.lane for step in steps)))


def _order_below(places: Sequence[tuple[int, str]]) -> list[int]:
    """Order places with their lanes below some caller; its own steps stay where they are."""
    found: list[int] = []
    for is_own, group in groupby(places, key=lambda place: not place[1]):
        if is_own:
            found += [at for at, _ in group]
            continue
        by_lane: dict[str, list[tuple[int, str]]] = {}
        for at, lane in group:
            first, _, below = lane.partition("/")
            by_lane.setdefault(first, []).append((at, below))
        for lane in sorted(by_lane, key=lambda name: (len(name), name)):
            found += _order_below(by_lane[lane])
    return found


def _project(tape: Tape, start: int, number: int) -> Lane:
    """Return a lane of the agents that were called together at position `start`."""
    together = tape[start]
    assert isinstance(together, CallTogether), "lanes open there"
    path = str(number)
    steps = [*tape.steps[:start], together.as_call(number)]
    positions = list(range(start + 1))
    for position, step in _list_until_joined(tape, start + 1):
        lane, _, below = step.metadata.lane.partition("/")
        if lane == path:
            steps.append(step.with_metadata(lane=below))
            positions.append(position)
    depth = len(compute_view_stack(Tape(steps=tape.steps[: start + 1])).views)
    lane_tape = Tape(metadata=tape.metadata, context=tape.context, steps=tuple(steps))
    return Lane(path, lane_tape, positions, depth)


def _list_until_joined(tape: Tape, start: int) -> Iterator[tuple[int, Step]]:
    """Yield the steps up to the one of the caller that closes its lanes."""
    for position in range(start, len(tape)):
        step = tape[position]
        if not step.metadata.lane and isinstance(step, Call | CallTogether | Join | Respond):
            return
        yield position, step
