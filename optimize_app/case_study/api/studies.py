"""`/studies`: the form filler's case study, from dialogue trees to a student's examination."""

from typing import Annotated, Literal
from uuid import UUID

from ninja import Status
from pydantic import BaseModel, Field

from optimize_app.case_study.services import studies, study_jobs, tree_views
from optimize_app.case_study.services.studies import ArmRow, PieceRow, StudyRow
from optimize_app.case_study.services.study import forecast
from optimize_app.case_study.services.tree_views import Balance, DialogueRow, TreeName
from optimize_app.case_study.settings import SIZES, StudySettings
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.projects.api.people import PersonRequest, make_router
from tapes_app.projects.domain.rows import Page

router = make_router("studies")
Limit = Annotated[int, Field(ge=1, le=200)]


@router.get("", response=Page[StudyRow])
def list_studies(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[StudyRow]:
    """List studies, newest first."""
    return studies.list_studies(request.auth, after=after, limit=limit)


@router.post("", response={202: JobOut})
def start_study(request: PersonRequest, body: StudySettings) -> Status[ShownJob]:
    """Start a study: trees, lessons, base, training set, student, examination, report.

    `POST /jobs/{job_id}/cancel` ends it with the job that it waits for;
    `POST /jobs/{job_id}/requeue` continues with what is missing.
    """
    return Status(202, show_job(study_jobs.start_study(request.auth, body)))


class CheckedOut(BaseModel):
    """A study that could be started."""

    forecast: list[str]
    """What it would do and cost, in sentences."""


@router.post("/check", response=CheckedOut)
def check_study(request: PersonRequest, body: StudySettings) -> CheckedOut:
    """Check whether a study could be started, and forecast it; nothing is started."""
    study_jobs.check_study(request.auth, body)
    return CheckedOut(forecast=list(forecast(body)))


@router.get("/sizes", response=dict[Literal["tiny", "small", "whole"], StudySettings])
def list_sizes(request: PersonRequest) -> dict[str, StudySettings]:
    """List the sizes of studies with all of their settings."""
    return {name: StudySettings.model_validate(changed) for name, changed in SIZES.items()}


class StudyOut(BaseModel):
    """A study with everything that it has made so far."""

    study: StudyRow
    pieces: list[PieceRow]
    lessons: str
    """The name of their batch; empty until they are stored."""

    training_set_id: UUID | None
    arms: list[ArmRow]
    """Empty until the report is written."""


@router.get("/{job_id}", response=StudyOut)
def show_study(request: PersonRequest, job_id: UUID) -> StudyOut:
    """Show the progress of a study, and its report when it is over."""
    return StudyOut.model_validate(studies.load_study(request.auth, job_id)._asdict())


class TreeOut(BaseModel):
    """The trees of a kind."""

    balance: Balance | None
    """`None`: they have not grown to their ends."""

    companies: list[str]


@router.get("/{job_id}/trees/{name}", response=TreeOut)
def show_tree(request: PersonRequest, job_id: UUID, name: TreeName) -> TreeOut:
    """Show how the branches of a study's trees are spread over depths, behaviours and forms."""
    found = tree_views.load_balance(request.auth, job_id, name)
    return TreeOut(balance=found.balance, companies=found.companies)


@router.get("/{job_id}/trees/{name}/{company}", response=list[DialogueRow])
def list_tree_dialogues(
    request: PersonRequest, job_id: UUID, name: TreeName, company: str, behaviour: str = ""
) -> list[DialogueRow]:
    """List the first 200 dialogues of a company's tree, of one behaviour or of all."""
    return tree_views.list_tree_dialogues(request.auth, job_id, name, company, behaviour)


class OpenedOut(BaseModel):
    """A dialogue of a tree as a tape."""

    tape_id: UUID


@router.post("/{job_id}/trees/{name}/{company}/{key}/open", response=OpenedOut)
def open_dialogue(
    request: PersonRequest, job_id: UUID, name: TreeName, company: str, key: str
) -> OpenedOut:
    """Return the tape of a dialogue; it is stored when it is opened for the first time."""
    return OpenedOut(tape_id=tree_views.open_dialogue(request.auth, job_id, name, company, key))
