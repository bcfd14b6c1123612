"""Two batches of the same tasks: who got worse, the pair behind it, and all on one axis."""

import json
import re
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.test_axe import expect_nothing_serious


def tape(batch: str, task: str, said: list[str]) -> dict[str, Any]:
    thoughts = [
        {"kind": "reasoning_thought", "reasoning": text, "metadata": {"agent": "bot", "node": text}}
        for text in said[:-1]
    ]
    metadata = {"id": f"{batch}-{task}", "task": task, "expected": "yes"}
    answer = {"kind": "assistant", "content": said[-1], "metadata": {"agent": "bot", "node": "say"}}
    steps = [{"kind": "user", "content": f"Is the batched {task} so?"}, *thoughts, answer]
    return {"metadata": metadata, "context": None, "steps": steps}


OLD = {"moon": ["plan", "yes"], "mars": ["plan", "yes"], "pluto": ["plan", "no"]}
NEW = {"mars": ["plan", "yes"], "moon": ["plan", "look", "no"], "venus": ["plan", "yes"]}


def upload(page: Page, batch: str, answers: dict[str, list[str]]) -> None:
    page.goto("/upload")
    values = [tape(batch, task, said) for task, said in answers.items()]
    file: FilePayload = {
        "name": f"{batch}.json",
        "mimeType": "application/json",
        "buffer": json.dumps(values).encode(),
    }
    page.get_by_label("Files", exact=True).set_input_files(file)
    page.get_by_label("Batch").fill(batch)
    page.get_by_role("button", name=re.compile("^Import")).click()
    expect(page.get_by_role("definition").first).to_be_visible()


def test_two_batches_are_compared_and_aligned(page: Page) -> None:
    upload(page, "planets before", OLD)
    upload(page, "planets after", NEW)

    page.goto("/batches")
    page.get_by_role("checkbox", name="Select planets before").click()
    page.get_by_role("checkbox", name="Select planets after").click()
    page.get_by_role("button", name="Compare").click()

    expect(page.get_by_text("2 pairs, 1 equal, 2 unpaired")).to_be_visible()
    left_out = page.get_by_role("table", name="Unpaired tapes")
    expect(left_out.get_by_role("link", name="Is the batched pluto so?")).to_be_visible()
    expect_nothing_serious(page)
    page.get_by_role("button", name="Passed, then failed: 1").click()
    expect(page.get_by_role("link", name="Is the batched mars so?")).to_be_hidden()
    page.get_by_role("link", name="Is the batched moon so?").click()
    expect(page.get_by_role("heading", name="Diff")).to_be_visible()
    expect(page.get_by_role("article", name="Inserted step").first).to_be_visible()

    page.goto("/batches")
    page.get_by_role("checkbox", name="Select planets before").click()
    page.get_by_role("checkbox", name="Select planets after").click()
    page.get_by_role("button", name="Matrix").click()
    page.get_by_role("button", name="Is the batched moon so?").click()
    steps = page.get_by_role("table", name="Steps of the tapes on one axis")
    expect_nothing_serious(page)
    steps.get_by_role("link", name="Step 0, user").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/t/[0-9a-f-]+\?step=3"))


def test_what_stands_last_in_a_narrow_table_keeps_its_distance_from_the_edge(page: Page) -> None:
    upload(page, "planets seen from afar", OLD)
    page.set_viewport_size({"width": 800, "height": 600})

    page.goto("/batches")
    last = page.get_by_role("columnheader", name="Tokens")

    expect(page.get_by_role("columnheader", name="Created")).to_be_hidden()
    expect(last).to_have_css("padding-right", "16px")
