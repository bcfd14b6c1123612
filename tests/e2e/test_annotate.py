"""A person makes a queue of tapes, judges two of them by keyboard alone, and sees the results."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import go_by_keys
from tests.e2e.making import Maker

QUEUE = "Turns of the rehearsed towers"
TITLES = ("Rehearsed tower one", "Rehearsed tower two")


def store_tapes(page: Page) -> None:
    maker = Maker(page)
    for title in TITLES:
        tape = maker.copy("How did the robot maker")
        maker.send("PATCH", f"tapes/{tape}", {"title": title})


def test_a_queue_is_made_worked_through_by_keyboard_and_looked_at(page: Page) -> None:
    store_tapes(page)

    page.goto("/tapes")
    for title in TITLES:
        page.get_by_role("checkbox", name=re.compile(title)).check()
    page.get_by_role("button", name="Add to queue").click()
    page.get_by_role("menuitem", name="New queue, or pairs…").click()
    expect(page.get_by_role("heading", name="Add to a queue")).to_be_visible()
    if page.get_by_role("radio", name="New queue").count():
        page.get_by_role("radio", name="New queue").check()
    page.get_by_label("Name").fill(QUEUE)
    page.get_by_role("combobox", name="Rubric").click()
    page.get_by_role("option", name=re.compile("^GREADTH")).click()
    page.get_by_role("button", name="Add 2 tapes").click()
    expect(page.get_by_role("heading", name=QUEUE)).to_be_visible()
    expect(page.get_by_role("table", name="Items").get_by_role("row")).to_have_count(3)
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("dialog").get_by_label("Lock (minutes)").fill("45")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("held for 45 minutes.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_be_hidden()

    go_by_keys(page, "gq")
    page.get_by_role("link", name=f"Annotate {QUEUE}").click()
    expect(page.get_by_role("radiogroup", name="Grounded")).to_be_visible()
    expect(page.get_by_role("article").first).to_be_visible()
    for answer in ("111110", "1111"):
        for digit in answer:
            page.keyboard.press(digit)
        if len(answer) < 6:
            page.keyboard.press("Enter")
            expect(page.get_by_role("alert")).to_have_text("This is required.")
            page.keyboard.press("1")
            page.keyboard.press("1")
        page.keyboard.press("Enter")
        expect(page.get_by_role("radio", checked=True)).to_have_count(0)
    expect(page.get_by_role("heading", name="Nothing left to annotate")).to_be_visible()
    expect(page.get_by_text("2 of 2 done, you answered 2")).to_be_visible()

    page.keyboard.press("b")
    expect(page.get_by_role("radio", checked=True)).to_have_count(6)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left to annotate")).to_be_visible()

    page.get_by_role("link", name="Results", exact=True).click()
    score = page.get_by_role("table", name="Results").get_by_role("row", name=re.compile("^Score"))
    expect(score).to_contain_text("0.50")
    page.get_by_role("link", name=TITLES[0]).click()
    expect(page.get_by_text("GREADTH: helpful")).to_be_visible()


def test_a_queue_is_made_filled_opened_and_answered_by_keys_alone(page: Page) -> None:
    maker = Maker(page)
    title = "A tower that only keys may touch"
    # Of its own: a copy that passed would tell other stories that the sample did right.
    tape = maker.told("chat", "How much is 3 * 7?")
    maker.send("PATCH", f"tapes/{tape}", {"title": title})
    keys = page.keyboard
    page.goto(f'/tapes?q="{title}"')
    expect(page.get_by_role("checkbox", name=re.compile(title))).to_be_visible()

    keys.press("j")
    keys.press("x")
    expect(page.get_by_role("checkbox", name=re.compile(title))).to_be_checked()
    command(page, "Add 1 tape to a queue")
    new = page.get_by_role("menuitem", name="New queue, or pairs…")
    expect(new).to_be_visible()
    for _ in range(page.get_by_role("menuitem").count()):
        keys.press("ArrowDown")
        if new.evaluate("line => line === document.activeElement"):
            break
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Add to a queue")).to_be_visible()
    if page.get_by_role("radio", name="New queue").count():
        expect(page.get_by_role("radio").first).to_be_focused()
        keys.press("ArrowUp")
        keys.press("Tab")
    expect(page.get_by_label("Name")).to_be_focused()
    keys.type("Keys alone")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Keys alone")).to_be_visible()

    command(page, "Annotate: open queue Keys alone")
    expect(page.get_by_role("radiogroup", name="Did it do its task?")).to_be_visible()
    keys.press("1")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Nothing left to annotate")).to_be_visible()


def command(page: Page, words: str) -> None:
    """Do what the palette names, by keys."""
    page.keyboard.press("Control+k")
    expect(page.get_by_role("textbox", name="Search", exact=True)).to_be_focused()
    page.keyboard.type(words)
    expect(page.get_by_role("button", name=re.compile(re.escape(words)))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Search", exact=True)).to_be_hidden()


def test_on_a_narrow_screen_the_tape_keeps_the_larger_part(page: Page) -> None:
    maker = Maker(page)
    queue = maker.queue("Turns read on a narrow screen", [maker.copy("How did the robot maker")])
    page.set_viewport_size({"width": 800, "height": 860})

    page.goto(f"/queues/{queue}/annotate")
    for question in ("Grounded", "Helpful"):
        expect(page.get_by_role("radiogroup", name=question)).to_be_in_viewport(ratio=1)
    tape = page.get_by_role("region", name="Tape").bounding_box()
    rubric = page.get_by_role("region", name="Rubric").bounding_box()

    assert tape is not None
    assert rubric is not None
    assert tape["height"] > 1.4 * rubric["height"]


def test_a_tape_opens_at_its_end_and_k_reads_it_backwards(page: Page) -> None:
    maker = Maker(page)
    queue = maker.queue("Turns read from the end", [maker.copy("How did the robot maker")])
    page.set_viewport_size({"width": 800, "height": 600})

    page.goto(f"/queues/{queue}/annotate")
    expect(page.get_by_role("radiogroup", name="Grounded")).to_be_visible()
    expect(page.get_by_role("article").last).to_be_in_viewport()

    first = page.get_by_role("article").first
    expect(first).not_to_be_in_viewport()
    for _ in range(page.get_by_role("article").count()):
        page.keyboard.press("k")
    expect(first).to_be_in_viewport()
    page.keyboard.press("End")
    expect(page.get_by_role("article").last).to_be_in_viewport()
