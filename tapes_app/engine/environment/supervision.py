"""The supervisor of a run: asked between steps whether to continue, and for messages to send.

A run can stop without losing or repeating anything in only a few places: before a node runs, after
its steps are on the tape, before an action is answered, and afterwards. Everything that stops a run
(a person's pause, a breakpoint, a budget) does so there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.errors import CallRefusedError
from tapes_app.engine.model.llm import LLMCall
from tapes_app.engine.tape.steps import Step

HaltStatus = Literal["until", "budget", "paused"]


class Hit(NamedTuple):
    """What a run stopped at, and the position of the step concerned."""

    kind: str
    value: str
    position: int


@dataclass(frozen=True, slots=True)
class Halt:
    """The run stops here; `message` is a sentence for the person watching."""

    status: HaltStatus
    message: str
    hit: Hit | None = None
    refused: CallRefusedError | None = None
    """How a call was refused that does not fit the budget."""


class BeforeNode(NamedTuple):
    """A node is about to make its prompt; its first step would be at `position`."""

    agent: str
    node: str
    position: int


class NodeRan(NamedTuple):
    """A node run has finished; its steps are on the tape from `position` on."""

    agent: str
    node: str
    position: int
    steps: Sequence[Step]
    call: LLMCall | None


class BeforeAction(NamedTuple):
    """An action is about to be answered; the answer would be at `position`."""

    pending: PendingAction
    position: int


class ActionAnswered(NamedTuple):
    """The observations of an action are on the tape from `position` on."""

    pending: PendingAction
    position: int
    steps: Sequence[Step]


SafePoint = BeforeNode | NodeRan | BeforeAction | ActionAnswered


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a run must stop, even in the middle of a model call or an action."""

    at: float
    """On the event loop's clock."""

    halt: Halt


class Supervisor:
    """Lets everything pass; subclasses decide what does not.

    It answers without waiting: whatever must be looked up is looked up in advance, because a run
    asks at every step.
    """

    deadline: Deadline | None = None

    @property
    def is_stepping(self) -> bool:
        """Whether actions are answered one at a time."""
        return False

    def check(self, point: SafePoint) -> Halt | None:
        """Return why the run stops here; `None` lets it continue."""
        del point
        return None

    def take_messages(self) -> Sequence[Step]:
        """Return the messages to send to the agent now, each only once."""
        return ()

    def note_cut(self, pending: PendingAction, *, is_left_behind: bool) -> None:
        """Note that an action was cut off before its answer arrived.

        `is_left_behind`: whatever answers it could not be stopped and may still be running.
        """
