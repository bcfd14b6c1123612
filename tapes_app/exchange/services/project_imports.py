"""Importing an exported project: agents, tapes, calls, marks, annotations, datasets and queues.

Existing items are not created twice, so an interrupted import can be repeated.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from uuid import UUID

from tapes_app.agents.store.agents import ensure_version
from tapes_app.annotation.services.lines import import_annotations
from tapes_app.bulk.store.dataset_tapes import put_in
from tapes_app.bulk.store.dataset_versions import restore_version
from tapes_app.bulk.store.datasets import DatasetRow, create_dataset, find_dataset
from tapes_app.bulk.store.tags import change_tags, clean_tag
from tapes_app.engine.errors import StudioError
from tapes_app.exchange.services.import_files import import_files
from tapes_app.exchange.services.project_queues import Find, take_queue, take_rubric
from tapes_app.interchange.folders import collect_files
from tapes_app.interchange.project_file import (
    DatasetPart,
    MarkPart,
    ProjectFile,
    QueuePart,
    VersionPart,
)
from tapes_app.library.store.plans import TapeFilter
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store.access import find_tape_ids
from tapes_app.tapes.store.batches import ensure_batch
from tapes_app.tapes.store.marks import mark_tape
from tapes_app.tapes.store.outcomes import read_verdict


@dataclass
class ProjectImport:
    """What was imported, and what was not, in sentences."""

    tapes: int = 0
    already_there: int = 0
    llm_calls: int = 0
    annotations: int = 0
    datasets: int = 0
    agent_versions: int = 0
    marks: int = 0
    queues: int = 0
    problems: list[str] = field(default_factory=list)


def import_project(person: Person, file: ProjectFile) -> ProjectImport:
    """Import a project's file into the person's project."""
    done = ProjectImport()
    for spec in file.agents:
        ensure_version(person.project_id, spec, owner=person.user_id)
        done.agent_versions += 1
    for number, part in enumerate(file.manifest.batches, start=1):
        ensure_batch(person.project_id, part.name, owner=person.user_id)
        _import_batch(person, file, number, part.name, done)
    for number in range(1, len(file.manifest.batches) + 1):
        _import_annotations(person, file, number, done)
    find = cache(partial(_find_tape, person))
    done.marks = _take_marks(person, file.marks, find, done.problems)
    for dataset in file.datasets:
        _import_dataset(person, dataset, find, done)
    for queue in file.queues:
        _import_queue(person, queue, find, done)
    for rubric in file.rubrics:
        try:
            take_rubric(person, rubric)
        except StudioError as error:
            done.problems.append(f"rubric {rubric.name!r}: {error.message}")
    return done


def _find_tape(person: Person, text: str) -> UUID | None:
    """Return the tape that had an id in its file, or `None` if there is none or more than one."""
    found = find_tape_ids(person.project_id, text)
    return found[0] if len(found) == 1 else None


def _import_batch(
    person: Person, file: ProjectFile, number: int, name: str, done: ProjectImport
) -> None:
    folder = file.tapes_of(number)
    if not folder.is_dir():
        return
    report = import_files(
        person.project_id, collect_files(folder), batch_name=name, owner=person.user_id
    )
    done.tapes += report.imported
    done.already_there += report.already_there
    done.llm_calls += report.llm_calls
    done.problems += [f"{name}: {one.file}: {one.reason}" for one in report.refused]
    if report.attacks_left_out:
        tapes = count_of(report.attacks_left_out, "tape")
        done.problems.append(f"{name}: the attack of {tapes} was left out, so a run plants nothing")


def _import_annotations(
    person: Person, file: ProjectFile, number: int, done: ProjectImport
) -> None:
    path = file.annotations_of(number)
    if not path.is_file():
        return
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        report = import_annotations(person, lines)
    done.annotations += report.imported
    done.problems += [f"{path.name}, line {one.number}: {one.reason}" for one in report.refused]


def _take_marks(person: Person, parts: Sequence[MarkPart], find: Find, problems: list[str]) -> int:
    """Mark tapes as they were marked elsewhere; return how many were marked.

    A tape that is not found is skipped silently: its import has reported why it is missing.
    """
    tagged: dict[str, list[UUID]] = {}
    marked = 0
    for part in parts:
        tape = find(part.tape)
        if tape is None:
            continue
        try:
            for tag in part.tags:
                tagged.setdefault(clean_tag(tag), []).append(tape)
            _mark(person, tape, part)
        except StudioError as error:
            problems.append(f"marks of tape {part.tape!r}: {error.message}")
        else:
            marked += 1
    for tag, tapes in tagged.items():
        chosen = TapeFilter(ids=tuple(tapes))
        change_tags(person.project_id, chosen, add=[tag], remove=(), owner=person.user_id)
    return marked


def _mark(person: Person, tape: UUID, part: MarkPart) -> None:
    verdict = {name: getattr(part, name) for name in ("task", "expected", "outcome", "score")}
    mark_tape(
        tape,
        person.project_id,
        title=part.title or None,
        is_archived=False,  # an archived tape would refuse the title
        is_pinned=part.is_pinned,
        is_kept_from_training=part.is_kept_from_training,
        split=part.split,
        verdict=read_verdict(verdict),
    )
    if part.is_archived:
        mark_tape(tape, person.project_id, is_archived=True)


def _import_dataset(person: Person, part: DatasetPart, find: Find, done: ProjectImport) -> None:
    known = [tape for text in part.tapes if (tape := find(text)) is not None]
    missing = len(part.tapes) - len(known)
    if missing:
        done.problems.append(
            f"dataset {part.name!r}: {count_of(missing, 'tape')} not found, or with an id that "
            "several tapes have"
        )
    try:
        row = find_dataset(part.name, person.project_id) or create_dataset(
            person.project_id,
            owner=person.user_id,
            name=part.name,
            description=part.description,
        )
        if known:
            put_in(row.id, person.project_id, known, owner=person.user_id)
        for version in part.versions:
            _import_version(person, row, version, find, done)
    except StudioError as error:
        done.problems.append(f"dataset {part.name!r}: {error.message}")
    else:
        done.datasets += 1


def _import_version(
    person: Person, row: DatasetRow, part: VersionPart, find: Find, done: ProjectImport
) -> None:
    """Store a version of a dataset; with missing tapes it would be a different version."""
    found = {find(text): answer for text, answer in part.expected.items()}
    members = {tape: answer for tape, answer in found.items() if tape is not None}
    if len(members) < len(part.expected):
        done.problems.append(f"dataset {row.name!r}, version {part.number}: tapes are missing")
        return
    restore_version(row.id, person.project_id, part.number, members, created_at=part.created_at)


def _import_queue(person: Person, part: QueuePart, find: Find, done: ProjectImport) -> None:
    try:
        missing = take_queue(person, part, find)
    except StudioError as error:
        done.problems.append(f"queue {part.name!r}: {error.message}")
        return
    done.queues += 1
    if missing:
        done.problems.append(f"queue {part.name!r}: {count_of(missing, 'item')} not found")
