"""`/experiments`: Run N, its branches, and labels for the best and the worst of them."""

import json
from typing import Annotated, Literal, Self
from uuid import UUID

from django.http import HttpResponse
from ninja import Path, Query, Status
from pydantic import Field, model_validator

from tapes_app.experiments.services import control as experiment_control
from tapes_app.experiments.services import experiments, preference_pairs
from tapes_app.experiments.services.experiments import ExperimentDetail
from tapes_app.experiments.services.request import AnyCheck, ExperimentRequest
from tapes_app.experiments.store.branches import BranchRow
from tapes_app.experiments.store.experiments import ExperimentRow
from tapes_app.projects.api.bodies import In, Line, Out
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router
from tapes_app.runs.domain.request import Budget

_LARGEST = 2**31 - 1
Number = Annotated[int, Path(ge=0, le=_LARGEST)]
NumberQuery = Annotated[int, Query(ge=0, le=_LARGEST)]

of_tapes = make_router("experiments")
router = make_router("experiments")


class ExperimentIn(ExperimentRequest):
    """The request for Run N: every combination of arm, step, model and temperature."""

    name: Line = Field(default="", max_length=300)


class ExperimentRetryIn(In):
    """Rerun branches that failed, were stopped or ran out of budget."""

    budget: Budget | None = None
    """Replaces the previous budget."""


class ExperimentCheckIn(In):
    check: AnyCheck | None
    """Judges the branches again; `null` removes the judgments of checks and judges."""


class BranchPatchIn(In):
    """A person's changes to a branch; omitted fields stay as they are."""

    is_pinned: bool | None = None
    passed: bool | None = None
    """`null` removes the judgment."""

    score: Annotated[float, Field(ge=0, le=1)] | None = None

    @model_validator(mode="after")
    def _check_score(self) -> Self:
        if self.score is not None and self.passed is None:
            raise ValueError("a score goes with 'passed'")
        return self


class BranchLabelIn(In):
    """`training_set` marks the best branch; `preference_pair` marks it against the worst."""

    name: Literal["training_set", "preference_pair"]
    best: int = Field(ge=0)
    worst: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _check_worst(self) -> Self:
        if (self.name == "preference_pair") != (self.worst is not None):
            raise ValueError("'worst' goes with 'preference_pair', and only with that")
        return self


@of_tapes.post("/{tape_id}/experiments", response=created(ExperimentDetail))
def start_experiment(
    request: PersonRequest, tape_id: UUID, body: ExperimentIn
) -> Status[ExperimentDetail]:
    """Fork the tape many times and run every branch; either all of them start or none."""
    return Status(201, experiments.start_experiment(request.auth, tape_id, body))


class CheckedExperimentOut(Out):
    """An experiment that could be started."""

    branch_count: int


@of_tapes.post("/{tape_id}/experiments/check", response=CheckedExperimentOut)
def check_experiment(
    request: PersonRequest, tape_id: UUID, body: ExperimentIn
) -> CheckedExperimentOut:
    """Check whether Run N could be started, without starting anything."""
    branch_count = experiments.check_experiment(request.auth, tape_id, body)
    return CheckedExperimentOut(branch_count=branch_count)


@of_tapes.get("/{tape_id}/experiments", response=list[ExperimentRow])
def list_experiments(request: PersonRequest, tape_id: UUID) -> list[ExperimentRow]:
    """List the experiments of a tape, and those that it is a branch of, newest first."""
    return experiments.list_experiments(request.auth, tape_id)


@router.get("/{experiment_id}", response=ExperimentDetail)
def show_experiment(request: PersonRequest, experiment_id: UUID) -> ExperimentDetail:
    """Return an experiment with its branches, its arms and their results."""
    return experiments.load_experiment(request.auth, experiment_id)


@router.post("/{experiment_id}/cancel", response=ExperimentDetail)
def cancel_experiment(request: PersonRequest, experiment_id: UUID) -> ExperimentDetail:
    """Stop every unfinished branch; what they have done so far stays."""
    return experiment_control.cancel_experiment(request.auth, experiment_id)


@router.post("/{experiment_id}/retry", response=ExperimentDetail)
def retry_experiment(
    request: PersonRequest, experiment_id: UUID, body: ExperimentRetryIn | None = None
) -> ExperimentDetail:
    """Rerun branches that failed, were stopped or ran out of budget, from where each was."""
    budget = body.budget if body is not None else None
    return experiment_control.retry_experiment(request.auth, experiment_id, budget=budget)


@router.post("/{experiment_id}/check", response=ExperimentDetail)
def recheck_experiment(
    request: PersonRequest, experiment_id: UUID, body: ExperimentCheckIn
) -> ExperimentDetail:
    """Judge all branches again by another check, without running anything again."""
    return experiment_control.recheck_experiment(request.auth, experiment_id, body.check)


@router.patch("/{experiment_id}/branches/{number}", response=BranchRow)
def change_branch(
    request: PersonRequest, experiment_id: UUID, number: Number, body: BranchPatchIn
) -> BranchRow:
    """Pin a branch, or set whether it passes."""
    return experiment_control.change_branch(
        request.auth,
        experiment_id,
        number,
        is_pinned=body.is_pinned,
        is_judged="passed" in body.model_fields_set,
        passed=body.passed,
        score=body.score,
    )


@router.post("/{experiment_id}/labels", response=emptied())
def label_branches(
    request: PersonRequest, experiment_id: UUID, body: BranchLabelIn
) -> Status[None]:
    """Mark the best branch for training, or the best against the worst as a preference pair."""
    if body.worst is None:
        preference_pairs.label_for_training(request.auth, experiment_id, body.best)
    else:
        preference_pairs.label_pair(request.auth, experiment_id, best=body.best, worst=body.worst)
    return Status(204, None)


@router.get("/{experiment_id}/preference-pair", response=None)
def download_preference_pair(
    request: PersonRequest, experiment_id: UUID, best: NumberQuery, worst: NumberQuery
) -> HttpResponse:
    """Download two branches as one line of JSON: prompt, chosen and rejected messages."""
    project = request.auth.project_id
    pair = preference_pairs.build_pair(project, experiment_id, best=best, worst=worst)
    # ASCII: half of a surrogate pair is legal in a tape, but not in any encoding.
    answer = HttpResponse(json.dumps(pair.to_line()) + "\n", content_type="application/jsonl")
    answer["Content-Disposition"] = f'attachment; filename="pair-{best}-{worst}.jsonl"'
    return answer
