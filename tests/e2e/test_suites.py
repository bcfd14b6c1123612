"""A failing tape becomes a regression test, by mouse: seen to fail, then to pass."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import choose, from_tape_menu
from tests.e2e.making import Maker
from tests.e2e.test_axe import expect_nothing_serious

WRONG = "How did the robot maker Aster do this year?"


def test_a_failing_tape_is_a_test_that_fails_and_passes_when_it_asks_for_the_right_thing(
    page: Page,
) -> None:
    maker = Maker(page)
    tape = maker.sample(WRONG)
    page.goto(f"/t/{tape}")
    from_tape_menu(page, "Regression test")
    form = page.get_by_role("dialog", name="Regression test")
    expect(form.get_by_role("textbox", name="Text")).to_have_value("Aster Robotics")
    form.get_by_role("radio", name=re.compile("^The task alone: 1 step")).check()
    form.get_by_role("combobox", name="Suite").fill("robot makers")
    form.get_by_role("button", name="Make the test").click()
    page.get_by_role("button", name="Show the suite").click()

    expect(page.get_by_role("heading", name="robot makers", level=1)).to_be_visible()
    expect(page.get_by_text("1 regression test.")).to_be_visible()
    run = page.get_by_role("button", name="Run all tests")
    tests = page.get_by_role("table", name="1 test, and the newest runs of them")
    run.click()
    failed = tests.get_by_role("link", name="Failed")
    expect(failed).to_be_visible()
    failed.click()
    expect(page.get_by_role("button", name=re.compile("^Outcome: Failed"))).to_be_visible()
    page.go_back()

    tests.get_by_role("button", name=re.compile("^Edit pass criterion")).click()
    dialog = page.get_by_role("dialog", name="Pass criterion")
    dialog.get_by_role("textbox", name="Text").fill("Aster")
    dialog.get_by_role("button", name="Save").click()
    expect(tests.get_by_text("The final text contains 'Aster'.")).to_be_visible()
    run.click()
    expect(tests.get_by_role("link", name="Passed")).to_be_visible()
    expect(tests.get_by_role("link", name="Failed")).to_be_visible()
    expect_nothing_serious(page)

    page.get_by_role("link", name="Evaluation").first.click()
    page.get_by_role("tab", name="Suites").click()
    row = page.get_by_role("row").filter(has_text="robot makers")
    expect(row.get_by_text("1 passed")).to_be_visible()


def test_a_test_begins_at_the_step_that_it_was_made_at_and_asks_for_several_things(
    page: Page,
) -> None:
    maker = Maker(page)
    tape = maker.sample("How far is 10 kg in miles?")
    page.goto(f"/t/{tape}?step=0")
    card = page.get_by_role("article", name=re.compile("^Step 0,"))
    card.get_by_role("button", name="More actions for step 0").click()
    page.get_by_role("menuitem", name="Regression test from here").click()
    form = page.get_by_role("dialog", name="Regression test")
    expect(form.get_by_role("radio", name=re.compile("^The task alone"))).to_be_checked()
    choose(form.get_by_role("combobox", name="Pass criterion"), "Several constraints are met")
    form.get_by_role("button", name="Add a constraint").click()
    form.get_by_role("textbox", name="Name of constraint 1").fill("says the unit")
    form.get_by_role("textbox", name="Text").fill("kg")
    form.get_by_role("combobox", name="Suite").fill("units")
    form.get_by_role("button", name="Make the test").click()
    page.get_by_role("button", name="Show the suite").click()

    expect(page.get_by_text("All constraints are met: says the unit.")).to_be_visible()
    expect(page.get_by_text("keeps 1 step of its source tape")).to_be_visible()
