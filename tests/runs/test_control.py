"""A run goes as far as it was told, for as much as it was given, and hears people meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.jobs.hosting import WatchedHost
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.browsers import RunBrowser, work, working
from tests.runs.plugin import build_counter, build_talker
from tests.runs.tool_plugin import HOLD, IS_HELD, holding
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

TURN = ["count_thought", "set_next_node", "count_action", "counted_observation"]
LAST = ["count_thought", "set_next_node", "count_stop"]


@contextmanager
def model_that_answers(browser: RunBrowser, *behaviours: Behaviour) -> Iterator[str]:
    """Let the studio have a model that answers so; the value is its id."""
    with OpenAIServer() as server:
        server.plan(*behaviours)
        model = {"name": "local", "litellm_model": "openai/test-model", "base_url": server.base_url}
        yield browser.ask("POST", "models", model, expect=201)["id"]


@contextmanager
def speaking(browser: RunBrowser) -> Iterator[WatchedHost]:
    """Let a worker do a run whose first answer stops after three words until `HOLD` is set."""
    words = Behaviour(text="one two three four five", after=HOLD, first=4)
    with model_that_answers(browser, words) as model_id, holding():
        browser.resume(model_id=model_id)
        with working() as worker:
            wait_until(lambda: any(one["type"] == "step.delta" for one in browser.frames()))
            yield worker


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


def test_single_steps_pause_after_each_node_run_and_each_answer() -> None:
    browser = RunBrowser("2")

    seen = [browser.run(is_stepping=True)["run"]["step_count"]]
    seen += [browser.go_on("continue", {"mode": "step"})["run"]["step_count"] for _ in range(2)]

    assert seen == [4, 5, 8]
    job = browser.job()
    assert (job["state"], job["run"]["status"]) == ("succeeded", "finished")
    assert browser.kinds() == ["user", *TURN, *LAST]


def test_a_run_pauses_at_the_next_step_and_goes_on_from_there() -> None:
    browser = RunBrowser("4", spec=build_counter(environment="test-held-counter"))
    browser.resume()

    with holding(), working() as worker:
        wait_until(IS_HELD.is_set)
        browser.order("pause")
        worker.catch_up()
        HOLD.set()
    paused = browser.job()

    assert (paused["state"], paused["control"]["pause_asked_by"]) == ("paused", "")
    assert paused["message"] == f"Paused by {browser.person.name}."
    assert browser.kinds() == ["user", *TURN, *TURN]
    assert browser.go_on("continue", {"mode": "run"})["state"] == "succeeded"
    assert browser.kinds() == ["user", *TURN * 3, *LAST]


def test_who_pauses_in_the_middle_of_an_answer_has_the_whole_answer() -> None:
    browser = RunBrowser("2")

    with speaking(browser) as worker:
        browser.order("pause")
        worker.catch_up()
        HOLD.set()

    assert browser.job()["state"] == "paused"
    assert browser.kinds() == ["user", *TURN[:3]]
    assert browser.steps()[1]["body"]["text"] == "one two three four five"


def test_a_pause_that_was_not_made_yet_can_be_taken_back() -> None:
    browser = RunBrowser("2")
    browser.resume()

    asked = browser.order("pause")
    browser.order("continue", {"mode": "run"})
    work()

    assert asked["control"]["pause_asked_by"] == browser.person.name
    assert browser.job()["state"] == "succeeded"


@pytest.mark.parametrize(
    ("breakpoint_", "position", "count", "message"),
    [
        ({"kind": "node", "value": "main"}, 1, 1, "Paused before node 'main'."),
        ({"kind": "kind", "value": "test_count_action"}, 3, 4, "is of kind 'test_count_action'"),
        ({"kind": "kind", "value": "test_counted_observation"}, 4, 5, "step 4 is of kind"),
        (
            {"kind": "tool", "value": "test_count_action"},
            3,
            4,
            "before running 'test_count_action'",
        ),
        (
            {"kind": "condition", "value": "number == `2` && kind == 'test_count_action'"},
            7,
            8,
            "step 7",
        ),
    ],
)
def test_a_breakpoint_pauses_where_it_is_hit_and_is_passed_after_that(
    breakpoint_: dict[str, str], position: int, count: int, message: str
) -> None:
    browser = RunBrowser("3")

    paused = browser.run(breakpoints=[breakpoint_])

    assert (paused["state"], paused["run"]["status"]) == ("paused", "paused")
    assert paused["run"]["hit"] == {**breakpoint_, "position": position}
    assert message in paused["message"]
    assert len(browser.kinds()) == count
    again = browser.go_on("continue", {"mode": "run"})
    assert again["state"] == "succeeded" or again["run"]["hit"]["position"] > position


def test_breakpoints_are_changed_while_a_run_is_paused() -> None:
    browser = RunBrowser("3")
    browser.run(breakpoints=[{"kind": "node", "value": "main"}])

    browser.order("breakpoints", {"breakpoints": []})
    job = browser.go_on("continue", {"mode": "run"})

    assert job["state"] == "succeeded"
    refused = browser.order("breakpoints", {"breakpoints": []}, expect=409)
    assert "no effect" in refused["message"]


@pytest.mark.parametrize(
    ("value", "position"), [("kind ==", 7), ("kind = 'x'", 5), ("nosuch(kind)", 0)]
)
def test_a_condition_that_cannot_be_read_is_refused_with_its_place(
    value: str, position: int
) -> None:
    browser = RunBrowser()
    wrong = [{"kind": "condition", "value": value}]

    at_start = browser.resume(breakpoints=wrong, expect=422)
    browser.resume()
    later = browser.order("breakpoints", {"breakpoints": wrong}, expect=422)

    for refused in (at_start, later):
        assert refused["code"] == "condition_invalid"
        assert refused["details"]["position"] == position


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


def test_a_paused_tape_is_edited_and_the_child_goes_on_while_the_paused_run_stays() -> None:
    browser = RunBrowser("3")
    browser.run(breakpoints=[{"kind": "kind", "value": "test_count_action"}])
    paused_id, parent_id = browser.job_id, browser.tape_id
    changed = {"kind": "test_count_action", "number": 9}
    browser.ask(
        "PUT",
        f"tapes/{parent_id}/draft",
        {
            "version": 0,
            "operations": [{"op": "replace", "position": 3, "step": changed}],
            "applied_count": 1,
        },
    )

    job = browser.run(use_draft=True)

    assert job["state"] == "succeeded"
    assert browser.tape_id != parent_id
    assert browser.tape()[4].model_dump()["number"] == 9
    assert browser.ask("GET", f"jobs/{paused_id}")["state"] == "paused"
    stopped = browser.ask("POST", f"jobs/{paused_id}/cancel")
    assert stopped["state"] == "cancelled"


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


def test_a_run_that_waits_is_neither_paused_nor_continued_but_answered() -> None:
    browser = RunBrowser("hello", spec=build_talker())
    browser.run()

    pause = browser.order("pause", expect=409)
    go_on = browser.order("continue", {"mode": "run"}, expect=409)
    second = browser.resume(expect=409)

    assert "waiting for an answer" in pause["message"]
    assert go_on["message"] == "What is waiting cannot be continued; only a paused one can."
    assert "answer it or stop it" in second["message"]


def test_the_edit_of_a_run_that_waits_is_resumed_with_the_model_that_is_chosen() -> None:
    browser = RunBrowser("hello", spec=build_talker())
    browser.run()
    draft = {
        "version": 0,
        "operations": [
            {"op": "replace", "position": 0, "step": {"kind": "user", "content": "Say it anew."}}
        ],
        "applied_count": 1,
    }
    browser.ask("PUT", f"tapes/{browser.tape_id}/draft", draft)
    chosen = Behaviour(text="This is the chosen model.")
    with model_that_answers(browser, chosen) as model_id:
        browser.run(use_draft=True, model_id=model_id)

    assert browser.steps()[0]["body"]["content"] == "Say it anew."
    assert [row.call.output.content for row in browser.calls()] == ["This is the chosen model."]


def test_recorded_answers_are_used_again_where_the_prompt_is_unchanged() -> None:
    browser = RunBrowser("4")
    browser.run()
    first = browser.calls()

    job = browser.run(at=5, reuse_recorded=True)

    calls = browser.calls()
    assert [row.call.is_cached for row in calls] == [False, True, True, True]
    assert [row.call.output for row in calls] == [row.call.output for row in first]
    result = job["run"]
    assert (result["call_count"], result["cached_call_count"]) == (3, 3)
    assert (result["tokens"], result["cost_micro_usd"]) == (0, 0)


def test_without_the_wish_every_prompt_is_asked_anew() -> None:
    browser = RunBrowser("3")
    browser.run()

    browser.run(at=5)

    assert not any(row.call.is_cached for row in browser.calls())
