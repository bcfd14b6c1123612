"""Actions that wait for an answer, and which of a tape's still do."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from tapes_app.engine.errors import DelegationError, StudioError
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE, ToolCall, ToolCalls, ToolResult
from tapes_app.engine.tape.lanes import list_open_lanes, put_in_lane
from tapes_app.engine.tape.steps import Step, ends_tape, family_of
from tapes_app.engine.tape.tape import Tape


class ExternalInputNeeded(StudioError):  # noqa: N818 - a request, not a failure
    """An action waits for somebody outside, such as a person; the run can continue later.

    Details, all optional: `data_schema`, the answer's JSON schema; `answer_kind`, the kind of step
    that such data become; `can_approve`, when a person may instead allow the action to be carried
    out.
    """

    code = "external_input_needed"
    status = 409


class UnknownActionError(StudioError):
    """No environment here can answer this action."""

    code = "unknown_action"
    status = 409


class PendingAction(NamedTuple):
    """An action without its observation; `tool_call` is set for one call of a `ToolCalls`."""

    position: int
    action: Step
    tool_call: ToolCall | None = None

    @property
    def name(self) -> str:
        """The name of the called tool, or the kind of any other action."""
        return self.tool_call.function.name if self.tool_call is not None else self.action.kind

    @property
    def key(self) -> str:
        """A key that identifies this action, or this call of it, on its tape."""
        return f"{self.position}:{self.tool_call.id if self.tool_call is not None else ''}"


def sign(step: Step) -> Step:
    """Give an observation its own id."""
    return step if step.metadata.id else step.with_metadata(id=new_id())


def wants_answer(step: Step) -> bool:
    """Return whether an environment must answer a step; nodes handle parsing failures."""
    return ends_turn(step) and not ends_tape(step)


def ends_turn(step: Step) -> bool:
    """Return whether a step ends the turn after its node run, as every action does."""
    return family_of(step) == "action" and step.kind != PARSING_FAILURE


def unfulfilled_actions(tape: Tape) -> list[PendingAction]:
    """Return the actions at the end of the tape that have no observation yet.

    Only actions after the last finished exchange count, so that resuming an edited tape never
    repeats what was already done; agents called together have exchanges of their own. Tool calls
    are matched by id, and by order where two share one; other actions by order.
    """
    # Indexed from the end, never over all steps: a run calls this every turn.
    end = len(tape)
    start = end
    while start > 0 and family_of(tape[start - 1]) == "observation":
        start -= 1
    observations = [tape[position] for position in range(start, end)]
    turn = start
    while turn > 0 and family_of(tape[turn - 1]) != "observation":
        turn -= 1
    pending: list[PendingAction] = []
    for position in range(turn, start):
        step = tape[position]
        if wants_answer(step):
            pending.extend(split_action(position, step))
    if any(tape[position].metadata.lane for position in range(turn, end)):
        return _unfulfilled_in_lanes(tape)
    return _unanswered(pending, observations)


def _unfulfilled_in_lanes(tape: Tape) -> list[PendingAction]:
    """Return the open actions of the caller and of all lanes at work, in the order of the tape."""
    own = [position for position in range(len(tape)) if not tape[position].metadata.lane]
    places = [(own, Tape(steps=tuple(tape[position] for position in own)))]
    with suppress(DelegationError):  # then nobody is at work in a lane
        places += [(lane.positions, lane.tape) for lane in list_open_lanes(tape)]
    found = [
        item._replace(position=positions[item.position], action=tape[positions[item.position]])
        for positions, part in places
        for item in unfulfilled_actions(part)
    ]
    return sorted(found, key=lambda item: item.position)


def put_answers_in_lanes(tape: Tape, answers: Iterable[Step]) -> list[Step]:
    """Return answers from outside in the lanes of the agents that wait for them.

    A tool's result is found by the id of its call; anything else answers the first question.
    """
    waiting = unfulfilled_actions(tape)
    calls = {item.tool_call.id: item for item in waiting if item.tool_call is not None}
    question = next((item for item in waiting if item.tool_call is None), None)
    return [
        put_in_lane(answer, item.action.metadata.lane) if item is not None else answer
        for answer in answers
        for item in [calls.get(answer.tool_call_id) if isinstance(answer, ToolResult) else question]
    ]


def split_action(position: int, step: Step) -> list[PendingAction]:
    """Return an action, or each call of a `ToolCalls`, as waiting for an answer."""
    if isinstance(step, ToolCalls):
        return [PendingAction(position, step, call) for call in step.tool_calls]
    return [PendingAction(position, step)]


def _unanswered(pending: list[PendingAction], observations: list[Step]) -> list[PendingAction]:
    answers = Counter(step.tool_call_id for step in observations if isinstance(step, ToolResult))
    others = sum(
        1 for step in observations if not (isinstance(step, ToolResult) and step.tool_call_id)
    )
    left: list[PendingAction] = []
    for item in pending:
        if item.tool_call is not None and item.tool_call.id:
            answers[item.tool_call.id] -= 1
            if answers[item.tool_call.id] < 0:
                left.append(item)
        elif others:
            others -= 1
        else:
            left.append(item)
    return left


def is_finished(tape: Tape) -> bool:
    """Return whether the session is over: its last agent step is a stop step."""
    for position in range(len(tape) - 1, -1, -1):
        step = tape[position]
        if ends_tape(step):
            return True
        if family_of(step) in ("observation", "action"):
            return False
    return False
