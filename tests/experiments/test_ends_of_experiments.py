"""Run N ends: by a limit, by an error, by a person; and what is left is done again."""

import pytest

from tapes_app.agents.store.agents import create_agent
from tapes_app.jobs.store.commands import request_cancel
from tapes_app.models import (
    ExperimentRecord,
    JobRecord,
    LLMCallRecord,
    TapeRecord,
)
from tests.experiments.lab import SAYS_42, Lab, arm, column
from tests.llms.openai_server import Behaviour, OpenAIServer

pytestmark = pytest.mark.django_db(transaction=True)


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
