"""What a run may do outside: each tool live, replayed, mocked or asked for; people give leave."""

import json

import pytest

from tapes_app.engine.environment.tool_rules import ToolRule
from tests.runs.browsers import RunBrowser, work
from tests.runs.tool_plugin import SENT, build_tool_agent

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_sent() -> None:
    SENT.clear()


def open_tools(*names: str) -> RunBrowser:
    return RunBrowser(json.dumps(names), spec=build_tool_agent())


def results(browser: RunBrowser) -> list[object]:
    return [step["body"]["content"] for step in browser.steps() if step["kind"] == "tool"]


def test_an_irreversible_tool_asks_before_it_is_run() -> None:
    browser = open_tools("look", "send", "look")

    job = browser.run()

    assert (job["state"], job["run"]["status"]) == ("waiting", "external_input_needed")
    asks = job["run"]["asks"]
    assert (asks["position"], asks["kind"], asks["tool"], asks["call_id"]) == (
        2,
        "assistant",
        "send",
        "c1",
    )
    assert (asks["can_approve"], asks["data_schema"]) == (True, {"type": "string"})
    assert "'send' needs your approval" in asks["message"]
    assert (results(browser), SENT) == ([7], [])


def test_a_tool_learns_of_the_run_that_calls_it() -> None:
    browser = open_tools("look", "where")

    browser.run()

    assert results(browser)[1] == {
        "run": browser.job_id,
        "project": str(browser.person.project_id),
        "tape": str(browser.tape_id),
        "position": 2,
        "call": "c1",
    }


def test_leave_lets_it_run_once_and_the_order_of_results_is_that_of_the_calls() -> None:
    browser = open_tools("look", "send", "look", "send")
    browser.run()

    again = browser.go_on("reply", {"approve": True})

    assert (SENT, results(browser)) == (["sent"], [7, "sent", 7])
    assert (again["state"], again["run"]["asks"]["call_id"]) == ("waiting", "c3")
    job = browser.go_on("reply", {"approve": True})
    assert (job["state"], SENT) == ("succeeded", ["sent", "sent"])
    assert job["control"]["approvals"] == []


def test_what_a_person_refuses_is_an_error_for_the_agent_to_read() -> None:
    browser = open_tools("send")
    browser.run()

    job = browser.go_on("reply", {"approve": False})

    (result,) = [step for step in browser.steps() if step["kind"] == "tool"]
    assert (job["state"], SENT) == ("succeeded", [])
    assert result["body"]["content"] == "Error: a person denied this action."
    assert (result["is_error"], result["writer"]) == (True, "person")


def test_a_person_gives_the_result_instead() -> None:
    browser = open_tools("send")
    browser.run()

    refused = browser.order("reply", {"data": 12}, expect=422)
    job = browser.go_on("reply", {"data": "sent by hand"})

    assert (refused["code"], refused["details"]["path"]) == ("answer_invalid", "")
    assert "is not of type 'string'" in refused["message"]
    assert (job["state"], results(browser), SENT) == ("succeeded", ["sent by hand"], [])


def test_a_tool_that_is_named_as_live_does_not_ask() -> None:
    browser = open_tools("send")

    job = browser.run(tools={"by_tool": {"send": "live"}})

    assert (job["state"], SENT) == ("succeeded", ["sent"])


def test_mocked_and_asked_tools_do_nothing() -> None:
    browser = open_tools("look", "send", "look")

    job = browser.run(
        tools={
            "default": "ask",
            "by_tool": {"look": "mock", "send": "mock"},
            "mocks": {"look": "seen", "send": "gone"},
        }
    )

    assert (job["state"], results(browser), SENT) == ("succeeded", ["seen", "gone", "seen"], [])


def test_a_mock_without_an_answer_is_refused_at_once() -> None:
    browser = open_tools("look")

    refused = browser.resume(tools={"by_tool": {"look": "mock"}}, expect=422)

    assert refused["message"] == ("Tool 'look' is set to mock; enter its answer.")


def test_observations_are_replayed_from_the_tape_that_was_edited() -> None:
    browser = open_tools("look", "send")
    browser.run(tools={"by_tool": {"send": "live"}})
    SENT.clear()

    job = browser.run(at=1, tools={"default": "replay"})

    assert (job["state"], results(browser), SENT) == ("succeeded", [7, "sent"], [])
    replayed = [step for step in browser.steps() if step["kind"] == "tool"]
    assert all("replayed_from" in step["body"]["metadata"]["other"] for step in replayed)


def test_what_was_never_recorded_is_asked_for() -> None:
    browser = open_tools("look")

    job = browser.run(tools={"default": "replay"})

    assert (job["state"], job["run"]["asks"]["can_approve"]) == ("waiting", True)
    assert "not in the recording" in job["message"]
    assert browser.go_on("reply", {"approve": True})["state"] == "succeeded"
    assert results(browser) == [7]


def test_tool_calls_of_one_message_are_answered_at_the_same_time() -> None:
    browser = open_tools("look", "meet", "meet", "look")

    job = browser.run()

    assert (job["state"], results(browser)) == ("succeeded", [7, "met", "met", 7])


def test_a_tool_that_raises_is_an_observation() -> None:
    browser = open_tools("fail")

    job = browser.run()

    assert job["state"] == "succeeded"
    assert results(browser) == ["Error: ValueError: nothing there"]


def test_a_breakpoint_on_a_tool_pauses_before_each_of_its_calls() -> None:
    browser = open_tools("look", "fail", "look")

    first = browser.run(breakpoints=[{"kind": "tool", "value": "look"}])
    second = browser.go_on("continue", {"mode": "run"})
    last = browser.go_on("continue", {"mode": "run"})

    assert [first["state"], second["state"], last["state"]] == ["paused", "paused", "succeeded"]
    assert first["run"]["hit"] == {"kind": "tool", "value": "look", "position": 2}
    assert (first["run"]["step_count"], second["run"]["step_count"]) == (3, 5)


def test_a_form_is_asked_for_and_filled_in() -> None:
    browser = RunBrowser(json.dumps({"form": "Which one?"}), spec=build_tool_agent())

    waiting = browser.run()
    asks = waiting["run"]["asks"]
    as_text = browser.order("reply", {"text": "red"}, expect=422)
    wrong = browser.order("reply", {"data": {"color": "blue", "count": 1}}, expect=422)
    job = browser.go_on("reply", {"data": {"color": "red", "count": 2}})

    assert set(asks["data_schema"]["properties"]) == {"color", "count"}
    assert (asks["answer_kind"], asks["can_approve"]) == ("test_form_answer", False)
    assert "must be data" in as_text["message"]
    assert (wrong["code"], wrong["details"]["path"]) == ("answer_invalid", "color")
    assert job["state"] == "succeeded"
    answer = next(step for step in browser.steps() if step["kind"] == "test_form_answer")
    assert (answer["body"]["color"], answer["body"]["count"]) == ("red", 2)
    assert answer["writer"] == "person"


@pytest.mark.parametrize("body", [{}, {"text": "a", "data": 1}, {"text": None}, {"approve": None}])
def test_an_answer_is_exactly_one_thing(body: dict[str, object]) -> None:
    browser = open_tools("send")
    browser.run()

    refused = browser.order("reply", body, expect=422)

    assert "exactly one of" in refused["message"]
    assert browser.job()["state"] == "waiting"


def test_leave_is_refused_where_nobody_asks_for_it() -> None:
    browser = RunBrowser(json.dumps({"form": "Which one?"}), spec=build_tool_agent())
    browser.run()

    refused = browser.order("reply", {"approve": True}, expect=409)

    assert "does not need approval" in refused["message"]
    assert browser.job()["state"] == "waiting"


def test_what_a_node_makes_of_an_answer_is_streamed_as_its_own() -> None:
    browser = open_tools("look")
    browser.resume()

    work()

    assert "made by the node" in [
        frame["text"] for frame in browser.frames() if frame["type"] == "step.partial"
    ]


def test_what_the_agents_rules_deny_stays_denied_whatever_is_chosen_for_the_run() -> None:
    spec = build_tool_agent()
    rules = (
        ToolRule(action="deny", tool="send", after_tool="look", reason="not after a look"),
        ToolRule(action="allow", tool="send"),
        ToolRule(action="replace", tool="where", answer="at home"),
    )
    names = ["send", "look", "where", "send"]
    browser = RunBrowser(json.dumps(names), spec=spec.model_copy(update={"tool_rules": rules}))

    job = browser.run(tools={"by_tool": {"look": "live", "send": "live"}})

    assert (job["state"], SENT) == ("succeeded", ["sent"])
    assert results(browser) == ["sent", 7, "at home", "Error: refused: not after a look"]
    *_, told, refused = [step["body"] for step in browser.steps() if step["kind"] == "tool"]
    assert told["metadata"]["other"]["tool_rule"] == "Do not call where, but answer: at home"
    assert refused["is_error"]


def test_a_rule_may_allow_or_ask_and_a_person_may_deny() -> None:
    rules = (
        ToolRule(action="allow", tool="send"),
        ToolRule(action="ask", tool="look", reason="it is private"),
    )
    spec = build_tool_agent().model_copy(update={"tool_rules": rules})
    browser = RunBrowser(json.dumps(["send", "where", "look"]), spec=spec)

    job = browser.run(tools={"by_tool": {"where": "deny"}})

    assert (job["state"], job["run"]["asks"]["tool"]) == ("waiting", "look")
    assert "'look' needs your approval (it is private)" in job["run"]["asks"]["message"]
    assert results(browser) == ["sent", "Error: refused: 'where' may not be used in this run."]
