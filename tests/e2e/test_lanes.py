"""Members that were called together, on the page of their tape: folded, edited, resumed."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import go_by_keys, select_step
from tests.e2e.making import Maker

SHARE = "The share went from 227.81 to 260.04 USD (+14.1 %)."
OTHER = "The share went from 227.81 to 205.03 USD (-10.0 %)."


def test_an_edit_in_one_lane_leaves_what_the_others_did(page: Page) -> None:
    maker = Maker(page)
    tape = maker.told("briefing", "Brief me on Vulcan Materials.")
    steps = maker.get(f"tapes/{tape}/steps?count=50")["items"]
    price = next(step["position"] for step in steps if step["body"].get("content") == SHARE)

    page.goto(f"/t/{tape}?step={price}")
    card = page.get_by_role("article", name=re.compile(rf"^Step {price},"))
    expect(card).to_be_in_viewport()
    go_by_keys(page, "{")
    folded = page.get_by_role("button", name=re.compile("prices.*answered"), expanded=False)
    expect(folded).not_to_have_count(0)
    page.keyboard.press("}")
    expect(folded).to_have_count(0)

    select_step(card).get_by_role("button", name="Edit").click()
    form = page.get_by_role("form", name=re.compile("^Edit step"))
    form.get_by_role("textbox").first.fill(OTHER)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    expect(page.get_by_role("note").filter(has_text="outdated")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    page.keyboard.press("Control+Enter")

    expect(page).not_to_have_url(re.compile(tape))
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_visible()
    answer = page.get_by_role("article").filter(has_text="Vulcan Materials makes").last
    expect(answer).to_contain_text(OTHER)
    child = page.url.rpartition("/")[2].partition("?")[0]
    after = maker.get(f"tapes/{child}/steps?count=50")["items"]
    assert [one["body"] for one in after if one["lane"] in {"1", "3"}] == [
        one["body"] for one in steps if one["lane"] in {"1", "3"}
    ]
