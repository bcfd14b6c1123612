"""What the case study does, and how large it is."""

from typing import Any

from pydantic import Field

from optimize_app.tape_trees.growth import Growth
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.gallery.form_filler.tree import WEIGHTS
from tapes_app.gallery.form_filler.users.environment import PhraseSet, Share

TRAIN_COMPANIES = ("FlyCorp", "BigBankCorp", "CoffeeCorp")
TEST_COMPANIES = ("DriveCorp", "LuxuryCorp", "ShopCorp")


class TreeRequest(FrozenModel):
    """A tree of dialogues for each of some companies."""

    companies: tuple[str, ...] = TRAIN_COMPANIES
    phrases: PhraseSet = "train"
    width: int = Field(default=500, ge=1, le=100_000)
    """The most dialogues at each depth, of one company."""

    depth: int = Field(default=9, ge=1, le=100)
    """Turns of users, and as many of the teacher."""

    seed: int = 0
    teacher: str = ""
    """An LLM model of the project; empty: the script that needs no key."""

    error_rate: Share = 0.0
    """Share of the script's answers that have a mistake."""

    at_once: int = Field(default=8, ge=1, le=256)
    """Continuations that are asked for at the same time."""

    @property
    def growth(self) -> Growth:
        return Growth(
            width=self.width,
            depth=self.depth,
            seed=self.seed,
            weights=WEIGHTS,
            at_once=self.at_once,
        )

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides what grows."""
        return self.model_dump(mode="json", exclude={"companies", "at_once"})
