"""Attempts on which a scorer disagrees with people, another scorer or another variant.

People learn most from checking these: one of the two must be wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from uuid import UUID

from optimize_app.evaluation.plan import LETTERS
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape

PEOPLE, OUTCOME = "people", "outcome"

_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Attempts on which there is a disagreement."""

    key: str
    """`people`, `outcome`, the id of another scoring, or two variants as `A-B`."""

    words: str
    """Who disagrees, in a sentence."""

    attempt_count: int


@dataclass(frozen=True, slots=True)
class Disputed:
    """The attempts of a disagreement."""

    key: str
    words: str
    attempts: Sequence[SweptTape]

    def count(self) -> Disagreement:
        return Disagreement(self.key, self.words, len(self.attempts))


@dataclass(frozen=True, slots=True)
class OtherScores:
    """Another party's scores of attempts."""

    key: str
    words: str
    scores: Mapping[UUID, float]
    """By tape: from 0 to 1; half or more passes."""


def find_disputed(
    attempts: Sequence[SweptTape], others: Sequence[OtherScores]
) -> Iterator[Disputed]:
    """Yield the disagreements that exist; an attempt without a verdict disagrees with nothing.

    Attempts of two variants at one task and turn may disagree, too.
    """
    judged = [one for one in attempts if one.score is not None]
    for other in others:
        disputed = [one for one in judged if _is_denied(one, other.scores.get(one.row.tape_id))]
        if disputed:
            yield Disputed(other.key, other.words, disputed)
    yield from _find_parted(judged)


def _is_denied(one: SweptTape, score: float | None) -> bool:
    return score is not None and score != _HALF and (score > _HALF) != bool(one.score)


def _find_parted(judged: Sequence[SweptTape]) -> Iterator[Disputed]:
    by_turn: dict[tuple[str, int], dict[int, SweptTape]] = {}
    for one in judged:
        by_turn.setdefault((one.task, one.attempt), {})[one.variant] = one
    for first, second in combinations(sorted({one.variant for one in judged}), 2):
        parted = [
            one
            for turn in by_turn.values()
            if first in turn and second in turn and turn[first].score != turn[second].score
            for one in (turn[first], turn[second])
        ]
        if parted:
            names = LETTERS[first], LETTERS[second]
            words = f"Of {names[0]} and {names[1]} one passes and the other fails."
            yield Disputed("-".join(names), words, parted)
