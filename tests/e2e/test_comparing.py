"""What changed: between two versions of an agent, between two branches, between their prompts."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.making import Maker


def test_two_versions_of_an_agent_are_compared(page: Page) -> None:
    agent = Maker(page).versions("compared by its reader")

    page.goto(f"/agents/{agent}")
    page.get_by_role("link", name="Compare versions").click()

    expect(page).to_have_url(re.compile(r"/diff\?a=1&b=2$"))
    fields = page.get_by_role("region", name="Fields compared")
    expect(fields.get_by_role("heading", name="description")).to_be_visible()
    expect(fields.get_by_text("Say it in few words.")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_role("button", name="Show side by side")).to_be_visible()
    page.keyboard.press("u")
    page.keyboard.press("x")
    expect(page).to_have_url(re.compile(r"/diff\?a=2&b=1$"))
    page.get_by_role("combobox", name="Left version").click()
    page.get_by_role("option", name=re.compile("^v1,")).click()
    expect(page.get_by_text("The versions are identical")).to_be_visible()


def test_a_step_that_moved_is_one_change(page: Page) -> None:
    maker = Maker(page)
    root = maker.copy("How did the robot maker")
    version = maker.get(f"tapes/{root}/draft")["version"]
    operation = {"op": "move", "position": 1, "to": 4}
    draft = {"version": version, "operations": [operation], "applied_count": 1}
    maker.send("PUT", f"tapes/{root}/draft", draft)
    child = maker.send("POST", f"tapes/{root}/save")["tape_id"]

    page.goto(f"/t/{root}/diff/{child}")

    expect(page.get_by_text("1 moved", exact=True)).to_be_visible()
    expect(page.get_by_role("article", name="Moved step")).to_be_visible()


def test_the_prompts_behind_a_changed_step_are_compared(page: Page) -> None:
    maker = Maker(page)
    left = maker.told("chat", "How far is 10 km in miles?")
    right = maker.told("chat", "How far is 30 km in miles?")

    page.goto(f"/t/{left}/diff/{right}")
    page.get_by_role("button", name="Compare the prompts").first.click()

    prompts = page.get_by_role("region", name="Prompts compared").first
    expect(prompts.get_by_text("10", exact=True)).to_be_visible()
    expect(prompts.get_by_text("30", exact=True)).to_be_visible()
