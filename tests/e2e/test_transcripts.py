"""A transcript of somebody else is imported, edited, resumed on a model, and exported again."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.hands import add_model, choose
from tests.e2e.test_main_job import edit_step, step_card
from tests.interchange.chats import build_conversation, store_lines
from tests.llms.openai_server import Behaviour, OpenAIServer

MODEL = "Weather model"
QUESTION = "How is the weather in Tromso?"
ANSWER = "Then take an umbrella and sunglasses."


@pytest.fixture
def endpoint() -> Iterator[OpenAIServer]:
    with OpenAIServer(default=Behaviour(text=ANSWER)) as server:
        yield server


def test_a_transcript_is_imported_edited_resumed_and_exported(
    page: Page, tmp_path: Path, endpoint: OpenAIServer
) -> None:
    add_model(page, MODEL, endpoint.base_url)
    chats = store_lines(tmp_path / "chats.jsonl", build_conversation(question=QUESTION, weight=1))

    page.goto("/upload")
    page.get_by_label("Files", exact=True).set_input_files(chats)
    page.get_by_role("button", name=re.compile("^Import")).click()
    page.get_by_text(re.compile("^Kept with the tapes")).click()
    expect(page.get_by_role("row", name="field 'weight' next to the messages 1")).to_be_visible()
    page.get_by_role("link", name="Show them").click()
    page.get_by_role("link", name=QUESTION).click()
    edit_step(page, step_card(page, 1), "And in Bergen?")
    bar = page.get_by_label("Run", exact=True)
    expect(bar.get_by_label("Agent", exact=True)).to_have_value("continuation")
    choose(bar.get_by_label("Model", exact=True), MODEL)
    bar.get_by_role("button", name="Resume").click()

    expect(step_card(page, 2)).to_contain_text(ANSWER)
    expect(page.get_by_text("The agent is waiting for your answer")).to_be_visible()
    asked = endpoint.requests[-1]
    assert [message["content"] for message in asked["messages"]] == [
        "You are brief.", "And in Bergen?",
    ]  # fmt: skip
    assert [tool["function"]["name"] for tool in asked["tools"]] == ["get_weather"]

    exported = export_as_openai(page, "And in Bergen?")
    assert [message["content"] for message in exported["messages"]] == [
        "You are brief.", "And in Bergen?", ANSWER,
    ]  # fmt: skip
    assert exported["weight"] == 1


def export_as_openai(page: Page, title: str) -> dict[str, Any]:
    page.goto("/tapes")
    page.get_by_role("checkbox", name=f"Select {title}").first.check()
    page.get_by_role("button", name="Export").click()
    dialog = page.get_by_role("dialog", name="Export 1 tape")
    dialog.get_by_role("radio", name="OpenAI chat").check()
    dialog.get_by_role("button", name="Start export").click()
    link = dialog.get_by_role("link", name=re.compile("^Download tapes openai train"))
    with page.expect_download() as download:
        link.click()
    (line,) = download.value.path().read_text("utf-8").splitlines()
    return dict(json.loads(line))
