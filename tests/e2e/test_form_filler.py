"""A person talks to the form filler without a mouse, and watches the form beside the tape."""

from playwright.sync_api import Page, expect

from tests.e2e.hands import tab_to

TURNS = (
    ("The fare rules are saver fare\nand the meal plan is beef", "is not among the allowed values"),
    (
        "The meal plan is fish tray, the origin city is Oslo, the incident date is 3 May 2026",
        "Oslo",
    ),
    ("https://example.org/trip", "https://example.org/trip"),
    ("skip it please", "6 of 8 slots done"),
    ("I would rather skip that", "7 of 8 slots done"),
    ("skip it", "to be confirmed"),
)


def test_a_form_is_filled_in_and_submitted_by_keyboard_alone(page: Page) -> None:
    keys = page.keyboard
    field = page.get_by_label("The agent is waiting for your answer")
    form = page.get_by_role("region", name="Form", exact=True)

    # From the list of agents to a dialogue: add it, write, start.
    page.goto("/agents")
    tab_to(page, page.get_by_role("button", name="Add form_teacher"))
    keys.press("Enter")
    expect(page.get_by_role("heading", name="form_teacher", level=1)).to_be_visible()
    keys.press("n")
    keys.type("I want to ship an air freight pallet")
    keys.press("Control+Enter")

    expect(form).to_contain_text("ShipAirFreightPallet")
    expect(form).to_contain_text("0 of 8 slots done")
    for message, shown in TURNS:
        expect(field).to_be_focused()
        for at, line in enumerate(message.split("\n")):
            if at:
                keys.press("Shift+Enter")
            keys.type(line)
        keys.press("Enter")
        expect(form).to_contain_text(shown)
    expect(field).to_be_focused()
    keys.type("yes")
    keys.press("Enter")
    expect(form).to_contain_text("submitted")
    expect(form).to_contain_text("8 of 8 slots done")
    expect(field).to_have_count(0)

    # An earlier step shows the form as it was then.
    for _ in range(3):
        keys.press("k")
    expect(form).not_to_contain_text("submitted")
