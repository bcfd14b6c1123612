"""Events of a run in progress, for services to store and browsers to show."""

from dataclasses import dataclass
from typing import Literal

from tapes_app.engine.environment.actions import PendingAction
from tapes_app.engine.environment.supervision import Hit
from tapes_app.engine.errors import StudioError
from tapes_app.engine.model.llm import LLMCall, LLMDelta, Prompt
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape


@dataclass(frozen=True, slots=True)
class NodeStarted:
    """A node has made its prompt; the LLM call follows unless the prompt is null."""

    agent: str
    node: str
    prompt: Prompt
    lane: str = ""
    """Which of the agents called together it is, as its steps record it."""


@dataclass(frozen=True, slots=True)
class DeltaReceived:
    """The model wrote a piece of its answer."""

    prompt_id: str
    delta: LLMDelta


@dataclass(frozen=True, slots=True)
class PartialStepMade:
    """The node made a partial step; it does not become part of the tape."""

    prompt_id: str
    step: PartialStep


@dataclass(frozen=True, slots=True)
class StepAdded:
    """A step is on the tape at `position`."""

    position: int
    step: Step


@dataclass(frozen=True, slots=True)
class NodeFinished:
    """A node run has finished; `call` is `None` for the null prompt."""

    agent: str
    node: str
    prompt_id: str
    call: LLMCall | None


@dataclass(frozen=True, slots=True)
class NodeFailed:
    """A node run failed; `call` holds what the model had written so far, if it was asked."""

    agent: str
    node: str
    prompt_id: str
    call: LLMCall | None
    error: str
    keeps_steps: bool = False
    """Whether the steps it yielded before are on the tape; if not, the tape ends where the run
    began."""


@dataclass(frozen=True, slots=True)
class NodeCancelled:
    """A node run was cut off, because what the agents called together do is decided already."""

    prompt_id: str
    reason: str


AgentEvent = (
    NodeStarted
    | DeltaReceived
    | PartialStepMade
    | StepAdded
    | NodeFinished
    | NodeFailed
    | NodeCancelled
)

LoopStatus = Literal[
    "ok",
    "finished",
    "no_actions",
    "external_input_needed",
    "unknown_action",
    "loop_limit",
    "until",
    "budget",
    "paused",
]


@dataclass(frozen=True, slots=True)
class AgentTurnFinished:
    """The agent has taken its turn: `agent_tape` is the tape after it."""

    agent_tape: Tape


@dataclass(frozen=True, slots=True)
class EnvironmentTurnFinished:
    """The environment has answered: `env_tape` is the tape after it."""

    env_tape: Tape


@dataclass(frozen=True, slots=True)
class LoopFinished:
    """The loop has stopped; `status` says why, `tape` is the complete session.

    `ok`: one of the agents called together has responded; only its caller sees this.
    `external_input_needed`: an action waits for a person. `unknown_action`: nobody can answer the
    action that `message` names. `no_actions`: the agent ended its turn without one. `until`,
    `budget`, `paused`: the supervisor stopped the loop for the reason in `message`.
    """

    status: LoopStatus
    tape: Tape
    message: str = ""
    hit: Hit | None = None
    """What it paused at."""

    waits_for: PendingAction | None = None
    """The action that has no answer yet."""

    refusal: StudioError | None = None
    """How the environment refused that action, or a call was refused that does not fit."""


LoopEvent = AgentEvent | AgentTurnFinished | EnvironmentTurnFinished | LoopFinished
