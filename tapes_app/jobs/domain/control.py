"""What people request of a job while it runs: to pause, to take a step, to receive a message.

It is stored in the job's row. A worker reads it at its safe points and removes what it has
delivered in the transaction that stores the delivery, so that nothing is lost or delivered twice.
"""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

LONGEST_VALUE = 1_000
MAX_BREAKPOINTS = 100
MAX_MESSAGES = 100
LONGEST_MESSAGE = 1_000_000
MOST_WAITING_MEDIA = 30_000_000
"""Characters of all attachments waiting in a job: as many as one message may have at most."""


BreakpointKind = Literal["node", "kind", "tool", "condition"]


class Breakpoint(BaseModel):
    """Where a run should pause.

    `node`: before a node of this name runs (`agent/node` for one member of a team). `kind`: after a
    step of this kind is added. `tool`: before this tool runs; for other actions, their kind.
    `condition`: after a step is added for which this JMESPath expression is true.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    kind: BreakpointKind
    value: str = Field(min_length=1, max_length=LONGEST_VALUE)


class SteerMessage(BaseModel):
    """A person's message to the agent for its next turn; its id becomes the id of the step."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: str
    text: str
    attachments: tuple[dict[str, Any], ...] = ()
    """Images and recordings; lists and streams of jobs show only the type of each."""

    by: str = ""
    user_id: int | None = None

    def without_media(self) -> Self:
        """Return the message with its attachments replaced by their types."""
        types = tuple({"type": part.get("type")} for part in self.attachments)
        return self.model_copy(update={"attachments": types})


class JobControl(BaseModel):
    """The requests to one job; the value of `JobRecord.control`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    pause_asked_by: str = ""
    """The person who wants it to pause at the next safe point; empty when nobody does."""

    is_stepping: bool = False
    """Pause after the next node run or answered action."""

    breakpoints: tuple[Breakpoint, ...] = ()
    messages: tuple[SteerMessage, ...] = ()
    """Sent, but not delivered yet."""

    approvals: tuple[str, ...] = ()
    """Actions that a person approved, each for one time."""

    def describe_unread(self) -> str:
        """Return a sentence about the first message that nobody read; empty if there is none."""
        if not self.messages:
            return ""
        return f"The run ended before the agent read this message: {self.messages[0].text[:200]}"

    def without_media(self) -> Self:
        messages = tuple(message.without_media() for message in self.messages)
        return self.model_copy(update={"messages": messages})
