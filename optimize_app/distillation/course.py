"""The progress of a distillation: what each round has started, and who drives which tasks in it.

A round stores the ids of the jobs that do its work; their state is read from the jobs themselves.
So a worker that takes over does nothing twice.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.frozen_model import FrozenModel


class Round(FrozenModel):
    """One round: the ids of what it has started, in the order in which it starts them."""

    served_id: UUID | None = None
    """The student as a served model, while it drives."""

    was_served: bool = False
    """Somebody else was serving it already, so it stays served."""

    is_driven: bool = False
    """Its batches exist, and the student is no longer served."""

    student_run: UUID | None = None
    """The rerun that the student drives; its batch has the same id."""

    teacher_run: UUID | None = None
    teacher_set: UUID | None = None
    """The job that makes a training set of the teacher's own tapes."""

    student_set: UUID | None = None
    """The job that has the student's tapes labelled."""

    finetune: UUID | None = None
    attempt: int = 0
    """The attempt of the distillation's job that last started something. A later attempt restarts
    what ended badly in between: the worker that died may have taken it down."""

    labels: int = 0
    """Number of the teacher's answers; known once its runs and the set of its labels are there."""

    micro_usd: int = 0
    """Cost of those answers, as far as it is known."""

    unpriced_labels: int = 0
    """Answers whose cost is unknown."""

    training_set_id: UUID | None = None
    """The newest set of the round; once it is complete, the set that the round learns from."""

    is_collected: bool = False

    adapter_id: UUID | None = None
    """The adapter that the round produced; with it the round is over."""


class Course(FrozenModel):
    """All rounds so far; stored as the job's checkpoint."""

    rounds: tuple[Round, ...] = ()

    @property
    def labels(self) -> int:
        return sum(one.labels for one in self.rounds)

    @property
    def micro_usd(self) -> int:
        return sum(one.micro_usd for one in self.rounds)

    @property
    def unpriced_labels(self) -> int:
        return sum(one.unpriced_labels for one in self.rounds)

    @property
    def done_count(self) -> int:
        return sum(one.adapter_id is not None for one in self.rounds)

    @property
    def is_between_rounds(self) -> bool:
        return self.done_count == len(self.rounds)

    def with_new_round(self) -> "Course":
        """Return the course with a new round added."""
        return self.model_copy(update={"rounds": (*self.rounds, Round())})

    def changed(self, **fields: object) -> "Course":
        """Return the course with these fields of its last round changed."""
        last = self.rounds[-1].model_copy(update=fields)
        return self.model_copy(update={"rounds": (*self.rounds[:-1], last)})


@dataclass(frozen=True, slots=True)
class Drivers:
    """Who drives which tasks of a round."""

    teacher: tuple[UUID, ...]
    student: tuple[UUID, ...]


def draw_drivers(tasks: Sequence[UUID], share: float, *, seed: int, number: int) -> Drivers:
    """Return who drives each task from start to end, drawn again for every round.

    The teacher gets `share` of the tasks, rounded; where both drive, each gets at least one.
    """

    def draw(task: UUID) -> bytes:
        return hashlib.sha256(f"{seed}/{number}/{task}".encode()).digest()

    count = round(share * len(tasks))
    if 0 < share < 1 and len(tasks) > 1:
        count = min(max(count, 1), len(tasks) - 1)
    taken = frozenset(sorted(tasks, key=draw)[:count])
    return Drivers(
        teacher=tuple(task for task in tasks if task in taken),
        student=tuple(task for task in tasks if task not in taken),
    )
