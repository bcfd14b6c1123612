"""A run goes as far as it was told, for as much as it was given."""

from typing import Any

import pytest

from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.browsers import RunBrowser, model_that_answers
from tests.runs.plugin import LAST, TURN

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("until", "kinds", "message"),
    [
        ({"kind": "end"}, [*TURN, *TURN, *LAST], ""),
        ({"kind": "next_action"}, TURN[:3], "at the action 'test_count_action'"),
        ({"kind": "next_node"}, TURN[:3], "after node 'main'"),
        ({"kind": "step", "position": 4}, TURN, "step 4 is on the tape"),
        ({"kind": "step", "position": 5}, [*TURN, *TURN[:3]], "step 5 is on the tape"),
    ],
)
def test_a_run_goes_as_far_as_it_was_told(
    until: dict[str, Any], kinds: list[str], message: str
) -> None:
    browser = RunBrowser("3")

    job = browser.run(until=until)

    assert browser.kinds() == ["user", *kinds]
    assert job["state"] == "succeeded"
    assert job["run"]["status"] == ("finished" if until["kind"] == "end" else "until")
    assert message in job["message"]


def test_what_a_run_did_and_spent_is_told() -> None:
    browser = RunBrowser("3")

    result = browser.run()["run"]

    usages = [row.call.usage for row in browser.calls()]
    tokens = sum((usage.input_tokens or 0) + (usage.output_tokens or 0) for usage in usages)
    assert (result["step_count"], result["new_step_count"]) == (12, 11)
    assert (result["tokens"], result["call_count"]) == (tokens, 3)
    assert (result["cost_micro_usd"], result["asks"], result["hit"]) == (0, None, None)


def test_a_budget_in_tokens_is_a_hard_stop_after_the_node_run_that_uses_it_up() -> None:
    browser = RunBrowser("50")

    job = browser.run(budget={"tokens": 30})

    assert (job["state"], job["run"]["status"]) == ("succeeded", "budget")
    assert 30 <= job["run"]["tokens"] < 60
    assert f"{job['run']['tokens']:,} were used" in job["message"]
    assert len(browser.kinds()) < 20


def test_a_budget_in_time_cuts_an_answer_off_and_keeps_what_came() -> None:
    browser = RunBrowser("1")
    hangs = Behaviour(text="one two three four five", hang_after=4)
    with model_that_answers(browser, hangs) as model_id:
        job = browser.run(model_id=model_id, budget={"seconds": 0.5})

    assert (job["state"], job["run"]["status"]) == ("succeeded", "budget")
    assert job["message"] == "The time limit of 0.5 s was reached."
    call = browser.ask("GET", f"tapes/{browser.tape_id}/calls/{job['run']['cut_off']['call_id']}")
    assert call["error"] == "The time limit of 0.5 s was reached."
    assert call["output"]["content"].strip() == "one two three"
    assert browser.kinds() == ["user"]


def test_a_budget_in_money_ends_a_run_whose_price_nobody_knows() -> None:
    browser = RunBrowser("5")
    with OpenAIServer() as server:
        model = {"name": "local", "litellm_model": "openai/test-model", "base_url": server.base_url}
        model_id = browser.ask("POST", "models", model, expect=201)["id"]

        job = browser.run(model_id=model_id, budget={"micro_usd": 100})

    assert (job["run"]["status"], job["run"]["call_count"]) == ("budget", 1)
    assert job["run"]["cost_micro_usd"] is None
    assert "The price of the model is unknown" in job["message"]


def test_parameters_reach_every_model_of_the_agent() -> None:
    browser = RunBrowser("1")

    browser.run(parameters={"delay_seconds": 0.001})

    (row,) = browser.calls()
    assert row.call.llm["parameters"] == {"delay_seconds": 0.001}


def test_an_endless_loop_ends_with_a_plain_sentence_and_keeps_everything() -> None:
    browser = RunBrowser("1000")

    job = browser.run(max_turns=3)

    assert (job["state"], job["error_code"]) == ("failed", "loop_limit")
    assert job["run"]["status"] == "loop_limit"
    assert job["message"].startswith("Stopped after 3 turns without finishing")
    assert browser.kinds() == ["user", *TURN, *TURN, *TURN]
    assert browser.go_on("requeue")["run"]["step_count"] == 25
