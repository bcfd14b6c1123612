"""Whether a call fits into a budget that several share: pure decisions over one account.

Each call is reserved before it is sent, at what it will probably take, and settled at what it took.
What a call takes is known only afterwards: its prompt is measured, and its answer is expected to be
as long as its own limit allows or, without one, as the longest answer of its model so far. The
first answer of a model is a guess, so while it is written no other call of that model is sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from uuid import UUID

from tapes_app.runs.domain.decisions import explain_calls, show_money
from tapes_app.runs.domain.request import Budget


class Cost(NamedTuple):
    """What calls have used, or probably will."""

    tokens: int = 0
    micro_usd: int = 0
    calls: int = 0

    def plus(self, other: "Cost") -> "Cost":
        return Cost(*(mine + its for mine, its in zip(self, other, strict=True)))


NOTHING = Cost()


class Reservation(NamedTuple):
    """What is set aside for one call, and the attempt at a job that makes it."""

    job_id: UUID
    attempt: int
    model_name: str
    cost: Cost
    expected_tokens: int | None = None
    """How long its answer was taken to be; `None`: nothing says so yet."""

    has_limit: bool = False
    """Whether that is a limit which its model keeps."""


class Obstacle(NamedTuple):
    """Why a call cannot be sent."""

    reason: str
    is_final: bool
    """Whether it stays so however little the calls in progress turn out to use."""

    longest_answer: int | None = None
    """Tokens of the longest answer of the model so far."""


@dataclass(frozen=True, slots=True)
class Account:
    """A budget, what was used of it, and the reservations of the calls in progress."""

    limits: Budget
    used: Cost = NOTHING
    held: Mapping[str, Reservation] = field(default_factory=dict)
    longest_answers: Mapping[str, int] = field(default_factory=dict)
    refusal: str = ""

    @property
    def reserved(self) -> Cost:
        total = NOTHING
        for one in self.held.values():
            total = total.plus(one.cost)
        return total

    def explain_used_up(self) -> str:
        """Return why no further call is sent; empty while one may fit."""
        return self.refusal or explain_spending(self.limits, self.used)

    def count_free_calls(self) -> int | None:
        """Return how many calls are neither used nor reserved; `None`: they are not limited."""
        most = self.limits.calls
        return None if most is None else max(0, most - self.used.calls - self.reserved.calls)

    def find_obstacle(self, wanted: Reservation) -> Obstacle | None:
        """Return why a call cannot be sent now; `None` if it fits."""
        if reason := explain_spending(self.limits, self.used):
            return Obstacle(reason, is_final=True)
        reserved = self.reserved
        # A reserved call is used in any case, so nothing is gained by waiting for it.
        calls = self.limits.calls
        if calls is not None and self.used.calls + reserved.calls + wanted.cost.calls > calls:
            return Obstacle(explain_calls(calls), is_final=True)
        if reason := _explain_shortage(self.limits, self.used, wanted.cost):
            return Obstacle(reason, is_final=True)
        if reason := _explain_shortage(self.limits, self.used.plus(reserved), wanted.cost):
            longest = self.longest_answers.get(wanted.model_name)
            return Obstacle(reason, is_final=False, longest_answer=longest)
        if self.limits.limits_size and not wanted.has_limit:
            return self._find_longer_answer(wanted)
        return None

    def _find_longer_answer(self, wanted: Reservation) -> Obstacle | None:
        """Return an obstacle for a call whose answer may be longer than it was taken to be."""
        longest = self.longest_answers.get(wanted.model_name)
        if longest is not None and longest > (wanted.expected_tokens or -1):
            return Obstacle(
                "Its model has given longer answers.", is_final=False, longest_answer=longest
            )
        others = (one.model_name for one in self.held.values())
        if wanted.expected_tokens is None and wanted.model_name in others:
            return Obstacle("The length of the first answer is not known yet.", is_final=False)
        return None

    def hold(self, key: str, wanted: Reservation) -> "Account":
        return replace(self, held={**self.held, key: wanted})

    def settle(self, key: str, used: Cost, *, answer_tokens: int | None = None) -> "Account":
        """Return it with a reservation replaced by what was used; one that is gone is nothing."""
        reservation = self.held.get(key)
        if reservation is None:
            return self
        name, longest = reservation.model_name, dict(self.longest_answers)
        if answer_tokens is not None:
            longest[name] = max(answer_tokens, longest.get(name, 0))
        held = {other: one for other, one in self.held.items() if other != key}
        return replace(self, used=self.used.plus(used), held=held, longest_answers=longest)

    def settle_lost(self, attempts: Mapping[UUID, int]) -> "Account":
        """Return it with the calls of lost workers settled as reserved: they were probably sent.

        `attempts`: the current attempt of each running job.
        """
        account = self
        for key, one in self.held.items():
            if attempts.get(one.job_id) != one.attempt:
                account = account.settle(key, one.cost)
        return account


def explain_spending(budget: Budget, used: Cost) -> str:
    """Return which limit of spending is reached; empty while none is."""
    if budget.tokens is not None and used.tokens >= budget.tokens:
        return f"The budget of {budget.tokens:,} tokens is used up."
    if budget.micro_usd is not None and used.micro_usd >= budget.micro_usd:
        return f"The budget of {show_money(budget.micro_usd)} is used up."
    if budget.calls is not None and used.calls >= budget.calls:
        return explain_calls(budget.calls)
    return ""


def _explain_shortage(budget: Budget, used: Cost, wanted: Cost) -> str:
    """Return why a call does not fit beside what is used; empty if it does."""
    if budget.tokens is not None and used.tokens + wanted.tokens > budget.tokens:
        limit, needed = f"{budget.tokens:,} tokens", f"take about {wanted.tokens:,}"
        spent = f"{used.tokens:,} are used"
    elif budget.micro_usd is not None and used.micro_usd + wanted.micro_usd > budget.micro_usd:
        limit, needed = show_money(budget.micro_usd), f"cost about {show_money(wanted.micro_usd)}"
        spent = f"{show_money(used.micro_usd)} is used"
    else:
        return ""
    if not used.calls:
        return f"The budget of {limit} has no room for the first call, which would {needed}."
    return f"The budget of {limit} has no room for another call: {spent}, and it would {needed}."
