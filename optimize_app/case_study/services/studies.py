"""Studies as people see them: the list, what each has made, its report, and its trees."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from optimize_app.case_study.report import ArmReport, WholeReport
from optimize_app.case_study.services.learning import JOB_PIECES, find_job
from optimize_app.case_study.services.study import ARMS, exam_file
from optimize_app.case_study.services.study_jobs import STUDY_KIND, folder_of
from optimize_app.case_study.settings import StudySettings
from optimize_app.case_study.study_folder import count_lines, read_piece
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.store.job import Job, list_job_page
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.domain.rows import Page
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A part of a study."""

    name: str
    is_done: bool
    words: str
    """What it came to; empty until it is done."""

    job_id: UUID | None = None
    """The job that makes it, if it is one of its own."""


class ComparedWithTeacher(FrozenModel):
    """An arm's GREADTH less the teacher's, on the same turns."""

    difference: float
    low: float
    high: float
    p_value: float | None
    turns: int
    dialogues: int


@dataclass(frozen=True, slots=True)
class ArmRow:
    """An arm of the examination."""

    name: str
    report: ArmReport
    whole: WholeReport | None
    """`None`: it was not asked whole dialogues."""

    against_teacher: ComparedWithTeacher | None
    times_cheaper: float | None
    batch: str
    """The name of the batch with its answers."""


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study and its progress."""

    job_id: UUID
    name: str
    settings: StudySettings
    state: JobState
    message: str
    greadth: dict[str, float]
    """By arm; empty until the study is over."""

    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class StudyDetails(NamedTuple):
    """A study with everything that it has made so far."""

    study: StudyRow
    pieces: list[PieceRow]
    lessons: str
    """The name of their batch; empty until they are stored."""

    training_set_id: UUID | None
    arms: list[ArmRow]
    """Empty until the report is written."""


def list_studies(person: Person, *, after: str | None = None, limit: int = 50) -> Page[StudyRow]:
    """Return a page of studies, newest first.

    Raises:
        InvalidInputError: `after` is not a cursor.
    """
    page = list_job_page(person.project_id, kinds=(STUDY_KIND,), after=after, limit=limit)
    return Page(tuple(map(_row, page.items)), page.next)


def load_study(person: Person, job_id: UUID) -> StudyDetails:
    """Return one study.

    Raises:
        NotFoundError: the project has no study of this id.
    """
    row = _row(load_bulk_job(person, job_id, STUDY_KIND))
    place = folder_of(job_id)
    lessons = read_piece(place, "lessons") or {}
    made = (read_piece(place, "set") or {}).get("training_set_id")
    return StudyDetails(
        study=row,
        pieces=list(_list_pieces(row.settings, place)),
        lessons=lessons.get("batch", ""),
        training_set_id=UUID(made) if made else None,
        arms=list(_list_arms(read_piece(place, "report"))),
    )


def _row(job: Job) -> StudyRow:
    settings = StudySettings.model_validate(job.request)
    return StudyRow(
        job_id=job.id,
        name=settings.name,
        settings=settings,
        state=job.state,
        message=job.message,
        greadth=(job.result or {}).get("greadth", {}),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )


def _list_pieces(settings: StudySettings, place: Path) -> Iterator[PieceRow]:
    for name in settings.trees:
        made = read_piece(place, f"{name}-trees")
        words = "" if made is None else _describe_trees(made)
        yield PieceRow(f"{name} trees", made is not None, words)
    lessons = read_piece(place, "lessons")
    yield PieceRow("lessons", lessons is not None, "" if lessons is None else _describe(lessons))
    for name in JOB_PIECES:
        made = read_piece(place, name)
        words = "" if made is None else _describe_made(name, made)
        yield PieceRow(name, made is not None, words, find_job(place, name))
    answered = {arm: count_lines(exam_file(place, arm)) for arm in ARMS}
    is_done = read_piece(place, "report") is not None
    words = ", ".join(f"{arm} {count:,}" for arm, count in answered.items() if count)
    yield PieceRow("examination", is_done, f"Turns answered: {words}" if words else "")


def _describe_trees(made: dict[str, int]) -> str:
    count = f"{sum(made.values()):,} continuations"
    return f"{count} of {'one company' if len(made) == 1 else f'{len(made):,} companies'}"


def _describe(lessons: dict[str, Any]) -> str:
    dialogues = count_of(lessons["dialogues"], "dialogue")
    return f"{dialogues} of {lessons['turns']:,} turns; {lessons['bad_turns']:,} are not learnt"


def _describe_made(name: str, made: dict[str, Any]) -> str:
    if name == "base":
        return str(made["base"])
    if name == "student":
        return "Trained"
    return f"{made['train_count']:,} examples to learn, {made['held_out_count']:,} held out"


def _list_arms(report: dict[str, Any] | None) -> Iterator[ArmRow]:
    if report is None:
        return
    for name, arm in report["arms"].items():
        whole = report["whole"].get(name)
        against = report["against_the_teacher"].get(name)
        yield ArmRow(
            name=name,
            report=ArmReport(**arm),
            whole=None if whole is None else WholeReport(**whole),
            against_teacher=ComparedWithTeacher(**against) if against else None,
            times_cheaper=report["times_cheaper"].get(name),
            batch=report["pieces"]["batches"][name],
        )
