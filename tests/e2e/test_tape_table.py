"""A person makes the list of tapes their own, keeps it as a lens, and goes to what failed."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.hands import import_tapes

BATCH = "beacons.json"
STEADY = "How bright is the steady beacon?"
BROKEN = "How bright is the broken beacon?"
BOT = {"agent": "bot", "node": "look"}


def tape(name: str, question: str, *steps: dict[str, Any]) -> dict[str, Any]:
    asked = {"kind": "user", "content": question}
    answer = {"kind": "assistant", "content": "Very bright.", "metadata": BOT}
    return {"metadata": {"id": name}, "context": None, "steps": [asked, *steps, answer]}


LOOKED = {"kind": "assistant", "content": "I look at it first.", "metadata": BOT}
FAILED = {"kind": "action_execution_failure", "error": "The lamp is off.", "metadata": BOT}
TAPES = [tape("steady", STEADY), tape("broken", BROKEN, LOOKED, LOOKED, FAILED)]


def choose_lens(page: Page, name: str) -> None:
    page.get_by_role("button", name=re.compile("^Lens: ")).click()
    page.get_by_role("menuitem", name=name, exact=True).click()


def test_a_table_is_kept_as_a_lens_and_the_errors_lens_opens_the_failing_step(
    page: Page,
) -> None:
    import_tapes(page, BATCH, TAPES)

    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="Calls").check()
    page.get_by_role("button", name="Pin Steps").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Steps", exact=True).click()
    steps = page.get_by_role("columnheader", name="Steps")
    expect(steps).to_have_attribute("aria-sort", "descending")
    expect(page.get_by_role("row").nth(1)).to_contain_text(BROKEN)

    page.get_by_role("button", name="Lens: All, changed").click()
    page.get_by_role("menuitem", name="Save as…").click()
    page.get_by_role("textbox", name="Name").fill("Long beacons")
    page.get_by_role("button", name="Save the lens").click()
    expect(page.get_by_role("button", name="Lens: Long beacons")).to_be_visible()
    expect(page).not_to_have_url(re.compile("cols="))

    page.reload()
    expect(steps).to_have_attribute("aria-sort", "descending")
    expect(page.get_by_role("columnheader").nth(1)).to_have_accessible_name("Steps")
    expect(page.get_by_role("columnheader", name="Calls")).to_be_visible()
    page.get_by_role("button", name="Steps", exact=True).click()
    expect(page.get_by_role("row").nth(1)).to_contain_text(STEADY)

    choose_lens(page, "Errors")
    expect(page.get_by_role("link", name=STEADY)).to_have_count(0)
    page.get_by_role("link", name=BROKEN).click()
    expect(page).to_have_url(re.compile(r"[?&]step=3\b"))
    failed = page.get_by_role("article", name=re.compile("^Step 3,"))
    expect(failed).to_have_attribute("aria-current", "true")
    expect(failed).to_contain_text("The lamp is off.")
