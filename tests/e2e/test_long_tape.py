"""A tape of thousands of steps: scrolled to its end, opened in its middle, and edited there."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FilePayload, Page, Request, expect

from tests.studio.running_studio import RunningStudio

STEPS = 5_000
TITLE = "Count as far as you like"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def long_tape(studio: RunningStudio, browser: Browser, signed_in: Path) -> str:
    """Import a tape of 5,000 steps; return its address."""
    said = [{"kind": "assistant", "content": f"This is number {at}."} for at in range(1, STEPS)]
    tape = {"metadata": {"id": "long"}, "steps": [{"kind": "user", "content": TITLE}, *said]}
    file: FilePayload = {
        "name": "long.json",
        "mimeType": "application/json",
        "buffer": json.dumps(tape).encode(),
    }
    context = browser.new_context(base_url=studio.url, storage_state=signed_in)
    page = context.new_page()
    page.goto("/upload")
    page.get_by_label("Files", exact=True).set_input_files(file)
    page.get_by_role("button", name=re.compile("^Import")).click()
    expect(page.get_by_role("definition").first).to_have_text("1")
    found = page.request.get("/api/v1/tapes", params={"q": f'"{TITLE}"'}).json()["items"]
    context.close()
    return f"/t/{found[0]['id']}"


def test_a_tape_of_5000_steps_scrolls_to_its_end_and_opens_at_a_deep_link(
    page: Page, long_tape: str
) -> None:
    cards = page.get_by_role("article", name=re.compile(r"^Step \d+"))
    page.goto(long_tape)
    expect(page.get_by_role("article", name="Step 0, user")).to_contain_text(TITLE)
    expect(page.get_by_text("5,000 steps")).to_be_visible()

    page.get_by_role("article", name="Step 0, user").hover()
    last = page.get_by_role("article", name=f"Step {STEPS - 1}, assistant")
    for _ in range(60):
        page.mouse.wheel(0, 40_000)
        page.evaluate(DRAWN)  # or the next turn of the wheel comes before this one was drawn
        if last.count():
            break
    expect(last).to_contain_text(f"This is number {STEPS - 1}.")
    assert cards.count() < 60

    asked: list[str] = []
    page.on("request", lambda request: _note(asked, request))
    page.goto(f"{long_tape}?step=4000")

    card = page.get_by_role("article", name="Step 4000, assistant")
    expect(card).to_contain_text("This is number 4000.")
    expect(card).to_be_in_viewport()
    expect(page.get_by_role("article", name="Step 3999, assistant")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("article", name="Step 4001, assistant")).to_be_in_viewport(ratio=1)
    row = page.get_by_role("button", name=re.compile("^4000 "))
    expect(row).to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": 600})  # as when what stands below comes late
    expect(row).to_be_in_viewport(ratio=1)
    expect(card).to_be_in_viewport()
    page.wait_for_load_state("networkidle")  # the run bar grows, and would come under the mouse
    page.get_by_role("button", name=re.compile("^3995 ")).hover()
    page.mouse.wheel(0, -2_000)
    expect(row).not_to_be_in_viewport()
    page.set_viewport_size({"width": 1440, "height": 500})
    page.evaluate(DRAWN)
    expect(row).not_to_be_in_viewport()
    assert not any("steps?start=0&" in address for address in asked)


def _note(asked: list[str], request: Request) -> None:
    if re.search(r"/tapes/[0-9a-f-]{36}(/steps|/outline)?(\?|$)", request.url):
        asked.append(request.url)


def test_an_edit_in_a_long_tape_is_drawn_where_it_is_and_undone(page: Page, long_tape: str) -> None:
    page.goto(f"{long_tape}?step=2500")
    card = page.get_by_role("article", name="Step 2500, assistant")
    expect(card).to_contain_text("This is number 2500.")

    page.keyboard.press("e")
    card.get_by_role("textbox", name=re.compile("^content")).fill("Nobody counts this far.")
    expect(card).to_contain_text("edited")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.reload()

    expect(card).to_contain_text("Nobody counts this far.")
    page.keyboard.press("Control+z")
    expect(card).to_contain_text("This is number 2500.")
