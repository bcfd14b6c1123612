"""The main job without a mouse."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import go_by_keys, tab_to


@pytest.fixture
def chat(page: Page) -> str:
    """The id of a tape of the sample chat agent, made anew for each test."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    if "csrftoken" not in cookies:
        page.goto("/")
        cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    (agent,) = [a for a in page.request.get("/api/v1/agents").json() if a["name"] == "chat"]
    versions = page.request.get(f"/api/v1/agents/{agent['id']}").json()["versions"]
    body = {"agent_version_id": versions[0]["id"], "message": "What is 12 * 12?"}
    headers = {"X-CSRFToken": cookies["csrftoken"]}
    made = page.request.post("/api/v1/tapes", data=body, headers=headers)
    assert made.ok, made.text()
    return str(made.json()["tape_id"])


def test_the_main_job_by_keyboard_alone(page: Page, chat: str) -> None:
    keys = page.keyboard

    # To the list, by search to the tape, and into it.
    page.goto("/agents")
    expect(page.get_by_role("heading", name="Agents", level=1)).to_be_visible()
    go_by_keys(page, "gt")
    expect(page.get_by_role("heading", name="Tapes", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="What is 12 * 12?").first).to_be_visible()
    keys.press("/")
    keys.type("What is 12")
    expect(page).to_have_url(re.compile("q="))
    keys.press("Enter")
    expect(page.get_by_role("combobox", name="Search tapes")).not_to_be_focused()
    expect(page.get_by_role("link", name="Tell me about Vulcan")).to_have_count(0)
    expect(page.get_by_role("link", name="What is 12 * 12?").first).to_be_visible()
    keys.press("j")
    keys.press("Enter")
    expect(page.get_by_role("article", name=re.compile("^Step 0,"))).to_be_visible()
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_visible()

    # The agent waits: answer it.
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_focused()
    keys.type("Thank you, and 3 + 4?")
    keys.press("Enter")
    expect(page.get_by_role("article").filter(has_text="Thank you, and 3 + 4?")).to_be_visible()
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_visible()
    leave_field(page)

    # Up and down, edit, leave, undo and redo.
    keys.press("k")
    for _ in range(20):
        keys.press("k")
    expect(page).to_have_url(re.compile(r"step=0\b"))
    keys.press("j")
    expect(page).to_have_url(re.compile(r"step=1\b"))
    keys.press("k")
    keys.press("e")
    form = page.get_by_role("form", name="Edit step 0")
    tab_to(page, form.get_by_role("textbox").first)
    keys.press("Control+a")
    keys.type("What is 9 * 9?")
    keys.press("Escape")
    expect(form).to_have_count(0)
    first = page.get_by_role("article", name=re.compile("^Step 0,"))
    expect(first).to_contain_text("What is 9 * 9?")
    keys.press("Control+z")
    expect(first).to_contain_text("What is 12 * 12?")
    keys.press("Control+Shift+z")
    expect(first).to_contain_text("What is 9 * 9?")

    # Resume the edit, watch the child answer, and compare it with its parent.
    keys.press("Control+Enter")
    expect(page).not_to_have_url(re.compile(chat))
    expect(page.get_by_role("article").filter(has_text="81").first).to_be_visible()
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_visible()
    leave_field(page)
    keys.press("d")
    expect(page).to_have_url(re.compile("/diff/"))
    expect(page.get_by_role("article").first).to_be_visible()
    keys.press("n")
    expect(page).to_have_url(re.compile("change=0"))
    keys.press("n")
    expect(page).to_have_url(re.compile("change=1"))
    keys.press("p")
    expect(page).to_have_url(re.compile("change=0"))
    keys.press("Escape")
    expect(page).not_to_have_url(re.compile("/diff/"))


def test_dialogs_take_the_focus_and_give_it_back(page: Page) -> None:
    page.goto("/tapes")
    expect(page.get_by_role("heading", name="Tapes", level=1)).to_be_visible()
    link = page.get_by_role("link", name="Upload").first
    tab_to(page, link)

    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_contain_text("Next tape")
    assert is_inside(page, dialog)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(link).to_be_focused()

    page.keyboard.press("Control+k")
    field = page.get_by_role("textbox", name="Search", exact=True)
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    expect(link).to_be_focused()

    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    page.keyboard.type("models")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Models", level=1)).to_be_visible()


def test_the_focus_can_be_seen_wherever_it_goes(page: Page) -> None:
    for path in ("/tapes", "/agents", "/lint", "/models", "/environments", "/upload"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        for _ in range(15):
            page.keyboard.press("Tab")
            assert page.evaluate(_FOCUS_SHOWS) == "", path


_FOCUS_SHOWS = """() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return "";
  const style = getComputedStyle(element);
  const around = element.parentElement === null ? style : getComputedStyle(element.parentElement);
  const shows = (s) => (s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0)
    || s.boxShadow !== "none";
  // A field shows its focus by its border; its colour is not the one of other fields.
  const isField = element.matches("input, textarea, select") && style.borderStyle !== "none";
  const box = element.getBoundingClientRect();
  const isSeen = box.width > 0 && box.height > 0;
  if (isSeen && (shows(style) || shows(around) || isField)) return "";
  if (element.matches("input[type=checkbox], input[type=radio]")) return "";
  return element.outerHTML.slice(0, 200);
}"""


def leave_field(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator("textarea:focus, input:focus")).to_have_count(0)


def is_inside(page: Page, place: Locator) -> bool:
    return bool(place.evaluate("element => element.contains(document.activeElement)"))
