"""The request for a re-run: which tapes, by which agent, with which budget, into which batch."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.experiments.services.request import MAX_BRANCHES, ExperimentRequest
from tapes_app.library.services.selection import TapeSelection
from tapes_app.runs.domain.request import MAX_TURNS, Budget, ToolPolicies, Until

RERUN_KIND = "rerun"
MOST_TAPES = 1_000
"""As many as a batch comparison reads; more is a sweep."""


class RerunSpec(TapeSelection):
    """Which tapes are rerun from their start, and by which agent."""

    agent_version_id: UUID
    model_id: UUID | None = None
    """Use this model for every LLM of the agent; `None`: the models that the agent names."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent to every LLM of the agent, overriding its own."""

    tools: ToolPolicies = ToolPolicies()
    until: Until = Until()
    max_turns: int = Field(default=MAX_TURNS, ge=1, le=1_000)

    @model_validator(mode="after")
    def _check_until(self) -> "RerunSpec":
        if self.until.kind == "step":
            raise InvalidInputError(
                "A run over many tapes cannot stop at a step number; run to the end, to the "
                "next action or through one node.",
                field="until",
            )
        return self

    def to_experiment(self) -> ExperimentRequest:
        """Return the request that all branches share; each is run once, from its own tape."""
        return ExperimentRequest(
            agent_version_id=self.agent_version_id,
            model_ids=(self.model_id,),
            parameters=self.parameters,
            repeats=1,
            tools=self.tools,
            until=self.until,
            max_turns=self.max_turns,
        )


class RerunRequest(RerunSpec):
    """The request that the job of a re-run stores."""

    batch_name: str = Field(min_length=1, max_length=300)
    """Name of the new batch that the new tapes are put into."""

    budget: Budget = Budget()
    """Of all runs together: when it is used up, everything stops."""

    concurrency: int | None = Field(default=None, ge=1, le=MAX_BRANCHES)
    """How many runs may be active at the same time; `None`: as many as the workers take."""

    def to_experiment(self) -> ExperimentRequest:
        return (
            super()
            .to_experiment()
            .model_copy(
                update={
                    "name": self.batch_name,
                    "budget": self.budget,
                    "concurrency": self.concurrency,
                }
            )
        )


RerunState = Literal["preparing", "running", "paused", "finished", "failed", "cancelled"]
