"""The branches of Run N are judged: by a model, by a check, and by a person."""

from typing import Any

import pytest

from tapes_app.models import (
    AnnotationRecord,
    JobRecord,
    LLMCallRecord,
    TapeRecord,
)
from tests.experiments.lab import SAYS_42, Lab, arm, column
from tests.llms.openai_server import Behaviour, OpenAIServer

pytestmark = pytest.mark.django_db(transaction=True)


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
