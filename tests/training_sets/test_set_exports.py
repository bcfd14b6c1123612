"""Training sets for other trainers: lines that those read, and what they cannot hold is told."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tapes_app.management.named import find_operator
from tests.http.asking import call, read_stream
from tests.training_sets.test_recorded_tokens import Rollout, base
from tests.training_sets.test_sets_over_http import Desk, desk

__all__ = ["base", "desk"]
pytestmark = pytest.mark.django_db(transaction=True)


def download(desk: Desk, job: Any, **query: str) -> list[dict[str, Any]]:
    path = f"/api/v1/training-sets/{job['result']['training_set_id']}/export"
    answer = desk.client.get(path, query)
    assert answer.status_code == 200
    assert "attachment" in answer["Content-Disposition"]

    return [json.loads(line) for line in read_stream(answer).splitlines()]


def lost(desk: Desk, job: Any, name: str) -> dict[str, int]:
    found = call(desk.client, "GET", f"training-sets/{job['result']['training_set_id']}/formats")
    (row,) = (one for one in found if one["format"] == name)
    return {part["what"].partition(":")[0]: part["count"] for part in row["lost"]}


def test_a_call_is_a_prompt_with_its_completion_or_a_chat(desk: Desk) -> None:
    desk.store("one plus one?", "two")
    desk.store("measure", "it", split="validation")
    job = desk.make(held_out_share=0)

    asked = [{"role": "user", "content": "one plus one?"}]
    answer = {"role": "assistant", "content": "two"}

    assert download(desk, job, format="trl") == [{"prompt": asked, "completion": [answer]}]
    assert download(desk, job, format="openai") == [{"messages": [*asked, answer]}]
    (held_out,) = download(desk, job, format="trl", side="held_out")
    assert held_out["completion"][0]["content"] == "it"
    assert lost(desk, job, "trl") == lost(desk, job, "examples") == {}


def test_a_pair_is_a_preference_in_both(desk: Desk) -> None:
    tape = desk.chat("What is 12 * 12?")
    answered = desk.answer_position(tape)
    child = desk.edit(tape, answered, {"kind": "assistant", "content": "A gross."})
    job = desk.make(held_out_share=0, tape_ids=[child], source="edits")

    (trl,) = download(desk, job, format="trl")
    (openai,) = download(desk, job, format="openai")

    assert trl["chosen"][0]["content"] == openai["preferred_output"][0]["content"] == "A gross."
    assert "144" in trl["rejected"][0]["content"]
    assert trl["rejected"] == openai["non_preferred_output"]
    assert trl["prompt"] == openai["input"]["messages"]
    assert trl["tools"] == openai["input"]["tools"]


def test_what_a_format_cannot_hold_is_counted(desk: Desk, base: str) -> None:
    good = Rollout("a").turn("what is one", "the sum").turn("and two", "the answer")
    good.store(desk, task="one", outcome="pass")
    Rollout("b").turn("what is one", "the of").store(desk, task="one", outcome="fail")
    job = desk.make(held_out_share=0, source="groups", base=base)

    (line,) = download(desk, job, format="trl")

    assert line["completion"] == [{"role": "assistant", "content": "the answer"}]
    assert lost(desk, job, "trl") == {
        "Recorded tokens and log-probabilities": 2,
        "Earlier answers of calls in one sequence": 1,
        "Examples that are unlearnt": 1,
    }
    assert len(download(desk, job)) == 2
    assert lost(desk, job, "examples") == {}


def test_the_command_writes_a_file_and_says_what_is_lost(desk: Desk, tmp_path: Path) -> None:
    owner = Desk(desk.client, find_operator("").project_id)
    for answer, outcome in (("a", "pass"), ("b", "fail"), ("c", "fail")):
        owner.store("sum?", answer, task="sum", outcome=outcome)
    call_command("make_training_set", "ours", "--held-out", "0", "--groups", stdout=StringIO())
    output, out = StringIO(), tmp_path / "ours.jsonl"

    call_command(
        "export_training_set", "ours", "--format", "openai", "--out", str(out), stdout=output
    )

    (line,) = map(json.loads, out.read_text().splitlines())
    assert line["messages"][-1]["content"] == "a"
    assert "2: Examples that are unlearnt" in output.getvalue()
    assert "1: Weights: each example counts alike." in output.getvalue()
