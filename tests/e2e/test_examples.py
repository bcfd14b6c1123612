"""Rows of a file become a dataset by mouse; a sweep over a version is scored anew."""

import json
import re

from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.hands import choose
from tests.e2e.making import Maker

PROBLEM = "Ann has {0} apples. She buys 2 more apples. How many apples has Ann?"


def test_a_file_becomes_a_dataset_and_a_sweep_over_it_is_scored_anew(page: Page) -> None:
    maker = Maker(page)
    maker.send(
        "POST", "datasets/word-problems", {"count": 1, "seed": 3, "dataset": "for its agent"}
    )
    rows = [
        {"item": {"id": f"q{number}", "question": PROBLEM.format(number), "answer": number + 2}}
        for number in range(3, 7)
    ]
    content = "\n".join(map(json.dumps, [*rows, rows[0]])).encode()

    page.goto("/datasets")
    page.get_by_role("link", name="Examples from a file").click()
    file = FilePayload(name="apples.jsonl", mimeType="application/jsonl", buffer=content)
    page.get_by_label("File", exact=True).set_input_files(file)
    expect(page.get_by_text("Of the first 5 rows 4 become examples.")).to_be_visible()
    expect(page.get_by_text("1 row: an id that an earlier row has (first: row 5)")).to_be_visible()
    page.get_by_role("button", name="Create examples").click()
    expect(page.get_by_text("4 examples made")).to_be_visible()
    page.get_by_role("link", name="Evaluate on them").click()

    form = page.get_by_role("dialog", name="New sweep")
    form.get_by_role("textbox", name="Name").fill("apples")
    choose(form.get_by_role("combobox", name="Agents"), "math")
    form.get_by_role("button", name="Start sweep").click()
    expect(page.get_by_role("heading", name="apples", exact=True)).to_be_visible()
    expect(page.get_by_text("Succeeded", exact=True)).to_be_visible()
    summary = page.get_by_role("region", name="Summary")
    expect(summary.get_by_text("Decided by: The answer is the expected one")).to_be_visible()

    page.get_by_role("button", name="Rescore").click()
    dialog = page.get_by_role("dialog", name="Rescore")
    dialog.get_by_role("combobox", name="Decided by").click()
    page.get_by_role("option", name="The last number is the expected one").click()
    dialog.get_by_role("button", name="Score", exact=True).click()
    expect(page).to_have_url(re.compile(r"\?by="))
    expect(dialog).to_have_count(0)

    summary.get_by_role("link", name="what changed since").click()
    expect(page.get_by_role("table", name="Versions").get_by_role("row")).to_have_count(2)
    expect(page.get_by_text("Nothing changed; 4 tapes are the same.")).to_be_visible()


def test_examples_with_checkpoints_say_in_the_report_which_were_missed(page: Page) -> None:
    maker = Maker(page)
    maker.send("POST", "datasets/word-problems", {"count": 1, "seed": 4, "dataset": "for math"})
    answered = {"kind": "jmespath", "expression": "step.kind == 'math_answer'"}
    checkpoints = [
        {"name": "answered", "check": answered, "weight": 3},
        {"name": "thanked", "check": {"kind": "contains", "text": "thank"}, "at_end": True},
    ]
    rows = [
        {"id": f"c{number}", "question": PROBLEM.format(number), "checkpoints": checkpoints}
        for number in (8, 9)
    ]
    content = "\n".join(map(json.dumps, rows)).encode()

    page.goto("/datasets/import")
    file = FilePayload(name="polite.jsonl", mimeType="application/jsonl", buffer=content)
    page.get_by_label("File", exact=True).set_input_files(file)
    shown = page.get_by_text("All checkpoints are met in order: answered, thanked.")
    expect(shown).to_have_count(2)
    page.get_by_role("button", name="Create examples").click()
    page.get_by_role("link", name="Evaluate on them").click()
    form = page.get_by_role("dialog", name="New sweep")
    form.get_by_role("textbox", name="Name").fill("polite")
    choose(form.get_by_role("combobox", name="Agents"), "math")
    form.get_by_role("button", name="Start sweep").click()
    expect(page.get_by_role("heading", name="polite", exact=True)).to_be_visible()
    expect(page.get_by_text("Succeeded", exact=True)).to_be_visible()

    missed = "Missed: thanked. 1 of 2 checkpoints are met."
    expect(page.get_by_title(missed)).to_have_count(2)

    page.get_by_role("button", name="Rescore").click()
    dialog = page.get_by_role("dialog", name="Rescore")
    dialog.get_by_role("combobox", name="Decided by").click()
    page.get_by_role("option", name="The linter finds nothing").click()
    dialog.get_by_role("combobox", name="Detector or rule").click()
    page.get_by_role("option", name="Repeated action").click()
    dialog.get_by_role("button", name="Score", exact=True).click()
    expect(page).to_have_url(re.compile(r"\?by="))
