"""Stories of editing: what a person changes on a tape, and that nothing of it is ever lost."""

import json
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import from_tape_menu, select_step
from tests.e2e.making import Maker
from tests.e2e.test_accounts import SignIn, shared_studio, sign_in

__all__ = ["shared_studio", "sign_in"]

SAMPLE = "Tell me about Vulcan"


@pytest.fixture
def make(page: Page) -> Maker:
    return Maker(page)


def test_edit_and_resume(page: Page, make: Maker) -> None:
    tape = start_chat(page, make, "What is 12 * 12?")
    edit(page, 0, "What is 9 * 9?")

    expect(page.get_by_role("note").filter(has_text="outdated")).to_have_text(
        re.compile(
            r"^\d+ later steps? (is|are) outdated, recorded before you edited step 0; Resume"
        )
    )
    was = page.get_by_role("button", name="Recorded value of content")
    was.click()
    expect(page.get_by_role("note", name="Recorded in content")).to_contain_text("12")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name=re.compile("^Resume")).first.click()

    expect(page).not_to_have_url(re.compile(tape))
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_visible()
    expect(page.get_by_role("article").filter(has_text="81").first).to_be_visible()
    chip = card(page, 0).get_by_role("button", name=re.compile("^previously recorded: What is 12"))
    chip.click()
    expect(page.get_by_role("heading", name="content")).to_be_visible()
    expect(page.get_by_text("Step 0 of the parent")).to_be_visible()


def test_undo_after_reload(page: Page, make: Maker) -> None:
    tape = make.copy(SAMPLE)
    open_tape(page, tape)
    edit(page, 0, "First words")
    expect_saved(page)
    # The page is left in the middle of typing: nothing waits for the server.
    field(page, 0).fill("Second words")
    page.reload()

    expect(card(page, 0)).to_contain_text("Second words")
    expect_saved(page)
    page.keyboard.press("Control+z")
    expect(card(page, 0)).not_to_contain_text("Second words")
    expect_saved(page)

    page.reload()
    expect(card(page, 0)).not_to_contain_text("Second words")
    page.keyboard.press("Control+Shift+z")
    expect(card(page, 0)).to_contain_text("Second words")
    expect_saved(page)

    # Another window shows the same.
    other = page.context.new_page()
    open_tape(other, tape)
    expect(card(other, 0)).to_contain_text("Second words")
    other.close()


def test_reorder_and_save_as_a_revision(page: Page, make: Maker) -> None:
    tape = make.copy(SAMPLE)
    bodies = [step["body"] for step in make.get(f"tapes/{tape}/steps?count=4")["items"]]
    open_tape(page, tape)

    # By key: the second step goes above the first.
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile(r"step=1\b"))
    page.keyboard.press("Alt+ArrowUp")
    expect(page).to_have_url(re.compile(r"step=0\b"))
    expect_saved(page)
    # By mouse: the first step goes below the third.
    card(page, 0).hover()
    handle = card(page, 0).locator("[data-handle]")
    target = card(page, 2)
    box = target.bounding_box()
    assert box is not None
    handle.drag_to(target, target_position={"x": 60, "y": box["height"] - 4})
    expect(page).to_have_url(re.compile(r"step=2\b"))
    expect_saved(page)
    page.get_by_role("button", name="Save as a revision").click()

    expect(page).not_to_have_url(re.compile(tape))
    child = re.search(r"/t/([0-9a-f-]+)", page.url)
    assert child is not None
    saved = [step["body"] for step in make.get(f"tapes/{child[1]}/steps?count=4")["items"]]
    assert saved[:3] == [bodies[0], bodies[2], bodies[1]]
    header = make.get(f"tapes/{child[1]}")
    assert header["parent_id"] == tape
    assert header["job"] is None


def test_a_stale_step_is_kept_and_stays_in_what_resume_keeps(page: Page, make: Maker) -> None:
    tape = make.copy(SAMPLE)
    open_tape(page, tape)
    edit(page, 0, "Other words")
    page.get_by_role("button", name="Done").click()
    stretches = page.get_by_role("note").filter(has_text=re.compile("later steps? (is|are) "))
    expect(stretches).to_have_count(1)
    expect(stretches).to_contain_text("outdated")

    select_step(card(page, 1)).get_by_role("button", name="Keep this step").click()

    expect(stretches).to_have_count(2)
    expect(stretches.first).to_contain_text("1 later step is kept")
    expect(stretches.last).to_contain_text("outdated")
    card(page, 2).hover()
    expect(card(page, 2).get_by_role("button", name="Keep this step")).to_be_visible()
    expect_saved(page)
    assert make.get(f"tapes/{tape}/draft/preview")["resume_at"] == 2


def test_context_and_metadata_are_edited_in_one_place(page: Page, make: Maker) -> None:
    tape = make.copy(SAMPLE)
    open_tape(page, tape)

    from_tape_menu(page, "Details")
    form = page.get_by_role("form", name="Edit the tape")
    form.get_by_role("textbox", name=re.compile("^title")).fill("Another name")
    expect(page.get_by_role("status").filter(has_text="Saved").first).to_be_visible()
    form.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Save as a revision").click()

    expect(page).not_to_have_url(re.compile(tape))
    expect(page.get_by_role("heading", name="Another name", level=1)).to_be_visible()
    assert make.get(f"tapes/{tape}")["title"] != "Another name"


def test_two_people_on_one_tape(sign_in: SignIn) -> None:
    olga, max_ = sign_in("olga"), sign_in("max")
    rows = olga.request.get("/api/v1/tapes?limit=200").json()["items"]
    tape = next(str(row["id"]) for row in rows if row["active_job_id"] is None)
    open_tape(olga, tape)
    edit(olga, 0, "Words of Olga")
    expect_saved(olga)

    open_tape(max_, tape)
    expect(max_.get_by_text("olga is editing this tape too: 1 change")).to_be_visible()
    expect(card(max_, 0)).not_to_contain_text("Words of Olga")
    edit(max_, 0, "Words of Max")
    expect_saved(max_)
    max_.get_by_role("button", name="Save as a revision").click()
    expect(max_).not_to_have_url(re.compile(tape))
    expect(card(max_, 0)).to_contain_text("Words of Max")

    # Nothing of it touched what Olga writes.
    olga.reload()
    expect(card(olga, 0)).to_contain_text("Words of Olga")
    olga.get_by_role("button", name="Save as a revision").click()
    expect(olga).not_to_have_url(re.compile(tape))
    expect(card(olga, 0)).to_contain_text("Words of Olga")


def test_an_invalid_step_is_refused_and_nothing_is_lost(page: Page, make: Maker) -> None:
    tape = make.copy(SAMPLE)
    open_tape(page, tape)
    start_edit(page, 0)
    as_json(page, 0)
    write_json(page, '{"kind": "user", "content": 5}')

    expect(form(page, 0)).to_contain_text("This must be text.")
    expect_saved(page)
    page.get_by_role("button", name="Save as a revision").click()
    expect(page.get_by_text(re.compile("Step 0: content: .* Fix it before saving"))).to_be_visible()
    expect(page).to_have_url(re.compile(tape))

    # Half a text is no JSON: the mark is where it ends, and the draft keeps what could be read.
    write_json(page, '{"kind": "user", "content": ')
    # A mark at the very end has no width of its own.
    expect(page.locator(".cm-lintRange-error, .cm-lintPoint-error").first).to_be_attached()
    page.reload()
    expect(card(page, 0)).to_contain_text("5")
    start_edit(page, 0)
    as_json(page, 0)
    write_json(page, '{"kind": "user", "content": "five"}')
    expect_saved(page)
    page.get_by_role("button", name="Save as a revision").click()
    expect(page).not_to_have_url(re.compile(tape))
    expect(card(page, 0)).to_contain_text("five")


def test_a_tool_call_is_edited_as_one(page: Page, make: Maker) -> None:
    tape = make.copy(SAMPLE)
    before = make.get(f"tapes/{tape}/steps/6")["body"]
    open_tape(page, tape)
    card(page, 6).scroll_into_view_if_needed()
    start_edit(page, 6)
    tool = form(page, 6).get_by_role("combobox", name=re.compile("^name"))

    expect(tool).to_have_value("get_stock_data")
    expect(form(page, 6).get_by_role("textbox", name="id", exact=True)).to_be_hidden()
    form(page, 6).get_by_text("Advanced").click()
    expect(form(page, 6).get_by_role("textbox", name="id", exact=True)).to_be_visible()
    form(page, 6).get_by_role("textbox", name="symbol").fill("VMC2")
    tool.click()
    page.get_by_role("option", name="get_stock_ticker").click()
    # The other tool takes other arguments.
    expect(form(page, 6)).to_contain_text("company_name")
    expect(form(page, 6)).to_contain_text("This field is required.")
    tool.fill("get_stock_data")
    expect_saved(page)
    page.get_by_role("button", name="Save as a revision").click()

    expect(page).not_to_have_url(re.compile(tape))
    child = re.search(r"/t/([0-9a-f-]+)", page.url)
    assert child is not None
    after = make.get(f"tapes/{child[1]}/steps/6")["body"]
    (was,), (now,) = before["tool_calls"], after["tool_calls"]
    assert (now["id"], now["type"]) == (was["id"], was["type"])
    assert now["function"]["name"] == "get_stock_data"
    given = json.loads(now["function"]["arguments"])
    assert given == {**json.loads(was["function"]["arguments"]), "symbol": "VMC2"}


def test_escape_closes_the_innermost_alone_and_loses_no_text(page: Page, make: Maker) -> None:
    tape = make.copy(SAMPLE)
    open_tape(page, tape)
    page.keyboard.press("/")
    page.keyboard.type("stock")
    find = page.get_by_role("textbox", name="Find in tape")
    card(page, 6).scroll_into_view_if_needed()
    start_edit(page, 6)
    form(page, 6).get_by_role("textbox", name="symbol").fill("VMC3")

    # A menu of the card, then a list of the form, then the form.
    card(page, 6).get_by_role("button", name="More actions for step 6").click()
    expect(page.get_by_role("menuitem", name="Insert after")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menuitem", name="Insert after")).to_be_hidden()
    expect(form(page, 6)).to_be_visible()
    form(page, 6).get_by_role("combobox", name=re.compile("^name")).click()
    expect(page.get_by_role("option", name="get_stock_ticker")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("option", name="get_stock_ticker")).to_be_hidden()
    expect(form(page, 6)).to_be_visible()
    page.keyboard.press("Escape")
    expect(form(page, 6)).to_have_count(0)
    expect(card(page, 6)).to_contain_text("VMC3")
    expect(find).to_have_value("stock")

    # Half a text is on no draft: it waits where it was typed.
    start_edit(page, 6)
    as_json(page, 6)
    write_json(page, '{"kind": "assistant", ')
    page.keyboard.press("Escape")
    expect(form(page, 6)).to_have_count(0)
    start_edit(page, 6)
    expect(page.get_by_label("Step as JSON")).to_contain_text('{"kind": "assistant",')
    page.keyboard.press("Escape")
    expect(find).to_have_value("stock")
    find.click()
    page.keyboard.press("Escape")
    expect(find).to_have_value("")

    # A list in the options, then the options.
    page.get_by_role("button", name="Options", exact=True).click()
    options = page.locator("[aria-label='Run options']")
    options.get_by_role("combobox", name="All tools").click()
    page.keyboard.press("Escape")
    expect(options).to_be_visible()
    page.keyboard.press("Escape")
    expect(options).to_be_hidden()


def test_unknown_kind_edited_as_json(page: Page, make: Maker) -> None:
    tape = make.copy(SAMPLE)
    open_tape(page, tape)
    select_step(card(page, 0)).get_by_role("button", name="More actions for step 0").click()
    page.get_by_role("menuitem", name="Insert after").click()
    dialog = page.get_by_role("dialog")
    kind = dialog.get_by_label("Kind of step")
    kind.fill("k" * 101)
    expect(dialog.get_by_text("at most 100 characters")).to_be_visible()
    kind.fill("weather_observation")
    dialog.get_by_role("button", name="Insert").click()

    expect(form(page, 1)).to_be_visible()
    as_json(page, 1)
    write_json(page, '{"kind": "weather_observation", "place": {"city": "Oslo"}, "degrees": -3}')
    expect_saved(page)
    form(page, 1).get_by_text("Form", exact=True).click()
    form(page, 1).get_by_role("textbox", name="city").fill("Bergen")
    expect_saved(page)
    page.get_by_role("button", name="Save as a revision").click()

    expect(page).not_to_have_url(re.compile(tape))
    expect(card(page, 1)).to_contain_text("Bergen")
    child = re.search(r"/t/([0-9a-f-]+)", page.url)
    assert child is not None
    step = make.get(f"tapes/{child[1]}/steps/1")
    assert step["body"]["place"] == {"city": "Bergen"}
    assert (step["body"]["degrees"], step["writer"], step["kind"]) == (
        -3,
        "person",
        "weather_observation",
    )


def start_chat(page: Page, make: Maker, message: str) -> str:
    (chat,) = [agent for agent in make.get("agents") if agent["name"] == "chat"]
    version = make.get(f"agents/{chat['id']}")["versions"][0]["id"]
    body = {"agent_version_id": version, "message": message}
    tape = str(make.send("POST", "tapes", body)["tape_id"])
    open_tape(page, tape)
    expect(page.get_by_label("The agent is waiting for your answer")).to_be_visible()
    return tape


def open_tape(page: Page, tape: str) -> None:
    page.goto(f"/t/{tape}?step=0")
    expect(card(page, 0)).to_contain_text(re.compile(r"\w"))


def card(page: Page, position: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^Step {position},"))


def form(page: Page, position: int) -> Locator:
    return page.get_by_role("form", name=f"Edit step {position}")


def field(page: Page, position: int) -> Locator:
    return form(page, position).get_by_role("textbox", name=re.compile("^content"))


def start_edit(page: Page, position: int) -> None:
    step = select_step(card(page, position))
    step.get_by_role("button", name="Edit", exact=True).click()
    expect(form(page, position)).to_be_visible()


def edit(page: Page, position: int, text: str) -> None:
    start_edit(page, position)
    field(page, position).fill(text)


def as_json(page: Page, position: int) -> None:
    form(page, position).get_by_text("JSON", exact=True).click()
    expect(page.get_by_label("Step as JSON")).to_be_visible()


def write_json(page: Page, text: str) -> None:
    editor = page.get_by_label("Step as JSON")
    editor.click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)


def expect_saved(page: Page) -> None:
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
