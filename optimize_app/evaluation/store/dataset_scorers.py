"""The scorers kept with a dataset, each under a name."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from optimize_app.models import DatasetScorerRecord
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record, refusing_duplicates


@dataclass(frozen=True, slots=True)
class KeptScorer:
    """A scorer of a dataset, as it is stored."""

    id: UUID
    name: str
    scorer: dict[str, Any]
    created_at: datetime


def list_scorers(dataset_id: UUID) -> list[KeptScorer]:
    """Return the scorers of a dataset by name."""
    records = DatasetScorerRecord.objects.filter(dataset_id=dataset_id)
    return [row_of(KeptScorer, record) for record in records.order_by("name")]


def save_scorer(dataset_id: UUID, name: str, scorer: Mapping[str, Any]) -> KeptScorer:
    """Keep a scorer under a name.

    Raises:
        ConflictError: the dataset already has a scorer of that name.
    """
    taken = f"The dataset already has a scorer {name!r}; choose another name."
    with refusing_duplicates(taken, name=name):
        record = DatasetScorerRecord.objects.create(
            dataset_id=dataset_id, name=name, scorer=dict(scorer)
        )
    return row_of(KeptScorer, record)


def delete_scorer(dataset_id: UUID, scorer_id: UUID) -> None:
    """Delete a scorer; the scores it has given stay.

    Raises:
        NotFoundError: the dataset has no scorer of this id.
    """
    records = DatasetScorerRecord.objects.filter(dataset_id=dataset_id)
    get_record(records, "Scorer not found.", scorer_id=scorer_id).delete()
