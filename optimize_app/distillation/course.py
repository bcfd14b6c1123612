"""How far a distillation is: what each round has started, and who drives which tasks in it.

A round names the jobs that do its work; how those stand is theirs to say. So nothing is done
twice by a worker that takes over.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from tapes_app.engine.frozen_model import FrozenModel


class Round(FrozenModel):
    """One round: the ids of what it has started, in the order in which it does."""

    served_id: UUID | None = None
    """The student as a served model, while it drives."""

    was_served: bool = False
    """Somebody else had it served before, so it stays served."""

    is_driven: bool = False
    """Its batches are there, and the student is not served any more."""

    student_run: UUID | None = None
    """The re-run that the student drives; its batch has the same id."""

    teacher_run: UUID | None = None
    teacher_set: UUID | None = None
    """The job that makes a set of the teacher's own tapes."""

    student_set: UUID | None = None
    """The job that has the student's tapes labelled."""

    finetune: UUID | None = None
    attempt: int = 0
    """At the distillation's job, when something was started last. A later attempt starts again
    what ended badly in between: a worker that died may have taken it along."""

    labels: int = 0
    """Answers of the teacher; known once its runs, and the set of its labels, are there."""

    micro_usd: int = 0
    """What those answers cost, as far as that is known."""

    unpriced_labels: int = 0
    """Answers whose cost nobody knows."""

    training_set_id: UUID | None = None
    """The newest set of the round; once it is collected, what the round learns from."""

    is_collected: bool = False

    adapter_id: UUID | None = None
    """What it came to; the round is over."""


class Course(FrozenModel):
    """All rounds so far; the value of the job's checkpoint."""

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

    def begun(self) -> "Course":
        """Return the course with a new round."""
        return self.model_copy(update={"rounds": (*self.rounds, Round())})

    def changed(self, **fields: object) -> "Course":
        """Return the course with something of its last round changed."""
        last = self.rounds[-1].model_copy(update=fields)
        return self.model_copy(update={"rounds": (*self.rounds[:-1], last)})


@dataclass(frozen=True, slots=True)
class Drivers:
    """Who drives which tasks of a round."""

    teacher: tuple[UUID, ...]
    student: tuple[UUID, ...]


def draw_drivers(tasks: Sequence[UUID], share: float, *, seed: int, number: int) -> Drivers:
    """Return who drives each task, a whole tape each, drawn anew for every round.

    The teacher has `share` of the tasks, rounded; where both drive, neither is left without one.
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
