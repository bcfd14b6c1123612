"""The result of a sweep before it changed: by other outcomes of its tapes, or another scoring."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from optimize_app.evaluation.plan import Plan
from optimize_app.evaluation.services.sweeps.decisions import DecidedBy, choose_decision, is_own
from optimize_app.evaluation.services.sweeps.sweeps import NamedVariant
from optimize_app.evaluation.services.sweeps.swept_tapes import SweptTape, read_attempts, score_of
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.statistics.attempts import Attempt, Scores
from tapes_app.statistics.many_variants import compare_with_baseline
from tapes_app.statistics.score_estimates import mean_score

_SMALL_P = 0.001
_NOW = {1.0: "newly pass", 0.0: "newly fail", None: "lost their verdict"}


def collect_scores(attempts: Sequence[SweptTape], variants: Sequence[NamedVariant]) -> Scores:
    """Return attempts as statistics take them."""
    return Scores.of(
        Attempt(one.task, variants[one.variant].name, one.attempt, one.score, one.cluster)
        for one in attempts
    )


def describe_result_before(
    person: Person,
    sweep_id: UUID,
    plan: Plan,
    runs: Mapping[str, UUID],
    by: DecidedBy,
    attempts: Sequence[SweptTape],
    variants: Sequence[NamedVariant],
) -> str:
    """Return the result before outcomes were changed, or before the sweep was scored anew.

    `attempts` are those that `by` decides. Empty: nothing changed the result, or there was none.
    """
    again = [
        one.scored.asked_again_at
        for one in attempts
        if one.scored and one.scored.asked_again_at and one.score is not None
    ]
    if again:
        first = [_as_before(one) for one in attempts]
        until = f"until {count_of(len(again), 'run')} that it could not decide"
        since = f"{min(again):%Y-%m-%d}"
        return _describe(first, variants, f"{until} got a score when asked again, from {since} on.")
    if not is_own(by, plan):
        own = choose_decision(person, sweep_id, plan, None)
        first = read_attempts(plan, runs, own.scores)
        if own.scores is None:
            first = [_as_before(one) for one in first]
        before = _describe(first, variants, f"by what it was started with: {own.by.words}")
        return before and f"{before} {_count_changes(first, attempts)}"
    if plan.scoring is not None:
        return ""
    first = [_as_before(one) for one in attempts]
    changed = [
        one.row.outcome_changed_at
        for one, earlier in zip(attempts, first, strict=True)
        if one.score != earlier.score and one.row.outcome_changed_at is not None
    ]
    if not changed:
        return ""
    runs_changed = count_of(len(changed), "run")
    since = f"{min(changed):%Y-%m-%d}"
    return _describe(first, variants, f"until {runs_changed} got another outcome, from {since} on.")


def _as_before(one: SweptTape) -> SweptTape:
    """Return an attempt as the first outcome of its tape, or the first answer, decides it."""
    if one.scored is not None:
        return one if one.scored.asked_again_at is None else replace(one, score=None)
    before = one.row.outcome_before
    if before is None:
        return one
    row = replace(one.row, outcome=before)
    return replace(one, row=row, score=score_of(row))


def _count_changes(first: Sequence[SweptTape], attempts: Sequence[SweptTape]) -> str:
    """Return how many runs have another verdict, and which one, in a sentence."""
    changed = Counter(
        one.score for before, one in zip(first, attempts, strict=True) if one.score != before.score
    )
    if not changed:
        return "Every run kept its verdict."
    parts = [f"{changed[score]:,} {words}" for score, words in _NOW.items() if changed[score]]
    return f"Of {count_of(len(attempts), 'run')}, {', '.join(parts)}."


def _describe(attempts: Sequence[SweptTape], variants: Sequence[NamedVariant], until: str) -> str:
    scores = collect_scores(attempts, variants)
    baseline = variants[0].name
    compared = (
        {one.second: one.adjusted_p_value for one in compare_with_baseline(scores, baseline)}
        if baseline in scores.variants
        else {}
    )
    parts: list[str] = []
    for one in variants:
        score = mean_score(scores.of_variant(one.name)) if one.name in scores.variants else None
        if score is not None:
            parts.append(f"{one.letter} {score.estimate.value:.0%}".replace("%", " %"))
            p_value = compared.get(one.name)
            parts += [] if p_value is None else [_p_value(p_value)]
    return f"Result before: {', '.join(parts)}, {until}" if parts else ""


def _p_value(value: float) -> str:
    return f"p < {_SMALL_P}" if value < _SMALL_P else f"p = {value:.3f}"
