"""Accounts of budgets: reserving and settling calls, each under the lock of one row."""

from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from django.db import transaction

from tapes_app.models import BudgetRecord, JobRecord
from tapes_app.runs.domain.request import Budget
from tapes_app.runs.domain.reservations import NOTHING, Account, Cost, Obstacle, Reservation


@transaction.atomic
def open_budget(budget_id: UUID, limits: Budget, *, used: Cost = NOTHING) -> Account:
    """Set the limits of a budget and return its account, which begins with `used` if it is new.

    What has no limit and never had one needs no row.
    """
    wanted = Account(limits.model_copy(update={"seconds": None}), used)
    record = BudgetRecord.objects.select_for_update().filter(id=budget_id).first()
    if record is None:
        if limits.limits_spending:
            _write(BudgetRecord(id=budget_id), wanted)
        return wanted
    account = _read(record)
    if account.limits != wanted.limits:
        account = replace(account, limits=wanted.limits, refusal="")
        _write(record, account)
    return account


def load_account(budget_id: UUID) -> Account | None:
    """Return the account of a budget; `None`: it was never opened."""
    record = BudgetRecord.objects.filter(id=budget_id).first()
    return None if record is None else _read(record)


def has_account(budget_id: UUID) -> bool:
    """Return whether a budget was opened; if not, its calls need no reservation."""
    return BudgetRecord.objects.filter(id=budget_id).exists()


def refuse(budget_id: UUID, reason: str) -> None:
    """Note that a call was not sent because it would not fit."""
    BudgetRecord.objects.filter(id=budget_id).update(refusal=reason)


@transaction.atomic
def reserve(budget_id: UUID, key: str, wanted: Reservation) -> Obstacle | None:
    """Set aside what a call may take; return why it cannot be sent, if it does not fit."""
    record = _lock(budget_id)
    account = _read(record)
    obstacle = account.find_obstacle(wanted)
    if obstacle is not None and account.held:
        account = account.settle_lost(_list_attempts({one.job_id for one in account.held.values()}))
        obstacle = account.find_obstacle(wanted)
    if obstacle is None:
        account = account.hold(key, wanted)
    elif obstacle.is_final:
        account = replace(account, refusal=obstacle.reason)
    _write(record, account)
    return obstacle


@transaction.atomic
def settle(budget_id: UUID, key: str, used: Cost, answer_tokens: int | None) -> None:
    """Replace a reservation by what its call used."""
    record = _lock(budget_id)
    _write(record, _read(record).settle(key, used, answer_tokens=answer_tokens))


def _lock(budget_id: UUID) -> BudgetRecord:
    return BudgetRecord.objects.select_for_update().get(id=budget_id)


def _list_attempts(job_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return the current attempt of those of the given jobs that are running."""
    running = JobRecord.objects.filter(id__in=job_ids, state=JobRecord.State.RUNNING)
    return dict(running.values_list("id", "attempt"))


def _read(record: BudgetRecord) -> Account:
    return Account(
        limits=Budget(tokens=record.tokens, micro_usd=record.micro_usd, calls=record.calls),
        used=Cost(record.used_tokens, record.used_micro_usd, record.used_calls),
        held={
            key: Reservation(UUID(job), attempt, model, Cost(*cost))
            for key, (job, attempt, model, cost) in record.held.items()
        },
        longest_answers=record.longest_answers,
        refusal=record.refusal,
    )


def _write(record: BudgetRecord, account: Account) -> None:
    for name, count in account.used._asdict().items():
        setattr(record, name, getattr(account.limits, name))
        setattr(record, f"used_{name}", count)
    record.held = {
        key: [str(one.job_id), one.attempt, one.model_name, one.cost]
        for key, one in account.held.items()
    }
    record.longest_answers = dict(account.longest_answers)
    record.refusal = account.refusal
    record.save()
