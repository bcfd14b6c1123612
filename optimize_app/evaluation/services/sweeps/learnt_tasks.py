"""Variants whose model was trained on tasks of the sweep, so that it may just be remembering."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from optimize_app.evaluation.plan import LETTERS, Plan
from optimize_app.evaluation.store.learnt import count_learnt, list_students
from tapes_app.projects.domain.wording import count_of


@dataclass(frozen=True, slots=True)
class LearntTasks:
    """A model of a variant has learnt tasks that the variant is scored by."""

    variant: str
    """Its letter."""

    model: str
    training_set_id: UUID
    training_set: str
    task_count: int
    sentence: str


def find_learnt_tasks(project: UUID, plan: Plan) -> list[LearntTasks]:
    """Return which of a sweep's tasks the models of its variants were trained on."""
    asked = _list_models(plan)
    starts = tuple(chain.from_iterable(plan.tasks))
    students = list_students(project, set(chain.from_iterable(asked.values())))
    counts = {one.model: count_learnt(one.training_set_id, starts) for one in students}
    return [
        LearntTasks(
            variant=letter,
            model=one.model,
            training_set_id=one.training_set_id,
            training_set=one.training_set,
            task_count=counts[one.model],
            sentence=(
                f"{one.model}, which {letter} asks, was trained on {counts[one.model]:,} of the "
                f"{count_of(len(starts), 'task')} (training set {one.training_set}): its score "
                "there may be what it remembers."
            ),
        )
        for letter, models in asked.items()
        for one in students
        if one.model in models and counts[one.model]
    ]


def _list_models(plan: Plan) -> Mapping[str, Sequence[str]]:
    """Return the names of the models that each variant asks, by the variant's letter."""
    pins = plan.pins.variants if plan.pins else ()
    return {
        letter: [model.name for model in pin.models]
        for letter, pin in zip(LETTERS, pins, strict=False)
    }
