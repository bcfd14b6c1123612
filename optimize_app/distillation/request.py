"""The request for a distillation: tasks, a teacher, a base, rounds, and a budget."""

from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from optimize_app.finetune.request import FinetunePreset, FinetuneRequest
from optimize_app.training_sets.services.request import TeacherBudget
from optimize_app.training_sets.splitting import HELD_OUT_SHARE, SEED
from tapes_app.library.services.selection import TapeSelection
from tapes_app.runs.domain.request import MAX_TURNS

DISTILLATION_KIND = "distillation"
NAME_LENGTH = 100
MOST_ROUNDS = 20


class DistillationRequest(TapeSelection):
    """The data of a distillation's job. Its tapes are the tasks: each is run from its start."""

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    """The batches, sets and adapters of its rounds are named NAME-round-1 and so on."""

    agent_version_id: UUID
    base: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    """The base model that each round starts from again."""

    teacher_id: UUID | None = None
    """The LLM model that labels; `None`: the one that the agent itself names."""

    adapter_id: UUID | None = None
    """A student that exists already: it drives the first round, and its set is joined with the new
    ones. `None`: the teacher drives the first round."""

    rounds: int = Field(default=3, ge=1, le=MOST_ROUNDS)
    mixing: float = Field(default=0.0, ge=0, le=1, allow_inf_nan=False)
    """The teacher drives this share of the tasks, to the power of the number of rounds learnt: all
    of them before anything is learnt, and with 0 none afterwards."""

    budget: TeacherBudget = Field(default_factory=TeacherBudget)
    """The teacher's budget for all rounds together. The round that uses it up is the last one."""

    preset: FinetunePreset = "tiny"
    options: dict[str, Any] = Field(default_factory=dict, max_length=50)
    """Options of every finetune that differ from the preset."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    """Sent to the student on top of what its agent sets, such as temperature."""

    max_turns: int = Field(default=MAX_TURNS, ge=1, le=1_000)
    """Limit for each run."""

    held_out_share: float = Field(default=HELD_OUT_SHARE, ge=0, le=0.9)
    seed: int = Field(default=SEED, ge=0, lt=2**32)
    """Decides which tasks are held out, and which ones the teacher drives."""

    def to_finetune(self, number: int, training_set_id: UUID) -> FinetuneRequest:
        """Return the request for a round's finetune."""
        return FinetuneRequest(
            name=self.name_of(number),
            training_set_id=training_set_id,
            base=self.base,
            preset=self.preset,
            options=self.options,
        )

    def find_share(self, number: int) -> float:
        """Return the share of tasks that the teacher drives in a round: beta of Ross et al.

        It is `mixing` to the power of the number of rounds learnt before: round `number` of a
        distillation that starts without a student has learnt from `number - 1` rounds, and of one
        that starts with a student from one more. `mixing` 0 is the paper's parameter-free form.
        """
        learnt = number - 1 if self.adapter_id is None else number
        return float(self.mixing**learnt)  # 0 ** 0 is 1

    def name_of(self, number: int, *, by_teacher: bool = False) -> str:
        """Return the name of what a round makes."""
        return f"{self.name}-round-{number}{'-teacher' if by_teacher else ''}"
