"""What the case study does, and how large it is."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from optimize_app.finetune.base_recipe import BaseRecipe
from optimize_app.finetune.request import FinetunePreset
from optimize_app.tape_trees.growth import Growth
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.gallery.form_filler.companies.made_up import list_made_up
from tapes_app.gallery.form_filler.tree import WEIGHTS
from tapes_app.gallery.form_filler.users.environment import PhraseSet
from tapes_app.gallery.scripting import Share

TRAIN_COMPANIES = ("FlyCorp", "BigBankCorp", "CoffeeCorp")
TEST_COMPANIES = ("DriveCorp", "LuxuryCorp", "ShopCorp")
VALIDATION_COMPANIES = tuple(list_made_up(3, first=900_001))
"""To choose settings by: their words are made up too, and nobody learns from them."""

_MOST_SEEDS = 2**32


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

    seed: int = Field(default=0, ge=0, lt=_MOST_SEEDS)
    """Of the users, of the teacher's mistakes, and of the finetune."""

    teacher: str = ""
    """An LLM model of the project; empty: the script that needs no key."""

    error_rate: Share = 0.07
    """Share of the script's answers that have a mistake."""

    made_up: int = Field(default=150, ge=0, le=10_000)
    """Companies with made-up words, to learn from beside the three that ship: what comes once
    cannot be learnt by heart."""

    asked: Literal["test", "validation"] = "test"
    """Whose forms the students are asked about. For validation: companies with made-up words and
    the phrases of the lessons, so that settings can be chosen before the test is opened."""

    train_width: int = Field(default=10, ge=1, le=100_000)
    """The most dialogues at each depth, of one company."""

    openings: int = Field(default=20, ge=0, le=100_000)
    """First messages with their answers, of each company to learn from. A dialogue opens once and
    goes on for many turns, so from dialogues alone the student hardly learns to choose a form."""

    test_width: int = Field(default=60, ge=1, le=100_000)
    depth: int = Field(default=9, ge=1, le=100)
    student: str = ""
    """A base model of the studio, or a name on the hub; empty: the tiny base, made if needed."""

    base_steps: int = Field(default=2000, ge=1, le=1_000_000)
    """Of the tiny base, if that is the student's. It learns from far documents: the names of a form
    are hundreds of tokens away from where they are needed."""

    base_width: int = Field(default=128, ge=32, le=4096, multiple_of=32)
    """Numbers that the tiny base keeps of each token."""

    base_layers: int = Field(default=4, ge=1, le=64)

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
        # Bases were made before width and layers could be set: theirs are named by their steps.
        signs = {"base_steps": "", "base_width": "w", "base_layers": "l"}
        usual = {name: type(self).model_fields[name].default for name in signs}
        unusual = [
            f"-{sign}{getattr(self, name)}"
            for name, sign in signs.items()
            if getattr(self, name) != usual[name]
        ]
        return BaseRecipe(
            name="".join(("tiny-base-far", *unusual)),
            steps=self.base_steps,
            width=self.base_width,
            layers=self.base_layers,
            reach="far",
        )

    @property
    def companies(self) -> tuple[str, ...]:
        """Those that the students are asked about."""
        return TEST_COMPANIES if self.asked == "test" else VALIDATION_COMPANIES

    @property
    def phrases(self) -> PhraseSet:
        """How the users speak of whom the students are asked about."""
        return "held_out" if self.asked == "test" else "train"

    @property
    def asked_trees(self) -> TreeRequest:
        """Those whose dialogues the students continue."""
        return self._tree(
            companies=self.companies, phrases=self.phrases, width=self.test_width, depth=self.depth
        )

    @property
    def lesson_trees(self) -> dict[str, TreeRequest]:
        """Those to learn from, by the names of their folders."""
        companies = (*TRAIN_COMPANIES, *list_made_up(self.made_up))
        trees = {"train": self._tree(companies=companies, width=self.train_width, depth=self.depth)}
        if self.openings:
            # Users of their own: those of the other trees have begun there.
            trees["openings"] = self._tree(
                companies=companies, width=self.openings, depth=1, seed=self.seed + _MOST_SEEDS
            )
        return trees

    @property
    def trees(self) -> dict[str, TreeRequest]:
        """All trees of the study, by the names of their folders."""
        return {**self.lesson_trees, "test": self.asked_trees}

    def _tree(self, **changed: Any) -> TreeRequest:
        usual: dict[str, Any] = {
            "seed": self.seed,
            "teacher": self.teacher,
            "error_rate": self.error_rate,
            "at_once": self.at_once,
        }
        return TreeRequest(**usual | changed)


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
        "made_up": 1,
        "train_width": 4,
        "openings": 2,
        "test_width": 6,
        "depth": 3,
        "base_steps": 2,
        "options": {"max_length": 2048, "steps": 2, "generations": 0},
        "per_behaviour": 1,
        "whole_dialogues": 3,
        "longest_answer": 24,
    },
    "small": {
        "made_up": 60,
        "train_width": 12,
        "test_width": 60,
        "per_behaviour": 10,
        "whole_dialogues": 60,
    },
    "whole": {"made_up": 150, "train_width": 10, "test_width": 100, "per_behaviour": 80},
}
"""tiny: seconds, and nothing is learnt. small: an hour or more on two cores. whole: the paper's
13,000 continuations and 1,520 partial dialogues."""
