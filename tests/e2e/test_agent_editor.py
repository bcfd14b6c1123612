"""An agent changed next to a tape of it: from what a step shows to a better version."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.making import Maker

EDIT = re.compile(r"/agents/[^/]+/edit\?")


def test_what_a_tape_shows_becomes_a_better_version(page: Page) -> None:
    page.goto(f"/t/{Maker(page).copy('Tell me about Vulcan')}")
    page.get_by_role("navigation", name="Steps").get_by_role("button").last.click()
    page.wait_for_load_state("networkidle")

    page.keyboard.press("a")
    expect(page).to_have_url(EDIT)
    prompt = page.get_by_role("region", name="Prompt by this draft")
    expect(prompt.get_by_role("status")).to_contain_text("the same as recorded")

    instruction = page.get_by_role("textbox", name="Instruction", exact=True)
    instruction.fill(f"{instruction.input_value()} Answer in one sentence.")
    changed = page.get_by_role("region", name="Changed message").first
    expect(changed.get_by_text("Answer in one sentence.")).to_be_visible()

    tape = page.get_by_role("link", name="Open the tape")
    before = tape.get_attribute("href") or ""
    page.keyboard.press("Control+Enter")
    expect(tape).not_to_have_attribute("href", re.compile(f"^{before.split('?')[0]}"))
    followed = page.get_by_text(re.compile("Waiting for you|the same as recorded"))
    expect(followed.first).to_be_visible()

    page.get_by_role("button", name="Save as version…").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("1 change since version")).to_be_visible()
    dialog.get_by_role("textbox", name="Note").fill("One sentence")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as version")).to_be_visible()
    page.get_by_role("link", name="Versions").click()
    expect(page.get_by_role("table", name="Versions")).to_contain_text("One sentence")
