"""What a person does by mouse or keys on many pages, for the stories of this folder."""

import json
import re
from typing import Any

from playwright.sync_api import FilePayload, Locator, Page, expect

TEST_MODEL = "openai/test-model"
"""What the models of stories ask a server of the tests for."""


def visit(page: Page, path: str) -> None:
    """Go to a page as a link does: to load the studio anew costs the browser thrice as much.

    The page before may still be there: wait for something that only the new one has.
    """
    page.evaluate("path => history.pushState(null, '', path)", path)
    page.evaluate("() => dispatchEvent(new PopStateEvent('popstate'))")


def add_model(page: Page, name: str, base_url: str) -> None:
    """Enter a model without a key. Stories share one studio, so each needs a name of its own."""
    page.goto("/models?add=1")
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_text("OpenAI-compatible server", exact=True).click()
    page.get_by_role("textbox", name="Base URL").fill(base_url)
    page.get_by_role("textbox", name="Model", exact=True).fill("test-model")
    page.get_by_text("No key", exact=True).click()
    page.get_by_role("button", name="Save").click()
    # The drawer stays open when the name is taken.
    expect(page.get_by_role("textbox", name="Base URL")).to_have_count(0)
    expect(page.get_by_role("table", name="Models")).to_contain_text(name)


def from_tape_menu(page: Page, name: str) -> None:
    """Choose a line of the menu in the header of a tape."""
    page.get_by_role("button", name="More for this tape").click()
    page.get_by_role("menuitem", name=re.compile(rf"^{name}\b")).click()


def select_step(card: Locator) -> Locator:
    """Select a step by its kind: its buttons stay, also if the card moves from under the mouse."""
    card.get_by_role("button").first.click()
    return card


def go_by_keys(page: Page, keys: str) -> None:
    """Press keys that belong together once the page is at rest: a busy one delays the second."""
    page.wait_for_load_state("networkidle")
    for key in keys:
        page.keyboard.press(key)


def tab_to(page: Page, target: Locator) -> None:
    """Go by Tab to a place, as somebody without a mouse does."""
    expect(target).to_be_visible()
    for _ in range(80):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("eighty tabs did not lead there")


def choose(field: Locator, name: str) -> None:
    field.click()
    field.page.get_by_role("option", name=name, exact=True).click()


def import_tapes(page: Page, name: str, tapes: list[dict[str, Any]]) -> None:
    """Import a file of tapes and go to the list of its batch, which the file names."""
    page.goto("/upload")
    file: FilePayload = {
        "name": name,
        "mimeType": "application/json",
        "buffer": json.dumps(tapes).encode(),
    }
    page.get_by_label("Files", exact=True).set_input_files(file)
    page.get_by_role("button", name=re.compile("^Import")).click()
    page.get_by_role("link", name="Show them").click()
