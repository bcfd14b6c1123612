"""The main job by mouse: import real tapes, edit a step, resume it on a model, compare."""

import re
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import add_model, choose, select_step
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.recordings import OWN, RECORDINGS, SHARED

MODEL = "Slow writer"
WORDS = tuple(f"word{number}" for number in range(60))
ANSWER = " ".join(WORDS)
TOLD = {
    OWN: ("How many steps lead up", "a careful helper"),
    SHARED: ("Eliud Kipchoge", "expert AI Agent"),
}
"""The title of a tape of four, and words of the prompts behind it."""


REST = Event()
"""Set when the second half of `ANSWER` may be said."""


@pytest.fixture
def endpoint() -> Iterator[OpenAIServer]:
    """An OpenAI-compatible endpoint that says half of `ANSWER`, and the rest later."""
    with OpenAIServer(default=Behaviour(text=ANSWER, after=REST, first=30)) as server:
        yield server
        REST.set()


def test_import_edit_resume_reload_and_compare(page: Page, endpoint: OpenAIServer) -> None:
    add_model(page, MODEL, endpoint.base_url)

    title, prompt = TOLD[RECORDINGS[-1]]
    upload_folder(page, RECORDINGS[-1] / "gaia_agent")
    open_tape(page, title)
    show_the_call_behind(page, step_card(page, 1), prompt)

    edit_step(page, step_card(page, 1), "Only the moon matters now.")
    resume(page, agent="chat", model=MODEL)

    expect(page.get_by_label("Being written")).to_contain_text("word2")
    assert "word59" not in page.get_by_label("Being written").inner_text()
    page.reload()
    expect(page.get_by_label("Being written")).to_contain_text("word2")
    REST.set()

    expect(step_card(page, 3)).to_contain_text(ANSWER)
    expect(page.get_by_text("The agent is waiting for your answer")).to_be_visible()
    asked = endpoint.requests[-1]["messages"]
    assert any("Only the moon matters now." in str(message["content"]) for message in asked)
    assert len(endpoint.requests) == 1

    page.get_by_role("link", name="Diff with parent").click()
    expect(page.get_by_text("Only the moon matters now.").first).to_be_visible()
    expect(page.get_by_text(re.compile("removed", re.IGNORECASE)).first).to_be_visible()


def upload_folder(page: Page, folder: Path) -> None:
    page.get_by_role("link", name="Upload").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a folder").click()
    chooser.value.set_files(folder)
    page.get_by_role("button", name=re.compile("^Import")).click()
    imported = page.get_by_role("definition").first
    expect(imported).to_have_text("4")


def open_tape(page: Page, title: str) -> None:
    page.get_by_role("link", name="Tapes", exact=True).click()
    page.get_by_placeholder("Search titles, tasks, answers and steps").fill(title)
    page.get_by_role("link", name=re.compile(title)).click()
    expect(step_card(page, 0)).to_be_visible()


def step_card(page: Page, position: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^Step {position},"))


def show_the_call_behind(page: Page, card: Locator, prompt: str) -> None:
    card.click()
    inspector = page.get_by_label("Inspector").first
    expect(inspector).to_contain_text(prompt)
    inspector.get_by_role("tab", name="Output").click()
    expect(inspector).to_contain_text("assistant")


def edit_step(page: Page, card: Locator, text: str) -> None:
    select_step(card).get_by_role("button", name="Edit").click()
    page.get_by_role("form", name=re.compile("^Edit step")).get_by_role("textbox").last.fill(text)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    page.get_by_role("button", name="Done").click()


def resume(page: Page, *, agent: str, model: str) -> None:
    bar = page.get_by_label("Run", exact=True)
    choose(bar.get_by_label("Agent", exact=True), agent)
    choose(bar.get_by_label("Model", exact=True), model)
    bar.get_by_role("button", name="Resume").click()
