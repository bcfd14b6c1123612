"""Steps that are not learnt: those a person keeps back, by score, by the linter."""

from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from tapes_app.management.named import find_operator
from tests.http.asking import call
from tests.training_sets.test_sets_over_http import Desk, desk

__all__ = ["desk"]

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = "A step that it led to is excluded from training."
LOW_SCORE = "A step that it led to is scored below the minimum."
FOUND = "The linter found something in a step that it led to."


def say(desk: Desk, tape: UUID | str, position: int, **said: Any) -> str:
    body = {"position": position, **said}
    return str(call(desk.client, "POST", f"tapes/{tape}/annotations", body, expect=201)["id"])


def answers(desk: Desk, job: Any) -> list[str]:
    return sorted(one["answer"]["content"] for one in desk.examples(job))


def test_a_step_that_a_person_keeps_back_is_not_learnt_until_it_is_allowed(desk: Desk) -> None:
    kept, learnt = desk.store("kept"), desk.store("learnt")
    label = say(desk, kept, 1, kind="label", name="kept-from-training")

    job = desk.make(held_out_share=0)
    call(desk.client, "DELETE", f"tapes/{kept}/annotations/{label}", expect=204)
    allowed = desk.make(name="allowed", held_out_share=0)

    assert answers(desk, job) == ["answer to learnt"]
    assert job["result"]["examples_left_out"] == {KEPT: 1}
    assert {row["tape"] for row in desk.rows(job)} == {str(learnt)}
    assert answers(desk, allowed) == ["answer to kept", "answer to learnt"]


def test_steps_with_a_lower_score_are_left_out(desk: Desk) -> None:
    for question, scale, score in (
        ("bad", "fraction", 0.2),
        ("good", "fraction", 0.9),
        ("two of five", "five", 2),
        ("three of five", "five", 3),
    ):
        said = {"kind": "score", "name": "quality", "scale": scale, "value": score}
        say(desk, desk.store(question), 1, **said)
    desk.store("unscored")

    job = desk.make(held_out_share=0, minimum_step_score=0.5)

    assert answers(desk, job) == ["answer to good", "answer to three of five", "answer to unscored"]
    assert job["result"]["examples_left_out"] == {LOW_SCORE: 2}


def test_steps_in_which_the_linter_finds_something_are_left_out(desk: Desk) -> None:
    rule = {
        "name": "no apology",
        "text": "never contains(content || '', 'sorry')",
        "severity": "warning",
    }
    call(desk.client, "POST", "lint/rules", rule, expect=201)
    desk.store("rude", "I am sorry.")
    desk.store("kind", "Here it is.")

    all_of_them = desk.make(held_out_share=0)
    graver = desk.make(name="graver", held_out_share=0, without_findings="error")
    clean = desk.make(name="clean", held_out_share=0, without_findings="warning")

    assert len(answers(desk, all_of_them)) == len(answers(desk, graver)) == 2
    assert answers(desk, clean) == ["Here it is."]
    assert clean["result"]["examples_left_out"] == {FOUND: 1}


def test_what_is_kept_back_counts_for_rebuilt_calls_and_pairs(desk: Desk) -> None:
    tape = desk.chat("What is 12 * 12?")
    answered = desk.answer_position(tape)
    child = desk.edit(tape, answered, {"kind": "assistant", "content": "A gross."})
    say(desk, child, answered, kind="label", name="kept-from-training")

    rebuilt = desk.make(held_out_share=0, tape_ids=[child], source="rebuilt")
    pairs = desk.make(name="pairs", held_out_share=0, tape_ids=[child], source="edits")

    (called,) = desk.examples(rebuilt)
    assert "tool_calls" in called["answer"]
    assert pairs["state"] == "failed"
    assert KEPT in pairs["message"]

    other = desk.edit(tape, answered, {"kind": "assistant", "content": "144, a gross."})
    by_model = int(called["id"].rpartition("/")[2])
    say(desk, other, by_model, kind="label", name="kept-from-training")
    others = desk.make(name="other pairs", held_out_share=0, tape_ids=[other], source="edits")

    # What the model wrote makes no pair anyway, so nothing of the set is missing.
    assert (others["state"], others["result"]["examples_left_out"]) == ("succeeded", {})


def test_the_command_leaves_steps_out_and_says_so(transactional_db: None) -> None:
    owner = Desk(None, find_operator("").project_id)  # type: ignore[arg-type]
    kept = owner.store("bad")
    owner.store("good")
    call_command("annotations", "add", str(kept), "--step", "1", "--label", "kept-from-training")
    output = StringIO()

    call_command("make_training_set", "ours", "--held-out", "0", stdout=output)

    assert f"left out 1 LLM call: {KEPT}" in output.getvalue()
