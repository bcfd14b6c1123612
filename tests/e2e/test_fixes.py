"""From a bad step to the fix that works, counted: no more keys and clicks than were promised."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.making import Maker

WRONG = "What is 12 * 4?"
EXPECTED = "$36.00"
TRIED = ("What is 12 * 5?", "What is 12 * 3?", "What is 12 * 2?")


class Hands:
    """Does what a person does, and counts it: a key, a click, or a text typed."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.count = 0

    def press(self, key: str) -> None:
        self.count += 1
        self._page.keyboard.press(key)

    def click(self, what: Locator) -> None:
        self.count += 1
        what.click()

    def write(self, field: Locator, text: str) -> None:
        self.count += 1
        field.fill(text)


def test_three_fixes_beside_the_baseline_and_one_sentence_that_says_which_works(
    page: Page,
) -> None:
    maker = Maker(page)
    tape = maker.told("chat", WRONG)
    maker.send("PATCH", f"tapes/{tape}", {"expected": EXPECTED, "outcome": "fail"})
    hands = Hands(page)
    page.goto(f"/t/{tape}?step=0")
    expect(question(page)).to_have_attribute("aria-current", "true")

    # The first fix, running.
    hands.press("e")
    hands.write(field(page), TRIED[0])
    hands.press("Control+Enter")
    expect(page).not_to_have_url(re.compile(tape))
    expect(page.get_by_role("article").filter(has_text="60").first).to_be_in_viewport()
    assert hands.count <= 4

    # Back on the recorded tape, two more fixes of the step, and all of them in one grid.
    branches = page.get_by_role("region", name="Branches")
    expect(branches.get_by_text('#0 → "…is 12 * 5?"')).to_be_visible()
    branches.get_by_role("link", name=WRONG).click()
    expect(page).to_have_url(re.compile(tape))
    expect(fix(page, "A")).to_have_attribute("aria-pressed", "true")
    question(page).click()
    hands.press("e")
    expect(field(page)).to_have_value(TRIED[0])
    for letter, text in zip("BC", TRIED[1:], strict=True):
        hands.click(page.get_by_role("button", name="New fix"))
        expect(fix(page, letter)).to_have_attribute("aria-pressed", "true")
        expect(field(page)).to_be_focused()
        expect(field(page)).to_have_value(WRONG)
        hands.write(field(page), text)
    hands.press("Control+Shift+Enter")
    dialog = page.get_by_role("dialog", name="Run N")
    expect(dialog.get_by_role("textbox", name="Number", exact=True)).to_have_value("36")
    expect(dialog.get_by_role("status")).to_contain_text("20 runs")
    for letter in "ABC":
        expect(dialog.get_by_role("checkbox", name=re.compile(f"^Fix {letter}:"))).to_be_checked()
    expect(dialog.get_by_role("textbox", name="Repeats")).to_be_focused()
    hands.press("Enter")
    results = page.get_by_role("region", name="Run N")
    answer = "B passes 5 of 5, the baseline 0 of 5: 99 % sure that B is better."
    expect(results.get_by_text(answer)).to_be_visible()
    # Of the first fix, its sending alone is no part of the three in one grid.
    assert hands.count - 1 <= 9

    # What won stays in view, by one key; the tape itself is what it was.
    hands.count = 0
    hands.press("w")
    expect(page.get_by_text(re.compile(r"^Branch \d+ of Fix B is pinned"))).to_be_visible()
    assert hands.count == 1
    assert maker.get(f"tapes/{tape}")["outcome"] == "fail"
    pinned = [one for one in maker.get(f"tapes/{tape}/family")["items"] if one["is_pinned"]]
    assert len(pinned) == 1


def test_an_earlier_edit_says_what_is_kept_and_becomes_a_fix_of_its_own(page: Page) -> None:
    maker = Maker(page)
    tape = maker.told("chat", WRONG)
    page.goto(f"/t/{tape}?step=5")
    edit(page, 5, "It is 36.")
    run = page.get_by_role("region", name="Run", exact=True)
    expect(run.get_by_text("1 edit, resumes after step 5")).to_be_visible()

    edit(page, 0, TRIED[1])

    expect(run.get_by_text("2 edits, resumes after step 5")).to_contain_text(
        "steps 1 to 4 were recorded before the earlier edit, and kept"
    )
    run.get_by_role("button", name="Move the last edit to a new fix").click()
    expect(fix(page, "B")).to_have_attribute("aria-pressed", "true")
    expect(question(page)).to_contain_text(TRIED[1])
    expect(run.get_by_text("1 edit, resumes after step 0")).to_be_visible()

    page.keyboard.press(".")
    expect(fix(page, "A")).to_have_attribute("aria-pressed", "true")
    expect(question(page)).to_contain_text(WRONG)
    run.get_by_role("button", name="More for fix A").click()
    page.get_by_role("menuitem", name="Rename fix A").click()
    page.get_by_role("textbox", name="Name of fix A").fill("Say it")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Fix A: Say it")).to_be_visible()

    run.get_by_role("button", name="More for fix A").click()
    page.get_by_role("menuitem", name="Remove fix A").click()
    expect(page.get_by_role("button", name="Fix A: Say it")).to_have_count(0)
    # Another Undo, of the draft, is above.
    page.get_by_role("alert").get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Fix A: Say it")).to_be_visible()
    expect(card(page, 5)).to_contain_text("It is 36.")


def edit(page: Page, position: int, text: str) -> None:
    card(page, position).click()
    expect(card(page, position)).to_have_attribute("aria-current", "true")
    page.keyboard.press("e")
    field(page).fill(text)
    page.keyboard.press("Escape")
    expect(page.get_by_role("form", name=re.compile("^Edit step"))).to_have_count(0)


def card(page: Page, position: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^Step {position},"))


def question(page: Page) -> Locator:
    return card(page, 0)


def field(page: Page) -> Locator:
    return page.get_by_role("form", name=re.compile("^Edit step")).get_by_role("textbox").first


def fix(page: Page, letter: str) -> Locator:
    return page.get_by_role("button", name=re.compile(f"^Fix {letter}:"))
