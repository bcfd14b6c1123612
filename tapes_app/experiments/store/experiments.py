"""Experiments: created, listed, stopped, and their spending. Their branches are in `branches`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Literal
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Count, F, Q, Sum
from django.utils import timezone

from tapes_app.editing.domain.rows import Fix
from tapes_app.experiments.domain.check_kinds import NEXT_STEP
from tapes_app.models import ExperimentBranchRecord, ExperimentRecord, JobRecord, LLMCallRecord
from tapes_app.projects.domain.columns import fit_line, fit_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record

EditedArm = Literal["edited", Fix]
"""`edited` is the first fix, for callers that know only one."""

Arm = Literal["original", EditedArm]

_RUNNING = ("queued", "running")


def asks_next_step(pass_check: Mapping[str, Any] | None) -> bool:
    """Return whether a check is only about the next action."""
    return pass_check is not None and pass_check.get("kind") == NEXT_STEP


@dataclass(frozen=True, slots=True)
class NewBranch:
    """A branch that is about to start."""

    tape_id: UUID
    arm: Arm
    kept_count: int
    recorded_count: int
    base_tokens: int
    base_micro_usd: int
    model_id: UUID | None
    temperature: float | None
    pass_check: dict[str, Any] | None = None
    """Its own check; `None`: the one of the experiment."""

    @property
    def asks_next_step(self) -> bool:
        """Whether its run ends at the first action."""
        return asks_next_step(self.pass_check)


@dataclass(frozen=True, slots=True)
class Spending:
    tokens: int
    micro_usd: int


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """An experiment in a list."""

    id: UUID
    tape_id: UUID | None
    """The recorded tape that it is about; `None` for a rerun of many tapes."""

    batch_id: UUID | None
    """For a rerun: the batch of its branches."""

    revision_id: UUID | None
    """The child that holds the edit; the first one if there are several."""

    owner: str
    name: str
    arm_words: dict[str, str]
    """What each edited arm changes, in one line."""

    branch_count: int
    unfinished_count: int
    """How many branches have a run that is queued or active."""

    passed_count: int
    judged_count: int
    stopped_reason: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class AskedExperiment(ExperimentRow):
    """An experiment with its request."""

    request: dict[str, Any]
    budget_id: UUID | None
    """The budget that it shares with others; `None`: its own, if its request has limits."""


def create_experiment(
    project: UUID,
    *,
    owner: int | None,
    name: str,
    request: dict[str, Any],
    tape: UUID | None = None,
    revision: UUID | None = None,
    arm_words: Mapping[str, str] | None = None,
    batch: UUID | None = None,
    budget: UUID | None = None,
    id: UUID | None = None,
) -> UUID:
    """Store an experiment on a tape, or one whose branches go into a batch; they follow later."""
    record = ExperimentRecord.objects.create(
        id=id or uuid4(),
        project_id=project,
        owner_id=owner,
        tape_id=tape,
        revision_id=revision,
        batch_id=batch,
        budget_id=budget,
        arm_words=dict(arm_words or {}),
        name=fit_line(name, 300),
        request=request,
    )
    return record.id


def delete_if_empty(experiment_id: UUID) -> bool:
    """Remove an experiment that got no branches; return whether it was removed."""
    count, _ = ExperimentRecord.objects.filter(id=experiment_id, branch_count=0).delete()
    return count > 0


@transaction.atomic
def add_branches(experiment_id: UUID, branches: Sequence[NewBranch]) -> tuple[int, list[UUID]]:
    """Add branches to an experiment; return the number of the first one and the ids in order."""
    experiment = ExperimentRecord.objects.select_for_update().get(id=experiment_id)
    first = experiment.branch_count
    rows = [
        ExperimentBranchRecord(
            experiment=experiment,
            number=number,
            **{field.name: getattr(branch, field.name) for field in fields(branch)},
        )
        for number, branch in enumerate(branches, start=first)
    ]
    ExperimentBranchRecord.objects.bulk_create(rows)
    experiment.branch_count = first + len(rows)
    experiment.save(update_fields=["branch_count"])
    return first, [row.id for row in rows]


@transaction.atomic
def set_jobs(jobs: dict[UUID, UUID]) -> None:
    """Set the newest runs of branches."""
    rows = list(ExperimentBranchRecord.objects.filter(id__in=jobs))
    for row in rows:
        row.job_id = jobs[row.id]
    ExperimentBranchRecord.objects.bulk_update(rows, ["job"])


def list_experiments(tape_id: UUID, project: UUID) -> list[ExperimentRow]:
    """Return the experiments that started from a tape or that it is a branch of, newest first."""
    of_branch = ExperimentBranchRecord.objects.filter(tape_id=tape_id).values("experiment_id")
    started_here = _experiments(project).filter(tape__isnull=False)
    rows = started_here.filter(Q(tape_id=tape_id) | Q(id__in=of_branch))
    return [_asked_experiment(record) for record in rows.order_by("-created_at", "-id")]


def load_experiment(experiment_id: UUID, project: UUID) -> AskedExperiment:
    """Return an experiment without its branches.

    Raises:
        NotFoundError: no such experiment in this project.
    """
    message = "Experiment not found."
    return _asked_experiment(get_record(_experiments(project), message, experiment=experiment_id))


def load_experiments(
    experiment_ids: Collection[UUID], project: UUID
) -> dict[UUID, AskedExperiment]:
    """Return experiments by their ids; those that the project does not have are left out."""
    rows = _experiments(project).filter(id__in=experiment_ids)
    return {record.id: _asked_experiment(record) for record in rows}


def set_request(experiment_id: UUID, request: dict[str, Any]) -> None:
    ExperimentRecord.objects.filter(id=experiment_id).update(request=request)


def stop_experiment(experiment_id: UUID, reason: str, *, is_out_of_budget: bool = False) -> bool:
    """Store why an experiment stops; return false if it has been stopped before.

    `is_out_of_budget`: what is in progress may finish, as far as it needs no further call.
    """
    going_on = ExperimentRecord.objects.filter(id=experiment_id)
    if is_out_of_budget:
        going_on = going_on.filter(stopped_reason="")
    else:
        going_on = going_on.filter(Q(stopped_reason="") | Q(is_out_of_budget=True))
    return bool(
        going_on.update(stopped_reason=fit_text(reason, 1000), is_out_of_budget=is_out_of_budget)
    )


def restart_experiment(experiment_id: UUID, request: dict[str, Any]) -> None:
    """Let a stopped experiment continue, with its clock restarted."""
    ExperimentRecord.objects.filter(id=experiment_id).update(
        stopped_reason="",
        is_out_of_budget=False,
        clock_started_at=timezone.now(),
        request=request,
    )


def list_unfinished_jobs(experiment_id: UUID, *, but: UUID | None = None) -> list[UUID]:
    """Return the newest runs of the unfinished branches, except that of `but`."""
    live = ExperimentBranchRecord.objects.filter(
        experiment_id=experiment_id, job__state__in=(*_RUNNING, "waiting", "paused")
    )
    others = live if but is None else live.exclude(id=but)
    return list(others.values_list("job__id", flat=True))


def list_queued_jobs(experiment_id: UUID) -> list[UUID]:
    """Return the newest runs of the branches that nobody works on yet."""
    queued = ExperimentBranchRecord.objects.filter(
        experiment_id=experiment_id, job__state=JobRecord.State.QUEUED
    )
    return list(queued.values_list("job__id", flat=True))


def list_reruns_at_work(project: UUID, *, limit: int) -> list[UUID]:
    """Return the newest reruns that are still creating tapes or have runs in progress."""
    making = JobRecord.objects.filter(project_id=project, state__in=_RUNNING)
    running = ExperimentBranchRecord.objects.filter(job__in=making)
    reruns = ExperimentRecord.objects.filter(project_id=project, tape__isnull=True).filter(
        Q(id__in=making.values("id")) | Q(id__in=running.values("experiment_id"))
    )
    return list(reruns.order_by("-created_at", "-id").values_list("id", flat=True)[:limit])


def sum_spending(experiment_id: UUID) -> Spending:
    """Return what an experiment has spent: its runs and its judge."""
    return sum_spendings([experiment_id])[experiment_id]


def sum_spendings(experiment_ids: Collection[UUID]) -> dict[UUID, Spending]:
    """Return what each of the given experiments has spent: zero if it no longer exists."""
    rows = ExperimentRecord.objects.filter(id__in=experiment_ids).annotate(
        tokens=Sum("branches__spent_tokens"), money=Sum("branches__spent_micro_usd")
    )
    columns = ("id", "judge_tokens", "judge_micro_usd", "tokens", "money")
    return dict.fromkeys(experiment_ids, Spending(0, 0)) | {
        id: Spending(judge_tokens + (tokens or 0), judge_money + (money or 0))
        for id, judge_tokens, judge_money, tokens, money in rows.values_list(*columns)
    }


def count_calls(experiment_id: UUID) -> int:
    """Return how many calls the branches of an experiment made, without recorded answers."""
    made = LLMCallRecord.objects.filter(
        tape__experiment_branches__experiment_id=experiment_id, is_cached=False
    )
    return made.count()


@dataclass(frozen=True, slots=True)
class CallCounts:
    """LLM calls that branches made, without recorded answers."""

    made: int = 0
    unpriced: int = 0
    """Calls with unknown cost."""


def count_unpriced(experiment_ids: Collection[UUID]) -> dict[UUID, CallCounts]:
    """Return how many calls each of the given experiments made, and how many have no price."""
    experiment = "tape__experiment_branches__experiment_id"
    # No provider reports the cost of a call that was cut off.
    unpriced = Count("id", filter=Q(cost_micro_usd__isnull=True, error=""))
    rows = (
        LLMCallRecord.objects.filter(**{f"{experiment}__in": experiment_ids}, is_cached=False)
        .values_list(experiment)
        .annotate(made=Count("id"), unpriced=unpriced)
        .order_by()
    )
    return dict.fromkeys(experiment_ids, CallCounts()) | {
        id: CallCounts(made, without) for id, made, without in rows
    }


def add_judge_spending(experiment_id: UUID, spent: Spending) -> None:
    ExperimentRecord.objects.filter(id=experiment_id).update(
        judge_tokens=F("judge_tokens") + spent.tokens,
        judge_micro_usd=F("judge_micro_usd") + spent.micro_usd,
    )


def _experiments(project: UUID) -> Any:
    counted = {
        "unfinished_count": Count("branches", filter=Q(branches__job__state__in=_RUNNING)),
        "passed_count": Count("branches", filter=Q(branches__passed=True)),
        "judged_count": Count("branches", filter=Q(branches__passed__isnull=False)),
    }
    return (
        ExperimentRecord.objects.filter(project_id=project)
        .select_related("owner")
        .annotate(**counted)
    )


def _asked_experiment(record: Any) -> AskedExperiment:
    return row_of(AskedExperiment, record, owner=record.owner.username if record.owner else "")
