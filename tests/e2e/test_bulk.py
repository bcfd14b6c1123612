"""A person tags tapes and takes that back; transforms one after a look, and undoes it."""

import json
import zipfile
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

FIRST = "Which bulk river is the longest?"
SECOND = "Which bulk lake is the deepest?"
THIRD = "Which bulk island is the furthest?"


def upload(page: Page, *titles: str) -> None:
    page.goto("/upload")
    files: list[FilePayload] = [
        {
            "name": f"bulk-{number}.json",
            "mimeType": "application/json",
            "buffer": json.dumps(tape_of(title)).encode(),
        }
        for number, title in enumerate(titles)
    ]
    page.get_by_label("Files", exact=True).set_input_files(files)
    page.get_by_role("textbox", name="Batch").fill("bulk stories")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("definition").first).to_be_visible()


def tape_of(title: str) -> dict[str, Any]:
    steps = [
        {"kind": "user", "content": title},
        {"kind": "assistant", "content": f"Nobody knows, call 555-1234. {title}"},
    ]
    return {"metadata": {"id": title}, "context": None, "steps": steps}


def check(page: Page, *titles: str) -> None:
    for title in titles:
        page.get_by_role("checkbox", name=f"Select {title}").check()


def test_two_tapes_are_tagged_and_that_is_taken_back(page: Page) -> None:
    upload(page, FIRST, SECOND)
    page.goto("/tapes?search=bulk")
    check(page, FIRST, SECOND)

    page.get_by_role("toolbar", name="Selected tapes").get_by_role("button", name="Tags").click()
    dialog = page.get_by_role("dialog", name="Tags of 2 tapes")
    dialog.get_by_label("Add").first.press_sequentially("Water works")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Change tags").click()
    toast = page.get_by_role("alert").filter(has_text="Tags of 2 tapes changed")
    expect(toast).to_be_visible()
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_have_count(0)

    page.get_by_role("link", name=FIRST).click()
    expect(page.get_by_role("heading", name=FIRST)).to_be_visible()
    expect(page.get_by_role("list", name="Tags")).to_have_count(0)
    page.keyboard.press("t")
    page.get_by_placeholder("Type a tag, then Enter").press_sequentially("River")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_role("list", name="Tags")).to_have_text("river")


def test_tapes_are_transformed_after_a_look_and_that_is_undone(page: Page) -> None:
    upload(page, THIRD)
    page.goto("/tapes?search=bulk")
    check(page, THIRD)
    page.get_by_role("button", name="Transform").click()
    dialog = page.get_by_role("dialog", name="Transform 1 tape")

    dialog.get_by_label("Find").fill(r"\d{3}-\d{4}")
    dialog.get_by_label("Replace with").fill("[phone]")
    dialog.get_by_role("button", name="Preview").click()
    expect(dialog.get_by_role("status")).to_have_text("Of 1 tape: 1 tape would change, in 1 place.")
    expect(dialog.get_by_role("region", name="Preview")).to_contain_text("[phone]")
    dialog.get_by_label("Name of the new batch").fill("bulk without phones")
    dialog.get_by_role("button", name="Create tapes").click()
    expect(dialog.get_by_text("1 tape created in the batch")).to_be_visible()

    dialog.get_by_role("button", name="Undo").click()
    expect(dialog.get_by_text("1 tape removed.")).to_be_visible()


def test_all_that_a_list_shows_is_archived_and_that_is_taken_back(page: Page) -> None:
    titles = [f"Which bulk comet is number {number}?" for number in range(3)]
    upload(page, *titles)
    page.goto("/tapes?search=comet")
    check(page, titles[0])
    page.get_by_role("button", name="Select all 3 of the list").click()
    page.get_by_role("button", name="Archive", exact=True).click()

    toast = page.get_by_role("alert").filter(has_text="3 tapes archived")
    expect(toast).to_be_visible()
    expect(page.get_by_role("link", name=titles[0])).to_have_count(0)
    toast.get_by_role("button", name="Undo").click()
    for title in titles:
        expect(page.get_by_role("link", name=title)).to_be_visible()


def test_a_list_is_exported_as_files_and_fetched_later_from_runs(page: Page) -> None:
    title = "Which bulk glacier is the slowest?"
    upload(page, title)
    page.goto(f'/tapes?q=title:"{title}"')
    expect(page.get_by_role("link", name=title)).to_be_visible()

    page.get_by_role("button", name="Export").click()
    dialog = page.get_by_role("dialog", name="Export the tapes of this list")
    dialog.get_by_role("radio", name="TapeAgents files").check()
    dialog.get_by_role("button", name="Start export").click()
    expect(dialog.get_by_text("1 tape written.")).to_be_visible()
    page.goto("/runs")
    page.get_by_role("link", name="Export as TapeAgents files").first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download tapes tapeagents").click()

    with zipfile.ZipFile(download.value.path()) as archive:
        [name] = archive.namelist()
        assert json.loads(archive.read(name)) == tape_of(title)
