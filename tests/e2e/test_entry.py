"""Coming in, looking around and leaving, in a real browser."""

from playwright.sync_api import Browser, Page, expect

from tests.studio.running_studio import RunningStudio


def test_a_stranger_is_told_where_the_link_is(studio: RunningStudio, browser: Browser) -> None:
    page = browser.new_page()

    page.goto(f"{studio.url}/tapes")

    expect(page.get_by_text("one-time link that the studio printed")).to_be_visible()
    page.close()


def test_the_front_end_starts_under_the_policy(page: Page) -> None:
    page.goto("/")

    expect(page.get_by_role("main").first).to_be_visible()
    expect(page).to_have_title("Tapes · Tape Studio")


def test_the_admin_works_under_the_policy(page: Page) -> None:
    page.goto("/admin/")

    expect(page.get_by_role("heading", name="Operator's desk", exact=True)).to_be_visible()
    health = page.get_by_role("region", name="Health")
    expect(health.get_by_role("row", name="Database ok")).to_be_visible()


def test_the_page_of_the_api_works_under_the_policy(page: Page) -> None:
    page.goto("/api/v1/docs")

    expect(page.get_by_role("heading", name="Tape Studio")).to_be_visible()
