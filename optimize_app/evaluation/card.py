"""The card of a sweep: everything it was made of, named and hashed, enough to run it again."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from optimize_app.evaluation.pins import DatasetPin, FunctionPin, ModelPin, VariantPin
from optimize_app.evaluation.plan import SweepBudget
from optimize_app.evaluation.scoring_request import ScoringRequest
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.engine.model.messages import digest_json
from tapes_app.runs.domain.request import ToolPolicies


class CardVariant(FrozenModel):
    """One variant with its own parameters."""

    pin: VariantPin
    parameters: dict[str, Any] = Field(default_factory=dict)


class CardTasks(FrozenModel):
    """A group of tasks."""

    tape_ids: tuple[UUID, ...]
    digest: str
    """Hash of these tasks and their expected answers."""


class SweepCard(FrozenModel):
    """What a sweep was made of."""

    format: Literal["tape-studio/sweep-card@1"] = "tape-studio/sweep-card@1"
    studio: str
    """Version of the studio; another version may run the card, too."""

    name: str = Field(min_length=1, max_length=200)
    variants: tuple[CardVariant, ...] = Field(min_length=1)
    seeds: tuple[int | None, ...] = Field(min_length=1)
    """One for each attempt; `None`: no seed was sent."""

    datasets: tuple[DatasetPin, ...]
    tasks: tuple[CardTasks, ...] = Field(min_length=1)
    """In the order in which they are run."""

    order_seed: int | None = None
    """Seed of that order; `None`: the order of the list that the tasks were chosen from."""

    scoring: ScoringRequest | None
    """`None`: the outcome of each tape decides."""

    judge: ModelPin | None
    function: FunctionPin | None = None
    """The scorer function that decides, if one does."""

    tools: ToolPolicies
    max_turns: int = Field(ge=1, le=1_000)
    concurrency: int | None
    budget: SweepBudget
    digest: str = ""
    """Hash of everything else on the card."""

    def sealed(self) -> "SweepCard":
        """Return the card with its digest filled in."""
        # A card without a function or an order keeps the digest that it had before cards had these.
        left_out = {"digest"} | {
            name for name in ("function", "order_seed") if getattr(self, name) is None
        }
        content = self.model_dump(mode="json", exclude=left_out)
        return self.model_copy(update={"digest": digest_json(content).hex()})
