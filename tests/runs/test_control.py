"""A run is paused, continued, edited and stopped where people want it."""

import pytest

from tests.llms.openai_server import Behaviour
from tests.runs.browsers import RunBrowser, model_that_answers, speaking, work, working
from tests.runs.plugin import LAST, TURN, build_counter, build_talker
from tests.runs.tool_plugin import HOLD, IS_HELD, holding
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


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
