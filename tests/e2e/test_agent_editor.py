"""An agent changed next to a tape of it: from what a step shows to a better version."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.making import Maker

EDIT = re.compile(r"/agents/[^/]+/edit\?")


def test_what_a_tape_shows_becomes_a_better_version(page: Page) -> None:
    page.goto(f"/t/{Maker(page).copy('Tell me about Vulcan')}")
    page.get_by_role("navigation", name="Steps").get_by_role("button").last.click()
    page.wait_for_load_state("networkidle")

    page.keyboard.press("c")
    page.get_by_role("textbox", name="Note on this step").fill("Far too long.")
    page.keyboard.press("Control+Enter")
    note = page.get_by_role("listitem").filter(has_text="Far too long.")
    note.get_by_role("link", name="Edit agent here").click()
    expect(page).to_have_url(EDIT)
    expect(page.get_by_role("region", name="Notes on step")).to_contain_text("Far too long.")
    prompt = page.get_by_role("region", name="Prompt by this draft")
    expect(prompt.get_by_role("status")).to_contain_text("the same as recorded")

    instruction = page.get_by_role("textbox", name="Instruction", exact=True)
    instruction.fill(f"{instruction.input_value()} Answer in one sentence.")
    changed = page.get_by_role("region", name="Changed message").first
    expect(changed.get_by_text("Answer in one sentence.")).to_be_visible()

    instruction.press("ControlOrMeta+End")
    instruction.press_sequentially(" Asked: {{us")
    offered = page.get_by_role("listbox", name="Variables").get_by_role("option")
    expect(offered.first).to_contain_text("user.content")
    page.keyboard.press("Enter")
    expect(instruction).to_have_value(re.compile("Asked: {{ user.content }}$"))
    expect(changed.get_by_text("Asked: Tell me about Vulcan")).to_be_visible()

    tape = page.get_by_role("link", name="Open the tape")
    before = tape.get_attribute("href") or ""
    page.keyboard.press("Control+Enter")
    expect(tape).not_to_have_attribute("href", re.compile(f"^{before.split('?')[0]}"))
    followed = page.get_by_text(re.compile("Waiting for you|the same as recorded"))
    expect(followed.first).to_be_visible()

    page.get_by_role("button", name=re.compile("^Agent ")).first.click()
    page.get_by_role("region", name="Kinds of steps").get_by_role(
        "button", name="New kind…"
    ).click()
    dialog = page.get_by_role("dialog", name="New kind of step")
    dialog.get_by_role("textbox", name="Name").press_sequentially("Verdict")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No node writes steps of kind 'Verdict'").first).to_be_visible()

    page.get_by_role("button", name="Save as version…").click()
    dialog = page.get_by_role("dialog", name="Save as version")
    expect(dialog.get_by_text("2 changes since version")).to_be_visible()
    expect(dialog.get_by_text("Kind added: Verdict, a thought: content (text)")).to_be_visible()
    dialog.get_by_role("textbox", name="Note").fill("One sentence")
    dialog.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as version")).to_be_visible()
    page.get_by_role("link", name="Versions").click()
    expect(page.get_by_role("table", name="Versions")).to_contain_text("One sentence")


def test_a_first_agent_with_a_tool_answers_after_eight_actions(page: Page) -> None:
    """Nothing but the eight actions of the list leads to the answer."""
    page.goto("/agents")
    form = page.get_by_role("dialog", name="New agent")
    tools = form.get_by_role("combobox", name="Tools")
    actions = [
        page.get_by_role("button", name="New agent").click,
        lambda: form.get_by_role("textbox", name="Name").fill("first_helper"),
        lambda: form.get_by_role("textbox", name="Instruction").fill("Answer in one sentence."),
        lambda: tools.fill("tapes_app.gallery.orders.tools.show_order"),
        page.get_by_role("option", name="show_order").click,
        form.get_by_role("button", name="Create and try").click,
        # The field for the first message has the focus.
        lambda: page.keyboard.type("Where is my order?"),
        lambda: page.keyboard.press("Control+Enter"),
    ]

    for number, act in enumerate(actions, start=1):
        if number == 7:
            expect(page.get_by_role("textbox", name="First message")).to_be_focused()
        act()

    expect(page).to_have_url(re.compile("/t/"))
    steps = page.get_by_role("navigation", name="Steps")
    expect(steps).to_contain_text("I am a script, not a language model")
