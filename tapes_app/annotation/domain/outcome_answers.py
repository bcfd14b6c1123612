"""Whether a tape did its task, according to its annotators: decisions, without tables.

Annotators fill in what nothing else has decided: while they agree, their answer is the outcome of a
tape that has none. An outcome that the expected answer, a check, a file or a person gave the tape
itself stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tapes_app.tapes.domain.task_outcome import Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """A person's answer; `before` is the tape's outcome without annotators; it may be empty."""

    person: int | None
    outcome: Outcome
    before: Outcome


def find_before(current: Outcome, verdicts: Sequence[Verdict]) -> Outcome:
    """Return the outcome that a tape would have without its annotators, oldest verdict first.

    If somebody judged the tape itself after the annotators did, that judgement counts.
    """
    return take_out(current, verdicts, ())


def combine_verdicts(verdicts: Sequence[Verdict]) -> Outcome:
    """Return the outcome of a tape with these verdicts; there must be at least one."""
    if verdicts[-1].before:
        return verdicts[-1].before
    newest = {verdict.person: verdict.outcome for verdict in verdicts}
    outcomes = set(newest.values())
    return outcomes.pop() if len(outcomes) == 1 else ""


def take_out(
    current: Outcome, verdicts: Sequence[Verdict], remaining: Sequence[Verdict]
) -> Outcome:
    """Return the outcome after a verdict was withdrawn; one that verdicts did not give stays."""
    if not verdicts or verdicts[-1].before or current != combine_verdicts(verdicts):
        return current
    return combine_verdicts(remaining) if remaining else ""
