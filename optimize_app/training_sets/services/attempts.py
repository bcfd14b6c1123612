"""Attempts at one place, with their rewards, and the examples of each."""

from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean
from typing import assert_never
from uuid import UUID

from optimize_app.training_sets.rewards import (
    Advantage,
    Attempt,
    WeighedGroups,
    weigh_example,
    weigh_groups,
)
from optimize_app.training_sets.samples import ChatExample, TokenExample
from optimize_app.training_sets.services.request import Reward, TrainingSetRequest
from optimize_app.training_sets.services.tape_examples import list_recorded_calls
from optimize_app.training_sets.token_reader import TokenReader
from tapes_app.annotation.store.annotations import list_annotations
from tapes_app.tapes.domain.rows import TapeRow
from tapes_app.tapes.store.headers import load_header


def weigh_tapes(
    project: UUID, rows: Iterable[TapeRow], tasks: Mapping[UUID, str], request: TrainingSetRequest
) -> WeighedGroups:
    """Return how much better than its group each tape is."""
    attempts = [
        Attempt(
            tape_id=row.id,
            fork=_find_fork(project, row),
            task=tasks[row.id],
            reward=_find_reward(project, row, request.reward),
        )
        for row in rows
    ]
    return weigh_groups(attempts, divides_by_spread=request.divides_by_spread)


def list_attempt(
    project: UUID,
    tape_id: UUID,
    advantage: Advantage,
    reader: TokenReader | None,
    kept: Mapping[int, str],
) -> Iterator[ChatExample | TokenExample | str]:
    """Yield the weighted calls that a tape made after its fork; what it was forked from is shared.

    Earlier calls are included where the tokens continue them, but not learnt.
    """
    for found in list_recorded_calls(project, tape_id, reader, kept, is_own=True):
        yield found if isinstance(found, str) else weigh_example(found, advantage)


def _find_fork(project: UUID, row: TapeRow) -> str:
    if row.parent_id is None:
        return ""
    return f"fork of {row.parent_id} at {load_header(row.id, project).forked_at}"


def _find_reward(project: UUID, row: TapeRow, reward: Reward) -> float | None:
    match reward:
        case "outcome":
            return {"pass": 1.0, "fail": 0.0}.get(row.outcome)
        case "score":
            return row.score
        case "annotations":
            scores = [
                one.value
                for one in list_annotations(row.id, project)
                if one.kind == "score" and one.position is None and one.value is not None
            ]
            return fmean(scores) if scores else None
    assert_never(reward)
