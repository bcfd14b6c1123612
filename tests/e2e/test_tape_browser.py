"""A person looks through a batch in its list: at tapes, at where they fail, by facets."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.hands import import_tapes

BOT = {"agent": "bot", "node": "look"}


def tape(name: str, question: str, *steps: dict[str, Any]) -> dict[str, Any]:
    asked = {"kind": "user", "content": question}
    answer = {"kind": "assistant", "content": f"{name} it is.", "metadata": BOT}
    return {"metadata": {"id": name}, "context": None, "steps": [asked, *steps, answer]}


FAILED = {"kind": "action_execution_failure", "error": "The wick is wet.", "metadata": BOT}


def test_tapes_are_peeked_at_by_keys_and_opened(page: Page) -> None:
    import_tapes(
        page,
        "lanterns.json",
        [
            tape("red", "Which lantern is red?"),
            tape("wet", "Which lantern is wet?", FAILED),
            tape("lit", "Which lantern is lit?"),
        ],
    )
    page.get_by_role("button", name="Errors", exact=True).click()
    rows = page.get_by_role("table", name="Tapes").get_by_role("row")
    expect(rows.nth(1)).to_contain_text("Which lantern is wet?")
    peek = page.get_by_role("complementary", name="Tape preview")
    wet = peek.get_by_role("heading", name="Which lantern is wet?")
    page.get_by_role("heading", name="Tapes", exact=True).click()

    page.keyboard.press("j")
    page.keyboard.press("Space")
    expect(wet).to_be_visible()
    failing = peek.get_by_role("link", name=re.compile("The wick is wet."))
    expect(failing).to_contain_text("first error")
    page.keyboard.press("j")
    expect(rows.nth(2)).to_have_attribute("data-active", "true")
    expect(wet).to_have_count(0)
    page.keyboard.press("k")
    expect(wet).to_be_visible()

    page.reload()
    expect(wet).to_be_visible()
    page.keyboard.press("Escape")
    expect(peek).to_have_count(0)
    page.keyboard.press("p")
    expect(wet).to_be_visible()

    page.set_viewport_size({"width": 800, "height": 700})
    page.keyboard.press("J")
    expect(peek).to_be_visible()
    expect(wet).to_have_count(0)
    page.keyboard.press("K")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/t/"))
    page.go_back()
    expect(wet).to_be_visible()


def test_a_bar_of_the_summary_narrows_the_list(page: Page) -> None:
    import_tapes(
        page,
        "candles.json",
        [
            tape("tall", "Which candle is tall?"),
            tape("damp", "Which candle is damp?", FAILED, FAILED),
            tape("bent", "Which candle is bent?", FAILED),
        ],
    )
    links = page.get_by_role("link", name=re.compile("Which candle is"))
    expect(links).to_have_count(3)

    page.get_by_role("button", name="Summary", exact=True).click()
    summary = page.get_by_role("region", name="Summary of the list")
    expect(summary).to_contain_text("2 with an error")
    summary.get_by_role("button", name="3 to 4: 2 tapes").click()
    expect(links).to_have_count(2)
    expect(page).to_have_url(re.compile("steps"))
    node = summary.get_by_role("button", name=re.compile("bot.look"))
    node.click()
    expect(node).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("seq"))
    expect(links).to_have_count(2)

    page.reload()
    expect(summary).to_contain_text("2 tapes")
    page.get_by_role("button", name="Summary", exact=True).click()
    expect(summary).to_have_count(0)


def test_facets_are_checked_by_the_keyboard(page: Page) -> None:
    import_tapes(
        page,
        "lamps.json",
        [
            tape("blue", "Which lamp is blue?"),
            tape("cold", "Which lamp is cold?", FAILED),
            tape("dark", "Which lamp is dark?", FAILED),
        ],
    )
    links = page.get_by_role("link", name=re.compile("Which lamp is"))
    expect(links).to_have_count(3)
    expect(page.get_by_role("button", name=re.compile("^Remove: Batch lamps"))).to_be_visible()

    page.get_by_role("heading", name="Tapes", exact=True).click()
    page.keyboard.press("f")
    facets = page.get_by_role("complementary", name="Facets")
    boxes = facets.get_by_role("checkbox")
    expect(boxes.first).to_be_focused()
    wanted = facets.get_by_role("checkbox", name=re.compile("^With an error"))
    page.keyboard.press("ArrowDown")
    expect(wanted).to_be_focused()
    page.keyboard.press("Space")
    expect(links).to_have_count(2)
    expect(wanted).to_be_checked()
    expect(wanted).to_be_focused()
    expect(facets.get_by_role("checkbox", name=re.compile("^lamps.json"))).to_be_checked()
    page.keyboard.press("Escape")
    expect(wanted).not_to_be_focused()

    page.reload()
    expect(wanted).to_be_checked()
    page.set_viewport_size({"width": 800, "height": 700})
    expect(facets).to_have_count(0)
    page.get_by_role("button", name="Facets").click()
    drawer = page.get_by_role("dialog", name="Facets")
    drawer.get_by_role("checkbox", name=re.compile("^With an error")).uncheck()
    expect(drawer.get_by_role("checkbox", name=re.compile("^Without an error"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(links).to_have_count(3)
