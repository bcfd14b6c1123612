"""A judge's result for an attempt."""

from dataclasses import dataclass

from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.engine.llm import LLMCall


@dataclass(frozen=True, slots=True)
class Judged:
    """The score of an attempt, and all the calls that it took."""

    score: StoredScore
    calls: tuple[LLMCall, ...] = ()
