"""Which tasks of a sweep its models were trained on."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from optimize_app.models import ServedModelRecord, TrainingSetTapeRecord
from tapes_app.models import ModelRecord, TapeRecord


@dataclass(frozen=True, slots=True)
class Student:
    """A model that the studio serves, with the training set that its adapter learnt."""

    model: str
    training_set_id: UUID
    training_set: str


def list_students(project: UUID, models: Collection[str]) -> list[Student]:
    """Return those of the given LLM models, by name, that were trained here."""
    named = ModelRecord.objects.filter(
        project_id=project, name__in=models, deleted_at__isnull=True
    ).values_list("id", "name")
    names = dict(named)
    served = ServedModelRecord.objects.filter(
        project_id=project, model_id__in=names, adapter__isnull=False
    ).select_related("adapter__training_set")
    return [
        Student(names[one.model_id], one.adapter.training_set_id, one.adapter.training_set.name)
        for one in served
        if one.model_id is not None and one.adapter is not None
    ]


def count_learnt(training_set_id: UUID, starts: Collection[UUID]) -> int:
    """Return how many of the start tapes a set has learnt from.

    It may have learnt the tape itself, a run that started there, or another tape of the same task.
    """
    learnt = TrainingSetTapeRecord.objects.filter(training_set_id=training_set_id, side="train")
    rows = list(learnt.values_list("tape_id", "tape__parent_id", "tape__task"))
    tapes = {tape for tape, _, _ in rows} | {parent for _, parent, _ in rows if parent}
    tasks = {task for _, _, task in rows if task}
    others = [start for start in starts if start not in tapes]
    known = TapeRecord.objects.only("id", "task").in_bulk(others).values() if tasks else ()
    return len(starts) - len(others) + sum(one.task in tasks for one in known)
