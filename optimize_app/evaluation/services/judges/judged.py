"""A judge's result for an attempt."""

from collections.abc import Sequence
from dataclasses import dataclass

from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.engine.errors import CallRefusedError
from tapes_app.engine.model.llm import LLMCall
from tapes_app.experiments.services.judging import AnyOpinion


@dataclass(frozen=True, slots=True)
class Judged:
    """The score of an attempt, and all the calls that it took."""

    score: StoredScore
    calls: tuple[LLMCall, ...] = ()


def list_calls(opinions: Sequence[AnyOpinion]) -> tuple[LLMCall, ...]:
    """Return the calls of the opinions about one attempt, which are paid for in any case.

    Raises:
        CallRefusedError: the budget had no room for any of them.
    """
    calls = tuple(call for opinion in opinions for call in opinion.calls)
    if opinions and not calls:
        raise CallRefusedError(opinions[0].reason)
    return calls
