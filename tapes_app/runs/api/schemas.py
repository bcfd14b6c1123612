"""Request bodies for starting, resuming and answering runs."""

from typing import Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from tapes_app.editing.domain.rows import FIRST_FIX, FixIn
from tapes_app.engine.agent.replay import Divergence
from tapes_app.engine.errors import InvalidInputError
from tapes_app.jobs.api.schemas import Attachments
from tapes_app.projects.api.bodies import In, Out
from tapes_app.runs.domain.request import RunOptions, RunRequest
from tapes_app.runs.services.replies import GivenAnswer


class RunOptionsIn(RunOptions):
    """The options of every way to start a run."""

    def to_request(self) -> RunRequest:
        """Return the request for a run with these options."""
        chosen = {name: getattr(self, name) for name in RunOptions.model_fields}
        return RunRequest.model_construct(_fields_set=None, **chosen)


class StartTapeIn(RunOptionsIn):
    """Start a session: the first message, and a run of an agent on it."""

    message: str = Field(min_length=1, max_length=1_000_000)
    attachments: Attachments | None = None


class ResumeIn(RunOptionsIn):
    """Continue from an edited tape, or from a prefix of it.

    With a draft or `at`, a child is created; without, the tape itself grows.
    """

    use_draft: bool = False
    """Apply the caller's draft and clear it on success."""

    fix: FixIn = FIRST_FIX
    """Which of the caller's drafts to use."""

    keeps_draft: bool = False
    """Keep the draft, so that it can be tried again."""

    at: int | None = Field(default=None, ge=0)
    """Keep only the first `at` steps (after the draft). Without it, what a draft makes outdated is
    left out."""


class ReplyIn(In):
    """A person's answer to a waiting agent: exactly one of the four."""

    text: str | None = Field(default=None, min_length=1, max_length=1_000_000)
    attachments: Attachments | None = None
    data: Any = None
    """Must fit `asks.data_schema` of the job's result."""

    approve: bool | None = None
    """Whether the action that needs approval may run, live and once."""

    emulate: Literal[True] | None = None
    """Emulate the tool that the run waits for, now and for the rest of the run."""

    @model_validator(mode="after")
    def _check_one(self) -> Self:
        given = self.model_fields_set & {"text", "data", "approve", "emulate"}
        sent = (self.text, self.approve, self.emulate)
        is_empty = all(one is None for one in sent) and "data" not in given
        if len(given) != 1 or is_empty:
            raise InvalidInputError("Send exactly one of text, data, approve and emulate.")
        if self.attachments and self.text is None:
            raise InvalidInputError("Attachments come with a text.")
        return self

    def to_answer(self) -> GivenAnswer:
        if "data" in self.model_fields_set:
            return GivenAnswer(data=self.data)
        return GivenAnswer(
            text=self.text,
            approve=self.approve,
            attachments=self.attachments or (),
            emulates=self.emulate is True,
        )


class ReplayIn(In):
    """The agent version to replay with; by default the one that wrote the tape."""

    agent_version_id: UUID | None = None


class ReplayOut(Out):
    is_identical: bool
    step_count: int
    node_run_count: int
    """Node runs that were repeated and compared."""

    divergence: Divergence | None
