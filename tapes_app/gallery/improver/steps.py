"""What the improver writes, and what its environment answers."""

from typing import Any, Literal

from pydantic import Field

from tapes_app.engine.tape.steps import Action, Observation, StopAction, Thought


class BadStepThought(Thought):
    """Which step of the given tape went wrong first."""

    kind: Literal["improver_bad_step"] = "improver_bad_step"
    position: int = Field(ge=0)
    """Of the step in the given tape, from 0 on."""

    why: str


class RewriteStepAction(Action):
    """Asks for a revision of the given tape in which one step has other values."""

    kind: Literal["improver_rewrite"] = "improver_rewrite"
    position: int = Field(ge=0)
    """Of the step in the given tape, from 0 on."""

    fields: dict[str, Any]
    """The new values, by the name of the field; other fields stay."""


class RevisionObservation(Observation):
    """The given tape up to the rewritten step: an agent can resume it from there."""

    kind: Literal["improver_revision"] = "improver_revision"
    position: int
    was: dict[str, Any]
    steps: list[dict[str, Any]]
    """Those that are kept, and the rewritten one last."""


class RefusedRewriteObservation(Observation):
    """Why there is no revision."""

    kind: Literal["improver_refusal"] = "improver_refusal"
    error: str


class ImprovedAction(StopAction):
    """How it ended."""

    kind: Literal["improver_answer"] = "improver_answer"
    text: str
    is_revised: bool
