"""A person adds an MCP server from its manual, allows a tool of it, and removes it: by keyboard."""

import json
import sys

from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import tab_to
from tests.environments.mcp_folder import PROGRAM


def test_a_server_is_added_allowed_and_removed_by_keyboard(page: Page) -> None:
    server = {"command": sys.executable, "args": [PROGRAM]}
    page.goto("/environments")

    add = page.get_by_role("button", name="Add an MCP server")
    press(page, add)
    expect(page.get_by_role("textbox", name="JSON")).to_be_focused()
    page.keyboard.insert_text(json.dumps({"mcpServers": {"adder": server}}))
    press(page, page.get_by_role("button", name="Add and check"))
    expect(add).to_be_focused()

    allow = page.get_by_role("button", name="Allow tools: adder")
    press(page, allow)
    dialog = page.get_by_role("dialog", name="Tools of adder")
    expect(dialog.locator(":focus")).to_have_count(1)
    tab_to(page, dialog.get_by_role("checkbox", name="add", exact=True))
    page.keyboard.press("Space")
    press(page, dialog.get_by_role("button", name="Save"))
    expect(allow).to_be_focused()
    expect(page.get_by_text("3 tools, 1 allowed")).to_be_visible()

    press(page, page.get_by_role("button", name="Remove: adder"))
    expect(page.get_by_role("dialog").locator(":focus")).to_have_count(1)
    press(page, page.get_by_role("button", name="Remove", exact=True))
    expect(page.get_by_role("table", name="MCP servers")).to_have_count(0)


def press(page: Page, target: Locator) -> None:
    expect(target).to_be_enabled()
    tab_to(page, target)
    page.keyboard.press("Enter")
