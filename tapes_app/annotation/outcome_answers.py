"""Whether a tape did its task, according to its annotators: decisions, without tables.

While annotators agree, their answer is the tape's outcome. When they differ, or when the last
answer is withdrawn, the outcome goes back to what it was before they were asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tapes_app.tapes.task_outcome import Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """A person's answer; `before` is the outcome that the tape had without annotators."""

    person: int | None
    outcome: Outcome
    before: Outcome


def find_before(current: Outcome, verdicts: Sequence[Verdict]) -> Outcome:
    """Return the outcome that a tape would have without its annotators, oldest verdict first.

    If somebody judged the tape itself after the annotators did, that judgement counts.
    """
    return take_out(current, verdicts, ())


def combine_verdicts(verdicts: Sequence[Verdict]) -> Outcome:
    """Return the outcome that these verdicts give; there must be at least one."""
    newest = {verdict.person: verdict.outcome for verdict in verdicts}
    outcomes = set(newest.values())
    return outcomes.pop() if len(outcomes) == 1 else verdicts[-1].before


def take_out(
    current: Outcome, verdicts: Sequence[Verdict], remaining: Sequence[Verdict]
) -> Outcome:
    """Return the outcome after a verdict was withdrawn; a later judgement of the tape stays."""
    if not verdicts or current != combine_verdicts(verdicts):
        return current
    return combine_verdicts(remaining) if remaining else verdicts[-1].before
