"""The suspected step of a tape: where to check first when a tape went wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tapes_app.lint.domain.findings import SEVERITIES, Finding

Why = Literal["error", "finding", "parting"]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A step, and why it is suspected."""

    position: int
    why: Why
    """The first step with an error, the first with the gravest finding, or where the tape leaves
    the path of the tapes of its task that passed."""

    words: str
    """One line: the step's summary or, for a finding, its title."""

    passed_count: int = 0
    """How many passed tapes it was compared with."""


class PathSign(NamedTuple):
    """What distinguishes one way of doing a task from another, for one step.

    A model's wording is different each time, so steps without a call are compared by kind and node,
    and calls also by what they ask for.
    """

    kind: str
    node: str
    call: str
    is_error: bool
    is_by_agent: bool = True


def gravest_finding(findings: Sequence[Finding]) -> Finding | None:
    """Return the first of the gravest findings, or `None` if there are no findings."""
    return min(
        findings,
        key=lambda finding: (SEVERITIES.index(finding.severity), finding.position),
        default=None,
    )


def find_divergence_from_passed(
    own: Sequence[PathSign], passed: Sequence[Sequence[PathSign]]
) -> int | None:
    """Return the first step at which none of the passed tapes continues in the same way.

    If a tape ends where all of them continue, the result is its last step. `None` if no tape
    passed, no agent has done anything yet, or one of them went the same way to the end.
    """
    alike = list(passed)
    if not alike or not any(sign.is_by_agent for sign in own):
        return None
    for at, sign in enumerate(own):
        alike = [path for path in alike if len(path) > at and path[at] == sign]
        if not alike:
            return at
    return len(own) - 1 if all(len(path) > len(own) for path in alike) else None
