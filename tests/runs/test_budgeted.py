"""What a run takes of its budget: one reservation for each call, and nothing for recorded ones."""

from collections.abc import Iterator
from datetime import timedelta
from threading import Event
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from tapes_app.jobs.store.claims import requeue_lost_jobs
from tapes_app.jobs.store.job import Job
from tapes_app.models import ModelRecord
from tapes_app.runs.domain.request import Budget
from tapes_app.runs.domain.reservations import NOTHING, Account, Cost, Reservation
from tapes_app.runs.store.budgets import load_account, open_budget, reserve
from tests.jobs.builders import let_lease_run_out, store_claimed_job
from tests.llms.conftest import model_server
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.browsers import RunBrowser, working
from tests.waiting import wait_until

__all__ = ["model_server"]

pytestmark = pytest.mark.django_db(transaction=True)


def add_model(browser: RunBrowser, server: OpenAIServer) -> str:
    model = {"name": "local", "litellm_model": "openai/test-model", "base_url": server.base_url}
    return str(browser.ask("POST", "models", model, expect=201)["id"])


def account_of(browser: RunBrowser) -> Account:
    account = load_account(UUID(browser.job_id))
    assert account is not None
    return account


def test_a_call_that_the_client_repeats_is_one_call_and_counts_as_what_it_used(
    model_server: OpenAIServer,
) -> None:
    browser = RunBrowser("1")
    model_server.plan(Behaviour(status=429, error="Slow down.", retry_after="0"))
    model = add_model(browser, model_server)

    job = browser.run(model_id=model, budget={"calls": 1, "tokens": 10_000})

    account = account_of(browser)
    assert (job["run"]["status"], len(model_server.requests)) == ("finished", 2)
    assert (account.used.calls, account.used.tokens) == (1, job["run"]["tokens"])
    assert account.held == {}


def test_a_call_whose_every_attempt_is_refused_counts_without_cost(
    model_server: OpenAIServer,
) -> None:
    browser = RunBrowser("1")
    model_server.default = Behaviour(status=401, error="Incorrect API key provided.")
    model = add_model(browser, model_server)

    job = browser.run(model_id=model, budget={"calls": 5, "tokens": 10_000})

    account = account_of(browser)
    assert (job["state"], account.held) == ("failed", {})
    assert account.used == NOTHING._replace(calls=1)


def test_recorded_answers_need_no_reservation_and_cost_nothing() -> None:
    browser = RunBrowser("4")
    browser.run()

    job = browser.run(at=5, reuse_recorded=True, budget={"calls": 1, "tokens": 1})

    assert job["run"]["status"] == "finished"
    assert (job["run"]["call_count"], job["run"]["cached_call_count"]) == (3, 3)
    account = account_of(browser)
    assert (account.used, account.held, account.refusal) == (NOTHING, {}, "")


def test_a_run_that_ends_before_a_call_tells_what_the_call_would_take() -> None:
    browser = RunBrowser("1")

    job = browser.run(budget={"tokens": 1})

    needed = job["run"]["refused_call"]["tokens"]
    assert f"would take about {needed:,}." in job["message"]
    again = browser.run(budget={"tokens": needed})
    assert again["run"]["call_count"] == 1


def hold_everything(browser: RunBrowser, job: Job, limits: Budget) -> None:
    """Let another job's call in progress hold a run's budget, so that its calls wait."""
    budget = UUID(browser.job_id)
    assert limits.tokens is not None
    open_budget(budget, limits)
    reserve(budget, "another", Reservation(job.id, job.attempt, "m", Cost(limits.tokens, 0, 1)))


@pytest.mark.parametrize("seconds", [None, 0.5])
@pytest.mark.parametrize("options", [{}, {"reuse_recorded": True}])
def test_a_call_that_waits_for_its_budget_when_its_run_is_stopped_was_never_sent(
    seconds: float | None, options: dict[str, Any]
) -> None:
    limits = Budget(tokens=10_000, seconds=seconds)
    browser, other = RunBrowser("3"), store_claimed_job(queue="train")
    browser.resume(budget=limits.model_dump(exclude_none=True), **options)
    hold_everything(browser, other, limits)

    with working():
        wait_until(lambda: any(one["type"] == "node.started" for one in browser.frames()))
        if seconds is None:
            browser.order("cancel")

    run, account = browser.job()["run"], account_of(browser)
    assert (run["status"], run["cut_off"]) == ("budget" if seconds else "cancelled", None)
    assert (run["call_count"], browser.calls()) == (0, [])
    assert (account.used, set(account.held)) == (NOTHING, {"another"})


@pytest.mark.parametrize("options", [{}, {"budget": {"calls": 5, "tokens": 10_000}}])
def test_a_first_call_that_waits_for_a_rate_limit_when_its_run_is_stopped_was_never_sent(
    model_server: OpenAIServer, options: dict[str, Any]
) -> None:
    browser = RunBrowser("3")
    model = add_model(browser, model_server)
    held_until = timezone.now() + timedelta(seconds=60)
    ModelRecord.objects.filter(id=model).update(limited_until=held_until)
    browser.resume(model_id=model, **options)

    with working():
        wait_until(lambda: any(one["type"] == "node.started" for one in browser.frames()))
        browser.order("cancel")

    run = browser.job()["run"]
    assert (run["status"], run["cut_off"]) == ("cancelled", None)
    assert (run["call_count"], browser.calls(), model_server.requests) == (0, [], [])
    if options:
        assert (account_of(browser).used, account_of(browser).held) == (NOTHING, {})


@pytest.fixture
def never(model_server: OpenAIServer) -> Iterator[Event]:
    """What the first answer waits for, until the test is over."""
    answers = Event()
    model_server.plan(Behaviour(after=answers))
    yield answers
    answers.set()


@pytest.mark.usefixtures("never")
@pytest.mark.parametrize(("calls", "status", "held"), [(4, "finished", 1), (3, "budget", 0)])
def test_a_call_of_a_lost_attempt_counts_and_the_next_attempt_goes_on_with_the_rest(
    model_server: OpenAIServer, calls: int, status: str, held: int
) -> None:
    browser = RunBrowser("3")
    browser.resume(model_id=add_model(browser, model_server), budget={"calls": calls})

    with working():
        wait_until(lambda: model_server.requests, "the first call")
        wait_until(lambda: lose(browser.job_id), "the lease to run out")

    job, account = browser.job(), account_of(browser)
    assert (job["state"], job["run"]["status"]) == ("succeeded", status)
    assert len(model_server.requests) == calls
    assert job["run"]["call_count"] == calls - 1  # what the lost one said is unknown
    # It is settled once it is in the way.
    assert (account.used.calls, len(account.held)) == (3, held)


def lose(job_id: str) -> list[Job]:
    """Queue a job again whose lease ran out, as while its worker cannot reach the database."""
    let_lease_run_out(UUID(job_id))
    return requeue_lost_jobs()
