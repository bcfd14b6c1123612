"""A person finds tapes by a query, is shown where it goes wrong, and narrows it by facets."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.test_lint import BOT, calling, upload

TITLE = "Which quokka asked the same twice?"
STEPS = [
    {"kind": "user", "content": TITLE},
    *calling(1),
    *calling(2),
    {"kind": "assistant", "content": "Nobody knows that quokka.", "metadata": BOT},
]


def test_tapes_are_found_by_words_sequences_and_facets(page: Page) -> None:
    upload(page, "queried.json", STEPS)
    page.goto("/tapes")
    field = page.get_by_role("combobox", name="Search tapes")

    expect(page.get_by_role("link", name=TITLE)).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("quokka stps>")
    expect(page.get_by_role("alert").filter(has_text="^^^^^")).to_be_visible()
    page.get_by_role("button", name="Write steps>").click()
    expect(field).to_be_focused()
    page.keyboard.type("3")
    expect(page).to_have_url(re.compile("steps%3E3"))
    row = page.get_by_role("row", name=re.compile("quokka")).first
    expect(row.locator("mark").first).to_have_text("quokka")

    field.fill("quokka seq: kind:tool -> sa")
    page.get_by_role("option", name=re.compile("^same_call")).click()
    field.press("Enter")
    expect(page).to_have_url(re.compile("same_call"))
    expect(page.get_by_role("link", name=TITLE)).to_be_visible()

    page.get_by_role("button", name="Facets").click()
    page.get_by_role("checkbox", name=re.compile("^Without an error")).check()
    expect(field).to_have_value("quokka -has:error seq: kind:tool -> same_call")
    expect(page.get_by_role("link", name=TITLE)).to_be_visible()


def test_what_may_come_stands_below_the_line_in_which_one_types(page: Page) -> None:
    page.goto("/tapes")
    field = page.get_by_role("combobox", name="Search tapes")

    field.press_sequentially("outcome:")
    # The first options are the fields; those of `outcome` take their place.
    option = page.get_by_role("option", name="fail", exact=True)
    expect(option).to_be_visible()
    expect(field).to_have_attribute("aria-expanded", "true")
    option = page.get_by_role("option").first

    line, first = field.bounding_box(), option.bounding_box()
    assert line is not None
    assert first is not None
    assert line["y"] + line["height"] <= first["y"] <= line["y"] + line["height"] + 24
    assert line["x"] <= first["x"] < line["x"] + line["width"]
