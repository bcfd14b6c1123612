"""Lessons: the teacher's dialogues as tapes of the student, where bad turns are not learnt."""

from pathlib import Path
from typing import Any

from django.db import transaction

from optimize_app.case_study.dialogues import WholeDialogue, list_dialogues
from optimize_app.case_study.services.growing import list_branches
from optimize_app.case_study.settings import StudySettings
from optimize_app.training_sets.services.kept_steps import KEPT_LABEL
from tapes_app.agents.store.agents import ensure_version
from tapes_app.annotation.services.annotations import record_annotation
from tapes_app.annotation.services.checks import AnnotationValues
from tapes_app.annotation.store.rows import Anchor
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.gallery.form_filler.agent import describe_trained_student
from tapes_app.gallery.form_filler.assistant.lessons import write_as_student
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.batches import ensure_batch, find_batch
from tapes_app.tapes.store.saving import NewTape, save_tapes

_JUDGE = "greadth"
_AT_ONCE = 200


def store_lessons(person: Person, settings: StudySettings, place: Path) -> dict[str, Any]:
    """Store the dialogues of the study's trees to learn from in a batch, and return what they are.

    A turn that does not meet all six criteria is marked as kept from training. The batch is stored
    at once, or not at all.
    """
    project, name = person.project_id, lessons_name(settings)
    spec = describe_trained_student("structured")
    dialogues = [
        (company, dialogue)
        for folder, trees in settings.lesson_trees.items()
        for company in trees.companies
        for dialogue in list_dialogues(list(list_branches(place / folder, company)))
    ]
    if find_batch(name, project) is None:
        with transaction.atomic():
            version = ensure_version(project, spec, owner=person.user_id)
            batch = ensure_batch(project, name, owner=person.user_id)
            for start in range(0, len(dialogues), _AT_ONCE):
                part = dialogues[start : start + _AT_ONCE]
                tapes = [_write(company, one) for company, one in part]
                new = [NewTape(tape, agent_version_id=version.id) for tape in tapes]
                ids = save_tapes(project, new, owner=person.user_id, batch=batch.id)
                for tape_id, tape, (_, one) in zip(ids, tapes, part, strict=True):
                    for position in _list_bad(tape, one):
                        record_annotation(
                            project,
                            tape_id,
                            Anchor(position=position),
                            AnnotationValues(kind="label", name=KEPT_LABEL),
                            source="checker",
                            source_name=_JUDGE,
                        )
    turns = sum(len(dialogue.scores) for _, dialogue in dialogues)
    bad = sum(not score.passes for _, dialogue in dialogues for score in dialogue.scores)
    return {"batch": name, "dialogues": len(dialogues), "turns": turns, "bad_turns": bad}


def lessons_name(settings: StudySettings) -> str:
    return f"{settings.name} lessons"


def _write(company: str, dialogue: WholeDialogue) -> Tape:
    metadata = {"author": _JUDGE, "task": f"{company} {dialogue.root}"}
    steps = write_as_student(dialogue.steps)
    return Tape(metadata=TapeMetadata.model_validate(metadata), steps=steps)


def _list_bad(tape: Tape, dialogue: WholeDialogue) -> list[int]:
    """Return the last step of each turn that does not meet all criteria."""
    starts = [n for n, step in enumerate(tape) if isinstance(step, UserStep)]
    ends = [*(start - 1 for start in starts[1:]), len(tape) - 1]
    return [end for end, score in zip(ends, dialogue.scores, strict=True) if not score.passes]
