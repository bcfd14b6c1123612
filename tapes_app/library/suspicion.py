"""The suspected step of a tape: where somebody who asks what went wrong looks first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tapes_app.lint.findings import SEVERITIES, Finding

Why = Literal["error", "finding", "parting"]


@dataclass(frozen=True, slots=True)
class Suspect:
    """One step, and what speaks against it."""

    position: int
    why: Why
    """It is the first that reports an error; it has the first of the gravest findings; or from it
    on the tape goes another way than those of its task that passed."""

    words: str
    """One line: what the step says or, of a finding, what it is called."""

    passed_count: int = 0
    """With how many tapes that passed it was compared."""


class PathSign(NamedTuple):
    """What of a step tells one way of doing a task from another.

    Words of a model are different each time: of a step that asks for nothing its kind and node
    count, of a call also what is asked for.
    """

    kind: str
    node: str
    call: str
    is_error: bool


def gravest_finding(findings: Sequence[Finding]) -> Finding | None:
    """Return the first of the gravest findings; `None` where there is none."""
    return min(
        findings,
        key=lambda finding: (SEVERITIES.index(finding.severity), finding.position),
        default=None,
    )


def find_parting(own: Sequence[PathSign], passed: Sequence[Sequence[PathSign]]) -> int | None:
    """Return the first step of a tape at which none of those that passed goes on alike.

    A tape that ends while they go on parts at its last step. `None`: there are none that passed,
    the tape is empty, or one of them went the same way to the end.
    """
    beside = list(passed)
    if not beside or not own:
        return None
    for at, sign in enumerate(own):
        beside = [path for path in beside if len(path) > at and path[at] == sign]
        if not beside:
            return at
    return len(own) - 1 if all(len(path) > len(own) for path in beside) else None
