"""The report of a sweep as files: every attempt, all numbers, and words that say what is shown."""

import csv
import io
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from asgiref.sync import async_to_sync

from tests.evaluation.bench import RIGHT, WRONG
from tests.evaluation.test_suite_command import evaluate
from tests.evaluation.test_suites_over_http import SuiteBench, bench

__all__ = ["bench"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
]
FORMULA = '=HYPERLINK("http://x", "[y](z)|<b>")'


def read(bench: SuiteBench, job: str, file_format: str) -> str:
    answer = bench.client.get(f"/api/v1/sweeps/{job}/report.{file_format}")
    assert answer.status_code == 200
    assert f'filename="exam.{file_format}"' in answer["Content-Disposition"]
    pieces = answer.streaming_content  # type: ignore[attr-defined]
    return async_to_sync(collect)(pieces).decode()


async def collect(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


def test_a_report_is_read_as_a_table_as_numbers_and_in_words(bench: SuiteBench) -> None:
    (task, *_) = bench.ask("GET", "tapes?q=dataset:math-test")["items"]
    bench.ask("PATCH", f"tapes/{task['id']}", {"title": FORMULA})
    tagged = {"tape_ids": [task["id"]], "add": ["hard"], "remove": []}
    bench.ask("POST", "tapes/tags", tagged)
    job = bench.start(variants=[bench.vary(RIGHT), bench.vary(WRONG)])
    shown = bench.finish(job)

    (row,) = shown["tags"]
    rates = [(one["passed_count"], one["failed_count"]) for one in row["cells"]]
    assert (row["tag"], row["task_count"], rates) == ("hard", 1, [(1, 0), (0, 1)])
    batch = shown["variants"][1]["batches"][0]["batch_id"]
    (opened,) = bench.ask("GET", f"tapes?q=batch:{batch} parent_tag:hard")["items"]
    assert opened["parent_id"] == task["id"]

    rows = list(csv.DictReader(io.StringIO(read(bench, job, "csv"))))
    assert len(rows) == 6
    assert {row["result"] for row in rows if row["variant"] == "A"} == {"pass"}
    assert {row["result"] for row in rows if row["variant"] == "B"} == {"fail"}
    # A spreadsheet runs nothing of what a tape is called.
    assert f"'{FORMULA}" in {row["task"] for row in rows}
    assert json.loads(read(bench, job, "json"))["variants"] == shown["variants"]
    words = read(bench, job, "md")
    assert words.startswith("# exam\n\n2 variants \u00d7 1 attempt \u00d7 3 tasks; succeeded.")
    assert "| A | math v1, script=" in words
    assert "100 %" in words
    assert "not shown" in words
    assert "| hard | 1 | 100 % (" in words
    assert "<b>" not in words
    bench.ask("GET", f"sweeps/{job}/report.xlsx", expect=422)


def test_three_attempts_vote_and_the_chosen_one_is_marked(bench: SuiteBench) -> None:
    careless = bench.vary({"script": {"error_rate": 0.6}})
    job = bench.start(variants=[careless], seeds=[1, 2, 3])
    bench.finish(job)

    shown = json.loads(read(bench, job, "json"))
    rows = list(csv.DictReader(io.StringIO(read(bench, job, "csv"))))

    (variant,) = shown["variants"]
    assert (variant["vote"]["attempt_count"], variant["vote"]["vote"]["tasks"]) == (3, 3)
    chosen = [row for row in rows if row["chosen_by_vote"] == "yes"]
    assert len({row["task"] for row in chosen}) == len(chosen) == 3
    passed = [row["result"] for row in chosen].count("pass")
    assert variant["vote"]["vote"]["estimate"]["value"] == pytest.approx(passed / 3)
    # Each attempt has the seed of its own, which the script is given.
    assert len({(row["task"], row["answer"]) for row in rows}) > 3
    assert "the vote over 3 runs" in read(bench, job, "md")


def test_words_say_what_is_missing_and_that_it_is_not_shown_to_fail(bench: SuiteBench) -> None:
    job = bench.start(variants=[bench.vary(RIGHT)], budget={"calls": 1})
    bench.finish(job)

    words = read(bench, job, "md")

    assert "are missing: not run, failed, out of the budget or judged by nobody" in words
    assert "Nothing is compared: there is one variant." in words


def test_the_command_writes_the_report_or_refuses_before_it_runs(
    bench: SuiteBench, tmp_path: Path
) -> None:
    file = tmp_path / "exam.md"
    arguments = ("exam", "-q", "dataset:math-test", "--agent", "math")

    assert evaluate(*arguments, "--export", str(file))[0] == 0

    assert file.read_text().startswith("# exam")
    status, (line,) = evaluate("other", *arguments[1:], "--export", str(tmp_path / "exam.xls"))
    assert (status != 0, "should end with .csv, .json or .md" in line) == (True, True)
