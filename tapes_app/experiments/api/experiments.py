"""`/experiments`: Run N, its branches, and what is made of the best and the worst of them."""

import json
from typing import Annotated
from uuid import UUID

from django.http import HttpResponse
from ninja import Path, Query, Status

from tapes_app.experiments.api.schemas import (
    BranchLabelIn,
    BranchPatchIn,
    ExperimentCheckIn,
    ExperimentIn,
    ExperimentRetryIn,
)
from tapes_app.experiments.services import control as experiment_control
from tapes_app.experiments.services import experiments, preference_pairs
from tapes_app.experiments.services.experiments import ExperimentDetail
from tapes_app.experiments.store.branches import BranchRow
from tapes_app.experiments.store.experiments import ExperimentRow
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router

_LARGEST = 2**31 - 1
Number = Annotated[int, Path(ge=0, le=_LARGEST)]
NumberQuery = Annotated[int, Query(ge=0, le=_LARGEST)]

of_tapes = make_router("experiments")
router = make_router("experiments")


@of_tapes.post("/{tape_id}/experiments", response=created(ExperimentDetail))
def start_experiment(
    request: PersonRequest, tape_id: UUID, body: ExperimentIn
) -> Status[ExperimentDetail]:
    """Fork the tape many times and run every branch; all of it begins or nothing does."""
    return Status(201, experiments.start_experiment(request.auth, tape_id, body))


@of_tapes.get("/{tape_id}/experiments", response=list[ExperimentRow])
def list_experiments(request: PersonRequest, tape_id: UUID) -> list[ExperimentRow]:
    """List the experiments of a tape, and those that it is a branch of, newest first."""
    return experiments.list_experiments(request.auth, tape_id)


@router.get("/{experiment_id}", response=ExperimentDetail)
def show_experiment(request: PersonRequest, experiment_id: UUID) -> ExperimentDetail:
    """Return an experiment with its branches, arms and what they show."""
    return experiments.load_experiment(request.auth, experiment_id)


@router.post("/{experiment_id}/cancel", response=ExperimentDetail)
def cancel_experiment(request: PersonRequest, experiment_id: UUID) -> ExperimentDetail:
    """Stop every branch that is not over; what they have done stays."""
    return experiment_control.cancel_experiment(request.auth, experiment_id)


@router.post("/{experiment_id}/retry", response=ExperimentDetail)
def retry_experiment(
    request: PersonRequest, experiment_id: UUID, body: ExperimentRetryIn | None = None
) -> ExperimentDetail:
    """Run again what failed, was stopped or ran out of budget, from where each was."""
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
    """Pin a branch, or say whether it passes."""
    return experiment_control.change_branch(
        request.auth,
        experiment_id,
        number,
        experiment_control.BranchChange(
            is_pinned=body.is_pinned,
            is_judged="passed" in body.model_fields_set,
            passed=body.passed,
            score=body.score,
        ),
    )


@router.post("/{experiment_id}/labels", response=emptied())
def label_branches(
    request: PersonRequest, experiment_id: UUID, body: BranchLabelIn
) -> Status[None]:
    """Keep the best branch for training, or the best against the worst as a preference."""
    if body.worst is None:
        preference_pairs.label_for_training(request.auth, experiment_id, body.best)
    else:
        preference_pairs.label_pair(request.auth, experiment_id, best=body.best, worst=body.worst)
    return Status(204, None)


@router.get("/{experiment_id}/preference-pair", response=None)
def download_preference_pair(
    request: PersonRequest, experiment_id: UUID, best: NumberQuery, worst: NumberQuery
) -> HttpResponse:
    """Give two branches as one line of JSON: prompt, chosen and rejected messages."""
    pair = preference_pairs.build_pair(request.auth, experiment_id, best=best, worst=worst)
    # ASCII: half a surrogate pair is legal in a tape and in no encoding.
    answer = HttpResponse(json.dumps(pair.to_line()) + "\n", content_type="application/jsonl")
    answer["Content-Disposition"] = f'attachment; filename="pair-{best}-{worst}.jsonl"'
    return answer
