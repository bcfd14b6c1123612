"""The tapes of a sweep, as attempts with a score."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from optimize_app.evaluation.plan import Plan
from optimize_app.evaluation.store.scores import StoredScore
from tapes_app.experiments.domain.branch_states import BranchState
from tapes_app.experiments.domain.check_kinds import quote
from tapes_app.experiments.store.attempt_rows import AttemptRow, list_attempts

_MISSING: Mapping[BranchState, str] = {
    "queued": "Its run has not started.",
    "running": "Its run has not ended.",
    "paused": "Its run is paused.",
    "waiting": "Its run waits for a person.",
    "cancelled": "Its run was stopped.",
    "out_of_budget": "The budget was used up before its run had ended.",
}
_ADVICE: Mapping[BranchState, str] = {
    "failed": "Choose Retry missing runs once that is mended.",
    "cancelled": "Choose Retry missing runs to run it again.",
    "out_of_budget": "Choose Add to sweep to raise its limits.",
    "succeeded": "Choose Rescore to let a check or a judge decide, or give its tapes an outcome.",
}
_SCORES: Mapping[str, float] = {"pass": 1.0, "fail": 0.0}


@dataclass(frozen=True, slots=True)
class SweptTape:
    """One attempt of a variant at a task; both count from 0."""

    variant: int
    attempt: int
    row: AttemptRow
    task: str
    """The tape whose first steps were run again."""

    score: float | None
    """1 passed, 0 failed; `None`: missing, which is never zero."""

    scored: StoredScore | None = None
    """The score of the scorer that decides."""

    is_scored: bool = False
    """Whether a scorer decides, rather than the outcome of the tape."""

    @property
    def cluster(self) -> str | None:
        """Groups start tapes of one task: several say little more than one."""
        return self.row.task or None

    @property
    def value(self) -> float | None:
        """The underlying score from 0 to 1; `None`: missing, or nobody gave one."""
        if not self.is_scored:
            is_checked = self.row.passed is not None and self.score is not None
            return self.row.score if is_checked else None
        return self.scored.value if self.scored else None

    @property
    def why(self) -> str:
        """Why it passed, failed or is missing."""
        if not self.is_scored:
            return explain_score(self.row)
        if self.scored is not None:
            return self.scored.explanation
        return _MISSING.get(self.row.state, "") or _explain_unscored(self.row)


def score_of(row: AttemptRow) -> float | None:
    """Return an attempt's score: 1 passed, 0 failed; `None`: missing.

    A run that failed, was stopped or ran out of budget says nothing about the variant, unless the
    check of a regression test could decide it: an agent that runs in circles has ended.
    """
    has_ended = row.state == "succeeded" or (row.state == "failed" and row.passed is not None)
    return _SCORES.get(row.outcome) if has_ended else None


def explain_score(row: AttemptRow) -> str:
    """Explain why an attempt passed, failed or is missing."""
    if score_of(row) is None:
        return _MISSING.get(row.state, "") or _explain_failure(row)
    return row.reason


def _explain_failure(row: AttemptRow) -> str:
    if row.state == "succeeded":
        return row.reason or _explain_undecided(row)
    return f"Its run failed: {row.message or 'no reason was given.'}"


def _explain_undecided(row: AttemptRow) -> str:
    if row.score is not None:
        return f"Nobody has judged it: its score of {row.score:g} says neither pass nor fail."
    if row.expected:
        expected = quote(row.expected)
        return f"Whether its answer means {expected} is for a person or a judge: texts cannot tell."
    return "Nobody has judged it: its tape has no check and no expected answer."


def _explain_unscored(row: AttemptRow) -> str:
    return "It is not scored yet." if row.state == "succeeded" else _explain_failure(row)


def explain_nothing_judged(attempts: Sequence[SweptTape]) -> str:
    """Explain why no attempt of a variant has a score, and what to do about it."""
    if not attempts:
        return "None of its runs has started."
    (state, why), count = Counter((one.row.state, one.why) for one in attempts).most_common(1)[0]
    share = f"Most often, in {count:,} of {len(attempts):,} runs: "
    words = why if count == len(attempts) else share + why
    return f"{words} {_ADVICE.get(state, '')}".strip()


def read_attempts(
    plan: Plan, runs: Mapping[str, UUID], scores: Mapping[UUID, StoredScore] | None = None
) -> list[SweptTape]:
    """Return all tapes of a sweep whose runs have started, with one query.

    `scores`, by tape, decide; `None`: the outcome of each tape does.
    """
    cells = {runs[cell.key]: cell for cell in plan.cells if cell.key in runs}
    rows = list_attempts(list(cells))
    # A sweep has up to 20,000 attempts at far fewer tasks.
    name = cache(str)
    swept = []
    for row in rows:
        cell = cells[row.experiment_id]
        scored = scores.get(row.tape_id) if scores is not None else None
        swept.append(
            SweptTape(
                cell.variant,
                cell.attempt,
                row,
                task=name(row.start_id),
                score=score_of(row) if scores is None else _score_by(scored),
                scored=scored,
                is_scored=scores is not None,
            )
        )
    return swept


def _score_by(scored: StoredScore | None) -> float | None:
    passed = scored.passed if scored else None
    return None if passed is None else float(passed)
