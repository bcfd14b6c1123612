"""`/datasets/{id}/scorers`: the scorers that can decide sweeps over a dataset."""

from uuid import UUID

from ninja import Status

from optimize_app.evaluation.services.scoring import dataset_scorers
from optimize_app.evaluation.services.scoring.dataset_scorers import (
    DatasetScorer,
    EvalDefinition,
    MappedDefinition,
    NewScorer,
)
from tapes_app.projects.api.people import PersonRequest, created, emptied, make_router

router = make_router("sweeps")


@router.get("/{dataset_id}/scorers", response=list[DatasetScorer])
def list_scorers(request: PersonRequest, dataset_id: UUID) -> list[DatasetScorer]:
    """List the scorers kept with a dataset."""
    return dataset_scorers.list_scorers(request.auth, dataset_id)


@router.post("/{dataset_id}/scorers", response=created(DatasetScorer))
def keep_scorer(request: PersonRequest, dataset_id: UUID, body: NewScorer) -> Status[DatasetScorer]:
    """Keep a scorer with a dataset, under a name."""
    return Status(201, dataset_scorers.keep_scorer(request.auth, dataset_id, body))


@router.post("/{dataset_id}/scorers/openai-eval", response=created(MappedDefinition))
def take_definition(
    request: PersonRequest, dataset_id: UUID, body: EvalDefinition
) -> Status[MappedDefinition]:
    """Keep the graders of an OpenAI Evals definition that have an equal here; report the others.

    Nothing in the definition is executed.
    """
    return Status(201, dataset_scorers.take_definition(request.auth, dataset_id, body))


@router.delete("/{dataset_id}/scorers/{scorer_id}", response=emptied())
def delete_scorer(request: PersonRequest, dataset_id: UUID, scorer_id: UUID) -> Status[None]:
    """Delete a scorer; the scores it has given stay."""
    dataset_scorers.delete_scorer(request.auth, dataset_id, scorer_id)
    return Status(204, None)
