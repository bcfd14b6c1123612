"""Getting about: back and forward, links, branches, find, archive, narrow and dark."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.guards import assert_layout_holds
from tests.e2e.hands import from_tape_menu
from tests.e2e.making import Maker
from tests.e2e.test_axe import settle
from tests.studio.running_studio import ROOT

SAMPLE = "How did the robot maker"
QUESTION = "How did the robot maker Aster do this year?"


@pytest.fixture
def maker(page: Page) -> Maker:
    return Maker(page)


@pytest.fixture
def family(maker: Maker) -> tuple[str, str, str]:
    """A tape of 20 steps and two branches that say something else at step 8."""
    root = maker.told("analyst", QUESTION)
    return root, maker.edited(root, 8, "the first try"), maker.edited(root, 8, "the second try")


def test_the_back_button_goes_where_one_came_from(page: Page, family: tuple[str, str, str]) -> None:
    root, _, second = family
    page.goto("/tapes?agent=analyst")
    page.locator(f'a[href="/t/{root}"]').click()
    expect(card(page, 0)).to_be_visible()

    # Steps are no places of their own, tabs and tapes are.
    for _ in range(3):
        page.keyboard.press("j")
    expect(page).to_have_url(re.compile("step=2"))
    page.get_by_role("tab", name="Metrics").click()
    expect(page).to_have_url(re.compile("view=metrics"))
    page.keyboard.press("j")
    page.get_by_role("region", name="Branches").locator(f'a[href^="/t/{second}"]').click()
    expect(page).to_have_url(re.compile(f"/t/{second}.*view=metrics"))
    expect(page.get_by_role("article").filter(has_text="the second try")).to_be_visible()

    page.go_back()
    expect(page).to_have_url(re.compile(f"/t/{root}.*step=3.*"))
    page.go_back()
    expect(page.get_by_role("tab", name="Prompt")).to_have_attribute("aria-selected", "true")
    page.go_back()
    expect(page).to_have_url(re.compile(r"/tapes\?.*agent=analyst"))
    expect(page.locator(f'a[href="/t/{root}"]')).to_be_visible()
    page.go_forward()
    page.go_forward()
    expect(page.get_by_role("tab", name="Metrics")).to_have_attribute("aria-selected", "true")
    page.go_forward()
    expect(page).to_have_url(re.compile(second))


def test_a_page_whose_server_is_gone_opens_by_itself_when_it_is_back(page: Page) -> None:
    page.goto("/models")
    expect(page.get_by_role("heading", name="Models", level=1)).to_be_visible()
    page.wait_for_load_state("networkidle")  # or a part of this page is what cannot be loaded
    page.route("**/*", lambda route: route.abort())

    page.get_by_role("link", name="Agents").click()

    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("This page could not be loaded")
    expect(alert).to_contain_text("The page opens by itself")
    page.unroute("**/*")
    expect(page.get_by_role("heading", name="Agents", level=1)).to_be_visible()

    # What is not there, and an id that is none, lead back to their list.
    for lost in ("/datasets/zzz", "/datasets/00000000-0000-4000-8000-000000000000"):
        page.goto(lost)
        page.get_by_role("link", name="Go to datasets").click()
        expect(page).to_have_url(re.compile(r"/datasets(\?|$)"))


def test_the_documentation_opens_beside_the_studio_and_is_searched(page: Page) -> None:
    if not (ROOT / ".site" / "help" / "index.html").is_file():
        pytest.skip("the documentation is not built; `make e2e` builds it")
    page.goto("/tapes")
    page.get_by_role("button", name="Help").click()
    with page.expect_popup() as opened:
        page.get_by_role("menuitem", name="Documentation").click()
    help_page = opened.value
    expect(help_page.get_by_role("heading", name="Tape Studio", level=1)).to_be_visible()
    refused: list[str] = []
    help_page.on("console", lambda message: refused.append(message.text))
    help_page.reload()

    help_page.get_by_role("textbox", name="Search").click()
    help_page.get_by_role("textbox", name="Search").press_sequentially("breakpoint")
    found = help_page.locator(".md-search-result")
    found.get_by_role("heading", name="Live control").click()

    expect(help_page.get_by_role("heading", name="Live control", level=1)).to_be_visible()
    assert refused == []


def test_the_documentation_opens_in_the_theme_chosen_in_the_studio(page: Page) -> None:
    if not (ROOT / ".site" / "help" / "index.html").is_file():
        pytest.skip("the documentation is not built; `make e2e` builds it")
    page.emulate_media(color_scheme="light")
    page.goto("/tapes")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("menuitemradio", name="Dark").click()

    page.goto("/help/queries/")
    body = page.locator("body")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.locator("label.md-header__button:visible[title=Light]").click()
    page.goto("/help/")
    expect(body).to_have_attribute("data-md-color-scheme", "default")

    page.goto("/tapes")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("menuitemradio", name="System").click()
    page.emulate_media(color_scheme="dark")
    page.goto("/help/")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")


def test_a_link_leads_to_a_step_a_field_and_a_tab(page: Page, maker: Maker) -> None:
    tape = maker.copy(SAMPLE)

    page.goto(f"/t/{tape}?step=12&field=/tool_call_id&view=provenance")

    expect(card(page, 12)).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("tab", name="Provenance")).to_have_attribute("aria-selected", "true")
    expect(card(page, 12).locator('[data-field="/tool_call_id"]')).to_be_in_viewport()
    page.wait_for_function("() => CSS.highlights.has('linked')")

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    card(page, 12).locator('[data-field="/tool_call_id"]').hover()
    page.get_by_role("button", name="Copy the link to this field").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert f"/t/{tape}?" in copied
    assert "field=%2Ftool_call_id" in copied


def test_branches_by_keyboard_alone(page: Page, family: tuple[str, str, str]) -> None:
    root, first, second = family
    keys = page.keyboard
    page.goto(f"/t/{root}?step=8")
    expect(page.get_by_role("region", name="Branches")).to_be_visible()
    expect(card(page, 8).get_by_role("group", name="Versions of step 8")).to_contain_text("1/3")

    # To the versions of this step, one after the other, and around.
    keys.press("s")
    expect(page).to_have_url(re.compile(f"/t/{first}.*step=8"))
    expect(card(page, 8)).to_contain_text("the first try")
    expect(page.get_by_role("region", name="Branches")).to_contain_text("2/3")
    keys.press("s")
    expect(page).to_have_url(re.compile(second))
    expect(card(page, 8)).to_contain_text("the second try")
    keys.press("s")
    expect(page).to_have_url(re.compile(root))

    # By the map: down, and beside this tape.
    expect(card(page, 8)).to_be_visible()
    keys.press("J")
    expect(page).not_to_have_url(re.compile(root))
    keys.press("K")
    expect(page).to_have_url(re.compile(root))
    here = page.get_by_role("region", name="Branches").locator("a[aria-current=page]")
    here.focus()
    keys.press("ArrowDown")
    expect(page.locator("[data-line] a:focus")).to_have_count(1)
    keys.press("Shift+Enter")
    expect(page).to_have_url(re.compile(f"/t/{root}.*cmp=({first}|{second})"))

    # By the palette: pin, rename, go to a step.
    page.goto(f"/t/{second}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(SAMPLE)
    in_palette(page, "pin the tape")
    expect(page.get_by_role("img", name="Pinned").first).to_be_visible()
    in_palette(page, "rename the tape")
    expect(page.get_by_label("Name of the tape")).to_be_focused()
    keys.type("The one that worked")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="The one that worked", level=1)).to_be_visible()
    in_palette(page, "17")
    expect(page).to_have_url(re.compile("step=17"))
    expect(card(page, 17)).to_have_attribute("aria-current", "true")


def test_find_looks_through_whole_texts(page: Page, maker: Maker) -> None:
    tape = maker.copy(SAMPLE)
    page.goto(f"/t/{tape}")
    expect(card(page, 0)).to_be_visible()

    # Far behind the first line of what a tool found.
    page.keyboard.press("/")
    page.keyboard.type("Port Linden")
    steps = page.get_by_role("navigation", name="Steps")
    expect(steps.get_by_role("status")).to_have_text(re.compile(r"^[1-9] steps? of 20$"))
    found = steps.get_by_role("listitem").filter(has=page.locator("button[title]"))
    expect(found.filter(has_text="Port Linden").first).to_be_visible()
    page.wait_for_function("() => CSS.highlights.has('found')")

    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("step="))
    first = page.url
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(first)
    page.keyboard.press("Shift+Enter")
    expect(page).to_have_url(first)

    page.keyboard.press("Escape")
    expect(page.get_by_label("Find in tape")).to_have_value("")
    expect(steps.get_by_role("status")).to_have_count(0)


def test_archive_and_restore(page: Page, family: tuple[str, str, str]) -> None:
    root, first, second = family
    branches = page.get_by_role("region", name="Branches")
    page.goto(f"/t/{first}?step=8")
    expect(card(page, 8)).to_be_visible()

    # Put away by mistake, and taken back at once.
    from_tape_menu(page, "Archive")
    expect(page.get_by_text("This tape is archived")).to_be_visible()
    # Another Undo, of the draft, is above.
    page.get_by_role("alert").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("This tape is archived")).to_have_count(0)

    # Put away: read-only, folded on the map of its family, and not in the list.
    from_tape_menu(page, "Archive")
    expect(page.get_by_text("not change or run it")).to_be_visible()
    card(page, 8).click()
    page.keyboard.press("e")
    expect(page.get_by_role("form", name="Edit step 8")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Resume"))).to_have_count(0)
    page.goto(f"/t/{root}")
    expect(branches.get_by_role("button", name="1 more")).to_be_visible()
    branches.get_by_role("button", name="1 more").click()
    expect(branches.locator(f'a[href^="/t/{first}"]')).to_be_visible()
    page.goto("/tapes?agent=analyst")
    expect(page.locator(f'a[href="/t/{second}"]')).to_be_visible()
    expect(page.locator(f'a[href="/t/{first}"]')).to_have_count(0)

    # In the list of archived tapes it can be brought back.
    page.get_by_role("radiogroup", name="Scope").get_by_text("Archived").click()
    expect(page.locator(f'a[href="/t/{first}"]')).to_be_visible()
    page.locator(f'tr:has(a[href="/t/{first}"])').get_by_role("checkbox").check()
    page.get_by_role("button", name="Restore").click()
    expect(page.locator(f'a[href="/t/{first}"]')).to_have_count(0)
    page.goto(f"/t/{first}?step=8")
    expect(card(page, 8)).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("form", name="Edit step 8")).to_be_visible()


def test_the_main_job_at_800_pixels(page: Page, maker: Maker) -> None:
    page.set_viewport_size({"width": 800, "height": 900})
    tape = maker.copy(SAMPLE)
    for path in ("/tapes", "/agents", "/models", "/runs", "/upload"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert_layout_holds(page)

    # The step list first, the tape when a step is chosen, the inspector by its key.
    page.goto(f"/t/{tape}")
    steps = page.get_by_role("navigation", name="Steps")
    expect(steps).to_be_visible()
    assert_layout_holds(page)
    steps.get_by_role("button", name=re.compile(r"^3 Action")).click()
    expect(steps).to_have_count(0)
    expect(card(page, 3)).to_be_visible()
    assert_layout_holds(page)
    page.keyboard.press("e")
    expect(page.get_by_role("form", name="Edit step 3")).to_be_visible()
    assert_layout_holds(page)
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(page.get_by_role("tab", name="Output")).to_have_attribute("aria-selected", "true")
    assert_layout_holds(page)
    page.keyboard.press("/")
    expect(page.get_by_label("Find in tape")).to_be_focused()

    # A link to a step leads to the step.
    page.goto(f"/t/{tape}?step=5")
    expect(card(page, 5)).to_be_visible()


def test_in_the_dark(page: Page, maker: Maker) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"/t/{maker.copy(SAMPLE)}?step=8")
    root = page.locator("html")
    expect(root).to_have_attribute("data-mantine-color-scheme", "light")

    in_palette(page, "light and dark")
    expect(root).to_have_attribute("data-mantine-color-scheme", "dark")
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(int(part) for part in re.findall(r"\d+", background)[:3]) < 150

    page.reload()
    expect(card(page, 8)).to_be_visible()
    expect(root).to_have_attribute("data-mantine-color-scheme", "dark")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("menuitemradio", name="System").click()
    expect(root).to_have_attribute("data-mantine-color-scheme", "light")


def card(page: Page, position: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^Step {position},"))


def in_palette(page: Page, words: str) -> None:
    """Do the first thing that the palette finds."""
    expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()
    page.keyboard.press("Control+k")
    field = page.get_by_role("textbox", name="Search", exact=True)
    expect(field).to_be_focused()
    page.keyboard.type(words)
    first = page.get_by_label("Search and navigate").locator("[data-action]").first
    expect(first).to_contain_text(re.compile(words, re.IGNORECASE))
    page.keyboard.press("Enter")
    expect(field).to_have_count(0)


def test_lists_fit_a_phone(page: Page) -> None:
    maker = Maker(page)
    tape = maker.copy("How did the robot maker")
    maker.dataset("Read on a phone", [tape])
    queue = maker.queue("Read on a phone", [tape])
    rule = {"text": "never contains(content || '', 'on a telephone')", "severity": "warning"}
    maker.send("POST", "lint/rules", {"name": "read on a phone", **rule})
    page.set_viewport_size({"width": 420, "height": 860})
    too_wide: dict[str, list[str]] = {}

    for path in ("tapes", "batches", "datasets", "agents", "runs", "lint", f"queues/{queue}"):
        page.goto(f"/{path}")
        expect(page.get_by_role("heading").first).to_be_visible()
        settle(page)
        if found := page.evaluate(_TOO_WIDE):
            too_wide[path] = found

    assert too_wide == {}


_TOO_WIDE = """() => [...document.querySelectorAll("html, main *")]
  .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
  .filter((one) => one.matches("html") || /auto|scroll/.test(getComputedStyle(one).overflowX))
  .map((one) => `${one.tagName} ${one.className} ${one.scrollWidth}`)"""
