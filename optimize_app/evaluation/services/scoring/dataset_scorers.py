"""The scorers of a dataset: kept by a person, or taken from a definition of OpenAI Evals."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.db import transaction
from pydantic import Field, StringConstraints, TypeAdapter

from optimize_app.evaluation.openai_evals import Columns, MappedGrader, map_definition
from optimize_app.evaluation.plan import SweepBudget
from optimize_app.evaluation.scoring.scorers import Scorer, describe_scorer
from optimize_app.evaluation.scoring_request import ScoringRequest
from optimize_app.evaluation.services.scoring.scoring import check_scoring
from optimize_app.evaluation.store import dataset_scorers as storage
from optimize_app.evaluation.store.dataset_scorers import KeptScorer
from tapes_app.agents.store.llm_models import load_model
from tapes_app.bulk.store.datasets import load_dataset
from tapes_app.engine.errors import ConflictError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.projects.domain.columns import check_name
from tapes_app.projects.services.people import Person

NAME_LENGTH = 200
_SCORERS: TypeAdapter[Scorer] = TypeAdapter(Scorer)
_TAKEN = "the dataset has a scorer of this name already"


class NewScorer(FrozenModel):
    """A scorer to keep with a dataset."""

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    scorer: Scorer


class EvalDefinition(FrozenModel):
    """A definition of OpenAI Evals, and which columns of its data the examples were made of."""

    definition: dict[str, Any]
    """As `GET /v1/evals/{id}` returns it, or the graders alone."""

    message: str = Field(default="", max_length=500)
    expected: str = Field(default="", max_length=500)
    judge_id: UUID | None = None
    """The model of the project that judges in place of those in the definition."""


@dataclass(frozen=True, slots=True)
class DatasetScorer:
    """A scorer that can decide sweeps over a dataset."""

    id: UUID
    name: str
    scorer: Scorer
    words: str
    """What passes, in a sentence."""

    created_at: datetime


@dataclass(frozen=True, slots=True)
class MappedDefinition:
    """The result of taking a definition."""

    made: list[DatasetScorer]
    graders: list[MappedGrader]
    """All of them in their order, including those that have no equal, with the reason."""


def list_scorers(person: Person, dataset_id: UUID) -> list[DatasetScorer]:
    """Return the scorers of a dataset by name.

    Raises:
        NotFoundError: the project has no such dataset.
    """
    load_dataset(dataset_id, person.project_id)
    return [_row(kept) for kept in storage.list_scorers(dataset_id)]


def keep_scorer(person: Person, dataset_id: UUID, new: NewScorer) -> DatasetScorer:
    """Keep a scorer with a dataset.

    Raises:
        NotFoundError: the project has no such dataset, judge or linter rule.
        InvalidInputError: the scorer could not score anything.
        ConflictError: the dataset already has a scorer of that name.
    """
    load_dataset(dataset_id, person.project_id)
    asked = check_scoring(person, ScoringRequest(scorer=new.scorer), SweepBudget())
    name = check_name(new.name, NAME_LENGTH, "The name")
    return _row(storage.save_scorer(dataset_id, name, asked.scorer.model_dump(mode="json")))


def delete_scorer(person: Person, dataset_id: UUID, scorer_id: UUID) -> None:
    """Delete a scorer; the scores it has given stay.

    Raises:
        NotFoundError: the project has no such dataset, or the dataset has no such scorer.
    """
    load_dataset(dataset_id, person.project_id)
    storage.delete_scorer(dataset_id, scorer_id)


@transaction.atomic
def take_definition(person: Person, dataset_id: UUID, asked: EvalDefinition) -> MappedDefinition:
    """Keep the graders of a definition that have an equal here, and report the others.

    Raises:
        NotFoundError: the project has no such dataset, or no such judge.
        InvalidInputError: the definition has no graders.
    """
    load_dataset(dataset_id, person.project_id)
    if asked.judge_id is not None:
        load_model(asked.judge_id, person.project_id)
    columns = Columns(asked.message, asked.expected)
    mapped = map_definition(asked.definition, columns, judge=asked.judge_id)
    made: list[DatasetScorer] = []
    graders: list[MappedGrader] = []
    for grader in mapped:
        if grader.scorer is None:
            graders.append(grader)
            continue
        try:
            with transaction.atomic():
                new = NewScorer(name=grader.name, scorer=grader.scorer)
                made.append(keep_scorer(person, dataset_id, new))
            graders.append(grader)
        except ConflictError:
            graders.append(MappedGrader(grader.name, grader.type, None, "", _TAKEN))
    return MappedDefinition(made, graders)


def read_definition(value: Any) -> Mapping[str, Any]:
    """Return a definition read from a file; a list is taken as its graders."""
    return {"testing_criteria": value} if isinstance(value, list) else value


def _row(kept: KeptScorer) -> DatasetScorer:
    scorer = _SCORERS.validate_python(kept.scorer)
    return DatasetScorer(kept.id, kept.name, scorer, describe_scorer(scorer), kept.created_at)
