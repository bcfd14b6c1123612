"""Cards of sweeps: what one was made of, the same sweep again, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from optimize_app.evaluation.card import SweepCard
from tapes_app.models import JobRecord, ModelRecord, TapeRecord
from tests.commands.running import fail, run_json
from tests.evaluation.bench import RIGHT, TASKS, WRONG, Bench, bench
from tests.evaluation.test_scoring_over_http import read
from tests.jobs.hosting import workers_beside

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def finish_one(bench: Bench, **changes: Any) -> Any:
    """Run a sweep to its end; return its card."""
    job = bench.start(**changes)
    bench.finish(job)
    return bench.ask("GET", f"sweeps/{job}/card")


def add_model(bench: Bench) -> Any:
    body = {"name": "own", "litellm_model": "openai/own", "base_url": "http://127.0.0.1:9/v1"}
    return bench.ask("POST", "models", {**body, "api_key": "k"}, expect=201)


def test_a_sweep_is_run_again_from_its_card_and_has_the_same_card(bench: Bench) -> None:
    job = bench.start(seeds=[3, 5], budget={"calls": 900}, order_seed=7)
    bench.ask("GET", f"sweeps/{job}/card", expect=409)
    report = bench.finish(job)
    card = bench.ask("GET", f"sweeps/{job}/card")

    again = bench.ask("POST", "sweeps/from-card", {"card": card}, expect=202)["id"]
    second = bench.finish(again)

    assert (second["sweep"]["name"], second["sweep"]["attempts"]) == ("exam, run 1", [3, 5])
    passed = [[one[f"{what}_count"] for what in ("passed", "failed")] for one in report["variants"]]
    assert passed == [
        [one[f"{what}_count"] for what in ("passed", "failed")] for one in second["variants"]
    ]
    other = bench.ask("GET", f"sweeps/{again}/card")
    assert {**other, "name": "", "digest": ""} == {**card, "name": "", "digest": ""}
    assert report["card"] == card["digest"] != other["digest"]
    assert [(one["pin"]["agent"], one["pin"]["version"]) for one in card["variants"]] == [
        ("math", 1), ("math", 1),
    ]  # fmt: skip
    assert [one["parameters"] for one in card["variants"]] == [RIGHT, WRONG]
    (dataset,) = card["datasets"]
    assert (dataset["name"], dataset["version"]) == ("math-test", 1)
    assert (card["seeds"], len(card["tasks"][0]["tape_ids"])) == ([3, 5], TASKS)
    assert card["studio"]
    assert card["order_seed"] == 7
    before = {name: value for name, value in card.items() if name != "function"}
    # A card from before cards knew of scorer functions is taken as it is.
    assert SweepCard.model_validate(before).sealed().digest == card["digest"]
    assert card["digest"] in read(bench, f"{job}/report.md")


def test_an_amended_sweep_has_all_of_it_on_its_card(bench: Bench) -> None:
    first = [row["id"] for row in bench.ask("GET", "tapes?q=dataset:math-test")["items"][2:]]
    job = bench.start(tape_ids=first, variants=[bench.vary(RIGHT)])
    bench.finish(job)
    bench.amend(job, variants=[bench.vary(WRONG)], tasks={"q": "dataset:math-test"})
    bench.finish(job)
    card = bench.ask("GET", f"sweeps/{job}/card")

    again = bench.ask("POST", "sweeps/from-card", {"card": card, "name": "anew"}, expect=202)["id"]
    shown = bench.finish(again)
    (dataset,) = bench.ask("GET", "datasets")["items"]
    bench.ask("DELETE", f"datasets/{dataset['id']}", expect=204)

    assert bench.ask("GET", f"sweeps/{job}/card") == card  # it was pinned when it was begun
    assert bench.look(job)["card"] == card["digest"]
    assert [len(group["tape_ids"]) for group in card["tasks"]] == [TASKS - 2, 2]
    assert shown["sweep"]["message"] == f"{2 * TASKS} runs in 4 batches."
    assert [one["passed_count"] for one in shown["variants"]] == [TASKS, 0]


def test_what_is_not_there_or_another_one_is_named(bench: Bench) -> None:
    model = add_model(bench)
    own = {"agent_version_id": bench.agent_version, "model_id": model["id"]}
    card = finish_one(bench, variants=[bench.vary(RIGHT), own])
    told = {}

    def refuse(what: str, expect: int, card: Any = card) -> None:
        answer = bench.ask("POST", "sweeps/from-card", {"card": card}, expect=expect)
        told[what] = (answer["code"], answer["message"])

    refuse("by hand", 422, {**card, "max_turns": 3})
    refuse("no card", 422, {"format": "something else"})
    bench.ask("PATCH", f"models/{model['id']}", {"parameters": {"temperature": 1}})
    refuse("another model", 409)
    ModelRecord.objects.update(name="another")
    refuse("no model", 404)
    add_model(bench)
    task = card["tasks"][0]["tape_ids"][0]
    TapeRecord.objects.filter(id=task).update(deleted_at="2026-01-01T00:00Z")
    refuse("no task", 404)
    TapeRecord.objects.filter(id=task).update(deleted_at=None)
    (dataset,) = bench.ask("GET", "datasets")["items"]
    bench.ask("PATCH", f"datasets/{dataset['id']}", {"name": "other"})
    refuse("no dataset", 404)

    assert told["by hand"][1].startswith("The card was changed: its content does not match its")
    assert "format" in told["no card"][1]
    assert told["another model"][0] == "card_mismatch"
    assert "The model 'own' differs from the one on the card" in told["another model"][1]
    assert told["no model"][1] == "The card names the model 'own', which is not here; add it."
    assert told["no task"][0] == "not_found"
    assert told["no dataset"][1] == "The card names the dataset 'math-test', which is not here."
    assert JobRecord.objects.filter(kind="sweep").count() == 1


def test_tasks_of_no_dataset_are_held_to_their_expected_answers(bench: Bench) -> None:
    ids = [row["id"] for row in bench.ask("GET", "tapes?q=dataset:math-test")["items"]]
    card = finish_one(bench, q="", tape_ids=ids, variants=[bench.vary(RIGHT)])
    TapeRecord.objects.filter(id=ids[0]).update(expected="another answer")

    refused = bench.ask("POST", "sweeps/from-card", {"card": card}, expect=409)

    assert card["datasets"] == []
    assert (refused["code"], "expected answers" in refused["message"]) == ("card_mismatch", True)


def test_the_command_runs_a_card_and_refuses_a_file_that_is_none(
    bench: Bench, tmp_path: Path
) -> None:
    card = finish_one(bench, variants=[bench.vary(RIGHT)])
    file = tmp_path / "card.json"
    file.write_text(json.dumps(card))

    with workers_beside("agents"):
        said = run_json("evaluate", "anew", "--card", str(file))
    file.write_text("{}")
    refused = fail("evaluate", "--card", str(file))

    assert (said["state"], said["variants"][0]["passed"]) == ("succeeded", TASKS)
    assert "Field required" in refused or "required" in refused
    assert "cannot be read" in fail("evaluate", "--card", str(tmp_path / "none"))
