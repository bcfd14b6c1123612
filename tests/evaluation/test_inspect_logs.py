"""Variants of a sweep as logs of Inspect: by their structure, and read by Inspect where it is."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from asgiref.sync import async_to_sync

from tests.commands.running import fail, run
from tests.evaluation.bench import TASKS, Bench, bench
from tests.evaluation.test_scoring_over_http import collect

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]


def download(bench: Bench, job: str, letter: str, path: Path) -> Path:
    answer = bench.client.get(f"/api/v1/sweeps/{job}/variants/{letter}.eval")
    assert f'filename="exam {letter}.eval"' in answer["Content-Disposition"]
    pieces = answer.streaming_content  # type: ignore[attr-defined]
    path.write_bytes(async_to_sync(collect)(pieces))
    return path


def read(file: ZipFile, name: str) -> Any:
    return json.loads(file.read(name))


def test_a_variant_is_a_log_with_a_sample_for_each_attempt(bench: Bench, tmp_path: Path) -> None:
    job = bench.start(seeds=[3, 5], budget={"calls": TASKS * 3}, concurrency=1)
    shown = bench.finish(job)
    wrong = shown["variants"][1]

    with ZipFile(download(bench, job, "A", tmp_path / "a.eval")) as file:
        head, summaries = read(file, "header.json"), read(file, "summaries.json")
        samples = [read(file, name) for name in file.namelist() if name.startswith("samples/")]
    with ZipFile(download(bench, job, "B", tmp_path / "b.eval")) as file:
        (counted,) = read(file, "header.json")["results"]["scores"]

    assert (head["version"], head["status"], head["eval"]["task"]) == (2, "success", "exam")
    assert head["eval"]["dataset"]["name"] == "math-test@1"
    assert {(one["id"], one["epoch"]) for one in samples} <= {
        (task, epoch) for task in head["eval"]["dataset"]["sample_ids"] for epoch in (1, 2)
    }
    assert len(summaries) == len(samples) <= 2 * TASKS
    passed = [one for one in samples if one["scores"]]
    assert 0 < len(passed) == shown["variants"][0]["passed_count"] < 2 * TASKS
    assert {one["scores"]["outcome"]["value"] for one in passed} == {1}
    sample = passed[0]
    assert sample["messages"][0]["role"] == "user"
    assert sample["input"] == sample["messages"][:1]
    assert sample["output"]["completion"] == sample["messages"][-1]["content"]
    # What is missing has no score, and lowers none.
    assert counted["scored_samples"] == wrong["failed_count"] < 2 * TASKS
    assert counted["metrics"].get("accuracy", {"value": 0})["value"] == 0
    assert bench.ask("GET", f"sweeps/{job}/variants/Z.eval", expect=404)["message"] == (
        "The sweep has no variant 'Z'."
    )
    _holds_one_cell(bench, job, passed[0]["id"], tmp_path / "cell.eval")


def _holds_one_cell(bench: Bench, job: str, task: str, path: Path) -> None:
    """The attempts of a variant at one task, by the command and over HTTP."""
    said = run("export_sweep", job, str(path), "--variant", "A", "--task", task[:13])
    with ZipFile(path) as file:
        cell = [read(file, name) for name in file.namelist() if name.startswith("samples/")]
        head = read(file, "header.json")
    unknown = bench.ask("GET", f"sweeps/{job}/variants/A.eval?task={job}", expect=404)

    assert said == f"{path} is written."
    assert {(one["id"], one["epoch"]) for one in cell} <= {(task, 1), (task, 2)}
    assert head["eval"]["dataset"]["sample_ids"] == [task]
    assert unknown["message"] == f"The sweep has no task '{job}'."
    assert fail("export_sweep", job, str(path)).endswith("has one variant; give --variant.")
    rows = path.with_suffix(".csv")
    run("export_sweep", job, str(rows), "--by", "outcome")
    assert rows.read_text().splitlines()[0].startswith("task,task_tape,variant")


def test_a_log_of_ours_comes_back_as_tapes_with_the_same_verdicts(
    bench: Bench, tmp_path: Path
) -> None:
    job = bench.finished()

    for letter in "AB":
        log = download(bench, job, letter, tmp_path / f"{letter}.eval")
        run("import_tapes", str(log), "--batch", f"from Inspect {letter}")

    found = [bench.ask("GET", f'tapes?q=batch:"from Inspect {one}"')["items"] for one in "AB"]
    assert [[row["outcome"] for row in rows] for rows in found] == [
        ["pass"] * TASKS, ["fail"] * TASKS,
    ]  # fmt: skip


def test_inspect_reads_the_same_scores(bench: Bench, tmp_path: Path) -> None:
    inspect_log = pytest.importorskip("inspect_ai.log")
    job = bench.finished()

    logs = [
        inspect_log.read_eval_log(str(download(bench, job, letter, tmp_path / f"{letter}.eval")))
        for letter in "AB"
    ]

    values = [[one.scores["outcome"].value for one in log.samples] for log in logs]
    assert values == [[1.0] * TASKS, [0.0] * TASKS]
    assert [log.results.scores[0].metrics["accuracy"].value for log in logs] == [1, 0]
