"""The budget of a sweep, which its runs and its judges share, and its time."""

import time
from collections.abc import Iterable
from uuid import UUID

from optimize_app.evaluation.plan import Plan, SweepBudget
from optimize_app.evaluation.store.scores import sum_judges
from tapes_app.experiments.store.experiments import count_calls, sum_spendings
from tapes_app.runs.domain.reservations import NOTHING, Account, Cost
from tapes_app.runs.store.budgets import load_account, open_budget

_MINUTE = 60


def open_sweep_budget(sweep_id: UUID, plan: Plan, runs: Iterable[UUID]) -> None:
    """Set the limits of a sweep's spending; what it spent without any limit counts, too."""
    budget = plan.budget.of_runs()
    is_first = budget.limits_spending and load_account(sweep_id) is None
    open_budget(sweep_id, budget, used=_count_used(sweep_id, list(runs)) if is_first else NOTHING)


def load_sweep_account(sweep_id: UUID, plan: Plan) -> Account:
    """Return the account of a sweep; without any use if nothing limits its spending."""
    return load_account(sweep_id) or Account(plan.budget.of_runs())


def _count_used(sweep_id: UUID, runs: list[UUID]) -> Cost:
    used = sum_judges(sweep_id)
    total = Cost(used.tokens, used.micro_usd, used.calls)
    for run_id, spent in sum_spendings(runs).items():
        total = total.plus(Cost(spent.tokens, spent.micro_usd, count_calls(run_id)))
    return total


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
