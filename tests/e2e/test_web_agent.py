"""The web agent does a task in a browser while one watches: stepped, given another goal, resumed.

Its browser is one that the studio's worker starts; the one of the person is the tests' own.
"""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import select_step
from tests.e2e.making import Maker

GOAL = 'Open "Assets in repair" from the menu.'


def test_its_goal_is_changed_after_its_first_page(page: Page) -> None:
    maker = Maker(page)
    tape = maker.asked("web-tasks-browser", 'Open "Charts" from the menu.', is_stepping=True)
    page.goto(f"/t/{tape}")
    for node in ("goal", "reflect", "act"):
        expect(bar(page)).to_contain_text(f"Paused after node '{node}'")
        bar(page).get_by_role("button", name="Step", exact=True).click()
    expect(page.get_by_role("article").filter(has_text="http://desk.test/")).not_to_have_count(0)
    expect(bar(page)).to_contain_text("Paused")

    goal = page.get_by_role("article", name=re.compile("^Step 1,"))
    select_step(goal).get_by_role("button", name="Edit").click()
    form = page.get_by_role("form", name=re.compile("^Edit step"))
    form.get_by_role("textbox", name="Goal").fill(GOAL)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.get_by_role("button", name="Done").click()
    page.keyboard.press("Control+Enter")

    expect(page).not_to_have_url(re.compile(tape))
    expect(bar(page)).to_contain_text("Finished.")
    child = page.url.rpartition("/")[2].partition("?")[0]
    steps = [one["body"] for one in maker.get(f"tapes/{child}/steps?count=100")["items"]]
    shown = [str(step["content"]) for step in steps if step["kind"] == "tool"]
    assert "http://desk.test/assets" in shown[-1]
    assert steps[-1]["kind"] == "web_answer"


def bar(page: Page) -> Locator:
    return page.get_by_label("Run", exact=True)
