"""Definitions of OpenAI Evals over HTTP: graders with an equal become scorers, others say why."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tapes_app.engine.model.llm import scripts
from tapes_app.models import ProjectRecord
from tests.commands.running import fail, run, run_lines
from tests.experiments.lab import answer
from tests.http.asking import call

pytestmark = pytest.mark.django_db

OUTPUT = "{{ sample.output_text }}"


def check(name: str, operation: str, reference: str, text: str = OUTPUT) -> dict[str, Any]:
    return {
        "type": "string_check", "name": name, "input": text, "reference": reference,
        "operation": operation,
    }  # fmt: skip


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": {"type": "input_text", "text": text}}


LABELS = {
    "type": "label_model", "name": "Polite", "model": "gpt-4o", "labels": ["rude", "polite"],
    "passing_labels": ["polite"],
    "input": [said("developer", "Label it."), said("user", f"{{{{item.question}}}}: {OUTPUT}")],
}  # fmt: skip
SCORED = {
    "type": "score_model", "name": "Grade", "model": "o3", "range": [1, 5], "pass_threshold": 4,
    "input": [{"role": "user", "content": f"Rate {OUTPUT} beside {{{{ item.answer | upper }}}}."}],
}  # fmt: skip
CRITERIA: list[Any] = [
    check("Same", "eq", "{{item.answer}}"),
    check("Other", "ne", "{{ item.answer }}"),
    check("Inside", "ilike", "{{item.answer}}"),
    check("Yes", "like", "Yes"),
    check("Not it's", "ne", "it's"),
    check("Elsewhere", "eq", "{{item.other}}"),
    check("Words", "eq", "The answer is {{item.answer}}"),
    check("Trimmed", "eq", "yes", "Say {{sample.output_text}}"),
    LABELS,
    SCORED,
    {**SCORED, "name": "Shown more", "input": [said("user", "{{item.context}}")]},
    {"type": "text_similarity", "name": "Near", "evaluation_metric": "bleu"},
    {"type": "python", "name": "Code", "source": "import os"},
    {"type": "multi", "name": "Both", "graders": {"inner": check("x", "eq", "no")}},
    {"type": "of tomorrow"},
]


@pytest.fixture
def dataset(studio: Client) -> str:
    return str(call(studio, "POST", "datasets", {"name": "exam"}, 201)["id"])


@pytest.fixture
def judge(studio: Client) -> str:
    if "test-lab" not in scripts:
        scripts.add("test-lab", answer)
    body = {"name": "strict", "litellm_model": "script:test-lab"}
    return str(call(studio, "POST", "models", body, 201)["id"])


def take(client: Client, dataset: str, definition: Any, expect: int = 201, **more: Any) -> Any:
    columns = {"message": "item.question", "expected": "item.answer"}
    body = {"definition": definition, **columns, **more}
    return call(client, "POST", f"datasets/{dataset}/scorers/openai-eval", body, expect)


def test_graders_with_an_equal_become_scorers_and_the_others_say_why(
    studio: Client, dataset: str, judge: str
) -> None:
    mapped = take(studio, dataset, {"name": "mine", "testing_criteria": CRITERIA}, judge_id=judge)

    told = {one["name"]: one["words"] or one["problem"] for one in mapped["graders"]}
    assert told == {
        "Same": "The final text is the expected answer.",
        "Other": "The final text is not the expected answer.",
        "Inside": "The final text contains the expected answer.",
        "Yes": "The final text contains 'Yes'.",
        "Not it's": "'text != `\"it\\'s\"`' is true.",
        "Elsewhere": (
            "it compares with 'item.other', and the expected answer is 'item.answer'"
        ),
        "Words": "its reference mixes columns and words",
        "Trimmed": "it checks more than the output text",
        "Polite": "A judge gives 0.5 or more by the rubric.",
        "Grade": "A judge gives 0.75 or more by the rubric.",
        "Shown more": "its prompt shows 'item.context', which a judge does not see here",
        "Near": (
            "the similarity of two texts has no equal here; ask whether the answer contains the "
            "expected one, or a judge"
        ),
        "Code": (
            "code from a file is not run here; write it as an expression or as a judge's rubric"
        ),
        "Both": "its formula has no equal here; its parts follow separately",
        "x": "The final text equals 'no'.",
        "of tomorrow 16": "its type is not known here",
    }  # fmt: skip
    listed = call(studio, "GET", f"datasets/{dataset}/scorers")
    kept = {one["name"]: one["scorer"] for one in listed}
    assert set(kept) == {
        "Same", "Other", "Inside", "Yes", "Not it's", "Polite", "Grade", "x",
    }  # fmt: skip
    assert kept["Inside"] == {"kind": "contains", "ignores_case": True}
    assert kept["Polite"]["rubric"] == (
        "Label it.\n\n[the task]: [the final answer]\n\nDecide on one of these labels: rude, "
        "polite. The score is 1 for polite, and 0 for any other."
    )
    shown = "Rate [the final answer] beside [the expected answer]."
    assert kept["Grade"]["rubric"].startswith(shown)
    assert "(rating - 1) / 4" in kept["Grade"]["rubric"]


def test_without_a_judge_its_graders_are_not_taken_and_names_are_kept_once(
    studio: Client, dataset: str
) -> None:
    first = take(studio, dataset, {"testing_criteria": [check("Same", "eq", "a"), LABELS]})

    again = take(studio, dataset, check("Same", "eq", "b"))

    assert first["graders"][1]["problem"] == ("no model is chosen to judge in place of its own")
    assert again["graders"][0]["problem"] == "the dataset has a scorer of this name already"
    (scorer,) = call(studio, "GET", f"datasets/{dataset}/scorers")
    assert scorer["words"] == "The final text equals 'a'."
    call(studio, "DELETE", f"datasets/{dataset}/scorers/{scorer['id']}", expect=204)
    assert call(studio, "GET", f"datasets/{dataset}/scorers") == []


@pytest.mark.parametrize("definition", [{}, {"testing_criteria": []}, {"testing_criteria": "x"}])
def test_a_definition_without_graders_is_refused(
    studio: Client, dataset: str, definition: Any
) -> None:
    assert "has no graders" in take(studio, dataset, definition, 422)["message"]


def test_a_scorer_is_kept_by_hand(studio: Client, dataset: str, project: ProjectRecord) -> None:
    body = {"name": "exact", "scorer": {"kind": "equals"}}
    path = f"datasets/{dataset}/scorers"

    made = call(studio, "POST", path, body, 201)

    assert (made["name"], made["scorer"]["ignores_case"]) == ("exact", False)
    assert "already has a scorer 'exact'" in call(studio, "POST", path, body, 409)["message"]
    gone = {"name": "b", "scorer": {"kind": "judge", "model_id": dataset, "rubric": "?"}}
    call(studio, "POST", path, gone, 404)


def test_the_command_takes_a_definition(tmp_path: Path, db: None) -> None:
    rows, definition = tmp_path / "rows.jsonl", tmp_path / "eval.json"
    rows.write_text('{"item": {"question": "Why?", "answer": "So."}}')
    definition.write_text(json.dumps(CRITERIA[:1] + CRITERIA[-3:-2]))
    run("datasets", "import", "exam", str(rows))

    told = run_lines("scorers", "take", "exam", str(definition), "--expected", "item.answer")

    assert told == [
        "Same: The final text is the expected answer.",
        "Code: not taken, code from a file is not run here; write it as an expression or as a "
        "judge's rubric",
        "1 scorer made, 1 grader not.",
    ]
    assert run_lines("scorers", "list", "exam")[0] == (
        "Same  The final text is the expected answer."
    )
    definition.write_text("{")
    assert "cannot be read" in fail("scorers", "take", "exam", str(definition))
