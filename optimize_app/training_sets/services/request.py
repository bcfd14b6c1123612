"""The request for a training set."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from optimize_app.training_sets.splitting import HELD_OUT_SHARE, SEED
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.library.services.selection import TapeSelection
from tapes_app.lint.domain.findings import Severity
from tapes_app.runs.domain.request import Budget

SET_KIND = "training_set"
NAME_LENGTH = 200

Source = Literal["recorded", "rebuilt", "edits", "relabeled", "groups", "mixture"]
Reward = Literal["outcome", "score", "annotations"]


class MixturePart(FrozenModel):
    """A set in a mixture, and its weight relative to the others."""

    training_set_id: UUID
    weight: float = Field(gt=0, le=1e6)


class TeacherBudget(FrozenModel):
    """The most that a teacher may be asked for; `None`: no limit."""

    labels: int | None = Field(default=None, ge=1)
    """Number of the teacher's answers, which are LLM calls."""

    micro_usd: int | None = Field(default=None, ge=1)
    """Millionths of a US dollar."""

    def less(self, labels: int, micro_usd: int) -> "TeacherBudget":
        """Return what is left after these answers; call it only while no part is used up."""
        return TeacherBudget(
            labels=None if self.labels is None else self.labels - labels,
            micro_usd=None if self.micro_usd is None else self.micro_usd - micro_usd,
        )

    def of_runs(self) -> Budget:
        """Return it as the budget of runs that the teacher drives."""
        return Budget(calls=self.labels, micro_usd=self.micro_usd)


class TrainingSetRequest(TapeSelection):
    """Which tapes, which examples of them, and how many tasks are held out."""

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    source: Source = "recorded"
    """recorded: the LLM calls as they were. rebuilt: each call made again from the tape by its
    agent and checked by replay, so that steps a person edited are learnt as edited. edits:
    preference pairs, what a person wrote against what the model had answered to that prompt.
    relabeled: a teacher's answers to the prompts that a student reached. groups: recorded calls of
    attempts at one place, each weighted by how much better its reward is than those of the others.
    mixture: no tapes, but examples of existing sets."""

    mixture: tuple[MixturePart, ...] = Field(default=(), max_length=20)
    """The sets of a mixture. Weights are shares of the learnt examples; everything held out in one
    of the sets stays held out."""

    size: int | None = Field(default=None, ge=1, le=10_000_000)
    """Number of examples to learn in a mixture; sets that have too few are repeated. `None`: as
    many as possible without repeating any."""

    reward: Reward = "outcome"
    """For groups: 1 for pass and 0 for fail, the tape's score, or the mean of the score annotations
    on the entire tape."""

    divides_by_spread: bool = True
    """For groups: whether rewards are divided by their standard deviation (GRPO) or not (Dr.
    GRPO)."""

    base: Annotated[str, StringConstraints(max_length=200)] = ""
    """The base model whose recorded tokens are learnt as they are, where the calls have them; its
    chat template formats the others. Empty: all calls are formatted as text, which suits any
    base."""

    teacher_id: UUID | None = None
    """The LLM model that relabels; `None`: the one that each tape's agent itself names."""

    teacher_budget: TeacherBudget = Field(default_factory=TeacherBudget)
    """For relabeling; states beyond it are left out."""

    joined: tuple[UUID, ...] = Field(default=(), max_length=20)
    """Training sets whose examples come first, each on its side; they need the same share and
    seed."""

    writer: Literal["anyone", "person", "model"] = "anyone"
    """Whose answers are used. Those of a person exist only if calls are rebuilt."""

    minimum_step_score: float | None = Field(default=None, ge=0, le=1)
    """Answers that led to a step which somebody scored lower are left out; 0 is the bottom and 1
    the top of each scale, so 3 on a scale of 1 to 5 is 0.5. Those that led to a step with the label
    `kept-from-training` always are. Examples of joined or mixed sets stay as they are."""

    without_findings: Severity | None = None
    """Answers that led to a step in which the linter finds something of this severity or worse are
    left out; `None`: they are not linted. Tapes of a student, which a teacher relabels, never are:
    the states after its mistakes are what it has to learn."""

    held_out_share: float = Field(default=HELD_OUT_SHARE, ge=0, le=0.9)
    """Share of the tasks that nobody has assigned to a split."""

    seed: int = Field(default=SEED, ge=0, lt=2**32)
    """Decides which tasks are held out."""
