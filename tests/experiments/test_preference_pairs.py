"""Pairs of branches as examples of training: the same prompt answered twice."""

import json
from typing import Any
from uuid import UUID

import pytest

from tapes_app.exchange.services.export_jobs import folder_of
from tapes_app.models import (
    AnnotationRecord,
)
from tests.experiments.lab import ASKED, Lab, column

pytestmark = pytest.mark.django_db(transaction=True)


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
