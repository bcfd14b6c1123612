"""What has become of a branch, in one word, from what its newest run says."""

from dataclasses import dataclass
from typing import Literal

from tapes_app.jobs.protocol import JobState, parse_state

BranchState = Literal[JobState, "out_of_budget"]

JudgedAs = Literal["", "checker", "judge", "person"]

THE_BUDGET = "the budget"
"""Who cancels the other branches when the budget is used up."""


ENDS = frozenset({"ok", "finished", "no_actions", "loop_limit", "until"})
"""Ends that say something about the agent; errors and budgets say something else."""


@dataclass(frozen=True, slots=True)
class RunEnd:
    """What of a branch says how its newest run stands."""

    job_state: str
    job_status: str
    """How its main loop ended; empty while it continues."""

    cancelled_by: str
    judged_as: JudgedAs


def find_state(branch: RunEnd) -> BranchState:
    """Return the state of a branch. A budget that ran out is not a failure, so it has its own."""
    # A branch whose run could not be made has none.
    state = parse_state(branch.job_state) if branch.job_state else "cancelled"
    if state in {"queued", "running"}:
        return state
    if state == "cancelled" and branch.judged_as in {"checker", "judge"}:
        return "succeeded"  # only what came to its end is judged; the order to stop came too late
    is_cut_off = branch.job_status == "budget" and state != "failed"
    if is_cut_off or (state == "cancelled" and branch.cancelled_by == THE_BUDGET):
        return "out_of_budget"
    return state
