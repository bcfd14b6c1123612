"""What is left of a run that was stopped, or that broke."""

import pytest

from tests.llms.openai_server import Behaviour
from tests.runs.browsers import RunBrowser, model_that_answers, speaking, work
from tests.runs.plugin import LAST, TURN, build_counter

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_run_that_is_stopped_shows_what_came_of_the_answer() -> None:
    browser = RunBrowser("5")

    with speaking(browser):
        browser.order("cancel")
    job = browser.job()

    assert (job["state"], job["run"]["status"]) == ("cancelled", "cancelled")
    cut_off = job["run"]["cut_off"]
    assert (cut_off["agent"], cut_off["node"]) == ("counter", "main")
    call = browser.ask("GET", f"tapes/{browser.tape_id}/calls/{cut_off['call_id']}")
    assert call["output"]["content"].strip() == "one two three"
    assert call["error"] == job["message"] == f"Cancelled by {browser.person.name}."
    deltas = [frame["text"] for frame in browser.frames() if frame["type"] == "step.delta"]
    assert "".join(deltas) == call["output"]["content"]


def test_a_provider_that_breaks_in_the_middle_leaves_its_words_and_the_run_can_go_on() -> None:
    browser = RunBrowser("3", spec=build_counter(script="test-refuse-second"))

    failed = browser.run()

    assert (failed["state"], failed["error_code"]) == ("failed", "llm_error")
    assert (failed["message"], failed["run"]["status"]) == ("The provider broke off.", "error")
    assert browser.kinds() == ["user", *TURN]
    again = browser.go_on("requeue")
    assert again["state"] == "succeeded"
    assert browser.kinds() == ["user", *TURN, *TURN, *LAST]


def test_a_connection_that_breaks_in_the_middle_of_an_answer_keeps_what_came() -> None:
    browser = RunBrowser("2")
    breaks = Behaviour(text="one two three four five", drop_after=3)
    with model_that_answers(browser, breaks) as model_id:
        failed = browser.run(model_id=model_id)
        call_id = failed["run"]["cut_off"]["call_id"]
        call = browser.ask("GET", f"tapes/{browser.tape_id}/calls/{call_id}")
        again = browser.go_on("requeue")

    assert (failed["state"], failed["run"]["status"]) == ("failed", "error")
    assert failed["message"] == call["error"]
    assert call["output"]["content"].startswith("one")
    assert (again["state"], again["run"]["cut_off"]) == ("succeeded", None)


def test_a_run_that_cannot_begin_says_so_and_can_be_tried_again() -> None:
    browser = RunBrowser("2")
    model = {"name": "local", "litellm_model": "openai/test-model", "base_url": "http://localhost"}
    model_id = browser.ask("POST", "models", model, expect=201)["id"]
    browser.resume(model_id=model_id)
    browser.ask("DELETE", f"models/{model_id}", expect=204)

    work()
    failed = browser.job()
    again = browser.go_on("requeue")

    assert (failed["state"], failed["error_code"]) == ("failed", "not_found")
    assert failed["message"].startswith("The model chosen for this run no longer exists")
    assert (failed["run"]["status"], failed["run"]["call_count"]) == ("unopened", 0)
    assert (again["state"], again["run"]["status"]) == ("failed", "unopened")
    assert browser.frames()[-1]["result"] == again["run"]


def test_a_run_that_cannot_go_on_keeps_what_it_did_before() -> None:
    browser = RunBrowser("2")
    with model_that_answers(browser) as model_id:
        paused = browser.run(model_id=model_id, is_stepping=True)
    browser.ask("DELETE", f"models/{model_id}", expect=204)

    failed = browser.go_on("continue", {"mode": "run"})

    assert (failed["state"], failed["run"]["status"]) == ("failed", "unopened")
    assert (paused["run"]["call_count"], failed["run"]["call_count"]) == (1, 1)
    assert failed["run"]["step_count"] == len(browser.kinds())
