"""Who watches a run: asked between its steps whether it may continue, and what is to be said.

The places where a run can stop without losing or repeating anything are few: before a node
runs, after its steps are on the tape, before an action is answered, after it was. Everything
that stops a run (a person's pause, a breakpoint, a budget) answers there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tapes_app.engine.environment import PendingAction
from tapes_app.engine.llm import LLMCall
from tapes_app.engine.steps import Step

HaltStatus = Literal["until", "budget", "paused"]


class Hit(NamedTuple):
    """What a run stopped at, and the position of the step that it is about."""

    kind: str
    value: str
    position: int


@dataclass(frozen=True, slots=True)
class Halt:
    """The run stops here; `message` is a sentence for whoever looks on."""

    status: HaltStatus
    message: str
    hit: Hit | None = None


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
    """When a run must stop even in the middle of a model call or of an action."""

    at: float
    """By the clock of the event loop."""

    halt: Halt


class Supervisor:
    """Lets everything pass; subclasses say what does not.

    Its answers come at once: whatever must be looked up is looked up beforehand, because a run
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
        """Return what is to be said to the agent now, each message once."""
        return ()

    def note_cut(self, pending: PendingAction, *, is_left_behind: bool) -> None:
        """Hear that an action was cut off before its answer came.

        `is_left_behind`: whatever answers it could not be stopped and may still be at work.
        """
