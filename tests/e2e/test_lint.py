"""A person sees what is wrong on a tape, finds such tapes, and writes a rule of their own."""

import json
import re
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

from tests.e2e.hands import go_by_keys

TITLE = "How high is the linted tower?"
BOT = {"agent": "bot", "node": "act", "prompt_id": "lint-1"}


def calling(number: int) -> list[dict[str, Any]]:
    call = {
        "id": f"c{number}",
        "type": "function",
        "function": {"name": "search", "arguments": json.dumps({"query": "tower"})},
    }
    return [
        {"kind": "assistant", "tool_calls": [call], "metadata": {**BOT, "prompt_id": f"l{number}"}},
        {"kind": "tool", "content": "Nothing of that name", "tool_call_id": f"c{number}"},
    ]


STEPS = [
    {"kind": "user", "content": TITLE},
    *calling(1),
    *calling(2),
    *calling(3),
    {"kind": "llm_output_parsing_failure_action", "error": "No JSON.", "llm_output": "{",
     "metadata": BOT},
    {"kind": "assistant", "content": "I could not find it.", "metadata": BOT},
]  # fmt: skip


def upload(page: Page, name: str, steps: list[dict[str, Any]]) -> None:
    value = {"metadata": {"id": "linted"}, "context": None, "steps": steps}
    page.goto("/upload")
    file: FilePayload = {
        "name": name,
        "mimeType": "application/json",
        "buffer": json.dumps(value).encode(),
    }
    page.get_by_label("Files", exact=True).set_input_files(file)
    page.get_by_role("button", name=re.compile("^Import")).click()
    expect(page.get_by_role("definition").first).to_be_visible()


def test_findings_are_listed_gone_through_and_ruled(page: Page) -> None:
    upload(page, "linted.json", STEPS)

    page.goto("/tapes")
    page.get_by_role("button", name="Facets").click()
    page.get_by_role("checkbox", name=re.compile("^Repeated action")).check()
    page.get_by_role("link", name=TITLE).click()

    findings = page.get_by_role("group", name="Findings")
    expect(findings).to_contain_text("2 findings")
    expect(page.get_by_role("img", name=re.compile("^Warning: The call of")).first).to_be_visible()
    page.keyboard.press("l")
    expect(findings).to_contain_text("1 of 2")
    expect(page.get_by_role("list", name="Findings at step 5")).to_contain_text(
        "repeated 3 times with the same outcome"
    )
    page.get_by_role("list", name="Findings at step 5").get_by_role(
        "button", name="Keep as a note"
    ).click()
    expect(page.get_by_role("button", name="Kept as a note")).to_be_disabled()
    page.keyboard.press("l")
    expect(page.get_by_role("list", name="Findings at step 7")).to_contain_text(
        "could not be parsed: No JSON."
    )

    go_by_keys(page, "gl")
    page.get_by_role("button", name="Write a rule").click()
    page.get_by_label("Name").fill("no apologies")
    page.get_by_label("Rule", exact=True).fill("never kind = 'x'")
    expect(page.get_by_role("alert")).to_contain_text("Write 'equal' as '=='")
    page.get_by_label("Rule", exact=True).fill("never contains(content || '', 'could not find')")
    expect(page.get_by_role("link", name=f"{TITLE}, step 8")).to_be_visible()
    page.get_by_role("button", name="Save the rule").click()
    expect(page.get_by_role("table", name="Rules")).to_contain_text("no apologies")

    page.goto("/tapes?lint=repeated_action")
    page.get_by_role("link", name=TITLE).click()
    expect(page.get_by_role("group", name="Findings")).to_contain_text("3 findings")
