"""Regression tests and suites over HTTP: made of a failing tape, run, failing, mended, passing."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from tapes_app.management.named import find_operator
from tests.evaluation.bench import RIGHT, WRONG, Bench
from tests.jobs.hosting import workers_beside
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


class SuiteBench(Bench):
    """An owner's browser, the sample project, and an agent of word problems that always errs."""

    def add_careless(self) -> str:
        """Make the agent `careless`; return its id."""
        (math,) = (one for one in self.ask("GET", "agents") if one["name"] == "math")
        spec = self.ask("GET", f"agents/{math['id']}")["versions"][0]["spec"]
        made = self.ask("POST", "agents", {"spec": tuned(spec, "careless", WRONG)}, 201)
        return str(made["id"])

    def mend(self, agent: str) -> None:
        """Give the agent a version that does not err."""
        spec = self.ask("GET", f"agents/{agent}")["versions"][0]["spec"]
        body = {"spec": tuned(spec, "careless", RIGHT)}
        self.ask("POST", f"agents/{agent}/versions", body, 201)

    def fail_some(self, agent: str, count: int) -> list[str]:
        """Return tapes at which the agent failed."""
        tasks = [row["id"] for row in self.ask("GET", "tapes?q=dataset:math-test")["items"]]
        version = self.ask("GET", f"agents/{agent}")["versions"][0]["id"]
        variant = {"agent_version_id": version}
        job = self.start(tape_ids=tasks[:count], variants=[variant], name=f"exam {uuid4()}")
        shown = self.finish(job)
        return [task["cells"][0][0]["tape_id"] for task in shown["tasks"]]

    def make_test(self, tape: str, expect: int = 201, **body: Any) -> Any:
        return self.ask("POST", f"tapes/{tape}/regression-test", body, expect)

    def run_suite(self, suite: str, **body: Any) -> Any:
        """Run a suite to its end and return it."""
        job = self.ask("POST", f"suites/{suite}/run", body, expect=202)["id"]
        self.finish(job)
        return self.ask("GET", f"suites/{suite}")


def tuned(spec: Any, name: str, parameters: Any) -> Any:
    llms = {key: {**llm, "parameters": parameters} for key, llm in spec["llms"].items()}
    return {**spec, "name": name, "llms": llms}


@pytest.fixture
def bench(transactional_db: None) -> SuiteBench:
    call_command("make_problems", "--split", "test", "--count", "3", "--seed", "1")
    bench = SuiteBench()
    bench.client.force_login(User.objects.get(pk=find_operator("").user_id))
    return bench


def test_a_failing_tape_is_a_test_that_fails_until_the_agent_is_mended(bench: SuiteBench) -> None:
    agent = bench.add_careless()
    first, second = bench.fail_some(agent, 2)

    made = bench.make_test(first, suite="smoke", at=1)
    again = bench.make_test(first, suite="smoke", at=1)
    bench.make_test(second, suite="smoke", at=1, check={"kind": "number", "value": -1})

    expected = bench.ask("GET", f"tapes/{first}")["expected"]
    assert made["check"] == {"kind": "number", "value": float(expected), "within": 0}
    assert again["name"] == f"{made['name']} (2)"
    frozen = bench.ask("GET", f"tapes/{made['tape_id']}")
    assert (frozen["parent_id"], frozen["step_count"], frozen["outcome"]) == (first, 1, "")
    (suite,) = bench.ask("GET", "suites")["items"]
    assert (suite["name"], suite["test_count"], suite["last_run"]) == ("smoke", 3, None)

    shown = bench.run_suite(suite["id"])

    (run,) = shown["runs"]
    assert run["name"] == "smoke, run 1 A1"
    assert run["agent"] == "careless v1"
    assert (run["passed_count"], run["failed_count"], run["missing_count"]) == (0, 3, 0)
    (result,) = shown["tests"][0]["results"]
    assert result["result"] == "fail"
    assert f"is not {float(expected):g}" in result["reason"]
    assert bench.ask("GET", f"tapes/{result['tape_id']}")["parent_id"] == made["tape_id"]

    bench.mend(agent)
    shown = bench.run_suite(suite["id"])

    assert [run["agent"] for run in shown["runs"]] == ["careless v2", "careless v1"]
    came = [[one["result"] for one in test["results"]] for test in shown["tests"]]
    # What another check wants is another matter, whatever the expected answer is.
    assert came == [["pass", "fail"], ["pass", "fail"], ["fail", "fail"]]

    third = shown["tests"][2]["tape_id"]
    right = bench.ask("GET", f"tapes/{second}")["expected"]
    change = {"check": {"kind": "contains", "text": right}}
    bench.ask("PUT", f"tapes/{third}/regression-test", change, 204)
    shown = bench.run_suite(suite["id"])

    assert shown["suite"]["last_run"]["passed_count"] == 3
    assert [one["result"] for one in shown["tests"][2]["results"]] == ["pass", "fail", "fail"]


def test_what_was_frozen_stays_frozen_and_the_answer_is_what_is_tested(bench: SuiteBench) -> None:
    call_command("load_sample")
    rows = bench.ask("GET", "tapes?q=agent:chat")["items"]
    (wrong,) = (row for row in rows if row["title"] == "How far is 10 kg in miles?")
    steps = bench.ask("GET", f"tapes/{wrong['id']}/steps")["items"]
    suggested = bench.ask("GET", f"tapes/{wrong['id']}/regression-test")
    assert suggested["check"] is None
    assert suggested["suite"] == "Regression tests"
    kinds = [step["kind"] for step in steps]
    # The tool has answered; the words, and the step that comes of the same prompt, are not kept.
    answered = suggested["before_answer"]
    assert kinds[answered - 1] == "tool"
    assert "assistant" in kinds[answered:]
    # Its error is suspected: the call that led to it is made again.
    assert any(step["is_error"] for step in steps[:answered])
    assert suggested["at"] == suggested["before_suspect"] == suggested["start"] == 1
    refused = bench.make_test(wrong["id"], expect=422)
    assert refused["message"].startswith("Nothing defines what passes")

    check = {"kind": "jmespath", "expression": "contains(text, 'kg')"}
    made = bench.make_test(wrong["id"], check=check, at=answered, name="Says the unit")
    bench.make_test(wrong["id"], check=check, at=1, name="From the question")
    # Somebody goes on with the frozen tape by hand; the test does not begin later for that.
    (agent,) = (one for one in bench.ask("GET", "agents") if one["name"] == "chat")
    body = {"agent_version_id": agent["latest_version_id"]}
    bench.ask("POST", f"tapes/{made['tape_id']}/resume", body, 201)
    with workers_beside("agents"):
        wait_until(
            lambda: bench.ask("GET", f"tapes/{made['tape_id']}")["step_count"] > answered,
            "the tape to grow",
        )

    shown = bench.run_suite(made["suite_id"])

    says, asks = shown["tests"]
    assert (says["name"], asks["name"]) == ("Says the unit", "From the question")
    assert says["words"] == "\"contains(text, 'kg')\" is true."
    for test, kept in ((says, answered), (asks, 1)):
        assert test["kept_count"] == kept
        tape = bench.ask("GET", f"tapes/{test['results'][0]['tape_id']}")
        assert tape["forked_at"] == kept
        assert test["results"][0]["result"] in {"pass", "fail"}


def test_what_could_not_be_decided_or_run_is_missing_and_never_failed(bench: SuiteBench) -> None:
    agent = bench.add_careless()
    first, second = bench.fail_some(agent, 2)
    undecidable = {"kind": "jmespath", "expression": "length(result) > `1`"}
    suite = bench.make_test(first, suite="odd", check=undecidable)["suite_id"]
    bench.make_test(second, suite="odd")

    shown = bench.run_suite(suite, budget={"calls": 1})

    odd, cut = (test["results"][0] for test in shown["tests"])
    assert {odd["result"], cut["result"]} == {"missing"} or cut["result"] == "fail"
    assert odd["result"] == "missing"
    model = {"name": "gone", "litellm_model": "openai/gone", "base_url": "http://127.0.0.1:9/v1"}
    gone = bench.ask("POST", "models", {**model, "api_key": "k"}, expect=201)
    shown = bench.run_suite(suite, model_ids=[gone["id"]])
    (run, *_) = shown["runs"]
    assert (run["missing_count"], run["failed_count"], run["agent"]) == (2, 0, "careless v1, gone")
    assert shown["tests"][1]["results"][0]["reason"].startswith("Its run failed: ")


def test_all_constraints_have_to_be_met(bench: SuiteBench) -> None:
    agent = bench.add_careless()
    (tape,) = bench.fail_some(agent, 1)
    right = bench.ask("GET", f"tapes/{tape}")["expected"]
    constraints = [
        {"name": "right", "check": {"kind": "contains", "text": right}},
        {"name": "no errors", "check": {"kind": "no_error"}},
    ]
    check = {"kind": "constraints", "constraints": constraints}
    suite = bench.make_test(tape, check=check)["suite_id"]

    (test,) = bench.run_suite(suite)["tests"]

    assert test["words"] == "All constraints are met: right, no errors."
    assert (test["results"][0]["result"], test["results"][0]["reason"]) == (
        "fail",
        "Not met: right.",
    )


def test_a_sweep_over_the_dataset_of_a_suite_runs_the_tests_as_tests(bench: SuiteBench) -> None:
    agent = bench.add_careless()
    (tape,) = bench.fail_some(agent, 1)
    bench.make_test(tape, suite="smoke", check={"kind": "no_error"})

    shown = bench.finish(bench.start(q="dataset:smoke"))

    assert [one["passed_count"] for one in shown["variants"]] == [1, 1]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"at": 99}, 422, "99"),
        ({"at": -1}, 422, "at"),
        ({"at": 0}, 422, "keeps at least one step"),
        ({"check": {"kind": "regex", "pattern": "("}}, 422, "regular expression"),
        ({"check": {"kind": "python", "code": "1"}}, 422, "check"),
        ({"check": {"kind": "judge", "model_id": str(uuid4()), "rubric": "?"}}, 422, "check"),
        ({"check": {"kind": "constraints", "constraints": []}}, 422, "constraints"),
        ({"suite": " "}, 422, "suite"),
        ({"suite": "a\x00b"}, 422, "not allowed"),
        ({"suite": "s" * 201}, 422, "suite"),
    ],
)
def test_a_test_that_could_not_be_is_refused_and_nothing_is_made(
    bench: SuiteBench, body: Any, status: int, words: str
) -> None:
    (tape, *_) = bench.ask("GET", "tapes?q=dataset:math-test")["items"]
    before = len(bench.ask("GET", "datasets")["items"])

    refused = bench.make_test(tape["id"], expect=status, **body)

    assert words in f"{refused['message']} {refused['details']}"
    assert len(bench.ask("GET", "datasets")["items"]) == before
    assert bench.ask("GET", "suites")["items"] == []


def test_runs_that_could_not_be_are_refused_with_the_reason(bench: SuiteBench) -> None:
    (tasks,) = bench.ask("GET", "datasets")["items"]
    refused = bench.ask("POST", f"suites/{tasks['id']}/run", {}, 422)
    assert refused["message"].startswith("The tests are of")
    empty = bench.ask("POST", "datasets", {"name": "empty"}, 201)["id"]
    refused = bench.ask("POST", f"suites/{empty}/run", {}, 422)
    assert refused["message"].startswith("Suite 'empty' has no tests yet")
    bench.ask("POST", f"suites/{uuid4()}/run", {}, 404)
    bench.ask("GET", f"suites/{uuid4()}", expect=404)
    (tape, *_) = bench.ask("GET", "tapes?q=dataset:math-test")["items"]
    change = {"check": {"kind": "no_error"}}
    bench.ask("PUT", f"tapes/{tape['id']}/regression-test", change, 404)
