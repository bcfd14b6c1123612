"""Run N over HTTP, with a real worker: begun whole, judged fairly, stopped for good, retried."""

import json
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from tapes_app.agents.store.agents import create_agent
from tapes_app.exchange.services.export_jobs import folder_of
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.models import (
    AnnotationRecord,
    ExperimentBranchRecord,
    ExperimentRecord,
    JobRecord,
    LLMCallRecord,
    TapeRecord,
)
from tests.experiments.lab import ASKED, Lab
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.tool_plugin import SENT, build_tool_agent

pytestmark = pytest.mark.django_db(transaction=True)

SAYS_42 = {"kind": "contains", "text": "42"}


@pytest.fixture
def lab() -> Lab:
    return Lab()


def column(experiment: Any, name: str) -> list[Any]:
    return [branch[name] for branch in experiment["branches"]]


def arm(experiment: Any, name: str) -> Any:
    [found] = [side["group"] for side in experiment["summary"]["arms"] if side["arm"] == name]
    return found


def edited_arm(experiment: Any) -> Any:
    [found] = [side for side in experiment["summary"]["arms"] if side["arm"] == "edited"]
    return found


def test_the_edited_arm_is_told_from_the_original(lab: Lab) -> None:
    lab.edit()

    experiment = lab.run(arms=["original", "edited"], repeats=3, check=SAYS_42)

    assert set(column(experiment, "state")) == {"succeeded"}
    original, edited = arm(experiment, "original"), arm(experiment, "edited")
    assert (original["passed"], original["judged"]) == (0, 3)
    assert (edited["passed"], edited["judged"]) == (3, 3)
    assert edited["pass_rate"]["low"] > 0.4
    assert edited_arm(experiment)["difference"]["value"] == 1
    assert edited_arm(experiment)["difference"]["low"] > 0


def test_arms_are_compared_under_equal_conditions(lab: Lab) -> None:
    lab.edit()

    experiment = lab.run(
        arms=["original", "edited"], temperatures=[0.0, 1.0], repeats=2, check=SAYS_42
    )

    difference = edited_arm(experiment)["difference"]
    assert experiment["summary"]["is_paired"]
    assert (difference["value"], difference["count"]) == (1, 8)
    assert difference["low"] > 0.2


def test_scores_of_two_arms_are_compared_branch_by_branch(lab: Lab) -> None:
    lab.edit()
    experiment = lab.run(arms=["original", "edited"], repeats=3, check=SAYS_42)
    path = f"experiments/{experiment['row']['id']}"
    unscored = edited_arm(experiment)["score_difference"]

    # Original and edited take turns: the pairs are (0, 1), (2, 3) and (4, 5).
    for number, score in enumerate([0.1, 0.5, 0.2, 0.9, 0.3, 0.7]):
        passed = {"passed": score > 0.4, "score": score}
        lab.ask("PATCH", f"{path}/branches/{number}", passed)

    difference = edited_arm(lab.show(experiment))["score_difference"]
    assert unscored is None  # a checker's score says what its verdict says
    # d = 0.4, 0.7, 0.4: mean 0.5, s = 0.1732, t(2) = 4.3027.
    assert (difference["value"], difference["count"]) == (pytest.approx(0.5), 3)
    assert difference["low"] == pytest.approx(0.5 - 0.4303, abs=1e-4)
    assert difference["high"] == pytest.approx(0.5 + 0.4303, abs=1e-4)


def test_one_pair_of_scores_has_no_interval_of_its_own(lab: Lab) -> None:
    lab.edit()
    judge = {"kind": "judge", "model_id": lab.model, "rubric": "Is it 42?"}

    experiment = lab.run(arms=["original", "edited"], repeats=1, check=judge)

    difference = edited_arm(experiment)["score_difference"]
    assert difference["value"] == pytest.approx(0.8)
    assert (difference["low"], difference["high"], difference["count"]) == (-1, 1, 1)


def test_the_edited_arm_replays_tools_from_the_tape_that_was_edited(lab: Lab) -> None:
    SENT.clear()
    lab.version = create_agent(lab.project.id, build_tool_agent()).id
    lab.tape = lab.add_tape(json.dumps(["look", "send"]))
    lab.ask(
        "POST",
        f"tapes/{lab.tape}/resume",
        {"agent_version_id": lab.version, "tools": {"by_tool": {"send": "live"}}},
        expect=201,
    )
    lab.work()
    lab.edit(json.dumps(["send", "look"]))

    experiment = lab.run(arms=["original", "edited"], repeats=2, tools={"default": "replay"})

    assert column(experiment, "state") == ["succeeded"] * 4
    assert SENT == ["sent"]
    for branch in experiment["branches"]:
        steps = lab.ask("GET", f"tapes/{branch['tape_id']}/steps")["items"]
        results = [step["body"] for step in steps if step["kind"] == "tool"]
        edited = branch["arm"] == "edited"
        assert [body["content"] for body in results] == (["sent", 7] if edited else [7, "sent"])
        assert {body["metadata"]["other"]["replayed_from"] for body in results} == {str(lab.tape)}


def test_branches_of_the_edit_fork_from_one_revision_and_the_draft_stays(lab: Lab) -> None:
    lab.edit()

    experiment = lab.start(arms=["original", "edited"], repeats=2)

    revision = experiment["row"]["revision_id"]
    parents = {
        str(tape.id): str(tape.parent_id) for tape in TapeRecord.objects.exclude(parent=None)
    }
    for branch in experiment["branches"]:
        source = revision if branch["arm"] == "edited" else str(lab.tape)
        assert parents[branch["tape_id"]] == source
    assert parents[revision] == str(lab.tape)
    assert lab.ask("GET", f"tapes/{lab.tape}/draft")["applied_count"] == 1


def test_both_arms_begin_at_the_same_place_of_the_recording(lab: Lab) -> None:
    lab.tape = lab.add_tape("What is 6 * 7?", "Say it in words.", "Be quick.")
    lab.edit()

    experiment = lab.start(arms=["original", "edited"], repeats=1)

    assert column(experiment, "recorded_count") == [1, 1]
    assert column(experiment, "kept_count") == [1, 1]


def test_every_model_and_temperature_is_run_and_the_best_comes_first(lab: Lab) -> None:
    echo = lab.add_model("parrot", "script:echo")
    lab.tape = lab.add_tape("Say 42 step by step.")

    experiment = lab.run(
        model_ids=[echo, lab.model],
        temperatures=[0.0, 1.0],
        repeats=2,
        check={"kind": "equals", "text": "It is 42."},
    )

    conditions = experiment["summary"]["conditions"]
    assert [condition["model_name"] for condition in conditions] == [
        "clever", "clever", "parrot", "parrot",
    ]  # fmt: skip
    assert {condition["temperature"] for condition in conditions} == {0.0, 1.0}
    assert [condition["group"]["passed"] for condition in conditions] == [2, 2, 0, 0]
    jobs = JobRecord.objects.filter(kind="run")
    assert {job.request["parameters"]["temperature"] for job in jobs} == {0.0, 1.0}


def test_a_range_of_steps_shows_the_value_of_each(lab: Lab) -> None:
    lab.tape = lab.add_tape("What is 6 * 7?", "Guess.", "No: think step by step.", "And be brief.")

    experiment = lab.run(at=[1, 2, 3, 4], repeats=2, check=SAYS_42)

    curve = experiment["summary"]["curve"]
    assert [point["kept_count"] for point in curve] == [1, 2, 3, 4]
    assert [point["group"]["passed"] for point in curve] == [0, 0, 2, 0]
    assert all(point["group"]["pass_rate"]["count"] == 2 for point in curve)


def test_what_a_branch_came_to_is_in_its_row(lab: Lab) -> None:
    experiment = lab.run(repeats=1)

    [branch] = experiment["branches"]
    steps = lab.ask("GET", f"tapes/{branch['tape_id']}/steps")["items"]
    assert branch["step_count"] == len(steps) - 1
    assert len(branch["spark"]) == branch["step_count"]
    assert branch["spark"][0] == "a"
    assert (branch["last_kind"], branch["outcome"]) == ("assistant", "It is 24.")
    assert branch["tokens"] > 0
    assert branch["cost_micro_usd"] == 0  # a script costs nothing
    assert experiment["spent"] == {
        "tokens": branch["tokens"], "micro_usd": branch["cost_micro_usd"],
    }  # fmt: skip
    assert branch["is_cost_known"]
    assert branch["finished_at"] is not None
    assert branch["passed"] is None


def test_a_cost_that_nobody_knows_is_not_told_as_none(lab: Lab) -> None:
    experiment = lab.run(repeats=1)
    calls = LLMCallRecord.objects.filter(tape_id=experiment["branches"][0]["tape_id"])
    calls.update(cost_micro_usd=None)

    shown = lab.show(experiment)

    assert not shown["branches"][0]["is_cost_known"]
    assert shown["summary"]["arms"][0]["group"]["cost_micro_usd"] is None


def test_the_first_divergence_is_where_a_branch_leaves_the_recording(lab: Lab) -> None:
    recorded = lab.run(repeats=1)["branches"][0]["tape_id"]
    lab.tape = recorded

    same = lab.run(at=[1], repeats=1)["branches"][0]
    lab.edit()
    other = lab.run(arms=["edited"], repeats=1)["branches"][0]

    assert same["first_divergence"] is None
    assert other["first_divergence"] == 1


def test_a_judge_scores_by_its_rubric_and_its_call_is_kept_and_paid(lab: Lab) -> None:
    lab.edit()
    judge = {"kind": "judge", "model_id": lab.model, "rubric": "Is it 42?"}

    experiment = lab.run(arms=["original", "edited"], repeats=1, check=judge)

    assert column(experiment, "score") == [0.1, 0.9]
    assert column(experiment, "passed") == [False, True]
    assert column(experiment, "judged_as") == ["judge", "judge"]
    assert set(column(experiment, "reason")) == {"seen"}
    calls = LLMCallRecord.objects.filter(id__in=column(experiment, "judge_call_id"))
    assert [call.tape_id for call in calls] == [None, None]
    paid = sum((call.input_tokens or 0) + (call.output_tokens or 0) for call in calls)
    assert experiment["spent"]["tokens"] == sum(column(experiment, "tokens")) + paid


def test_every_call_of_a_judge_that_is_asked_again_is_kept_and_paid(lab: Lab) -> None:
    with OpenAIServer() as server:
        server.plan(Behaviour(text="Fine!"), Behaviour(text='{"score": 0.8, "reason": "seen"}'))
        model = lab.add_model("hasty", "openai/test-model", base_url=server.base_url)
        judge = {"kind": "judge", "model_id": model, "rubric": "Is it 42?"}

        experiment = lab.run(repeats=1, check=judge)

    calls = LLMCallRecord.objects.filter(tape=None).order_by("created_at", "id")
    assert column(experiment, "score") == [0.8]
    assert len(calls) == 2
    paid = sum((call.input_tokens or 0) + (call.output_tokens or 0) for call in calls)
    assert experiment["spent"]["tokens"] == sum(column(experiment, "tokens")) + paid
    assert all(request["response_format"]["json_schema"]["strict"] for request in server.requests)
    told = server.requests[1]["messages"][-1]["content"]
    assert "is not JSON" in told


def judge_notes(lab: Lab, branch: Any) -> list[Any]:
    said = lab.ask("GET", f"tapes/{branch['tape_id']}/annotations")["items"]
    return [note for note in said if note["source"] == "judge"]


def test_what_a_judge_says_is_a_score_among_the_notes_of_the_branch(lab: Lab) -> None:
    judge = {"kind": "judge", "model_id": lab.model, "rubric": "Is it 42?", "pass_score": 0.05}

    experiment = lab.run(name="Hints", repeats=2, check=judge)

    for branch in experiment["branches"]:
        [note] = judge_notes(lab, branch)
        assert (note["kind"], note["name"], note["position"]) == ("score", "Hints", None)
        assert (note["value"], note["scale"], note["text"]) == (0.1, "fraction", "seen")
        assert (note["source_name"], note["can_edit"]) == ("script:test-lab", False)
        details = AnnotationRecord.objects.get(id=note["id"]).details
        assert (details["passed"], details["rubric"]) == (True, "Is it 42?")
        assert details["experiment_id"] == experiment["row"]["id"]
        assert details["judge_call_id"] == branch["judge_call_id"]


def test_a_run_done_again_leaves_one_note_of_the_judge(lab: Lab) -> None:
    judge = {"kind": "judge", "model_id": lab.model, "rubric": "Is it 42?"}
    experiment = lab.run(repeats=1, check=judge)
    [branch] = experiment["branches"]
    # As after the death of a worker that had judged and not yet ended its job.
    JobRecord.objects.filter(id=branch["job_id"]).update(state="queued")

    lab.work()

    assert LLMCallRecord.objects.filter(tape=None).count() == 2
    [note] = judge_notes(lab, branch)
    assert note["value"] == 0.1


def test_another_judge_or_check_takes_the_place_of_what_the_first_said(lab: Lab) -> None:
    judge = {"kind": "judge", "model_id": lab.model, "rubric": "Is it 42?"}
    experiment = lab.run(repeats=1, check=judge)
    [branch] = experiment["branches"]
    path = f"experiments/{experiment['row']['id']}/check"

    lab.ask("POST", path, {"check": {**judge, "rubric": "Is it short?"}})
    lab.work()
    [note] = judge_notes(lab, branch)
    rubric = AnnotationRecord.objects.get(id=note["id"]).details["rubric"]
    lab.ask("POST", path, {"check": SAYS_42})

    assert rubric == "Is it short?"
    assert judge_notes(lab, branch) == []


def test_a_person_who_says_otherwise_is_heard_over_the_note_of_the_judge(lab: Lab) -> None:
    judge = {"kind": "judge", "model_id": lab.model, "rubric": "Is it 42?"}
    experiment = lab.run(repeats=1, check=judge)
    [branch] = experiment["branches"]

    lab.ask("PATCH", f"experiments/{experiment['row']['id']}/branches/0", {"passed": True})

    members = lab.ask("GET", f"tapes/{lab.tape}/family")["items"]
    assert [row["score"] for row in members if row["id"] == branch["tape_id"]] == [1.0]
    assert len(judge_notes(lab, branch)) == 1


def test_a_judge_that_talks_leaves_the_branch_unjudged_and_can_be_asked_again(lab: Lab) -> None:
    parrot = lab.add_model("parrot", "script:echo")
    experiment = lab.run(
        repeats=1, check={"kind": "judge", "model_id": parrot, "rubric": "Is it 42?"}
    )
    path = f"experiments/{experiment['row']['id']}"
    assert column(experiment, "passed") == [None]
    assert "is not JSON" in experiment["branches"][0]["reason"]
    assert judge_notes(lab, experiment["branches"][0]) == []

    judge = {"kind": "judge", "model_id": lab.model, "rubric": "Is it 42?"}
    lab.ask("POST", f"{path}/check", {"check": judge})
    lab.work()

    assert column(lab.show(experiment), "passed") == [False]
    assert JobRecord.objects.filter(kind="run").count() == 1


def test_another_check_judges_anew_and_leaves_what_a_person_said(lab: Lab) -> None:
    experiment = lab.run(repeats=2, check=SAYS_42)
    path = f"experiments/{experiment['row']['id']}"
    lab.ask("PATCH", f"{path}/branches/0", {"passed": False, "score": 0.25})

    lab.ask("POST", f"{path}/check", {"check": {"kind": "contains", "text": "24"}})
    lab.work()

    judged = lab.show(experiment)
    assert column(judged, "passed") == [False, True]
    assert column(judged, "score") == [0.25, 1.0]
    assert column(judged, "judged_by") == ["ada", "contains"]


@pytest.mark.parametrize("check", [SAYS_42, {"kind": "no_error"}])
def test_a_branch_in_which_nothing_was_done_is_not_judged(lab: Lab, check: Any) -> None:
    lab.tape = lab.run(repeats=1)["branches"][0]["tape_id"]  # its agent has answered already

    experiment = lab.run(repeats=2, check=check)

    assert column(experiment, "step_count") == [0, 0]
    assert column(experiment, "passed") == [None, None]
    assert "earlier step" in experiment["branches"][0]["reason"]
    assert arm(experiment, "original")["judged"] == 0


def test_a_person_judges_pins_and_takes_it_back(lab: Lab) -> None:
    experiment = lab.run(repeats=1)
    branch = f"experiments/{experiment['row']['id']}/branches/0"

    judged = lab.ask("PATCH", branch, {"passed": True, "is_pinned": True})
    pinned_at = TapeRecord.objects.get(id=judged["tape_id"]).pinned_at
    back = lab.ask("PATCH", branch, {"passed": None})

    assert (judged["passed"], judged["score"], judged["judged_by"]) == (True, 1.0, "ada")
    assert judged["is_pinned"]
    assert pinned_at is not None
    assert (back["passed"], back["judged_as"], back["is_pinned"]) == (None, "", True)


def test_a_budget_of_tokens_stops_everything_and_nothing_counts_as_failed(lab: Lab) -> None:
    experiment = lab.run(repeats=30, budget={"tokens": 40}, check=SAYS_42)

    states = column(experiment, "state")
    assert experiment["row"]["stopped_reason"].startswith("The budget of 40 tokens ")
    assert experiment["spent"]["tokens"] <= 40
    assert set(states) <= {"succeeded", "out_of_budget"}
    assert states.count("out_of_budget") >= 10
    for branch in experiment["branches"]:
        assert (branch["passed"] is None) == (branch["state"] == "out_of_budget")
    assert arm(experiment, "original")["judged"] == states.count("succeeded")
    assert LLMCallRecord.objects.count() < 30


def test_a_branch_that_is_stopped_after_its_judgement_keeps_it_as_its_end(lab: Lab) -> None:
    experiment = lab.run(repeats=1, check=SAYS_42)
    # As when another branch uses the budget up before the job of this one has ended.
    JobRecord.objects.filter(kind="run").update(state="cancelled", cancelled_by="the budget")

    shown = lab.show(experiment)

    assert (column(shown, "state"), column(shown, "passed")) == (["succeeded"], [False])
    assert arm(shown, "original")["judged"] == 1


def test_a_budget_of_money_stops_everything(lab: Lab) -> None:
    with OpenAIServer(default=Behaviour(text="It is 42.")) as server:
        paid = lab.add_model("paid", "openai/test-model", base_url=server.base_url)
        experiment = lab.run(model_ids=[paid], repeats=20, budget={"micro_usd": 30})

        asked = len(server.requests)

    spent = experiment["spent"]
    assert "out_of_budget" in column(experiment, "state")
    assert experiment["row"]["stopped_reason"].startswith("The budget of $0.00003 ")
    assert 0 < spent["micro_usd"] == spent["tokens"] <= 30
    assert 0 < asked < 20


def test_no_time_left_starts_nothing(lab: Lab) -> None:
    started = lab.start(repeats=3, budget={"seconds": 600})
    ExperimentRecord.objects.update(clock_started_at="2020-01-01T00:00:00Z")

    lab.work()

    experiment = lab.show(started)
    assert set(column(experiment, "state")) == {"out_of_budget"}
    assert LLMCallRecord.objects.count() == 0
    assert "600 s" in experiment["row"]["stopped_reason"]


def test_a_retry_goes_on_where_the_budget_ended(lab: Lab) -> None:
    experiment = lab.run(repeats=20, budget={"tokens": 40}, check=SAYS_42)
    path = f"experiments/{experiment['row']['id']}/retry"
    tapes = TapeRecord.objects.count()

    refused = lab.ask("POST", path, {}, expect=409)
    lab.ask("POST", path, {"budget": {"tokens": 1_000_000}})
    lab.work()

    done = lab.show(experiment)
    assert "Raise the budget to continue" in refused["message"]
    assert set(column(done, "state")) == {"succeeded"}
    assert set(column(done, "passed")) == {False}
    assert done["row"]["stopped_reason"] == ""
    assert TapeRecord.objects.count() == tapes


def test_a_provider_error_is_a_failed_run_not_a_failed_branch_and_is_retried(lab: Lab) -> None:
    broken = lab.add_model("broken", "script:test-lab", parameters={"delay_seconds": 0})
    started = lab.start(model_ids=[broken], repeats=2, check=SAYS_42)
    lab.client.force_login(lab.owner)
    from tapes_app.models import ModelRecord

    ModelRecord.objects.filter(id=broken).update(litellm_model="script:missing")
    lab.work()
    failed = lab.show(started)
    ModelRecord.objects.filter(id=broken).update(litellm_model="script:test-lab")

    lab.ask("POST", f"experiments/{started['row']['id']}/retry")
    lab.work()

    assert set(column(failed, "state")) == {"failed"}
    assert set(column(failed, "passed")) == {None}
    assert all(column(failed, "message"))
    assert set(column(lab.show(started), "state")) == {"succeeded"}


def test_cancel_stops_all_that_is_not_over(lab: Lab) -> None:
    started = lab.start(repeats=5)
    path = f"experiments/{started['row']['id']}/cancel"
    request_cancel(lab.project.id, started["branches"][0]["job_id"], person="bob")

    stopped = lab.ask("POST", path)
    lab.work()

    assert set(column(stopped, "state")) == {"cancelled"}
    assert stopped["row"]["stopped_reason"] == "Stopped by ada."
    assert LLMCallRecord.objects.count() == 0
    assert "nothing to stop" in lab.ask("POST", path, expect=409)["message"]


def test_a_branch_that_ends_its_turn_does_not_wait_for_ever(lab: Lab) -> None:
    from tapes_app.engine.agent.registration import gallery_agents

    lab.version = create_agent(lab.project.id, gallery_agents.get("chat")()).id

    experiment = lab.run(repeats=2, check={"kind": "contains", "text": "42"})

    assert column(experiment, "state") == ["succeeded", "succeeded"]
    assert column(experiment, "passed") == [True, True]


@pytest.mark.parametrize(
    ("wrong", "status", "said"),
    [
        ({"arms": ["edited"]}, 422, "changes nothing"),
        ({"at": [99]}, 422, "Cannot fork at step 99"),
        ({"repeats": 200, "temperatures": [0, 1]}, 422, "400 runs"),
        ({"check": {"kind": "regex", "pattern": "("}}, 422, "is invalid"),
        ({"check": {"kind": "regex", "pattern": "a{1000000000}"}}, 422, "up to 1,000 times"),
        ({"check": {"kind": "regex", "pattern": "(?R)"}}, 422, "uses recursion"),
        ({"model_ids": ["00000000-0000-4000-8000-000000000000"]}, 404, "Model not found"),
    ],
)
def test_what_cannot_run_makes_nothing(
    lab: Lab, wrong: dict[str, Any], status: int, said: str
) -> None:
    checked = lab.check(expect=status, **wrong)
    refused = lab.start(expect=status, **wrong)

    assert said in refused["message"]
    assert checked == refused
    assert TapeRecord.objects.count() == 1
    assert JobRecord.objects.count() == 0
    assert ExperimentRecord.objects.count() == 0


def test_an_archived_tape_is_not_forked(lab: Lab) -> None:
    lab.ask("PATCH", f"tapes/{lab.tape}", {"is_archived": True})

    checked = lab.check(expect=409)
    refused = lab.start(expect=409)

    assert refused["code"] == "archived"
    assert checked == refused


def test_a_check_counts_the_runs_and_starts_none(lab: Lab) -> None:
    lab.edit()

    checked = lab.check(arms=["original", "A"], repeats=3, temperatures=[0, 1])

    assert checked == {"branch_count": 12}
    assert TapeRecord.objects.count() == 1
    assert ExperimentRecord.objects.count() == 0


@pytest.mark.parametrize("asked", ["agent", "judge"])
def test_a_limit_in_money_needs_prices(lab: Lab, asked: str) -> None:
    unpriced = lab.add_model(
        "unpriced",
        "openai/unpriced",
        base_url="http://127.0.0.1:9/v1",
        input_price=None,
        output_price=None,
        cache_read_price=None,
    )
    judge = {"kind": "judge", "model_id": unpriced, "rubric": "Is it right?"}
    wanted = {"model_ids": [unpriced]} if asked == "agent" else {"check": judge}
    limited = {**wanted, "budget": {"micro_usd": 1_000_000}}

    refused = lab.check(expect=422, **limited)

    assert refused["code"] == "price_unknown"
    assert refused["details"]["field"] == "budget.micro_usd"
    assert lab.start(expect=422, **limited) == refused
    assert lab.check(repeats=1, **wanted) == {"branch_count": 1}


def test_a_tape_lists_its_experiments_and_those_that_it_is_a_branch_of(lab: Lab) -> None:
    first = lab.run(repeats=1, name="first")
    second = lab.start(repeats=2)
    branch = first["branches"][0]["tape_id"]

    listed = lab.ask("GET", f"tapes/{lab.tape}/experiments")

    assert [row["id"] for row in listed] == [second["row"]["id"], first["row"]["id"]]
    assert [row["unfinished_count"] for row in listed] == [2, 0]
    assert [row["name"] for row in lab.ask("GET", f"tapes/{branch}/experiments")] == ["first"]


def test_showing_takes_the_same_queries_however_many_branches(
    lab: Lab, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    few, many = lab.start(repeats=2), lab.start(repeats=100)

    for experiment in (few, many):
        with django_assert_max_num_queries(8):
            lab.show(experiment)
    with django_assert_max_num_queries(6):
        lab.ask("GET", f"tapes/{lab.tape}/experiments")


def test_starting_takes_about_as_many_queries_however_many_branches(lab: Lab) -> None:
    lab.edit()
    counts = []

    for repeats in (1, 100):
        with CaptureQueriesContext(connection) as queries:
            lab.start(arms=["original", "edited"], repeats=repeats)
        counts.append(len(queries))

    # SQLite takes a limited number of values at once, so rows are written in a few portions.
    assert counts[1] <= counts[0] + 25
    assert ExperimentBranchRecord.objects.count() == 202


def test_labelled_pairs_are_exported_unless_one_side_is_kept_from_training(lab: Lab) -> None:
    echo = lab.add_model("parrot", "script:echo")
    experiment = lab.run(model_ids=[lab.model, echo], repeats=1)
    path = f"experiments/{experiment['row']['id']}"
    worse, better = column(experiment, "tape_id")
    lab.ask(
        "POST", f"{path}/labels", {"name": "preference_pair", "best": 1, "worst": 0}, expect=204
    )

    [line] = export_pairs(lab)
    lab.ask("PATCH", f"tapes/{worse}", {"split": "test"})
    other_split = export_pairs(lab)
    lab.ask("PATCH", f"tapes/{worse}", {"split": ""})
    lab.ask("PATCH", f"tapes/{better}", {"is_kept_from_training": True})
    kept = export_pairs(lab)

    assert (line["metadata"]["chosen_tape_id"], line["metadata"]["rejected_tape_id"]) == (
        better,
        worse,
    )
    assert [message["content"] for message in line["chosen"]] != [
        message["content"] for message in line["rejected"]
    ]
    assert line["prompt"][-1]["content"] == ASKED
    assert (other_split, kept) == ([], [])


def export_pairs(lab: Lab) -> list[Any]:
    """Return the lines of a file of all pairs that may be trained on."""
    started = lab.ask("POST", "exports", {"format": "preferences"}, expect=202)
    lab.work()
    answer = lab.client.get(f"/api/v1/exports/{started['id']}/file")
    assert answer.status_code == 200
    content = (folder_of(UUID(started["id"])) / "file").read_text()
    return [json.loads(text) for text in content.splitlines()]


def test_a_preference_pair_is_the_same_prompt_answered_twice(lab: Lab) -> None:
    echo = lab.add_model("parrot", "script:echo")
    experiment = lab.run(model_ids=[lab.model, echo], repeats=1)
    path = f"experiments/{experiment['row']['id']}"

    answer = lab.client.get(f"/api/v1/{path}/preference-pair?best=1&worst=0")
    lab.ask(
        "POST", f"{path}/labels", {"name": "preference_pair", "best": 1, "worst": 0}, expect=204
    )
    lab.ask("POST", f"{path}/labels", {"name": "training_set", "best": 1}, expect=204)

    pair = json.loads(answer.content)
    assert pair["prompt"] == [{"role": "user", "content": "What is 6 * 7?"}]
    assert pair["chosen"] == [{"role": "assistant", "content": "You said: What is 6 * 7?"}]
    assert pair["rejected"] == [{"role": "assistant", "content": "It is 24."}]
    assert pair["metadata"]["source"] == "call"
    assert "attachment" in answer.headers["Content-Disposition"]
    tape_ids = column(experiment, "tape_id")
    labels = {(str(row.tape_id), row.name): row.details for row in AnnotationRecord.objects.all()}
    assert labels[tape_ids[1], "preference pair"]["partner_tape_id"] == tape_ids[0]
    assert labels[tape_ids[0], "preference pair"]["role"] == "rejected"
    assert (tape_ids[1], "training set") in labels


def test_branches_of_two_arms_are_paired_by_their_steps(lab: Lab) -> None:
    lab.edit()
    experiment = lab.run(arms=["original", "edited"], repeats=1)
    path = f"experiments/{experiment['row']['id']}/preference-pair"

    pair = lab.ask("GET", f"{path}?best=1&worst=0")

    assert pair["metadata"]["source"] == "steps"
    assert pair["prompt"] == []
    assert [message["role"] for message in pair["chosen"]] == ["user", "assistant"]


def test_equal_branches_are_no_pair(lab: Lab) -> None:
    experiment = lab.run(repeats=2)
    path = f"experiments/{experiment['row']['id']}/preference-pair"

    assert "have the same text" in lab.ask("GET", f"{path}?best=0&worst=1", expect=409)["message"]
    assert (
        "two different branches" in lab.ask("GET", f"{path}?best=0&worst=0", expect=422)["message"]
    )


def test_the_command_runs_n_times_and_says_how_many_pass(lab: Lab, settings: Any) -> None:
    settings.STUDIO_OWNER_NAME = "ada"
    out = StringIO()

    call_command(
        "run_n", "talker", "--tape", str(lab.tape), "--times", "3", "--contains", "24", "--json",
        stdout=out,
    )  # fmt: skip

    answer = json.loads(out.getvalue())
    assert (answer["branches"], answer["passed"], answer["judged"]) == (3, 3, 3)
    assert answer["tokens"] > 0
    # A script costs nothing, and that is known.
    assert (answer["cost_micro_usd"], answer["is_cost_known"]) == (0, True)
