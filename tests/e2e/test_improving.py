"""From a tape that failed to one that passed: a revision is made, written, resumed, compared."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import from_tape_menu
from tests.e2e.making import Maker

PROBLEM = "Ann has 3 apples. She buys 4 more apples. How many apples does she have?"


def test_a_tape_is_improved_and_what_it_came_to_is_resumed(page: Page) -> None:
    maker = Maker(page)
    options = {"parameters": {"script": {"error_rate": 1.0}}}
    wrong = maker.asked("math", PROBLEM, **options)
    maker.wait_for(f"tapes/{wrong}", lambda tape: tape["job"]["state"] == "succeeded")
    maker.send("PATCH", f"tapes/{wrong}", {"expected": "7", "outcome": "fail"})

    page.goto(f"/t/{wrong}")
    from_tape_menu(page, "Improve")
    page.get_by_role("dialog", name="Improve this tape").get_by_role(
        "button", name="Improve", exact=True
    ).click()
    expect(page).not_to_have_url(re.compile(wrong))
    improver = page.url.rpartition("/")[2]
    maker.wait_for(f"tapes/{improver}", lambda tape: tape["job"]["state"] == "succeeded")
    page.get_by_role("button", name="Write into the tape").click()

    expect(page).to_have_url(re.compile(r"\?step=\d+$"))
    resume = page.get_by_role("button", name="Resume", exact=True)
    expect(resume).to_be_enabled()
    resume.click()
    expect(page.get_by_text("As expected")).to_be_visible()
    page.get_by_role("link", name="Diff with parent").click()
    expect(page).to_have_url(re.compile(f"/t/{wrong}/diff/"))
    expect(page.get_by_text("Changed").first).to_be_visible()
