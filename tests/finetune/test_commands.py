"""The command line from nothing to an adapter: base model, training set, finetune."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from optimize_app.base_models import models_folder
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.management.named import find_operator
from tapes_app.tapes.store.saving import save_tape

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def run(*arguments: str) -> dict[str, Any]:
    output = StringIO()
    call_command(*arguments, "--json", stdout=output)
    told: dict[str, Any] = json.loads(output.getvalue())
    return told


def fail(*arguments: str) -> str:
    output = StringIO()
    with pytest.raises((CommandError, SystemExit)):
        call_command(*arguments, stderr=output, stdout=output)
    return output.getvalue()


def store_tapes(count: int) -> None:
    project = find_operator("").project_id
    for number in range(count):
        call = LLMCall(
            prompt=Prompt(id=f"p{number}", messages=(user_message(f"Say {number}"),)),
            output=LLMOutput(content=str(number)),
        )
        said = AssistantStep(content=str(number)).with_metadata(
            agent="a", node="n", prompt_id=call.prompt.id
        )
        tape = Tape().append(UserStep(content=f"Say {number}"), said)
        save_tape(project, tape, calls=[call], owner=None)


def test_a_student_is_trained_from_nothing() -> None:
    store_tapes(20)

    recipe = (
        "make_base_model",
        "--name",
        "small",
        "--steps",
        "4",
        "--width",
        "32",
        "--layers",
        "1",
    )
    base = run(*recipe)
    again = run(*recipe)
    made = run("make_training_set", "sayings", "--held-out", "0.2")
    student = run(
        "finetune", "student", "--training-set", "sayings", "--base", "small",
        "--set", "steps=3", "batch_size=4", 'lora={"rank":4}',
    )  # fmt: skip

    assert (base["state"], base["base"]) == ("succeeded", "small")
    assert again["state"] == "succeeded"
    assert (models_folder() / "small" / "model.safetensors").is_file()
    assert made["train_count"] + made["held_out_count"] == 20
    assert made["held_out_count"] > 0
    assert (student["state"], student["steps"]) == ("succeeded", 3)
    assert student["loss"] > 0


def test_mistakes_are_said_in_a_sentence() -> None:
    assert "There is no training set 'none'." in fail(
        "finetune", "student", "--training-set", "none", "--base", "small"
    )
    assert "No tape matches." in fail("make_training_set", "empty", "-q", "task:nothing")
    assert "--width: Input should be a multiple of 32" in fail("make_base_model", "--width", "33")
