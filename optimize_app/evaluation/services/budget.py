"""What a sweep has spent of its budget: by its runs, by the judges that score them, and in time."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from optimize_app.evaluation.plan import Plan, SweepBudget
from optimize_app.evaluation.store.scores import sum_judges
from tapes_app.experiments.services.branch_outcomes import explain_overspending
from tapes_app.experiments.store.experiments import Spending, count_calls, sum_spendings
from tapes_app.runs.request import Budget

_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Spent:
    """What a sweep has spent, and which part of the budget that exhausts."""

    spending: Spending
    calls: int
    reason: str
    """Empty while something is left."""


def count_spent(sweep_id: UUID, plan: Plan, runs: Iterable[UUID]) -> Spent:
    """Return what a sweep's runs and judges have spent; nothing if it has no budget."""
    if not plan.budget.is_set:
        return Spent(Spending(0, 0), 0, "")
    of_runs, run_calls = sum_runs(runs, plan.budget)
    judges = sum_judges(sweep_id)
    spending = Spending(of_runs.tokens + judges.tokens, of_runs.micro_usd + judges.micro_usd)
    calls = run_calls + judges.calls
    reason = explain_overspending(plan.budget.of_runs(), spending, calls=calls, seconds=0)
    return Spent(spending, calls, reason)


def find_rest(run_id: UUID, budget: SweepBudget, spent: Spent) -> Budget:
    """Return the budget of a running rerun: what is left, plus what it has spent already."""
    own, calls = sum_runs([run_id], budget)
    others = Spending(spent.spending.tokens - own.tokens, spent.spending.micro_usd - own.micro_usd)
    return budget.less(others, spent.calls - calls)


def sum_runs(runs: Iterable[UUID], budget: SweepBudget) -> tuple[Spending, int]:
    """Return what these reruns have spent; calls are counted only if the budget limits them."""
    ids = list(runs)
    parts = sum_spendings(ids).values()
    spending = Spending(sum(p.tokens for p in parts), sum(p.micro_usd for p in parts))
    return spending, sum(map(count_calls, ids)) if budget.calls is not None else 0


class Stopwatch:
    """How long workers have worked on a sweep, even if the machine's clock is changed meanwhile."""

    def __init__(self, before: float) -> None:
        self._before = before
        self._began = time.monotonic()

    @property
    def seconds(self) -> float:
        return self._before + time.monotonic() - self._began

    def explain(self, budget: SweepBudget) -> str:
        """Return why nothing more is run; empty while there is time left."""
        if budget.seconds is None or self.seconds < budget.seconds:
            return ""
        return f"The time limit of {_format_time(budget.seconds)} was reached."


def _format_time(seconds: float) -> str:
    """Return `20 s`, `30 min` or `2.5 min`."""
    return f"{seconds:g} s" if seconds < _MINUTE else f"{seconds / _MINUTE:.4g} min"
