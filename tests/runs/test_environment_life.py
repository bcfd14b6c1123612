"""An environment is opened for a run, continues from the state of its tape, and is closed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tapes_app.engine.agent.registration import gallery_agents
from tests.jobs.hosting import host_beside
from tests.runs.browsers import RunBrowser, working
from tests.runs.ledger import LIFE, build_bookkeeper
from tests.runs.tool_plugin import IS_HELD, holding
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def new_life() -> Iterator[None]:
    LIFE.clear()
    with holding():
        yield


def open_books(*names: str, **settings: Any) -> RunBrowser:
    return RunBrowser(json.dumps(names), spec=build_bookkeeper(**settings))


def counts(browser: RunBrowser) -> list[int | None]:
    """The state after each result."""
    tools = [step for step in browser.tape() if step.kind == "tool"]
    return [step.metadata.other.get("state", {}).get("count") for step in tools]


def test_it_is_opened_for_the_run_and_its_state_is_on_the_steps() -> None:
    browser = open_books("add", "look", "add", by=2)

    job = browser.run()

    assert (job["state"], counts(browser)) == ("succeeded", [2, None, 4])
    assert LIFE == ["opened at 0", "closed at 4"]


def test_after_a_wait_for_a_person_it_continues_from_its_state() -> None:
    browser = open_books("add", "send", "add")

    waiting = browser.run()
    assert (waiting["state"], LIFE) == ("waiting", ["opened at 0", "closed at 1"])
    job = browser.go_on("reply", {"approve": True})

    assert (job["state"], counts(browser)) == ("succeeded", [1, None, 2])
    assert LIFE[2:] == ["opened at 1", "closed at 2"]


def test_a_fork_in_the_middle_begins_with_the_state_there() -> None:
    browser = open_books("add", "add", "add")
    browser.run()
    original = browser.tape_id

    browser.run(at=4)

    assert browser.tape_id != original
    assert (len(browser.tape().steps), counts(browser)) == (8, [1, 2, 3])
    assert LIFE[2:] == ["opened at 1", "closed at 3"]


def test_it_is_closed_when_the_run_is_cancelled() -> None:
    browser = open_books("add", "hold_nicely")
    browser.resume()

    with working():
        wait_until(IS_HELD.is_set)
        browser.order("cancel")

    assert browser.job()["state"] == "cancelled"
    assert LIFE == ["opened at 0", "closed at 1"]


def test_it_is_closed_when_its_code_fails() -> None:
    browser = open_books("add", "spill")

    job = browser.run()

    assert job["state"] == "failed"
    assert "Environment 'environment', asked to answer 'spill', failed with" in job["message"]
    assert LIFE == ["opened at 0", "closed at 1"]


def test_a_secret_is_read_by_its_name(settings: Any) -> None:
    settings.STUDIO_READ_VARIABLE = {"LEDGER_KEY": "open sesame"}.get

    browser = open_books("add", key="LEDGER_KEY")
    job = browser.run()
    without = open_books("add", key="NO_KEY").run()

    assert (job["state"], LIFE[0]) == ("succeeded", "key open sesame")
    assert (without["state"], without["error_code"]) == ("failed", "agent_config")
    assert "the variable 'NO_KEY', which is not set" in without["message"]


def test_one_for_a_branch_stays_open_over_the_wait() -> None:
    browser = open_books("add", "send", "add", lifetime="branch")
    browser.resume()

    with host_beside("agents") as host:
        wait_until(lambda: browser.job()["state"] == "waiting")
        assert LIFE == ["opened at 0"]
        browser.order("reply", {"approve": True})
        wait_until(lambda: browser.job()["state"] == "succeeded")
        host.stopping.set()

    assert counts(browser) == [1, None, 2]
    assert LIFE == ["opened at 0", "closed at 2"]


def test_variables_of_code_are_those_of_the_step_in_a_fork_that_another_run_continues() -> None:
    question = "Compare the shares of Vulcan and Aster Mills."
    browser = RunBrowser(question, spec=gallery_agents.get("data-science")())
    browser.run()
    whole = browser.tape()
    ran = [
        place
        for place, step in enumerate(whole.steps)
        if step.metadata.other.get("state", {}).get("code")
    ]

    job = browser.run(at=ran[0] + 2)  # the second call has failed; the third needs the first's

    forked = browser.tape()
    assert (job["state"], len(ran), len(forked)) == ("waiting", 2, len(whole))
    assert forked[-1].llm_dict()["content"] == whole[-1].llm_dict()["content"]
    assert str(forked[-1].llm_dict()["content"]).startswith("Approved. VMC did best")
