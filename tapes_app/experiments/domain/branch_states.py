"""The state of a branch, in one word, derived from its newest run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tapes_app.jobs.domain.protocol import JobState, parse_state

BranchState = Literal[JobState, "out_of_budget"]

JudgedAs = Literal["", "checker", "judge", "person"]

THE_BUDGET = "the budget"
"""Named as the canceller of the other branches when the budget is used up."""

ENDS = frozenset({"ok", "finished", "no_actions", "loop_limit", "until"})
"""Ends that reflect the agent's behaviour; errors and budgets do not."""


@dataclass(frozen=True, slots=True)
class RunEnd:
    """The columns of a branch that determine the state of its newest run."""

    job_state: str
    job_status: str
    """How its main loop ended; empty while it continues."""

    cancelled_by: str
    judged_as: JudgedAs

    @classmethod
    def of(
        cls,
        state: str | None,
        result: Mapping[str, Any] | None,
        cancelled_by: str | None,
        judged_as: JudgedAs,
    ) -> "RunEnd":
        """Return it from the columns of a branch and its run; without a run these are `None`."""
        status = str((result or {}).get("status", ""))
        return cls(state or "", status, cancelled_by or "", judged_as)


def find_state(branch: RunEnd) -> BranchState:
    """Return the state of a branch. A used-up budget is not a failure, so it has its own state."""
    # A branch whose run could not be created has no job.
    state = parse_state(branch.job_state) if branch.job_state else "cancelled"
    if state in {"queued", "running"}:
        return state
    if state == "cancelled" and branch.judged_as in {"checker", "judge"}:
        return "succeeded"  # only finished branches are judged; the cancellation came too late
    is_cut_off = branch.job_status == "budget" and state != "failed"
    if is_cut_off or (state == "cancelled" and branch.cancelled_by == THE_BUDGET):
        return "out_of_budget"
    return state
