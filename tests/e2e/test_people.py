"""From one owner to a team: invited by a link, at work as a viewer, and out again."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.studio.running_studio import ROOT, RunningStudio, run_studio

PASSWORD = "a long pass phrase of nobody"


@pytest.fixture
def team_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        pytest.skip("the front end is not built; `make e2e` builds it")
    with run_studio(tmp_path_factory.mktemp("team") / "data", STUDIO_ACCOUNTS="1") as running:
        running.wait_until_ready()
        yield running


@pytest.fixture
def owner(team_studio: RunningStudio, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(base_url=team_studio.url)
    page = context.new_page()
    page.goto(team_studio.link)
    expect(page.get_by_role("heading", name="Tapes", level=1)).to_be_visible()
    yield page
    context.close()


@pytest.fixture
def stranger(team_studio: RunningStudio, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(base_url=team_studio.url)
    yield context.new_page()
    context.close()


def invite_viewer(owner: Page) -> str:
    owner.get_by_role("button", name="Settings").click()
    owner.get_by_role("menuitem", name="People").click()
    owner.get_by_role("button", name="Invite").click()
    dialog = owner.get_by_role("dialog", name="Invite a person")
    dialog.get_by_role("radio", name="Viewer").check()
    dialog.get_by_role("button", name="Create link").click()
    link = dialog.get_by_text(re.compile("/invite/")).inner_text()
    dialog.get_by_role("button", name="Done").click()
    expect(owner.get_by_role("table", name="Open invitations")).to_contain_text("Viewer")
    return link


def test_a_person_is_invited_views_and_is_removed(owner: Page, stranger: Page) -> None:
    link = invite_viewer(owner)

    # The person makes an account; a password that is too short says so first.
    stranger.goto(link)
    expect(stranger.get_by_text("invites you to the project Studio as a viewer")).to_be_visible()
    stranger.get_by_label("Name").fill("vera")
    stranger.get_by_label("Password").fill("short")
    stranger.get_by_role("button", name="Make account and join").click()
    expect(stranger.get_by_role("alert")).to_contain_text("too short")
    expect(stranger.get_by_label("Name")).to_have_value("vera")
    stranger.get_by_label("Password").fill(PASSWORD)
    stranger.get_by_role("button", name="Make account and join").click()

    # The project is there, and nothing that a viewer may not do.
    expect(stranger.get_by_role("heading", name="Tapes", level=1)).to_be_visible()
    expect(stranger.get_by_role("link", name="Upload")).to_have_count(0)
    tape = stranger.request.get("/api/v1/tapes").json()["items"][0]["id"]
    stranger.goto(f"/t/{tape}")
    expect(stranger.get_by_text("You can only view this project")).to_be_visible()
    expect(stranger.get_by_role("button", name="Rename the tape")).to_have_count(0)

    # The owner sees the person, and removes them.
    owner.reload()
    people = owner.get_by_role("table", name="People")
    expect(people.get_by_role("row", name=re.compile("^vera"))).to_contain_text("just now")
    expect(owner.get_by_role("table", name="Open invitations")).to_have_count(0)
    people.get_by_role("button", name="Remove vera").click()
    owner.get_by_role("button", name="Remove", exact=True).click()
    expect(people.get_by_role("row", name=re.compile("^vera"))).to_have_count(0)

    # Their page says so by itself.
    expect(stranger.get_by_role("heading", name="You are not in this project")).to_be_visible()
    expect(stranger.get_by_role("main")).not_to_contain_text("How far")

    # The link is spent.
    stranger.goto(link)
    expect(stranger.get_by_role("alert")).to_contain_text("has been used")


def test_the_last_owner_stays_and_a_project_is_put_away_and_back(owner: Page) -> None:
    owner.goto("/people")
    owner.get_by_role("button", name="Leave project").click()
    owner.get_by_role("button", name="Leave", exact=True).click()
    expect(owner.get_by_role("alert")).to_contain_text("make somebody else an owner first")

    owner.goto("/projects")
    owner.get_by_role("button", name="New project").click()
    owner.get_by_role("textbox", name="Name").fill("Trips")
    owner.keyboard.press("Enter")
    owner.get_by_role("button", name="Open Trips").click()
    expect(owner.get_by_text("No tapes yet")).to_be_visible()

    owner.goto("/projects")
    owner.get_by_role("button", name="Archive Trips").click()
    owner.get_by_role("button", name="Archive", exact=True).click()
    expect(owner.get_by_role("table", name="Archived projects")).to_contain_text("Trips")
    owner.goto("/upload")
    expect(owner.get_by_text("You can only view this project")).to_be_visible()
    owner.goto("/projects")
    owner.get_by_role("button", name="Restore Trips").click()
    expect(owner.get_by_role("table", name="Archived projects")).to_have_count(0)


def test_a_new_project_hides_nothing_and_a_link_names_its_project(
    owner: Page, stranger: Page
) -> None:
    link = invite_viewer(owner)
    owner.goto("/projects")
    owner.get_by_role("button", name="New project").click()
    owner.get_by_role("textbox", name="Name").fill("Aardvarks")
    owner.keyboard.press("Enter")
    expect(owner.get_by_role("button", name="Open Aardvarks")).to_be_visible()

    # A reload stays in the old project, whose tapes are there.
    owner.goto("/tapes")
    switch = owner.get_by_role("button", name="Project: Studio")
    expect(switch).to_be_visible()
    expect(owner.get_by_text("No tapes yet")).to_have_count(0)
    tape = owner.request.get("/api/v1/tapes").json()["items"][0]["id"]
    owner.goto(f"/t/{tape}")
    expect(owner).to_have_url(re.compile("project="))
    of_studio = owner.url

    # Switched by the keyboard, on a narrow window too.
    owner.set_viewport_size({"width": 800, "height": 700})
    switch.focus()
    owner.keyboard.press("Enter")
    other = owner.get_by_role("menuitemradio", name=re.compile("Aardvarks"))
    expect(other).to_be_visible()
    other.press("Enter")
    expect(owner.get_by_role("button", name="Project: Aardvarks")).to_be_visible()
    expect(owner.get_by_text("No tapes yet")).to_be_visible()
    owner.goto("/tapes")
    expect(owner.get_by_role("button", name="Project: Aardvarks")).to_be_visible()
    expect(owner).to_have_url(re.compile("project="))
    of_aardvarks = owner.url

    # The link opens its project, also for another person who is in it; others are told.
    owner.goto(of_studio)
    expect(switch).to_be_visible()
    stranger.goto(link)
    stranger.get_by_label("Name").fill("vera")
    stranger.get_by_label("Password").fill(PASSWORD)
    stranger.get_by_role("button", name="Make account and join").click()
    expect(stranger.get_by_role("button", name="Project: Studio")).to_be_visible()
    stranger.goto(of_studio)
    expect(stranger.get_by_text("You can only view this project")).to_be_visible()
    expect(stranger).to_have_url(re.compile(tape))
    stranger.goto(of_aardvarks)
    expect(stranger.get_by_role("heading", name="You are not in this project")).to_be_visible()
    stranger.get_by_role("button", name="Go to another project").click()
    expect(stranger.get_by_role("button", name="Project: Studio")).to_be_visible()
