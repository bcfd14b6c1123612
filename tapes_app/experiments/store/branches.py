"""Branches of experiments: read with the state of their runs, updated, judged."""

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from tapes_app.engine.errors import NotFoundError
from tapes_app.experiments.domain.branch_states import BranchState, JudgedAs, RunEnd, find_state
from tapes_app.experiments.store.experiments import Arm, asks_next_step
from tapes_app.models import ExperimentBranchRecord, LLMCallRecord, StepRecord
from tapes_app.projects.domain.columns import fit_line, fit_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.tapes.store.outcomes import outcome_of, set_outcomes

LONGEST_SPARK = 2000
"""In steps; for a longer run only the first ones are shown."""

_MESSAGES = frozenset({"call", "call_together", "respond", "broadcast"})
_LETTERS = {"thought": "t", "action": "a", "observation": "o", "control": "c"}


@dataclass(frozen=True, slots=True)
class BranchRow:
    """A branch with the state of its newest run."""

    id: UUID
    number: int
    tape_id: UUID
    is_deleted: bool
    is_pinned: bool
    job_id: UUID | None
    job_state: str
    """State of its newest run; empty if no run could be created."""

    state: BranchState
    message: str
    """Why it failed or waits; empty otherwise."""

    status: str
    """How its main loop ended; empty while it continues."""

    started_at: datetime | None
    finished_at: datetime | None
    arm: Arm
    kept_count: int
    """How many steps it began with."""

    recorded_count: int
    """How many leading steps of the recorded tape these correspond to."""

    model_id: UUID | None
    model_name: str
    temperature: float | None
    tokens: int
    cost_micro_usd: int
    is_cost_known: bool
    """Whether each LLM call of its runs has a price; otherwise the cost is a lower bound."""

    step_count: int
    """How many steps its runs added."""

    spark: str
    """One letter per step: t thought, a action, o observation, c control, m message within the
    team, e error.
    """

    last_kind: str
    outcome: str
    first_divergence: int | None
    """The first new step that differs from the recording."""

    passed: bool | None
    score: float | None
    judged_as: JudgedAs
    judged_by: str
    reason: str
    judge_call_id: UUID | None
    asks_next_step: bool
    """Whether its run ends at the first action, which is compared with the recorded one."""


@dataclass(frozen=True, slots=True)
class BranchPlace:
    """Where a branch belongs, as needed by the run that grows it."""

    id: UUID
    experiment_id: UUID
    project_id: UUID
    owner_id: int | None
    tape_id: UUID
    recorded_tape_id: UUID
    kept_count: int
    recorded_count: int
    request: dict[str, Any]
    pass_check: dict[str, Any] | None
    """Its own check; `None`: the one of the request."""

    stopped_reason: str
    is_out_of_budget: bool
    budget_id: UUID | None
    judged_as: JudgedAs


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judgment of a branch. `passed` is `None` if nothing could be decided."""

    judged_as: JudgedAs = ""
    judged_by: str = ""
    passed: bool | None = None
    score: float | None = None
    reason: str = ""
    judge_call_id: UUID | None = None


def list_branches(experiment_id: UUID) -> list[BranchRow]:
    """Return the branches in order, in one query however many there are."""
    return [_branch_row(record) for record in _branches(experiment_id=experiment_id)]


def load_branch(experiment_id: UUID, number: int, project: UUID) -> BranchRow:
    """Return one branch.

    Raises:
        NotFoundError: the project has no such experiment, or it has no such branch.
    """
    record = _branches(
        experiment_id=experiment_id, experiment__project_id=project, number=number
    ).first()
    if record is None:
        raise NotFoundError(
            f"There is no branch {number} here.", experiment=str(experiment_id), number=number
        )
    return _branch_row(record)


def _branches(**wanted: Any) -> QuerySet[ExperimentBranchRecord]:
    """Return branches that `_branch_row` can read, annotated with whether a price is missing."""
    # No provider reports the cost of a call that was cut off.
    unpriced = LLMCallRecord.objects.filter(
        tape_id=OuterRef("tape_id"), cost_micro_usd__isnull=True, is_cached=False, error=""
    )
    records = ExperimentBranchRecord.objects.filter(**wanted).annotate(
        has_unpriced_calls=Exists(unpriced)
    )
    return records.select_related("tape", "job", "model")


def load_place(branch_id: UUID) -> BranchPlace:
    """Return where a branch belongs.

    Raises:
        NotFoundError: there is no such branch.
    """
    records = ExperimentBranchRecord.objects.select_related("experiment", "tape")
    record = records.filter(id=branch_id).first()
    if record is None:
        raise _no_branch(branch_id)
    experiment = record.experiment
    return BranchPlace(
        id=record.id,
        experiment_id=experiment.id,
        project_id=experiment.project_id,
        owner_id=experiment.owner_id,
        tape_id=record.tape_id,
        recorded_tape_id=experiment.tape_id or record.tape.parent_id or record.tape_id,
        kept_count=record.kept_count,
        recorded_count=record.recorded_count,
        request=experiment.request,
        pass_check=record.pass_check,
        stopped_reason=experiment.stopped_reason,
        is_out_of_budget=experiment.is_out_of_budget,
        budget_id=experiment.budget_id,
        judged_as=_judged_as(record),
    )


@dataclass(frozen=True, slots=True)
class BranchLimits:
    """What the experiment of a branch may spend, and why it stops; read after every node run."""

    experiment_id: UUID
    project_id: UUID
    request: dict[str, Any]
    clock_started_at: datetime
    stopped_reason: str
    is_out_of_budget: bool


_LIMITS = ("project_id", "request", "clock_started_at", "stopped_reason", "is_out_of_budget")
_PROGRESS = ("spent_tokens", "spent_micro_usd", "step_count", "spark", "last_kind", "outcome")
_COUNTED = ("input_tokens", "output_tokens", "cost_micro_usd", "own_step_count")


@transaction.atomic
def note_progress(branch_id: UUID) -> BranchLimits:
    """Update a branch from its tape, and return its limits.

    Computed from what is stored, so that nothing is lost or counted twice when a worker dies.

    Raises:
        NotFoundError: there is no such branch.
    """
    columns = (
        *_PROGRESS,
        "base_tokens",
        "base_micro_usd",
        *(f"tape__{name}" for name in _COUNTED),
        *(f"experiment__{name}" for name in _LIMITS),
    )
    records = ExperimentBranchRecord.objects.select_related("tape", "experiment").only(*columns)
    locked = records.select_for_update(of=("self",))
    branch = next(iter(locked.filter(id=branch_id)), None)
    if branch is None:
        raise _no_branch(branch_id)
    tape, before = branch.tape, [getattr(branch, name) for name in _PROGRESS]
    branch.spent_tokens = tape.input_tokens + tape.output_tokens - branch.base_tokens
    branch.spent_micro_usd = tape.cost_micro_usd - branch.base_micro_usd
    if tape.own_step_count > branch.step_count:
        _read_new_steps(branch)
    if before != [getattr(branch, name) for name in _PROGRESS]:
        branch.save(update_fields=_PROGRESS)
    limits = {name: getattr(branch.experiment, name) for name in _LIMITS}
    return BranchLimits(experiment_id=branch.experiment_id, **limits)


def _no_branch(branch_id: UUID) -> NotFoundError:
    return NotFoundError("Experiment branch not found.", branch=str(branch_id))


def list_run_ends(experiment_ids: Collection[UUID]) -> dict[UUID, list[RunEnd]]:
    """Return the state of each branch's newest run, with only the columns needed to count them."""
    branches = ExperimentBranchRecord.objects.filter(experiment_id__in=experiment_ids)
    columns = ("experiment_id", "job__state", "job__result", "job__cancelled_by", "judged_as")
    found: dict[UUID, list[RunEnd]] = {experiment_id: [] for experiment_id in experiment_ids}
    for experiment_id, *values in branches.values_list(*columns):
        found[experiment_id].append(RunEnd.of(*values))
    return found


def set_outcome(branch_id: UUID, *, outcome: str, first_divergence: int | None) -> None:
    ExperimentBranchRecord.objects.filter(id=branch_id).update(
        outcome=fit_line(outcome, 300), first_divergence=first_divergence
    )


@transaction.atomic
def set_judgement(branch_id: UUID, judgement: Judgement, *, is_by_person: bool = False) -> None:
    """Store a judgment of a branch; only a person can replace a person's judgment.

    It also becomes the outcome and score of the branch's tape, unless something else has set them.
    A branch with its own check passes by that check alone: while it is undecided, the tape has no
    outcome, whatever a comparison with the expected answer gave.
    """
    branches = ExperimentBranchRecord.objects.filter(id=branch_id)
    if not is_by_person:
        branches = branches.exclude(judged_as="person")
    values = {field.name: getattr(judgement, field.name) for field in fields(judgement)}
    values["judged_by"] = fit_text(judgement.judged_by, 200)
    values["reason"] = fit_text(judgement.reason, 10_000)
    is_decided = judgement.passed is not None or is_by_person
    if is_decided or branches.filter(pass_check__isnull=False).exists():
        _update_tapes(
            branches, passed=judgement.passed, score=judgement.score, is_change=is_by_person
        )
    branches.update(**values)


@transaction.atomic
def clear_judgements(experiment_id: UUID) -> None:
    """Remove the judgments of checks and judges; judgments by people stay."""
    branches = ExperimentBranchRecord.objects.filter(experiment_id=experiment_id)
    branches = branches.exclude(judged_as="person")
    judged = branches.filter(passed__isnull=False)
    _update_tapes(judged, passed=None, score=None, is_change=True)
    branches.update(judged_as="", judged_by="", passed=None, score=None, reason="", judge_call=None)


def _update_tapes(
    branches: QuerySet[ExperimentBranchRecord],
    *,
    passed: bool | None,
    score: float | None,
    is_change: bool,
) -> None:
    """Copy a verdict on branches to their tapes, before it is stored with the branches.

    A verdict of Run N belongs to the experiment: what a person, a file or a comparison with the
    expected answer has set on a tape stays. A rerun creates its tapes in order to judge them by it.
    """
    records = branches.select_related("tape", "experiment").select_for_update(of=("self",))
    updated = [record for record in records if _may_update(record)]
    tape_ids = [record.tape_id for record in updated]
    set_outcomes(tape_ids, passed=passed, score=score, is_change=is_change)
    ids = [record.id for record in updated]
    ExperimentBranchRecord.objects.filter(id__in=ids).update(has_told_tape=passed is not None)


def _may_update(record: ExperimentBranchRecord) -> bool:
    tape = record.tape
    if record.experiment.tape_id is None:
        return True
    if not record.has_told_tape:
        return tape.outcome == "" and tape.score is None
    return (tape.outcome, tape.score) == (outcome_of(record.passed), record.score)


def list_unjudged(experiment_id: UUID) -> list[UUID]:
    """Return the branches whose runs ended and that are not judged."""
    ended = ExperimentBranchRecord.objects.filter(
        experiment_id=experiment_id, judged_as="", job__state__in=("succeeded", "waiting")
    )
    return list(ended.order_by("number").values_list("id", flat=True))


def _branch_row(record: Any) -> BranchRow:
    job = record.job
    state, result, person = (job.state, job.result, job.cancelled_by) if job else (None, None, None)
    end = RunEnd.of(state, result, person, _judged_as(record))
    return row_of(
        BranchRow,
        record,
        is_deleted=record.tape.deleted_at is not None,
        is_pinned=record.tape.pinned_at is not None,
        job_state=end.job_state,
        state=find_state(end),
        message=job.message if job else "",
        status=end.job_status,
        started_at=job.started_at if job else None,
        finished_at=job.finished_at if job else None,
        model_name=record.model.name if record.model else "",
        tokens=record.spent_tokens,
        cost_micro_usd=record.spent_micro_usd,
        is_cost_known=not record.has_unpriced_calls,
        asks_next_step=asks_next_step(record.pass_check),
    )


def _judged_as(record: ExperimentBranchRecord) -> JudgedAs:
    judged_as: JudgedAs = record.judged_as  # type: ignore[assignment]  # a closed set of choices
    return judged_as


def _read_new_steps(branch: ExperimentBranchRecord) -> None:
    """Read the steps of the branch's own log that were added since the last read."""
    steps = StepRecord.objects.filter(log_id=branch.tape_id, position__gte=branch.step_count)
    columns = ("kind", "family", "is_error", "gist")
    new = list(steps.order_by("position").values_list(*columns))
    if not new:
        return
    letters = "".join(_letter(kind, family, is_error=error) for kind, family, error, _ in new)
    branch.spark = (branch.spark + letters)[:LONGEST_SPARK]
    branch.step_count += len(new)
    shown = [(kind, gist) for kind, family, _, gist in new if family != "control"]
    branch.last_kind, branch.outcome = (shown or [(new[-1][0], new[-1][3])])[-1]


def _letter(kind: str, family: str, *, is_error: bool) -> str:
    if is_error:
        return "e"
    return "m" if kind in _MESSAGES else _LETTERS.get(family, "t")
