"""A batch is run again by a sample agent, and what came of it is compared with what was."""

import json
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.hands import choose

BATCH = "asked before"


def tape_of(number: int) -> dict[str, Any]:
    steps = [
        {"kind": "user", "content": f"Which rerun planet is number {number}?"},
        {"kind": "assistant", "content": "No idea.", "metadata": {"agent": "old", "node": "say"}},
    ]
    return {"metadata": {"id": f"rerun-{number}"}, "context": None, "steps": steps}


def upload(page: Page) -> None:
    page.goto("/upload")
    tapes = [tape_of(number) for number in range(3)]
    file: FilePayload = {
        "name": "rerun.json",
        "mimeType": "application/json",
        "buffer": json.dumps(tapes).encode(),
    }
    page.get_by_label("Files", exact=True).set_input_files(file)
    page.get_by_label("Batch").fill(BATCH)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("definition").first).to_be_visible()


def test_all_of_a_list_is_run_again_and_compared(page: Page) -> None:
    upload(page)
    page.goto(f'/tapes?q=batch:"{BATCH}"')
    page.get_by_role("checkbox", name="Select Which rerun planet is number 0?").check()
    page.get_by_role("button", name="Select all 3 of the list").click()
    page.get_by_role("button", name="Rerun").click()
    dialog = page.get_by_role("dialog", name="Rerun all 3 tapes")

    choose(dialog.get_by_role("combobox", name="Agent"), "analyst")
    expect(dialog.get_by_role("combobox", name="Version")).not_to_have_value("")
    dialog.get_by_role("button", name="Preview").click()
    expect(dialog.get_by_role("status")).to_have_text("Of 3 tapes: 3 can be rerun.")
    dialog.get_by_label("Token budget (hard limit)").fill("1000000")
    dialog.get_by_label("Parallel runs").fill("2")
    dialog.get_by_label("Name of the new batch").fill("asked again")
    dialog.get_by_role("button", name="Run 3 tapes").click()
    expect(dialog.get_by_text("3 runs finished in the batch")).to_be_visible()

    dialog.get_by_role("link", name=f"Compare with “{BATCH}”").click()
    expect(page.get_by_role("heading", name="Compare batches")).to_be_visible()
    expect(page.get_by_text("3 pairs, 0 equal")).to_be_visible()

    page.goto("/runs")
    page.get_by_role("link", name="3 tapes again").first.click()
    expect(page.get_by_text("3 runs finished in the batch “asked again”.")).to_be_visible()
    page.get_by_role("link", name="Show the batch").click()
    expect(page.get_by_role("link", name="Which rerun planet is number 0?")).to_be_visible()
