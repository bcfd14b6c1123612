"""What people ask of a job while it continues: to pause, to take one step, to hear a message.

It lies in the job's row. A worker looks at it at its safe points and takes out what it has
delivered in the transaction that stores the delivery, so that nothing is lost or heard twice.
"""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

LONGEST_VALUE = 1_000
MAX_BREAKPOINTS = 100
MAX_MESSAGES = 100
LONGEST_MESSAGE = 1_000_000
MOST_WAITING_MEDIA = 30_000_000
"""Characters of all attachments that wait in a job: those of one message of the largest."""


BreakpointKind = Literal["node", "kind", "tool", "condition"]


class Breakpoint(BaseModel):
    """Where a run should pause.

    `node`: before a node of this name runs (`agent/node` for one member of a team). `kind`:
    after a step of this kind is added. `tool`: before this tool is run; for other actions
    their kind. `condition`: after a step is added for which this JMESPath expression is true.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    kind: BreakpointKind
    value: str = Field(min_length=1, max_length=LONGEST_VALUE)


class SteerMessage(BaseModel):
    """What somebody says to the agent at its next turn; its id becomes the id of the step."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: str
    text: str
    attachments: tuple[dict[str, Any], ...] = ()
    """Images and recordings; in lists and streams of jobs each is its type alone."""

    by: str = ""
    user_id: int | None = None

    def without_media(self) -> Self:
        """Return the message with the types of its attachments in their place."""
        types = tuple({"type": part.get("type")} for part in self.attachments)
        return self.model_copy(update={"attachments": types})


class JobControl(BaseModel):
    """The requests to one job; the value of `JobRecord.control`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    pause_asked_by: str = ""
    """Who wants it to pause at the next safe point; empty when nobody does."""

    is_stepping: bool = False
    """Pause after the next node run or answered action."""

    breakpoints: tuple[Breakpoint, ...] = ()
    messages: tuple[SteerMessage, ...] = ()
    """Said, but not delivered yet."""

    approvals: tuple[str, ...] = ()
    """Actions that a person allowed to be done, once each."""

    def without_media(self) -> Self:
        messages = tuple(message.without_media() for message in self.messages)
        return self.model_copy(update={"messages": messages})
