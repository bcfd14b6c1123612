"""The inspector: one prompt on two models, and notes on what a tape says."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.guards import nothing_runs
from tests.e2e.making import Maker
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.studio.running_studio import RunningStudio

AGREES = "Twelve times twelve is one hundred and forty-four."


@pytest.fixture
def endpoint() -> Iterator[OpenAIServer]:
    with OpenAIServer(default=Behaviour(text=AGREES, cached_tokens=4)) as server:
        yield server


def post(page: Page, path: str, body: dict[str, Any]) -> Any:
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    headers = {"X-CSRFToken": cookies["csrftoken"]}
    answer = page.request.post(f"/api/v1{path}", data=body, headers=headers)
    assert answer.ok, answer.text()
    return answer.json()


@pytest.fixture
def tape(page: Page) -> str:
    """A tape of the sample chat agent that has answered a question."""
    page.goto("/tapes")
    (agent,) = [a for a in page.request.get("/api/v1/agents").json() if a["name"] == "chat"]
    body = {"agent_version_id": agent["latest_version_id"], "message": "What is 12 * 12?"}
    tape = str(post(page, "/tapes", body)["tape_id"])
    page.goto(f"/t/{tape}")
    expect(page.get_by_text("Waiting for you").first).to_be_visible()
    return tape


def add_model(page: Page, endpoint: OpenAIServer, name: str) -> None:
    known = [model["name"] for model in page.request.get("/api/v1/models").json()]
    body = {
        "name": name,
        "litellm_model": "openai/test-model",
        "base_url": endpoint.base_url,
        "input_price": 1_000_000,
        "cache_read_price": 100_000,
        "output_price": 2_000_000,
    }
    if name not in known:
        post(page, "/models", body)


def select_step(page: Page, position: int) -> Locator:
    # A card says its kind once the outline has come.
    card = page.get_by_role("article", name=re.compile(rf"^Step {position}, \w"))
    card.get_by_role("button").first.click()
    return card


def show_tab(page: Page, name: str) -> Locator:
    inspector = page.get_by_role("complementary", name="Inspector")
    inspector.get_by_role("tab", name=name).click()
    return inspector


def pick(field: Locator, name: str) -> None:
    field.click()
    field.page.get_by_role("option", name=name).click()


def select_words(page: Page, card: Locator, words: str) -> None:
    """Select words of a card as dragging over them does."""
    card.evaluate(
        """(card, words) => {
          const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            const at = node.data.indexOf(words);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + words.length);
            window.getSelection().removeAllRanges();
            window.getSelection().addRange(range);
            document.dispatchEvent(new PointerEvent("pointerup"));
            return;
          }
          throw new Error("The card does not show these words.");
        }""",
        words,
    )


def test_the_same_prompt_on_two_models_side_by_side(
    page: Page, tape: str, endpoint: OpenAIServer
) -> None:
    add_model(page, endpoint, "Loopback for prompts")
    Maker(page).send("PATCH", f"tapes/{tape}", {"expected": "It is 25."})
    page.reload()
    select_step(page, 2)
    show_tab(page, "Prompt").get_by_role("button", name="Playground").click()
    dialog = page.get_by_role("dialog", name="Playground")
    expect(dialog.get_by_role("definition")).to_have_text("It is 25.")
    expect(page).to_have_url(re.compile("view=playground"))

    first = dialog.get_by_role("region", name="Answer 1")
    second = dialog.get_by_role("region", name="Answer 2")
    pick(second.get_by_label("Model of answer 2"), "Loopback for prompts")
    question = dialog.get_by_label(re.compile("^Text of message")).last
    question.fill("What is 5 * 5?")
    question.press("Control+Enter")

    expect(first).to_contain_text("5 * 5")
    expect(second).to_contain_text(AGREES)
    expect(second.get_by_text("Cost")).to_be_visible()
    asked = endpoint.requests[-1]["messages"]
    assert asked[-1]["content"] == "What is 5 * 5?"
    second.get_by_text("Compare with recorded").click()
    expect(second.get_by_role("heading", name="Recorded")).to_be_visible()

    before = page.request.get(f"/api/v1/tapes/{tape}").json()["step_count"]

    # Nothing was kept of it; only what is asked for goes into the draft.
    assert page.request.get("/api/v1/jobs?limit=500").text().count("playground") == 0
    second.get_by_role("button", name="Use this answer").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("article").filter(has_text=AGREES)).to_be_visible()
    expect(page.get_by_text("edited").first).to_be_visible()
    assert page.request.get(f"/api/v1/tapes/{tape}").json()["step_count"] == before


def test_a_note_on_a_piece_of_text_survives_a_reload_and_shows_on_the_fork(
    page: Page, tape: str, studio: RunningStudio
) -> None:
    words = "<b>Look</b> \u202ehere"
    with nothing_runs(page, studio.url):
        card = select_step(page, 0)
        select_words(page, card, "12 * 12")
        page.get_by_role("button", name="Comment", exact=True).last.click()
        inspector = page.get_by_role("complementary", name="Inspector")
        field = inspector.get_by_label("Note on this step")
        expect(field).to_be_focused()
        expect(inspector.get_by_text("12 * 12", exact=True)).to_be_visible()
        field.fill(words)
        page.keyboard.press("Control+Enter")
        note = inspector.get_by_role("listitem").filter(has_text="<b>Look</b> [U+202E]here")
        expect(note).to_be_visible()
        inspector.get_by_role("button", name="Thumbs down").click()
        expect(inspector.get_by_role("listitem").filter(has_text="thumbs down")).to_be_visible()
        expect(card.get_by_role("img", name="1 note")).to_be_visible()

        page.reload()
        expect(note).to_be_visible()
        expect(note.get_by_role("button", name="12 * 12")).to_be_enabled()

        fork = post(page, f"/tapes/{tape}/fork", {"at": 1})["tape_id"]
        page.goto(f"/t/{fork}?step=0&view=notes")
        expect(note).to_be_visible()
        expect(note.get_by_text("From a related tape")).to_be_visible()
        expect(card.get_by_role("img", name="1 note")).to_be_visible()

        # What is said about a step that is edited here says so.
        card.get_by_role("button", name="Edit").click()
        form = page.get_by_role("form", name=re.compile("^Edit step"))
        form.get_by_role("textbox").last.fill("Another question")
        expect(inspector.get_by_text("was changed in this draft")).to_be_visible()


def test_a_correction_lies_over_the_text_until_it_is_taken_into_the_draft(
    page: Page, tape: str
) -> None:
    card = select_step(page, 0)
    select_words(page, card, "12 * 12")
    page.get_by_role("button", name="Comment", exact=True).last.click()
    inspector = page.get_by_role("complementary", name="Inspector")
    inspector.get_by_text("Correction", exact=True).click()
    field = inspector.get_by_label("Replacement text")
    expect(field).to_have_value("12 * 12")
    field.fill("13 * 13")
    page.keyboard.press("Control+Enter")

    correction = inspector.get_by_role("listitem").filter(has_text="13 * 13")
    expect(correction.get_by_text("12 * 12")).to_be_visible()
    expect(card).to_contain_text("12 * 12")
    correction.get_by_role("button", name="Apply to draft").click()
    expect(card).to_contain_text("13 * 13")
    expect(card.get_by_text("edited").first).to_be_visible()
    recorded = page.request.get(f"/api/v1/tapes/{tape}/steps").json()["items"][0]["body"]
    assert "12 * 12" in recorded["content"]


def test_a_piece_of_text_is_labelled_and_scored(page: Page, tape: str) -> None:
    card = select_step(page, 0)
    select_words(page, card, "12 * 12")
    page.get_by_role("button", name="Comment", exact=True).last.click()
    inspector = page.get_by_role("complementary", name="Inspector")
    inspector.get_by_label("Label the selected text").fill("sum")
    page.keyboard.press("Enter")
    expect(inspector.get_by_text("sum12 * 12", exact=True)).to_be_visible()
    score = inspector.get_by_role("group", name="Score of the selected text")
    score.get_by_role("button", name="Thumbs up").click()
    expect(
        inspector.get_by_role("listitem").filter(has_text="12 * 12").filter(has_text="thumbs up")
    ).to_be_visible()

    # The step as a whole has neither.
    inspector.get_by_role("button", name="Write about the whole step instead").click()
    expect(
        inspector.get_by_role("group", name="Score", exact=True).get_by_role(
            "button", name="Thumbs up"
        )
    ).to_have_attribute("aria-pressed", "false")
    said = page.request.get(f"/api/v1/tapes/{tape}/annotations").json()["items"]
    assert {(one["kind"], one["field"], one["quote"]) for one in said} == {
        ("label", "/content", "12 * 12"),
        ("score", "/content", "12 * 12"),
    }


def test_every_tab_is_reached_by_its_key_and_has_an_address(page: Page, tape: str) -> None:
    select_step(page, 2)
    inspector = page.get_by_role("complementary", name="Inspector")
    shown = {
        "3": ("metrics", "Cache read"),
        "1": ("prompt", "Find in the prompt"),
        "4": ("views", "the active agent on top"),
        "5": ("training", "Trained on"),
        "6": ("notes", "No notes on this step yet"),
        "7": ("provenance", "Written by"),
        "2": ("output", "Raw answer"),
    }
    for key, (name, words) in shown.items():
        page.keyboard.press(key)
        expect(page).to_have_url(re.compile(f"view={name}"))
        if name == "prompt":
            expect(inspector.get_by_label(words)).to_be_visible()
        else:
            expect(inspector.get_by_text(words).first).to_be_visible()

    page.reload()
    expect(inspector.get_by_text("Raw answer")).to_be_visible()
    page.keyboard.press("c")
    expect(inspector.get_by_label("Note on this step")).to_be_focused()
