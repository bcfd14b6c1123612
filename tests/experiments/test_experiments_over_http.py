"""Run N over HTTP, with a real worker: begun whole, compared fairly, listed."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from tapes_app.agents.store.agents import create_agent
from tapes_app.models import (
    ExperimentBranchRecord,
    ExperimentRecord,
    JobRecord,
    LLMCallRecord,
    TapeRecord,
)
from tests.experiments.lab import SAYS_42, Lab, arm, column, edited_arm
from tests.runs.tool_plugin import SENT, build_tool_agent

pytestmark = pytest.mark.django_db(transaction=True)


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
