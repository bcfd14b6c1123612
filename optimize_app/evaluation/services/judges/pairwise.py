"""Judging two attempts at one task in both orders: what to compare, and the result."""

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

from optimize_app.evaluation.plan import Plan, Progress
from optimize_app.evaluation.request import SWEEP_KIND
from optimize_app.evaluation.scoring.scorers import PairwiseScorer
from optimize_app.evaluation.services.judges.judged import Judged, list_calls
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape, read_attempts
from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.engine.model.llm import LLM
from tapes_app.experiments.domain.checks import Ended
from tapes_app.experiments.services.judging import (
    PairOpinion,
    ask_which_is_better,
    build_pair_prompt,
)
from tapes_app.experiments.store.attempt_rows import AttemptRow
from tapes_app.library.services.bulk_job import load_bulk_job
from tapes_app.projects.services.people import Person
from tapes_app.statistics.judge_biases import Preferred, SwappedVerdict

BASELINE = StoredScore(None, None, "It is the baseline, which the others are compared with.")
NO_BASELINE = StoredScore(
    None, None, "The baseline has no finished run of this task to compare it with."
)

_OWN_FIRST: dict[str, Preferred] = {"first": "a", "second": "b", "tie": "tie"}
_OWN_SECOND: dict[str, Preferred] = {"first": "b", "second": "a", "tie": "tie"}


def find_partners(attempts: Iterable[SweptTape]) -> dict[UUID, AttemptRow | None]:
    """Return what each attempt is judged against, by tape: the baseline's at that task and turn.

    `None`: the baseline's attempt has not finished. Attempts of the baseline are left out.
    """
    listed = list(attempts)
    baseline = {
        (one.task, one.attempt): one.row
        for one in listed
        if one.variant == 0 and one.row.can_be_judged
    }
    return {one.row.tape_id: baseline.get((one.task, one.attempt)) for one in listed if one.variant}


def load_partners(person: Person, sweep_id: UUID) -> dict[UUID, AttemptRow | None]:
    """Return `find_partners` of a sweep in its current state.

    Raises:
        NotFoundError: the sweep was deleted.
    """
    sweep = load_bulk_job(person, sweep_id, SWEEP_KIND)
    runs = Progress.model_validate(sweep.checkpoint or {}).runs
    return find_partners(read_attempts(Plan.model_validate(sweep.request), runs))


async def compare(
    llm: LLM, scorer: PairwiseScorer, own: Ended, baseline: Ended, expected: str
) -> Judged:
    """Ask a judge about two attempts in both orders."""
    first, second = await asyncio.gather(
        *(
            ask_which_is_better(llm, build_pair_prompt(scorer.rubric, *pair, expected=expected))
            for pair in ((own, baseline), (baseline, own))
        )
    )
    return Judged(decide(first, second), list_calls((first, second)))


def decide(own_first: PairOpinion, own_second: PairOpinion) -> StoredScore:
    """Combine two verdicts on an attempt: one where it was shown first, one where it was second."""
    if own_first.better is None or own_second.better is None:
        unread = own_first if own_first.better is None else own_second
        return StoredScore(None, None, unread.reason)
    value: float
    passed: bool | None
    preferred = f"{own_first.better} {own_second.better}"
    match read_verdicts(preferred):
        case SwappedVerdict("a", "a"):
            value, passed, words = 1.0, True, f"Better: {own_first.reason}"
        case SwappedVerdict("b", "b"):
            value, passed, words = 0.0, False, f"Worse: {own_first.reason}"
        case SwappedVerdict("tie", "tie"):
            value, passed, words = 0.5, None, f"A tie: {own_first.reason}"
        case _:
            value, passed = 0.5, None
            words = (
                "Not decided: the verdict changes with the order. Shown first: "
                f"{own_first.reason} Shown second: {own_second.reason}"
            )
    return StoredScore(value, passed, words, preferred=preferred)


def read_verdicts(preferred: str) -> SwappedVerdict:
    """Return the two verdicts of a stored comparison; "a" is the attempt itself."""
    own_first, _, own_second = preferred.partition(" ")
    return SwappedVerdict(_OWN_FIRST.get(own_first), _OWN_SECOND.get(own_second))


def list_verdicts(attempts: Sequence[SweptTape]) -> list[SwappedVerdict]:
    """Return the verdicts of all comparisons that a judge made."""
    asked = (one.scored for one in attempts if one.scored and one.scored.judge_call_id)
    return [read_verdicts(score.preferred) for score in asked]
