"""A person collects tapes in a dataset, takes one out and puts it back; by mouse, then by keys."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import go_by_keys, tab_to
from tests.e2e.making import Maker

FIELD = "Find a dataset or name a new one"


def store_tapes(page: Page, *titles: str) -> None:
    maker = Maker(page)
    for title in titles:
        tape = maker.copy("How did the robot maker")
        maker.send("PATCH", f"tapes/{tape}", {"title": title})


def row_of(page: Page, title: str) -> Locator:
    return page.get_by_role("link", name=title, exact=True)


def toast(page: Page, words: str) -> Locator:
    return page.get_by_role("alert").filter(has_text=words)


def test_tapes_are_collected_in_a_dataset_by_mouse(page: Page) -> None:
    name, one, two = "Lighthouses to learn", "Lighthouse at noon", "Lighthouse at night"
    store_tapes(page, one, two)
    page.goto("/tapes")
    for title in (one, two):
        page.get_by_role("checkbox", name=f"Select {title}").check()

    page.get_by_role("button", name="Add to dataset").click()
    page.get_by_role("combobox", name=FIELD).fill(name)
    page.get_by_role("option", name=f"Create “{name}”").click()
    made = toast(page, f"2 tapes added to the new dataset “{name}”")
    made.get_by_role("button", name="Show the dataset").click()
    expect(page).to_have_url(re.compile("dataset%3A%22Lighthouses"))
    expect(page.get_by_text("2 tapes", exact=True)).to_be_visible()

    page.get_by_role("button", name="Clear selection").click()
    page.get_by_role("checkbox", name=f"Select {one}").check()
    page.get_by_role("button", name="Add to dataset").click()
    page.get_by_role("option", name=f"Remove from “{name}”").click()
    expect(row_of(page, one)).to_have_count(0)
    expect(row_of(page, two)).to_be_visible()
    toast(page, "1 tape removed from").get_by_role("button", name="Undo").click()
    expect(row_of(page, one)).to_be_visible()

    page.get_by_role("link", name="Datasets").click()
    line = page.get_by_role("row").filter(has_text=name)
    expect(line.get_by_role("cell", name="2", exact=True).first).to_be_visible()
    line.get_by_role("button", name=f"Delete {name}").click()
    expect(line).to_have_count(0)
    toast(page, "was deleted").get_by_role("button", name="Undo").click()
    line.get_by_role("link", name=f"Export {name}").click()
    expect(page.get_by_role("dialog", name="Export the tapes of this list")).to_be_visible()


def test_tapes_are_collected_in_a_dataset_by_keyboard_alone(page: Page) -> None:
    name, one, two = "Harbours to learn", "Harbour in the east", "Harbour in the west"
    store_tapes(page, one, two)
    page.goto("/tapes?q=title:harbour")
    expect(row_of(page, one)).to_be_visible()
    keys = page.keyboard
    for key in ("j", "x", "j", "x"):
        keys.press(key)
    expect(page.get_by_text("2 tapes selected")).to_be_visible()

    tab_to(page, page.get_by_role("button", name="Add to dataset"))
    keys.press("Enter")
    expect(page.get_by_role("combobox", name=FIELD)).to_be_focused()
    keys.type(name)
    expect(page.get_by_role("option", name=f"Create “{name}”")).to_be_visible()
    keys.press("Enter")
    expect(toast(page, "2 tapes added to the new dataset")).to_be_visible()
    expect(page.get_by_role("button", name="Add to dataset")).to_be_focused()

    go_by_keys(page, "gd")
    expect(page.get_by_role("heading", name="Datasets", level=1)).to_be_visible()
    expect(page.get_by_role("link", name=name, exact=True)).to_be_visible()
    active = page.locator("tr[data-active]")
    keys.press("j")
    while name not in active.inner_text():
        keys.press("j")
    keys.press("Enter")
    expect(page.get_by_role("heading", name=name, level=1)).to_be_visible()
    tab_to(page, page.get_by_role("link", name="Its tapes"))
    keys.press("Enter")
    expect(row_of(page, one)).to_be_visible()
    expect(row_of(page, two)).to_be_visible()

    keys.press("j")
    keys.press("x")
    tab_to(page, page.get_by_role("button", name="Add to dataset"))
    keys.press("Enter")
    expect(page.get_by_role("option", name=f"Remove from “{name}”")).to_be_visible()
    keys.press("ArrowUp")
    keys.press("Enter")
    expect(page.get_by_text("1 tape", exact=True)).to_be_visible()
    tab_to(page, toast(page, "1 tape removed from").get_by_role("button", name="Undo"))
    keys.press("Enter")
    expect(page.get_by_text("2 tapes", exact=True)).to_be_visible()
