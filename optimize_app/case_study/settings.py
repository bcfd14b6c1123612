"""What the case study does, and how large it is."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from optimize_app.finetune.base_recipe import BaseRecipe
from optimize_app.finetune.request import FinetunePreset
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


class StudySettings(FrozenModel):
    """The whole study: what is learnt from, who learns, and what is asked."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$")] = (
        "form-study"
    )
    """The batch, the training set and the adapter have names that begin with it."""

    seed: int = Field(default=0, ge=0, lt=2**32)
    """Of the users, of the teacher's mistakes, and of the finetune."""

    teacher: str = ""
    """An LLM model of the project; empty: the script that needs no key."""

    error_rate: Share = 0.07
    """Share of the script's answers that have a mistake."""

    train_width: int = Field(default=60, ge=1, le=100_000)
    test_width: int = Field(default=60, ge=1, le=100_000)
    depth: int = Field(default=9, ge=1, le=100)
    student: str = ""
    """A base model of the studio, or a name on the hub; empty: the tiny base, made if needed."""

    base_steps: int = Field(default=2000, ge=1, le=1_000_000)
    """Of the tiny base, if that is the student's. It learns from far documents: the names of a form
    are hundreds of tokens away from where they are needed."""

    preset: FinetunePreset = "tiny-full"
    options: dict[str, Any] = Field(default_factory=lambda: dict(_OPTIONS))
    """What differs from the preset of the finetune."""

    per_behaviour: int = Field(default=80, ge=1, le=10_000)
    """Partial dialogues for each of the nineteen behaviours."""

    whole_dialogues: int = Field(default=300, ge=0, le=100_000)
    """Dialogues from the first message to the end, with users of the companies to be tested in. A
    student that fails a lot takes minutes for each."""

    longest_answer: int = Field(default=600, ge=16, le=32_768)
    """Tokens of a student's answer."""

    at_once: int = Field(default=8, ge=1, le=256)
    teacher_price: float = Field(default=1.79, ge=0)
    """Dollars per million tokens: the paper's, of Llama 3.1 405B in October 2024."""

    student_price: float = Field(default=0.055, ge=0)
    """The same of Llama 3.1 8B, also if the student is smaller."""

    @property
    def base(self) -> BaseRecipe:
        usual = type(self).model_fields["base_steps"].default
        ending = "" if self.base_steps == usual else f"-{self.base_steps}"
        return BaseRecipe(name=f"tiny-base-far{ending}", steps=self.base_steps, reach="far")

    def tree(self, *, is_test: bool) -> TreeRequest:
        """Return the trees to learn from, or those to be asked in."""
        return TreeRequest(
            companies=TEST_COMPANIES if is_test else TRAIN_COMPANIES,
            phrases="held_out" if is_test else "train",
            width=self.test_width if is_test else self.train_width,
            depth=self.depth,
            seed=self.seed,
            teacher=self.teacher,
            error_rate=self.error_rate,
            at_once=self.at_once,
        )


_OPTIONS: dict[str, Any] = {
    "max_length": 1536,
    "epochs": 1.0,
    "batch_size": 4,
    "warmup_steps": 50,
    "optimizer": "muon",
    "learning_rate": 3e-3,
    "evaluate_every": 500,
}
"""With the optimizer that made the base."""

SIZES: dict[str, dict[str, Any]] = {
    "tiny": {
        "train_width": 4,
        "test_width": 6,
        "depth": 3,
        "base_steps": 2,
        "options": {"max_length": 2048, "steps": 2, "generations": 0},
        "per_behaviour": 1,
        "whole_dialogues": 3,
        "longest_answer": 24,
    },
    "small": {"train_width": 60, "test_width": 60, "per_behaviour": 10, "whole_dialogues": 60},
    "whole": {"train_width": 500, "test_width": 100, "per_behaviour": 80},
}
"""tiny: seconds, and nothing is learnt. small: an hour or more on two cores. whole: the paper's
13,000 continuations and 1,520 partial dialogues."""
