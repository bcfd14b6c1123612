"""The page of a tape leads with the answer: what failed, where to look first, judged by a key."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.making import Maker

FAILING = "How did the robot maker"
"""The sample analyst looks up the wrong company; its mended fork passed."""

BROKEN = "What is new at Zephyr Motors?"
"""A tool of it reports an error, and nobody has judged it."""

TWO_ROWS = 80
"""Pixels of the header of a tape, with its edges."""

_COUNT = """
    for (const type of ["pointerdown", "keydown"]) {
        addEventListener(type, ({ key }) => {
            if (key === "Shift") return; // a capital is one press
            const count = Number(sessionStorage.getItem("presses")) + 1;
            sessionStorage.setItem("presses", String(count));
        }, true);
    }
"""

_TAKE = """() => {
    const count = Number(sessionStorage.getItem("presses"));
    sessionStorage.removeItem("presses");
    return count;
}"""


@pytest.fixture
def counting(context: BrowserContext, page: Page) -> Page:
    """A page that counts clicks and keys from when it is opened."""
    context.add_init_script(_COUNT)
    return page


def count_presses(page: Page) -> int:
    """Return how many clicks and keys there were since the last time."""
    return int(page.evaluate(_TAKE))


def test_the_bad_step_is_two_presses_from_the_list_and_the_verdict_is_one(counting: Page) -> None:
    page, maker = counting, Maker(counting)
    tape = maker.sample(FAILING)
    row = page.locator(f'a[href="/t/{tape}"]')
    page.goto(f"/tapes?q=title:{FAILING.rsplit(maxsplit=1)[-1]}")
    expect(row).to_be_visible()
    count_presses(page)

    row.click()
    suspect = page.get_by_role("link", name=re.compile("passing runs? at step 3, get_stock"))
    expect(suspect).to_be_visible()
    page.keyboard.press("b")
    expect(page).to_have_url(re.compile(rf"/t/{tape}\?step=3$"))
    assert count_presses(page) == 2

    expect(page.get_by_role("button", name="Outcome: Failed")).to_be_visible()
    expect(page.get_by_text("Expected Aster Robotics")).to_be_visible()
    page.keyboard.press("P")
    expect(page.get_by_role("button", name="Outcome: Passed")).to_be_visible()
    assert count_presses(page) == 1
    expect(suspect).to_have_count(0)
    maker.send("PATCH", f"tapes/{tape}", {"outcome": "fail"})


def test_a_tape_is_judged_from_the_list_and_its_error_is_one_key_away(counting: Page) -> None:
    page, maker = counting, Maker(counting)
    tape = maker.sample(BROKEN)
    page.goto(f"/tapes?q=title:Zephyr&peek={tape}")
    peek = page.get_by_role("complementary", name="Tape preview")
    expect(peek.get_by_role("button", name="Outcome: Not judged")).to_be_visible()
    count_presses(page)

    page.keyboard.press("F")
    expect(peek.get_by_role("button", name="Outcome: Failed")).to_be_visible()
    assert count_presses(page) == 1

    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name=re.compile("^First error: step 4"))).to_be_visible()
    page.keyboard.press("b")
    expect(page).to_have_url(re.compile(r"step=4\b"))
    assert count_presses(page) == 2

    page.keyboard.press("E")
    expect(page.get_by_role("form", name="Edit step 4")).to_be_visible()
    maker.send("PATCH", f"tapes/{tape}", {"outcome": ""})


@pytest.mark.parametrize("width", [800, 420])
def test_where_there_is_little_room_the_steps_come_first_and_one_can_judge(
    page: Page, width: int
) -> None:
    maker = Maker(page)
    tape = maker.copy(BROKEN)
    maker.send("PATCH", f"tapes/{tape}", {"expected": "A long answer, " * 20, "score": 0.25})
    tags = [f"a tag of some length {number}" for number in range(4)]
    maker.send("POST", "tapes/tags", {"tape_ids": [tape], "add": tags, "remove": []})
    page.goto(f"/t/{tape}")
    assert_header_has_two_rows(page)
    page.set_viewport_size({"width": width, "height": 860})
    assert_header_has_two_rows(page)

    steps = page.get_by_role("navigation", name="Steps")
    expect(steps).to_be_visible()
    page.get_by_role("link", name=re.compile("^First error: step 4")).click()
    expect(page.get_by_role("article", name=re.compile("^Step 4,"))).to_be_in_viewport()
    page.get_by_role("button", name="Outcome: Not judged").click()
    page.get_by_role("menuitem", name=re.compile("^Failed")).click()
    expect(page.get_by_role("button", name="Outcome: Failed")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def assert_header_has_two_rows(page: Page) -> None:
    header = page.get_by_role("main").locator("header").first
    expect(header.get_by_role("link", name=re.compile("^First error"))).to_be_visible()
    box = header.bounding_box()
    assert box is not None
    assert box["height"] <= TWO_ROWS
