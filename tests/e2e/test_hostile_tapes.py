"""Tapes of somebody hostile in a real browser: they are text there, and nothing else."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, Route, expect

from tapes_app.engine.model.llm import LLMCall
from tests.e2e.guards import (
    assert_layout_holds,
    assert_nothing_hides,
    assert_nothing_ran,
    nothing_runs,
)
from tests.e2e.hands import from_tape_menu, select_step, visit
from tests.e2e.hostile import BATCH, FILE_NAME, hostile_tapes, store_calls
from tests.interchange.builders import read_calls
from tests.studio.running_studio import RunningStudio
from tests.waiting import wait_until

WIDTHS = (1440, 800)


@pytest.fixture(scope="module")
def tapes(
    studio: RunningStudio,
    browser: Browser,
    signed_in: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, str]:
    """Upload the tapes through the page and return their ids: `hostile`, `heavy`, `child`."""
    database = store_calls(tmp_path_factory.mktemp("hostile") / "tapedata.sqlite")
    context = browser.new_context(base_url=studio.url, storage_state=signed_in)
    page = context.new_page()
    with nothing_runs(page, studio.url):
        upload(page, FILE_NAME, json.dumps(hostile_tapes()).encode())
        upload(page, "tapedata.sqlite", database.read_bytes())
        assert_layout_holds(page)
    ids = {}
    for row in ask(page, "/api/v1/tapes?limit=100")["items"]:
        if row["batch_name"].startswith("Batch <script>"):
            ids["heavy" if row["title"] == "Heavy" else "hostile"] = row["id"]
    ids["child"] = make_child(page, ids["hostile"])
    context.close()
    return ids


@pytest.fixture
def hostile_page(page: Page, studio: RunningStudio, tapes: dict[str, str]) -> Iterator[Page]:
    """A page that knows the tapes, on which nothing of them may run."""
    with nothing_runs(page, studio.url):
        yield page


def test_lists_and_pages_show_hostile_text_as_text(
    hostile_page: Page, tapes: dict[str, str]
) -> None:
    batch = ask(hostile_page, "/api/v1/batches")[0]["id"]
    paths = {
        "/tapes": "Hostile <script>",
        f"/tapes?batch={batch}": "Hostile <script>",
        "/tapes?search=unbroken": "Hostile <script>",
        "/tapes?search=%3Cscript%3Ealert(1)%3C%2Fscript%3E": "No tapes match",
        "/runs": "Import Batch <script>",
        "/t/%3Cimg%20src=x%20onerror=alert(1)%3E": "could not be loaded",
        f"/t/{tapes['hostile']}/diff/%3Cscript%3Ealert(1)%3C%2Fscript%3E": "could not be compared",
        f"/t/{tapes['hostile']}?step=__proto__&view=constructor": "Hostile <script>",
        "/agents/%3Cscript%3Ealert(1)%3C%2Fscript%3E": "could not",
        "/%3Cscript%3Ealert(1)%3C/script%3E": "",
    }
    for path, text in paths.items():
        hostile_page.goto(path)
        for width in WIDTHS:
            hostile_page.set_viewport_size({"width": width, "height": 900})
            expect(hostile_page.get_by_role("main").get_by_text(text).first).to_be_visible()
            assert_harmless(hostile_page)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_card_and_every_tab_shows_hostile_text_as_text(
    hostile_page: Page, tapes: dict[str, str], width: int
) -> None:
    hostile_page.set_viewport_size({"width": width, "height": 900})
    steps = ask(hostile_page, f"/api/v1/tapes/{tapes['hostile']}/steps?limit=100")["items"]

    # One after the other where there is room; the narrow page differs in its layout only.
    hostile_page.goto(f"/t/{tapes['hostile']}?step=0")
    for position in range(0, len(steps), 1 if width >= 1000 else 3):
        visit(hostile_page, f"/t/{tapes['hostile']}?step={position}")
        if width < 1000:
            show_pane(hostile_page, "Tape")
        unfold(card_of(hostile_page, position))
        assert_harmless(hostile_page)

    hostile_page.goto(f"/t/{tapes['hostile']}?step=2")
    if width < 1000:
        show_pane(hostile_page, "Inspector")
    inspector = hostile_page.get_by_role("complementary", name="Inspector")
    for tab in ("Prompt", "Output", "Metrics", "Views", "Provenance"):
        inspector.get_by_role("tab", name=tab).click()
        expect(inspector.get_by_role("tabpanel", name=tab)).not_to_be_empty()
        expect(inspector.locator("[data-animate]")).to_have_count(0)
        unfold(inspector)
        for details in inspector.locator("details").all():
            details.locator("summary").click()
        assert_harmless(hostile_page)


def test_directions_and_hidden_characters_are_shown_by_name(
    hostile_page: Page, tapes: dict[str, str]
) -> None:
    hostile_page.goto(f"/t/{tapes['hostile']}?step=2")
    card = card_of(hostile_page, 2)
    unfold(card)

    for shown in ("annual[U+202E]gpj.exe", "zero[U+200B]width", "nul␀"):
        expect(card).to_contain_text(shown)
    # Colors hold no text and are left out; a link of a terminal says where it leads.
    expect(card).to_contain_text("red ␛]8;;http://evil.example␇link")
    hostile_page.get_by_text("Plain", exact=True).click()
    expect(card).to_contain_text("␛[31mred")
    expect(hostile_page.get_by_role("heading", level=1)).to_contain_text("[U+202E]")
    assert "\u202e" not in hostile_page.title()


def test_hostile_steps_are_edited_as_form_and_as_json(
    hostile_page: Page, tapes: dict[str, str]
) -> None:
    kinds = [step["kind"] for step in ask_steps(hostile_page, tapes["hostile"])]
    shown_alike = {"prototype", "toString", "hasOwnProperty", "assistant", "tool"}

    hostile_page.goto(f"/t/{tapes['hostile']}?step=0")
    for position in (at for at, kind in enumerate(kinds) if kind not in shown_alike):
        visit(hostile_page, f"/t/{tapes['hostile']}?step={position}")
        form = open_form(hostile_page, position)
        assert_harmless(hostile_page)
        show_as_json(form)
        assert_nothing_ran(hostile_page)
        form.get_by_role("button", name="Done").click()
    # To look is not to edit.
    assert ask(hostile_page, f"/api/v1/tapes/{tapes['hostile']}")["draft"] is None


def test_a_step_keeps_the_focus_when_heights_arrive_late(
    hostile_page: Page, tapes: dict[str, str]
) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    hostile_page.route("**/outline*", hold)
    with hostile_page.expect_request("**/outline*"):
        hostile_page.goto(f"/t/{tapes['hostile']}?step=18")
    edit = select_step(card_of(hostile_page, 18)).get_by_role("button", name="Edit")
    edit.focus()

    for route in held:
        route.continue_()

    steps = hostile_page.get_by_role("navigation", name="Steps")
    expect(steps.get_by_role("button", name=re.compile("^18 "))).to_be_visible()
    expect(edit).to_be_focused()


def test_an_edit_keeps_all_that_was_not_edited(hostile_page: Page, tapes: dict[str, str]) -> None:
    address = f"/api/v1/tapes/{tapes['hostile']}"
    before = ask(hostile_page, f"{address}/steps?limit=100")["items"][6]["body"]

    hostile_page.goto(f"/t/{tapes['hostile']}?step=6")
    form = open_form(hostile_page, 6)
    field = form.get_by_role("textbox").last
    field.fill('"changed"')
    expect(hostile_page.get_by_text("Saved", exact=True)).to_be_visible()

    (written,) = ask(hostile_page, f"{address}/draft")["operations"]
    changed = {name for name in before if written["step"].get(name) != before[name]}
    assert changed - {"metadata"} == {"hasOwnProperty"}
    hostile_page.keyboard.press("Escape")
    hostile_page.get_by_role("button", name="Undo").click()
    wait_until(lambda: ask(hostile_page, f"{address}/draft")["applied_count"] == 0)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_diff_shows_hostile_text_as_text(
    hostile_page: Page, tapes: dict[str, str], width: int
) -> None:
    hostile_page.set_viewport_size({"width": width, "height": 900})

    hostile_page.goto(f"/t/{tapes['hostile']}/diff/{tapes['child']}")
    expect(hostile_page.get_by_role("article").first).to_be_visible()

    for _ in range(4):
        assert_harmless(hostile_page)
        hostile_page.keyboard.press("n")


def test_a_tape_of_sheer_size_opens_scrolls_and_compares(
    hostile_page: Page, tapes: dict[str, str]
) -> None:
    hostile_page.goto(f"/t/{tapes['heavy']}?step=1")
    card = card_of(hostile_page, 1)
    card.get_by_role("button", name="Show the whole step").click()
    card.get_by_role("button", name="Show all 5").click()
    expect(card.get_by_role("button", name="Show more")).to_be_visible()
    card_of(hostile_page, 1).get_by_role("button", name="Show less").click()
    hostile_page.keyboard.press("j")
    expect(card_of(hostile_page, 2)).to_be_visible()
    hostile_page.goto(f"/t/{tapes['heavy']}?step=150")
    expect(card_of(hostile_page, 150)).to_be_visible()
    assert_harmless(hostile_page)
    form = open_form(hostile_page, 150)
    form.get_by_role("button", name="Done").click()
    hostile_page.goto(f"/t/{tapes['heavy']}/diff/{tapes['hostile']}")
    expect(hostile_page.get_by_role("article").first).to_be_visible()
    assert_harmless(hostile_page)


def test_a_line_of_five_million_characters_is_edited(
    hostile_page: Page, tapes: dict[str, str]
) -> None:
    hostile_page.goto(f"/t/{tapes['heavy']}?step=1")
    form = open_form(hostile_page, 1)
    show_as_json(form)
    form.get_by_text("Form", exact=True).click()
    form.get_by_role("textbox").fill("Short now.")
    expect(hostile_page.get_by_text("Saved", exact=True)).to_be_visible()
    form.get_by_role("button", name="Done").click()
    expect(card_of(hostile_page, 1)).to_contain_text("Short now.")
    assert_layout_holds(hostile_page)


def test_what_goes_out_is_what_came_in(
    hostile_page: Page, tapes: dict[str, str], tmp_path: Path
) -> None:
    came_in = {tape["metadata"]["id"]: tape for tape in hostile_tapes()}
    calls_in = [found.call for found in read_calls(store_calls(tmp_path / "in.sqlite"))]

    for name in ("hostile", "heavy"):
        hostile_page.goto(f"/t/{tapes[name]}")
        from_tape_menu(hostile_page, "Share")
        with hostile_page.expect_download() as download:
            hostile_page.get_by_role("menuitem", name="Export with LLM calls").click()
        assert not re.search(r'[/\\<>"\x00-\x1f\u202e]', download.value.suggested_filename)
        archive = zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes()))
        for member in archive.namelist():
            assert not Path(member).is_absolute()
            assert ".." not in Path(member).parts
        (file,) = [member for member in archive.namelist() if not member.endswith(".sqlite")]
        (tape,) = json.loads(archive.read(file))
        assert tape == came_in[tape["metadata"]["id"]]
        if name == "hostile":
            assert calls_of(archive, tmp_path) == calls_in


def test_the_admin_shows_hostile_text_as_text(hostile_page: Page, tapes: dict[str, str]) -> None:
    lists = ["tape", "step", "batch", "llmcall", "content", "promptnode", "job", "jobevent"]

    for name in lists:
        hostile_page.goto(f"/admin/tapes_app/{name}record/")
        expect(hostile_page.locator("#changelist")).to_be_visible()
        assert_nothing_ran(hostile_page)
        first = hostile_page.locator("#result_list tbody th a").first
        if first.count():
            first.click()
            expect(hostile_page.locator("#content h1")).to_be_visible()
            assert_nothing_ran(hostile_page)
    hostile_page.goto(f"/admin/tapes_app/taperecord/{tapes['hostile']}/change/")
    assert_nothing_ran(hostile_page)
    hostile_page.goto("/admin/tapes_app/taperecord/?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert_nothing_ran(hostile_page)


def test_the_palette_and_the_agents_name_show_hostile_text_as_text(hostile_page: Page) -> None:
    hostile_page.goto("/tapes")
    expect(hostile_page.get_by_role("link", name=re.compile("^Hostile")).first).to_be_visible()
    hostile_page.keyboard.press("Control+k")
    hostile_page.get_by_role("textbox", name="Search", exact=True).fill("unbroken")
    found = hostile_page.get_by_role("dialog").get_by_text("Hostile <script>")
    expect(found.first).to_be_visible()

    assert_harmless(hostile_page)


def upload(page: Page, name: str, content: bytes) -> None:
    page.goto("/upload")
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.get_by_label("Files", exact=True).set_input_files(file)
    page.get_by_label("Batch").fill(BATCH)
    page.get_by_role("button", name=re.compile("^Import")).click()
    imported = page.get_by_role("definition")
    expect(imported.first).to_be_visible()
    assert imported.last.inner_text() == "0", page.get_by_role("main").inner_text()
    assert_nothing_ran(page)


def make_child(page: Page, tape: str) -> str:
    """Edit, insert and delete over HTTP, so that a diff has every kind of line."""
    steps = ask(page, f"/api/v1/tapes/{tape}/steps?limit=100")["items"]
    edited = {name: value for name, value in steps[1]["body"].items() if name != "metadata"}
    edited["content"] = "Other words, then: " + edited["content"].replace("unbroken", "<b>ok</b>")
    inserted = {"kind": "<b>new</b>\u202e", "content": steps[0]["body"]["content"]}
    operations = [
        {"op": "replace", "position": 1, "step": edited},
        {"op": "delete", "position": 3},
        {"op": "insert", "position": 4, "step": inserted},
    ]
    body = {"version": 0, "operations": operations, "applied_count": len(operations)}
    tell(page, "PUT", f"/api/v1/tapes/{tape}/draft", body)
    return str(tell(page, "POST", f"/api/v1/tapes/{tape}/save")["tape_id"])


def ask(page: Page, path: str) -> Any:
    answer = page.request.get(path)
    assert answer.ok, answer.text()
    return answer.json()


def ask_steps(page: Page, tape: str) -> Any:
    return ask(page, f"/api/v1/tapes/{tape}/steps?count=500")["items"]


def tell(page: Page, method: str, path: str, body: Any = None) -> Any:
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    headers = {"X-CSRFToken": cookies["csrftoken"], "Content-Type": "application/json"}
    answer = page.request.fetch(
        path, method=method, headers=headers, data=None if body is None else json.dumps(body)
    )
    assert answer.ok, answer.text()
    return answer.json()


def card_of(page: Page, position: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^Step {position},"))


def calls_of(archive: zipfile.ZipFile, folder: Path) -> list[LLMCall]:
    (name,) = [member for member in archive.namelist() if member.endswith(".sqlite")]
    database = folder / "out.sqlite"
    database.write_bytes(archive.read(name))
    return [found.call for found in read_calls(database)]


def open_form(page: Page, position: int) -> Locator:
    """Open it by keyboard: what loads late, or a problem found late, moves what a click aims at."""
    card = card_of(page, position)
    select_step(card).get_by_role("button", name="Edit").press("Enter")
    form = page.get_by_role("form", name=f"Edit step {position}")
    expect(form.get_by_role("textbox").first).to_be_visible()
    return form


def show_as_json(form: Locator) -> None:
    form.get_by_role("radio", name="JSON").press("Space")
    expect(form.get_by_label("Step as JSON")).to_be_visible()


def show_pane(page: Page, name: str) -> None:
    page.get_by_role("radiogroup", name="Pane").get_by_text(name, exact=True).click()


def unfold(place: Locator) -> None:
    expect(place).to_be_visible()
    expect(place.get_by_role("status", name=re.compile("^Loading"))).to_have_count(0)
    for _ in range(20):
        button = place.get_by_role("button", name=re.compile("^Show (all|more)"))
        if not button.count():
            return
        button.first.click()


def assert_harmless(page: Page) -> None:
    assert_nothing_ran(page)
    assert_layout_holds(page)
    assert_nothing_hides(page)
