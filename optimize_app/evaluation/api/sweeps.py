"""`/sweeps`: agents run over tasks, and what their scores do and do not show."""

from typing import Annotated
from uuid import UUID

from django.http import StreamingHttpResponse
from ninja import Status
from pydantic import Field

from optimize_app.evaluation.card import SweepCard
from optimize_app.evaluation.request import NAME_LENGTH, SweepAmendment, SweepRequest
from optimize_app.evaluation.scoring_request import ScoringRequest
from optimize_app.evaluation.services.judges import judge_bench, verdicts
from optimize_app.evaluation.services.judges.disagreements import Disagreement
from optimize_app.evaluation.services.judges.judge_bench import (
    HALF_WIDTH,
    BenchReport,
    LabelRequest,
)
from optimize_app.evaluation.services.judges.verdicts import OpenedVerdict
from optimize_app.evaluation.services.reports import cards, inspect_export, report, report_files
from optimize_app.evaluation.services.reports.report import SweepReport
from optimize_app.evaluation.services.reports.report_files import ReportFormat
from optimize_app.evaluation.services.scoring import scoring
from optimize_app.evaluation.services.sweeps import forecast, starting, stopping, sweeps
from optimize_app.evaluation.services.sweeps.decisions import By
from optimize_app.evaluation.services.sweeps.forecast import SweepForecast
from optimize_app.evaluation.services.sweeps.sweeps import SweepRow
from tapes_app.annotation.store.queues import QueueRow
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.jobs.api.schemas import JobOut
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.projects.api.file_answers import answer_download
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.projects.domain.rows import Page

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
def start_sweep(request: PersonRequest, body: SweepRequest) -> Status[ShownJob]:
    """Run every variant on every task, and compare the variants with the first one.

    `POST /jobs/{job_id}/cancel` ends it with everything it has in progress; an amendment with
    `retry` continues where it stopped.
    """
    return Status(202, show_job(starting.start_sweep(request.auth, body)))


@router.post("/preview", response=SweepForecast)
def preview_sweep(request: PersonRequest, body: SweepRequest) -> SweepForecast:
    """Show how many runs a sweep would start and what they may cost; nothing is started."""
    return forecast.forecast_sweep(request.auth, body)


class CardRequest(FrozenModel):
    """A sweep to run again from its card."""

    card: SweepCard
    name: str | None = Field(default=None, min_length=1, max_length=NAME_LENGTH)
    """If omitted: the name on the card, with the number of the run."""


@router.post("/from-card", response={202: JobOut})
def start_from_card(request: PersonRequest, body: CardRequest) -> Status[ShownJob]:
    """Run the sweep of a card again; refused if something that it names is missing or differs."""
    return Status(202, show_job(cards.start_from_card(request.auth, body.card, name=body.name)))


@router.get("/{job_id}", response=SweepReport)
def show_sweep(request: PersonRequest, job_id: UUID, by: By | None = None) -> SweepReport:
    """Show the progress of a sweep and what its scores show so far.

    `by`: the id of a scoring, or `outcome`; if omitted, the scoring that the sweep started with.
    """
    return report.load_report(request.auth, job_id, by=by)


@router.get("/{job_id}/card", response=SweepCard)
def show_card(request: PersonRequest, job_id: UUID) -> SweepCard:
    """Show what a finished sweep was made of, with the hash of each part."""
    return cards.load_card(request.auth, job_id)


@router.post("/{job_id}/scorings", response={202: JobOut})
def score_sweep(request: PersonRequest, job_id: UUID, body: ScoringRequest) -> Status[ShownJob]:
    """Score the finished attempts by another scorer; nothing is run again.

    Attempts that it has scored keep their score; those that it could not score are tried again.
    """
    return Status(202, show_job(scoring.start_scoring(request.auth, job_id, body)))


@router.post("/{job_id}/scorings/check", response=emptied())
def check_rescoring(request: PersonRequest, job_id: UUID, body: ScoringRequest) -> Status[None]:
    """Check whether a sweep could be scored by another scorer; nothing is scored."""
    scoring.check_rescoring(request.auth, job_id, body)
    return Status(204, None)


@router.get("/{job_id}/scorings/{scoring_id}/bench", response=BenchReport)
def show_bench(
    request: PersonRequest, job_id: UUID, scoring_id: UUID, half_width: HalfWidth = HALF_WIDTH
) -> BenchReport:
    """Show how a scorer does against people: agreement, corrected score, and labels still needed.

    `half_width`: the largest half-width allowed for the interval of the corrected score.
    """
    return judge_bench.load_bench(request.auth, job_id, scoring_id, half_width=half_width)


@router.get("/{job_id}/scorings/{scoring_id}/disagreements", response=list[Disagreement])
def list_disagreements(
    request: PersonRequest, job_id: UUID, scoring_id: UUID
) -> list[Disagreement]:
    """Count the attempts on which people, the outcome or another scorer disagree with this scorer.

    Two variants may disagree at one task, too. A comparison of two answers has no disagreements.
    """
    return judge_bench.list_disagreements(request.auth, job_id, scoring_id)


@router.post("/{job_id}/scorings/{scoring_id}/labels", response=created(QueueRow))
def ask_for_labels(
    request: PersonRequest, job_id: UUID, scoring_id: UUID, body: LabelRequest
) -> Status[QueueRow]:
    """Make a queue of attempts that nobody has labelled, drawn at random over the tasks."""
    return Status(201, judge_bench.ask_for_labels(request.auth, job_id, scoring_id, body))


@router.post("/{job_id}/scorings/{scoring_id}/verdicts/{tape_id}", response=OpenedVerdict)
def open_verdict(
    request: PersonRequest, job_id: UUID, scoring_id: UUID, tape_id: UUID
) -> OpenedVerdict:
    """Return a judge's verdict on a run as a tape, which is made at the first request.

    A comparison has two, one for each order. They are archived, so lists of tapes leave them out
    unless asked for archived ones.
    """
    return verdicts.open_verdict(request.auth, job_id, scoring_id, tape_id)


@router.get("/{job_id}/report.{file_format}")
def export_report(
    request: PersonRequest, job_id: UUID, file_format: ReportFormat, by: By | None = None
) -> StreamingHttpResponse:
    """Download the report: every attempt as CSV, all numbers as JSON, or the text as Markdown."""
    return answer_download(report_files.export_report(request.auth, job_id, file_format, by=by))


@router.get("/{job_id}/variants/{letter}.eval")
def export_inspect_log(
    request: PersonRequest,
    job_id: UUID,
    letter: str,
    by: By | None = None,
    task: UUID | None = None,
) -> StreamingHttpResponse:
    """Download a variant as an Inspect log: tasks are samples, attempts are epochs.

    `task`: the id of a start tape; the log then has only the attempts at that task.
    """
    log = inspect_export.export_log(request.auth, job_id, letter, by=by, task=task)
    return answer_download(log)


@router.post("/{job_id}/pause", response={202: JobOut})
def pause_sweep(request: PersonRequest, job_id: UUID) -> Status[ShownJob]:
    """Start nothing more, and hold what is in progress: each run at its next safe point.

    What a judge has scored by then is kept. Paused time does not count against the budget.
    """
    return Status(202, show_job(stopping.pause_sweep(request.auth, job_id)))


@router.post("/{job_id}/continue", response={202: JobOut})
def continue_sweep(request: PersonRequest, job_id: UUID) -> Status[ShownJob]:
    """Resume a paused sweep, each of its runs from where it was held."""
    return Status(202, show_job(stopping.continue_sweep(request.auth, job_id)))


@router.post("/{job_id}/amend", response={202: JobOut})
def amend_sweep(request: PersonRequest, job_id: UUID, body: SweepAmendment) -> Status[ShownJob]:
    """Add variants, attempts or tasks, change the budget, or retry; finished work is reused.

    A budget also applies to what is in progress: a smaller one stops it as soon as it is used up.
    """
    return Status(202, show_job(starting.amend_sweep(request.auth, job_id, body)))


@router.post("/{job_id}/amend/preview", response=SweepForecast)
def preview_amendment(request: PersonRequest, job_id: UUID, body: SweepAmendment) -> SweepForecast:
    """Show how many runs an amendment would add and what they may cost; nothing is changed."""
    return forecast.forecast_amendment(request.auth, job_id, body)
