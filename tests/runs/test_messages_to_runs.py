"""A running agent hears people."""

import pytest

from tests.runs.browsers import RunBrowser, speaking, work, working
from tests.runs.plugin import LAST, TURN, build_counter, build_talker
from tests.runs.tool_plugin import HOLD, IS_HELD, holding
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_message_is_delivered_at_the_next_turn_and_signed_by_the_person() -> None:
    browser = RunBrowser("3")
    browser.run(breakpoints=[{"kind": "kind", "value": "test_count_action"}])

    waiting = browser.order("steer", {"text": "look again"})
    browser.order("breakpoints", {"breakpoints": []})
    job = browser.go_on("continue", {"mode": "run"})

    assert [message["text"] for message in waiting["control"]["messages"]] == ["look again"]
    assert browser.kinds() == ["user", *TURN, "user", *TURN, *LAST]
    said = browser.steps()[5]
    assert (said["writer"], said["body"]["content"]) == ("person", "look again")
    assert (job["state"], job["control"]["messages"]) == ("succeeded", [])


def test_words_said_before_a_node_do_not_stop_at_its_breakpoint_again() -> None:
    browser = RunBrowser("1")
    browser.run(breakpoints=[{"kind": "node", "value": "main"}])

    browser.order("steer", {"text": "be brief"})
    job = browser.go_on("continue", {"mode": "run"})

    assert job["state"] == "succeeded"
    assert browser.kinds() == ["user", "user", *LAST]


def test_a_message_to_a_running_agent_is_heard_once() -> None:
    browser = RunBrowser("4", spec=build_counter(environment="test-held-counter"))
    browser.resume()

    with holding(), working() as worker:
        wait_until(IS_HELD.is_set)
        browser.order("steer", {"text": "hello there"})
        worker.catch_up()
        HOLD.set()

    assert browser.kinds() == ["user", *TURN, *TURN, "user", *TURN, *LAST]
    assert browser.job()["control"]["messages"] == []


def test_a_message_in_the_middle_of_an_answer_is_heard_after_it() -> None:
    browser = RunBrowser("2")

    with speaking(browser) as worker:
        browser.order("steer", {"text": "be brief"})
        worker.catch_up()
        HOLD.set()

    assert browser.kinds() == ["user", *TURN, "user", *LAST]


def test_a_message_answers_an_agent_that_waits_for_words() -> None:
    browser = RunBrowser("hello", spec=build_talker())
    waiting = browser.run()

    job = browser.go_on("steer", {"text": "and bye"})

    assert waiting["run"]["asks"]["kind"] == "assistant"
    assert job["state"] == "succeeded"
    assert [step["writer"] for step in browser.steps() if step["kind"] == "user"][-1] == "person"


def test_a_message_said_before_the_agent_waits_is_its_answer() -> None:
    browser = RunBrowser("hello", spec=build_talker())
    browser.resume()
    browser.order("steer", {"text": "so"})
    browser.order("steer", {"text": "bye"})

    work()

    assert browser.job()["state"] == "succeeded"
    assert browser.kinds()[:3] == ["user", "user", "user"]


def test_a_message_that_comes_too_late_is_not_lost() -> None:
    browser = RunBrowser("1", spec=build_counter(script="test-held-words"))
    browser.resume()

    with holding(), working():
        wait_until(IS_HELD.is_set)
        queued = browser.order("steer", {"text": "too late?"})["control"]["messages"]
        message = f"jobs/{browser.job_id}/messages/{queued[0]['id']}"
        assert "pause the run" in browser.ask("DELETE", message, expect=409)["message"]
        HOLD.set()
    job = browser.job()

    assert job["state"] == "succeeded"
    assert job["message"] == "The run ended before the agent read this message: too late?"
    assert [message["text"] for message in job["control"]["messages"]] == ["too late?"]
    refused = browser.order("steer", {"text": "hello?"}, expect=409)
    assert "resume the tape" in refused["message"]
    assert browser.ask("DELETE", message)["control"]["messages"] == []
    assert "no longer waiting" in browser.ask("DELETE", message, expect=409)["message"]
    assert browser.frames()[-1]["type"] == "job.state"


def test_a_message_is_taken_back_before_it_is_heard() -> None:
    browser = RunBrowser("2")
    browser.run(is_stepping=True)
    queued = browser.order("steer", {"text": "look again"})["control"]["messages"]

    browser.ask("DELETE", f"jobs/{browser.job_id}/messages/{queued[0]['id']}")
    browser.go_on("continue", {"mode": "run"})

    assert browser.kinds().count("user") == 1
