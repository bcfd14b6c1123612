"""Run N by mouse and keys: with and without an edit, see which wins, pin it, compare it."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import add_model, choose
from tests.llms.openai_server import OpenAIServer

MODEL = "Run N model"
QUESTION = "What is 6 * 7?"
HINT = "Is it 42?"


@pytest.fixture
def endpoint() -> Iterator[OpenAIServer]:
    """An OpenAI-compatible endpoint that says what it heard: only the edited question has 42."""
    with OpenAIServer() as server:
        yield server


def test_run_n_and_pick_the_winner(page: Page, endpoint: OpenAIServer) -> None:
    add_model(page, MODEL, endpoint.base_url)
    start_chat(page, QUESTION)
    expect(page.get_by_text("The test server heard").first).to_be_visible()
    edit_first_step(page, f"{QUESTION} {HINT}")

    dialog = ask_run_n(page)
    expect(dialog.get_by_label(re.compile("^Fix A: #0 content"))).to_be_checked()
    dialog.get_by_label("Repeats").fill("2")
    choose(dialog.get_by_role("combobox", name="Pass criterion"), "The final text contains")
    dialog.get_by_role("textbox", name="Text", exact=True).fill("42")
    expect(dialog.get_by_role("status")).to_contain_text("4 runs")
    dialog.get_by_role("button", name="Start 4 runs").click()

    results = page.get_by_role("region", name="Run N")
    table = results.get_by_role("table", name="Branches")
    expect(results.get_by_role("img", name="Fix A: 100 % pass")).to_be_visible()
    expect(results.get_by_role("img", name="As recorded: 0 % pass")).to_be_visible()
    expect(results.get_by_text("+100 points")).to_be_visible()
    expect(
        table.get_by_role("rowheader", name=re.compile("^Passed 2 The test server heard"))
    ).to_be_visible()
    expect(table.get_by_role("rowheader", name=re.compile("^Did not pass 2"))).to_be_visible()
    assert "n=" in page.url

    page.reload()
    expect(table.get_by_role("row", name=re.compile("Passed; judge branch"))).to_have_count(2)
    page.keyboard.press("j")
    page.keyboard.press("p")
    expect(page.locator("tr[aria-current=true]")).to_contain_text("Fix A")
    expect(page.locator("tr[aria-current=true] button[aria-pressed=true]")).to_be_visible()

    page.keyboard.press("x")
    for _ in range(3):
        page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("tr[aria-current=true]")).to_contain_text("As recorded")
    page.keyboard.press("d")
    expect(page).to_have_url(re.compile(r"/t/[0-9a-f-]+/diff/[0-9a-f-]+"))
    expect(page.get_by_text(HINT).first).to_be_visible()

    page.go_back()
    with page.expect_download() as download:
        results.get_by_role("button", name="Best").click()
        page.get_by_role("menuitem", name="Download the pair").click()
    pair = download.value.path().read_text()
    assert '"chosen"' in pair
    assert HINT in pair

    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(results).to_have_count(0)
    # A branch asks once for itself; one whose worker is too slow to say that it lives asks again.
    asked = {request["messages"][-1]["content"] for request in endpoint.requests}
    assert asked == {QUESTION, f"{QUESTION} {HINT}"}
    assert len(endpoint.requests) >= 5


def start_chat(page: Page, message: str) -> None:
    page.get_by_role("link", name="Agents", exact=True).click()
    page.get_by_role("link", name="chat", exact=True).first.click()
    page.get_by_role("textbox", name="First message").fill(message)
    choose(page.get_by_role("combobox", name="Model", exact=True), MODEL)
    page.get_by_role("button", name=re.compile("^Start with version")).click()
    expect(page).to_have_url(re.compile("/t/"))


def edit_first_step(page: Page, text: str) -> None:
    card = page.get_by_role("article", name=re.compile("^Step 0,"))
    # A step is edited once it is chosen and nobody writes on its tape any more.
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_visible()
    card.click()
    expect(card).to_have_attribute("aria-current", "true")
    page.keyboard.press("e")
    form = page.get_by_role("form", name=re.compile("^Edit step"))
    form.get_by_role("textbox").last.fill(text)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.get_by_role("button", name="Done").click()


def ask_run_n(page: Page) -> Locator:
    """Open the dialog by its key, with the model of the tape chosen for all runs."""
    page.keyboard.press("Control+Shift+Enter")
    dialog = page.get_by_role("dialog", name="Run N")
    models = dialog.get_by_role("combobox", name="Models")
    models.press("Backspace")  # not what the agent says
    models.click()
    page.get_by_role("option", name=MODEL, exact=True).click()
    models.press("Escape")
    return dialog
