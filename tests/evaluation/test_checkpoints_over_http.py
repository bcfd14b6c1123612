"""Examples with checkpoints: from a file into a sweep, whose report says which were missed."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tapes_app.models import DatasetRecord, JobRecord, RegressionTestRecord, TapeRecord
from tests.commands.running import run
from tests.evaluation.bench import RIGHT, WRONG, Bench, bench
from tests.evaluation.test_scoring_over_http import came
from tests.jobs.hosting import host_beside
from tests.waiting import wait_until

__all__ = ["bench"]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]

MAPPING = {"message": "question", "expected": "answer", "id": "id", "check": "checkpoints"}


def checkpoints(answer: int) -> list[dict[str, Any]]:
    """What a run has to do: calculate, then answer, and at the end the answer is right."""

    def is_kind(name: str, kind: str) -> dict[str, Any]:
        return {"name": name, "check": {"kind": "jmespath", "expression": f"step.kind == '{kind}'"}}

    right = {"name": "right", "weight": 2, "at_end": True,
             "check": {"kind": "number", "value": answer}}  # fmt: skip
    return [is_kind("calculated", "math_calculation"), is_kind("answered", "math_answer"), right]


def rows() -> list[dict[str, Any]]:
    problem = "Ann has {0} apples. She buys 2 more apples. How many apples has Ann?"
    return [
        {"id": f"q{number}", "question": problem.format(number), "answer": number + 2,
         "checkpoints": checkpoints(number + 2)}
        for number in range(3, 7)
    ]  # fmt: skip


def upload(bench: Bench, given: list[dict[str, Any]]) -> str:
    content = "\n".join(map(json.dumps, given)).encode()
    file = SimpleUploadedFile("apples.jsonl", content)
    answer = bench.client.post("/api/v1/example-files", {"file": file})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def test_a_sweep_over_a_file_with_checkpoints_says_which_were_missed(bench: Bench) -> None:
    file = upload(bench, rows())
    shown = bench.ask("POST", f"example-files/{file}/preview", MAPPING)
    body = {"dataset": "apples", "mapping": MAPPING}
    job = bench.ask("POST", f"example-files/{file}/import", body, 202)
    with host_beside("agents"):
        wait_until(lambda: JobRecord.objects.get(id=job["id"]).finished_at, "the import to end")

    sweep = bench.start(q="dataset:apples", variants=[bench.vary(RIGHT), bench.vary(WRONG)])
    report = bench.finish(sweep)

    assert shown["rows"][0]["check"] == (
        "All checkpoints are met in order: calculated, answered, right."
    )
    assert came(report) == [(4, 0, 0), (0, 4, 0)]
    wrong = [task["cells"][1][0] for task in report["tasks"]]
    assert {one["why"] for one in wrong} == {"Missed: right. 2 of 3 checkpoints are met."}
    assert {one["value"] for one in wrong} == {0.5}
    assert report["variants"][1]["mean_value"]["estimate"]["value"] == 0.5


def test_checks_that_cannot_be_read_leave_their_rows_out_with_why(bench: Bench) -> None:
    first, second, third, fourth = rows()
    second["checkpoints"] = [{"name": "a", "check": {"kind": "guess"}}]
    third["checkpoints"] = [{"name": "a", "check": {"kind": "regex", "pattern": "("}}]
    fourth["checkpoints"] = "not JSON"
    first["checkpoints"] = json.dumps(first["checkpoints"])  # as a cell of CSV holds it
    file = upload(bench, [first, second, third, fourth])
    before = TapeRecord.objects.count(), DatasetRecord.objects.count()

    shown = bench.ask("POST", f"example-files/{file}/preview", MAPPING)

    assert [row["id"] for row in shown["rows"]] == ["q3"]
    assert shown["rows"][0]["check"].startswith("All checkpoints are met")
    whys = sorted(rows["why"] for rows in shown["left_out"])
    assert [why.partition(":")[0] for why in whys] == [
        "a check that cannot be decided", "a check that cannot be read", "a check that is not JSON",
    ]  # fmt: skip
    assert (TapeRecord.objects.count(), DatasetRecord.objects.count()) == before


def test_the_command_takes_the_column_by_its_usual_name(bench: Bench, tmp_path: Any) -> None:
    path = tmp_path / "apples.jsonl"
    path.write_text("\n".join(map(json.dumps, rows())))

    assert run("datasets", "import", "apples", str(path)).startswith("4 examples")
    assert RegressionTestRecord.objects.filter(pass_check__contains="checkpoints").count() == 4
