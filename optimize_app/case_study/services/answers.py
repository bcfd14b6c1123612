"""The answers of an examination as tapes, so that each number of the report can be opened."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction

from optimize_app.case_study.dialogues import PartialDialogue
from optimize_app.case_study.report import TEACHER
from optimize_app.case_study.settings import StudySettings
from tapes_app.bulk.services.tape_changes import change_tags
from tapes_app.engine.tape.tape import Tape, TapeMetadata
from tapes_app.gallery.form_filler.assistant.lessons import write_as_student
from tapes_app.gallery.form_filler.greadth.scores import CRITERIA, TurnScore
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.batches import ensure_batch, find_batch
from tapes_app.tapes.store.saving import NewTape, save_tapes

_AT_ONCE = 200
Line = Mapping[str, Any]


def store_answers(
    person: Person,
    settings: StudySettings,
    dialogues: Sequence[PartialDialogue],
    answers: Mapping[str, Sequence[Line]],
) -> dict[str, str]:
    """Store what each arm answered in a batch of its own, and return the batches' names.

    Their tapes have the same tasks, so that two batches can be compared in pairs. A tape passed if
    its last turn meets all six criteria. Its tags say how the user behaved, and what was missed.
    """
    asked = {(one.company, one.key): one for one in dialogues}
    return {
        arm: _store(person, batch_name(settings, arm), arm, asked, lines)
        for arm, lines in answers.items()
    }


def batch_name(settings: StudySettings, arm: str) -> str:
    """Return the name of the batch of an arm's answers."""
    return f"{settings.name} {arm}"


def _store(
    person: Person,
    name: str,
    arm: str,
    asked: Mapping[tuple[str, str], PartialDialogue],
    lines: Sequence[Line],
) -> str:
    project = person.project_id
    if find_batch(name, project) is not None:
        return name
    with transaction.atomic():
        batch = ensure_batch(project, name, owner=person.user_id)
        tagged: dict[str, list[UUID]] = defaultdict(list)
        for start in range(0, len(lines), _AT_ONCE):
            part = lines[start : start + _AT_ONCE]
            tapes = [
                NewTape(_write(arm, asked[line["company"], line["key"]], line)) for line in part
            ]
            ids = save_tapes(project, tapes, owner=person.user_id, batch=batch.id)
            for tape_id, line in zip(ids, part, strict=True):
                for tag in _list_tags(line):
                    tagged[tag].append(tape_id)
        for tag, ids in tagged.items():
            change_tags(person, TapeSelection(tape_ids=tuple(ids)), add=[tag], remove=[])
    return name


def _write(arm: str, dialogue: PartialDialogue, line: Line) -> Tape:
    past = dialogue.steps if arm == TEACHER else write_as_student(dialogue.steps)
    score = TurnScore(**line["score"])
    metadata = {
        "author": arm,
        "task": f"{line['company']} {line['behaviour']} {line['key']}",
        "outcome": "pass" if score.passes else "fail",
        "error": line["error"] or None,
    }
    added = Tape.model_validate({"steps": line["steps"]}).steps
    return Tape(metadata=TapeMetadata.model_validate(metadata), steps=(*past, *added))


def _list_tags(line: Line) -> Iterable[str]:
    yield line["behaviour"]
    yield from (f"not {name}" for name in CRITERIA if not line["score"][name])
