"""`/sweeps`: agents over tasks, what their scores show and what they do not."""

from typing import Annotated
from uuid import UUID

from django.http import StreamingHttpResponse
from ninja import Status
from pydantic import Field

from optimize_app.evaluation.card import SweepCard
from optimize_app.evaluation.request import NAME_LENGTH, SweepAmendment, SweepRequest
from optimize_app.evaluation.scoring_request import ScoringRequest
from optimize_app.evaluation.services import (
    cards,
    forecast,
    inspect_export,
    judge_bench,
    pausing,
    report,
    report_files,
    scoring,
    starting,
    sweeps,
    verdicts,
)
from optimize_app.evaluation.services.decisions import By
from optimize_app.evaluation.services.disagreements import Disagreement
from optimize_app.evaluation.services.forecast import SweepForecast
from optimize_app.evaluation.services.judge_bench import HALF_WIDTH, BenchReport, LabelRequest
from optimize_app.evaluation.services.report import SweepReport
from optimize_app.evaluation.services.report_files import ReportFormat
from optimize_app.evaluation.services.sweeps import SweepRow
from optimize_app.evaluation.services.verdicts import OpenedVerdict
from tapes_app.annotation.store.queues import QueueRow
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.store.job import Job
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, created, make_router
from tapes_app.projects.rows import Page

router = make_router("sweeps")
HalfWidth = Annotated[float, Field(gt=0, le=0.5)]
Limit = Annotated[int, Field(ge=1, le=200)]


@router.get("", response=Page[SweepRow])
def list_sweeps(
    request: PersonRequest, after: str | None = None, limit: Limit = 50
) -> Page[SweepRow]:
    """List sweeps, newest first."""
    return sweeps.list_sweeps(request.auth, after=after, limit=limit)


@router.post("", response={202: JobOut})
def start_sweep(request: PersonRequest, body: SweepRequest) -> Status[Job]:
    """Run every variant on every task, and compare them with the first one.

    `POST /jobs/{job_id}/cancel` ends it with what it has under way; an amendment that asks to
    retry goes on where it was.
    """
    return Status(202, starting.start_sweep(request.auth, body))


@router.post("/preview", response=SweepForecast)
def preview_sweep(request: PersonRequest, body: SweepRequest) -> SweepForecast:
    """Say how many runs a sweep would be and what they may cost; nothing is started."""
    return forecast.forecast_sweep(request.auth, body)


class CardRequest(FrozenModel):
    """A sweep that is run again from its card."""

    card: SweepCard
    name: str | None = Field(default=None, min_length=1, max_length=NAME_LENGTH)
    """Left out: that of the card with the number of the run."""


@router.post("/from-card", response={202: JobOut})
def start_from_card(request: PersonRequest, body: CardRequest) -> Status[Job]:
    """Run the sweep of a card again; refused where what it names is not here, or another one."""
    return Status(202, cards.start_from_card(request.auth, body.card, name=body.name))


@router.get("/{job_id}", response=SweepReport)
def show_sweep(request: PersonRequest, job_id: UUID, by: By | None = None) -> SweepReport:
    """Say how far a sweep is and what its scores show so far.

    `by`: the id of a scoring, or `outcome`; left out, what the sweep was started with decides.
    """
    return report.load_report(request.auth, job_id, by=by)


@router.get("/{job_id}/card", response=SweepCard)
def show_card(request: PersonRequest, job_id: UUID) -> SweepCard:
    """Say what a finished sweep was made of, with the hash of each part."""
    return cards.load_card(request.auth, job_id)


@router.post("/{job_id}/scorings", response={202: JobOut})
def score_sweep(request: PersonRequest, job_id: UUID, body: ScoringRequest) -> Status[Job]:
    """Score the attempts that are over by another scorer; nothing is run again.

    An attempt that it has scored keeps its score; one that it could not score is asked again.
    """
    return Status(202, scoring.start_scoring(request.auth, job_id, body))


@router.get("/{job_id}/scorings/{scoring_id}/bench", response=BenchReport)
def show_bench(
    request: PersonRequest, job_id: UUID, scoring_id: UUID, half_width: HalfWidth = HALF_WIDTH
) -> BenchReport:
    """Say how a scorer does beside people: agreement, corrected score, and labels still needed.

    `half_width`: how far to either side the interval of the corrected score may reach.
    """
    return judge_bench.load_bench(request.auth, job_id, scoring_id, half_width=half_width)


@router.get("/{job_id}/scorings/{scoring_id}/disagreements", response=list[Disagreement])
def list_disagreements(
    request: PersonRequest, job_id: UUID, scoring_id: UUID
) -> list[Disagreement]:
    """Count the attempts of which somebody says otherwise: people, the outcome, another scorer.

    Two variants may part at one task, too. A comparison of two answers has no disagreements.
    """
    return judge_bench.list_disagreements(request.auth, job_id, scoring_id)


@router.post("/{job_id}/scorings/{scoring_id}/labels", response=created(QueueRow))
def ask_for_labels(
    request: PersonRequest, job_id: UUID, scoring_id: UUID, body: LabelRequest
) -> Status[QueueRow]:
    """Make a queue of attempts that nobody has looked at, drawn by chance over the tasks."""
    return Status(201, judge_bench.ask_for_labels(request.auth, job_id, scoring_id, body))


@router.post("/{job_id}/scorings/{scoring_id}/verdicts/{tape_id}", response=OpenedVerdict)
def open_verdict(
    request: PersonRequest, job_id: UUID, scoring_id: UUID, tape_id: UUID
) -> OpenedVerdict:
    """Give a judge's verdict on a run as a tape; the first time it is made.

    A comparison has two, one for each order. They are archived, so no list of tapes has them
    unless it is asked for archived ones.
    """
    return verdicts.open_verdict(request.auth, job_id, scoring_id, tape_id)


@router.get("/{job_id}/report.{file_format}")
def export_report(
    request: PersonRequest, job_id: UUID, file_format: ReportFormat, by: By | None = None
) -> StreamingHttpResponse:
    """Download the report: every attempt as CSV, all numbers as JSON, or in words as Markdown."""
    return answer_download(report_files.export_report(request.auth, job_id, file_format, by=by))


@router.get("/{job_id}/variants/{letter}.eval")
def export_inspect_log(
    request: PersonRequest,
    job_id: UUID,
    letter: str,
    by: By | None = None,
    task: UUID | None = None,
) -> StreamingHttpResponse:
    """Download a variant as a log of Inspect: tasks are samples, attempts are epochs.

    `task`: the id of a start tape; then the log has the attempts at that one alone.
    """
    log = inspect_export.export_log(request.auth, job_id, letter, by=by, task=task)
    return answer_download(log)


@router.post("/{job_id}/pause", response={202: JobOut})
def pause_sweep(request: PersonRequest, job_id: UUID) -> Status[Job]:
    """Start nothing more, and hold what is under way: runs at their next safe point.

    What a judge has scored by then is kept. The time that it is paused does not count.
    """
    return Status(202, pausing.pause_sweep(request.auth, job_id))


@router.post("/{job_id}/continue", response={202: JobOut})
def continue_sweep(request: PersonRequest, job_id: UUID) -> Status[Job]:
    """Let a paused sweep go on with each of its runs from where it was held."""
    return Status(202, pausing.continue_sweep(request.auth, job_id))


@router.post("/{job_id}/amend", response={202: JobOut})
def amend_sweep(request: PersonRequest, job_id: UUID, body: SweepAmendment) -> Status[Job]:
    """Add variants, attempts or tasks, change the budget, or retry; what is done is used again.

    A budget counts for what is under way, too: a smaller one stops it as soon as it is used up.
    """
    return Status(202, starting.amend_sweep(request.auth, job_id, body))


@router.post("/{job_id}/amend/preview", response=SweepForecast)
def preview_amendment(request: PersonRequest, job_id: UUID, body: SweepAmendment) -> SweepForecast:
    """Say how many runs an amendment would add and what they may cost; nothing is changed."""
    return forecast.forecast_amendment(request.auth, job_id, body)
