"""What a sweep has spent of its budget: its runs, and the judges that score them."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from optimize_app.evaluation.plan import Plan, SweepBudget
from optimize_app.evaluation.store.scores import sum_judges
from tapes_app.experiments.services.branch_outcomes import explain_overspending
from tapes_app.experiments.store.experiments import Spending, count_calls, sum_spendings


@dataclass(frozen=True, slots=True)
class Spent:
    """What a sweep has spent, and which part of the budget that uses up."""

    spending: Spending
    calls: int
    reason: str
    """Empty while something is left."""


def count_spent(sweep_id: UUID, plan: Plan, runs: Iterable[UUID]) -> Spent:
    """Return what the runs of a sweep and its judges have spent; nothing without a budget."""
    if not plan.budget.is_set:
        return Spent(Spending(0, 0), 0, "")
    of_runs, run_calls = sum_runs(runs, plan.budget)
    judges = sum_judges(sweep_id)
    spending = Spending(of_runs.tokens + judges.tokens, of_runs.micro_usd + judges.micro_usd)
    calls = run_calls + judges.calls
    reason = explain_overspending(plan.budget.of_runs(), spending, calls=calls, seconds=0)
    return Spent(spending, calls, reason)


def sum_runs(runs: Iterable[UUID], budget: SweepBudget) -> tuple[Spending, int]:
    """Return what some re-runs have spent; their calls only where the budget counts them."""
    ids = list(runs)
    parts = sum_spendings(ids).values()
    spending = Spending(sum(p.tokens for p in parts), sum(p.micro_usd for p in parts))
    return spending, sum(map(count_calls, ids)) if budget.calls is not None else 0
