"""Whether a tape did its task, by what annotators answered: decisions, without tables.

While they agree, their answer is the outcome of the tape. Where they differ, or when the last
answer is taken back, the outcome is again what it was before they were asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tapes_app.tapes.task_outcome import Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person answered; `before` is the outcome that the tape had without annotators."""

    person: int | None
    outcome: Outcome
    before: Outcome


def find_before(current: Outcome, verdicts: Sequence[Verdict]) -> Outcome:
    """Return the outcome that a tape would have without its annotators, oldest verdict first.

    Whoever judged the tape itself after them said what counts from then on.
    """
    return take_out(current, verdicts, ())


def come_to(verdicts: Sequence[Verdict]) -> Outcome:
    """Return the outcome by some verdicts, of which there is one at least."""
    newest = {verdict.person: verdict.outcome for verdict in verdicts}
    said = set(newest.values())
    return said.pop() if len(said) == 1 else verdicts[-1].before


def take_out(
    current: Outcome, verdicts: Sequence[Verdict], remaining: Sequence[Verdict]
) -> Outcome:
    """Return the outcome after a verdict was taken back; a later judgement of the tape stays."""
    if not verdicts or current != come_to(verdicts):
        return current
    return come_to(remaining) if remaining else verdicts[-1].before
