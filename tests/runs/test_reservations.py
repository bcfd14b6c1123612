"""Whether a call fits a budget that others share: decisions over one account, and its row."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from django.db import connection

from tapes_app.models import JobRecord
from tapes_app.runs.domain.request import Budget
from tapes_app.runs.domain.reservations import Account, Cost, Reservation
from tapes_app.runs.store import budgets as storage
from tests.jobs.builders import store_claimed_job

JOB = UUID(int=1)


def asking(tokens: int = 10, *, expected: int | None = 5, model: str = "m") -> Reservation:
    return Reservation(JOB, 1, model, Cost(tokens, tokens, 1), expected_tokens=expected)


def test_calls_that_are_in_progress_count_as_used() -> None:
    account = Account(Budget(calls=2), Cost(calls=1)).hold("a", asking())

    obstacle = account.find_obstacle(asking())

    assert obstacle is not None
    assert (obstacle.is_final, obstacle.reason) == (
        True, "The budget of 2 LLM calls is used up.",
    )  # fmt: skip
    assert account.count_free_calls() == 0


def test_a_call_waits_for_those_in_progress_while_they_may_use_less_than_reserved() -> None:
    account = Account(Budget(tokens=25), longest_answers={"m": 5}).hold("a", asking(20))

    before = account.find_obstacle(asking())
    after = account.settle("a", Cost(12, 12, 1), answer_tokens=3).find_obstacle(asking())

    assert before is not None
    assert not before.is_final
    assert after is None


def test_a_call_that_never_fits_is_refused_at_once() -> None:
    account = Account(Budget(micro_usd=25), Cost(micro_usd=20, calls=1), longest_answers={"m": 5})

    obstacle = account.find_obstacle(asking(6))

    assert obstacle is not None
    assert (obstacle.is_final, obstacle.reason) == (
        True,
        "The budget of $0.000025 has no room for another call: $0.00002 is used, and it would "
        "cost about $0.000006.",
    )


def test_a_budget_without_room_for_any_call_says_so() -> None:
    obstacle = Account(Budget(tokens=5)).find_obstacle(asking(6))

    assert obstacle is not None
    assert (obstacle.is_final, obstacle.reason) == (
        True,
        "The budget of 5 tokens has no room for the first call, which would take about 6.",
    )


def test_an_estimate_that_was_too_low_is_settled_at_what_was_used() -> None:
    account = Account(Budget(tokens=25)).hold("a", asking(10, expected=None))

    settled = account.settle("a", Cost(90, 0, 1), answer_tokens=80)

    assert settled.used == Cost(90, 0, 1)
    assert settled.explain_used_up() == "The budget of 25 tokens is used up."
    assert settled.longest_answers == {"m": 80}


def test_the_first_answer_of_a_model_is_awaited_and_then_expected() -> None:
    account = Account(Budget(tokens=1000)).hold("a", asking(10, expected=None))

    meanwhile = account.find_obstacle(asking(10, expected=None))
    other = account.find_obstacle(asking(10, expected=None, model="another"))
    learnt = account.settle("a", Cost(50, 0, 1), answer_tokens=40)
    guessed = learnt.find_obstacle(asking(10, expected=None))
    limited = learnt.find_obstacle(asking(10, expected=4)._replace(has_limit=True))

    assert meanwhile is not None
    assert not meanwhile.is_final
    assert guessed is not None
    assert guessed.longest_answer == 40
    assert (other, learnt.find_obstacle(asking(50, expected=40)), limited) == (None, None, None)


def test_what_is_counted_in_calls_waits_for_no_length() -> None:
    account = Account(Budget(calls=3)).hold("a", asking(10, expected=None))

    assert account.find_obstacle(asking(10, expected=None)) is None


def test_a_reservation_that_is_gone_is_settled_only_once() -> None:
    account = Account(Budget(calls=3)).hold("a", asking()).settle("a", Cost(1, 1, 1))

    assert account.settle("a", Cost(1, 1, 1)) == account


@pytest.mark.django_db
class TestItsRow:
    def test_a_raised_limit_forgets_that_a_call_was_refused(self) -> None:
        budget = uuid4()
        storage.open_budget(budget, Budget(calls=1))
        storage.reserve(budget, "a", asking())
        storage.reserve(budget, "b", asking())

        same = storage.open_budget(budget, Budget(calls=1, seconds=5))
        more = storage.open_budget(budget, Budget(calls=2))

        assert same.explain_used_up() == "The budget of 1 LLM call is used up."
        assert (more.explain_used_up(), more.count_free_calls()) == ("", 1)

    def test_what_was_spent_before_there_was_a_limit_counts(self) -> None:
        budget = uuid4()
        storage.open_budget(budget, Budget(), used=Cost(calls=9))

        opened = storage.open_budget(budget, Budget(calls=10), used=Cost(calls=9))
        again = storage.open_budget(budget, Budget(calls=10), used=Cost(calls=1))

        assert (opened.count_free_calls(), again.count_free_calls()) == (1, 1)

    def test_the_calls_of_a_lost_worker_are_settled_as_reserved(self) -> None:
        job = store_claimed_job()
        budget, lost = uuid4(), asking(30)._replace(job_id=job.id)
        storage.open_budget(budget, Budget(tokens=50))
        storage.reserve(budget, "lost", lost)
        wanted = asking(30)._replace(job_id=job.id, model_name="another")

        meanwhile = storage.reserve(budget, "new", wanted)
        JobRecord.objects.filter(id=job.id).update(attempt=2)
        afterwards = storage.reserve(budget, "new", wanted._replace(attempt=2))

        assert meanwhile is not None
        assert not meanwhile.is_final
        assert afterwards is not None
        assert afterwards.is_final
        account = storage.load_account(budget)
        assert account is not None
        assert account.used == lost.cost


@pytest.mark.django_db(transaction=True)
def test_many_who_reserve_at_once_never_exceed_the_budget() -> None:
    budget = uuid4()
    storage.open_budget(budget, Budget(calls=20))

    def reserve(number: int) -> bool:
        try:
            return storage.reserve(budget, str(number), asking()) is None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        sent = list(threads.map(reserve, range(32)))

    assert sum(sent) == 20
    account = storage.load_account(budget)
    assert account is not None
    # Nobody works on the job of these calls, so whoever was refused settled them.
    assert account.used.plus(account.reserved).calls == 20
