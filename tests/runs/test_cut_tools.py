"""A tool that takes too long is cut off, by the run's time or by Stop; what came is kept."""

import json
from collections.abc import Iterator

import pytest

from tests.runs.browsers import RunBrowser, working
from tests.runs.tool_plugin import HOLD, IS_HELD, build_tool_agent, holding
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def held() -> Iterator[None]:
    """Keep the tools that wait waiting until the test is over."""
    with holding():
        yield


def open_tools(*names: str) -> RunBrowser:
    return RunBrowser(json.dumps(names), spec=build_tool_agent())


def results(browser: RunBrowser) -> list[object]:
    return [step["body"]["content"] for step in browser.steps() if step["kind"] == "tool"]


def test_a_tool_that_outlasts_the_budget_is_cut_off_and_what_came_is_kept() -> None:
    browser = open_tools("hold", "look")

    job = browser.run(budget={"seconds": 0.5})

    assert (job["state"], job["run"]["status"]) == ("succeeded", "budget")
    assert job["message"] == (
        "The time limit of 0.5 s was reached. Interrupted before its result arrived: 'hold'; "
        "resuming runs it again. 'hold' could not be stopped and may still be running."
    )
    assert job["run"]["cut_actions"] == [
        {"position": 2, "tool": "hold", "call_id": "c0", "is_left_behind": True}
    ]
    assert results(browser) == [7]
    assert job["run"]["step_count"] == 4


def test_a_tool_that_can_be_cancelled_is_not_left_behind() -> None:
    browser = open_tools("hold_nicely")

    job = browser.run(budget={"seconds": 0.3})

    assert job["run"]["cut_actions"][0]["is_left_behind"] is False
    assert "could not be stopped" not in job["message"]


@pytest.mark.parametrize("name", ["hold", "hold_nicely"])
def test_stop_does_not_wait_for_a_tool(name: str) -> None:
    browser = open_tools(name, "look")
    browser.resume()

    with working():
        wait_until(IS_HELD.is_set)
        browser.order("cancel")
    job = browser.job()

    assert not HOLD.is_set()
    assert (job["state"], job["run"]["status"]) == ("cancelled", "cancelled")
    assert [(cut["tool"], cut["is_left_behind"]) for cut in job["run"]["cut_actions"]] == [
        (name, name == "hold")
    ]
    assert f"Interrupted before its result arrived: '{name}'" in job["message"]
    assert results(browser) == [7]


def test_a_tool_that_was_cut_off_is_done_again_when_the_run_goes_on() -> None:
    browser = open_tools("hold", "look")
    browser.run(budget={"seconds": 0.5})
    HOLD.set()

    job = browser.run()

    assert (job["state"], job["run"]["cut_actions"]) == ("succeeded", [])
    assert results(browser) == [7, "held"]
