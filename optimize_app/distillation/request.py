"""What a distillation is asked for: tasks, a teacher, a base, rounds, and what it may cost."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from optimize_app.finetune.request import FinetunePreset, FinetuneRequest
from optimize_app.training_sets.services.request import TeacherBudget
from optimize_app.training_sets.splitting import HELD_OUT_SHARE, SEED
from tapes_app.library.services.selection import TapeSelection
from tapes_app.runs.request import MAX_TURNS

DISTILLATION_KIND = "distillation"
NAME_LENGTH = 100
MOST_ROUNDS = 20


class DistillationRequest(TapeSelection):
    """What the job of a distillation holds. Its tapes are the tasks: each is run from its start."""

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    """Batches, sets and adapters of its rounds are called NAME-round-1 and so on."""

    agent_version_id: UUID
    base: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """The base model that each round begins with anew."""

    teacher_id: UUID | None = None
    """The LLM model that labels; `None`: the one that the agent names itself."""

    adapter_id: UUID | None = None
    """A student that is there already: it drives the first round, and its set is joined. `None`:
    the teacher drives the first round."""

    rounds: int = Field(default=3, ge=1, le=MOST_ROUNDS)
    mixing: float = Field(default=0.0, ge=0, le=1, allow_inf_nan=False)
    """The teacher drives this share, to the power of the rounds that were learnt, of the tasks:
    all before anything is learnt, and with 0 none afterwards."""

    budget: TeacherBudget = Field(default_factory=TeacherBudget)
    """Of the teacher over all rounds. The round in which it is used up is the last one."""

    preset: FinetunePreset = "tiny"
    options: dict[str, Any] = Field(default_factory=dict, max_length=50)
    """Of every finetune: what differs from the preset."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent to the student over what its agent says, such as temperature."""

    max_turns: int = Field(default=MAX_TURNS, ge=1, le=1_000)
    """Of each run."""

    held_out_share: float = Field(default=HELD_OUT_SHARE, ge=0, le=0.9)
    seed: int = Field(default=SEED, ge=0, lt=2**32)
    """Which tasks are held out, and which ones the teacher drives."""

    def to_finetune(self, number: int, training_set_id: UUID) -> FinetuneRequest:
        """Return the finetune of a round."""
        return FinetuneRequest(
            name=self.name_of(number),
            training_set_id=training_set_id,
            base=self.base,
            preset=self.preset,
            options=self.options,
        )

    def find_share(self, number: int) -> float:
        """Return the share of the tasks that the teacher drives in a round: beta of Ross et al.

        It is `mixing` to the power of what was learnt before: round `number` of a distillation
        that begins without a student has learnt from `number - 1` rounds, one that begins with a
        student from one more. `mixing` 0 is their form without a parameter.
        """
        learnt = number - 1 if self.adapter_id is None else number
        return float(self.mixing**learnt)  # 0 ** 0 is 1

    def name_of(self, number: int, *, by_teacher: bool = False) -> str:
        """Return how what a round makes is called."""
        return f"{self.name}-round-{number}{'-teacher' if by_teacher else ''}"
