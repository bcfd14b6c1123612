"""The request for a run: which agent, with which models and tools, how far, for how much."""

import json
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from tapes_app.agents.domain.llm_parameters import REASONING_EFFORTS, check_parameters
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.tape.conditions import compile_condition
from tapes_app.environments.policy import Policy
from tapes_app.jobs.domain.control import MAX_BREAKPOINTS, Breakpoint

MAX_TURNS = 20
LARGEST_PARAMETERS = 20_000
"""Maximum length of the parameters as JSON, in characters."""

LONGEST_MOCK = 1_000_000
MAX_TOOLS = 500


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ToolPolicies(Part):
    """Who answers tool calls and other actions.

    `live` really runs the tool, `replay` returns what the tape that this one came from observed,
    `mock` returns a prepared text, `ask` waits for a person, `deny` refuses the call, `emulate`
    lets a model or a script answer as the tool would. A tool that is declared irreversible asks
    unless it is named here. What the agent's own tool rules deny
    stays denied; a tool that is named here is exempt from its other rules. `default` does not
    apply to what a person is asked to say.
    """

    default: Policy = "live"
    by_tool: dict[str, Policy] = Field(default_factory=dict, max_length=MAX_TOOLS)
    """Policy by the name of the tool, or by the kind of other actions."""

    mocks: dict[str, str] = Field(default_factory=dict, max_length=MAX_TOOLS)
    """Prepared answers by name."""

    def emulating(self, name: str) -> Self:
        """Return the policies with one tool emulated."""
        return self.model_copy(update={"by_tool": {**self.by_tool, name: "emulate"}})

    @model_validator(mode="after")
    def _check_mocks(self) -> Self:
        for name, policy in self.by_tool.items():
            if policy == "mock" and name not in self.mocks:
                raise InvalidInputError(
                    f"Tool {name!r} is set to mock; enter its answer.",
                    tool=name,
                )
        if any(len(text) > LONGEST_MOCK for text in self.mocks.values()):
            raise InvalidInputError(f"A mock answer can have at most {LONGEST_MOCK:,} characters.")
        return self


class Until(Part):
    """How far a run should go.

    To the end, to the agent's next action, through one node run, or until the tape has a step at
    `position`.
    """

    kind: Literal["end", "next_action", "next_node", "step"] = "end"
    position: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _check_position(self) -> Self:
        if (self.kind == "step") != (self.position is not None):
            raise InvalidInputError('\'until\' takes a position for "step", and only for "step".')
        return self


class Budget(Part):
    """Hard limits; `None` means no limit. Answers from the record cost nothing."""

    tokens: int | None = Field(default=None, ge=1)
    """Input and output tokens of all of the run's calls."""

    micro_usd: int | None = Field(default=None, ge=1)
    """Millionths of a US dollar."""

    calls: int | None = Field(default=None, ge=1)
    """Number of the run's LLM calls."""

    seconds: float | None = Field(default=None, gt=0, le=604_800, allow_inf_nan=False)
    """Seconds worked; waiting for a person does not count."""

    @property
    def limits_size(self) -> bool:
        """Whether it matters how long a call is."""
        return self.tokens is not None or self.micro_usd is not None

    @property
    def limits_spending(self) -> bool:
        """Whether calls have to be reserved before they are sent."""
        return self.limits_size or self.calls is not None


class MadeWith(Part):
    """What a person chooses besides the agent, and what holds for later runs of a tape too."""

    model_id: UUID | None = None
    """Use this model for every LLM of the agent except its emulator of tools; `None`: the models
    that the agent names."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent to every LLM, overriding the agent's own: temperature, seed, reasoning_effort, …"""

    tools: ToolPolicies = ToolPolicies()
    max_turns: int = Field(default=MAX_TURNS, ge=1, le=1_000)
    """How many turns agent and environment may take before the run counts as an endless loop."""

    @field_validator("parameters")
    @classmethod
    def _check_parameters(cls, parameters: dict[str, Any]) -> dict[str, Any]:
        check_parameters(parameters)
        if len(json.dumps(parameters, default=str)) > LARGEST_PARAMETERS:
            raise InvalidInputError(
                f"The parameters have more than {LARGEST_PARAMETERS:,} characters as JSON.",
                field="parameters",
            )
        for name, least, most in _RANGES:
            _check_range(name, parameters.get(name), least, most)
        effort = parameters.get("reasoning_effort")
        if effort is not None and effort not in REASONING_EFFORTS:
            raise InvalidInputError(
                f"reasoning_effort must be one of {list(REASONING_EFFORTS)}, not {effort!r}.",
                field="parameters",
            )
        return parameters


class RunChoices(MadeWith):
    """What a person chooses for a run besides the agent."""

    until: Until = Until()
    budget: Budget = Budget()
    reuse_recorded: bool = False
    """Answer prompts that this tape or its ancestors have already asked from the record."""

    breakpoints: tuple[Breakpoint, ...] = Field(default=(), max_length=MAX_BREAKPOINTS)
    is_stepping: bool = False
    """Pause after the first node run or answered action."""

    @field_validator("breakpoints")
    @classmethod
    def _check_breakpoints(cls, breakpoints: tuple[Breakpoint, ...]) -> tuple[Breakpoint, ...]:
        check_breakpoints(breakpoints)
        return breakpoints


class RunOptions(RunChoices):
    """Everything that a person chooses for a run."""

    agent_version_id: UUID


class RunRequest(RunOptions):
    """The request that the job of a run stores (`JobRecord.request`)."""

    branch_id: UUID | None = None
    """The branch of an experiment that this run grows."""

    budget_id: UUID | None = None
    """The budget that its calls are reserved from, shared with other runs; `None`: none."""

    caller_tools: tuple[dict[str, Any], ...] = ()
    """Tools that whoever called the agent offers and carries out, in chat-completions form."""


def check_breakpoints(breakpoints: tuple[Breakpoint, ...]) -> None:
    """Refuse conditions that cannot be parsed.

    Raises:
        ConditionError: a condition cannot be parsed; the error shows which one, where and why.
    """
    for breakpoint_ in breakpoints:
        if breakpoint_.kind == "condition":
            compile_condition(breakpoint_.value)


_RANGES = (
    ("temperature", 0, 2),
    ("top_p", 0, 1),
    ("max_tokens", 1, None),
    ("frequency_penalty", -2, 2),
    ("presence_penalty", -2, 2),
)


def _check_range(name: str, value: Any, least: float, most: float | None) -> None:
    if value is None:
        return
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or value < least or (most is not None and value > most):
        bound = f"between {least} and {most}" if most is not None else f"of at least {least}"
        raise InvalidInputError(
            f"{name} must be a number {bound}, not {value!r}.", field="parameters"
        )
