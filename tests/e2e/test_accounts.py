"""A studio of several people: each sees their own project, and may do what their role says.

Here because it has people without a past: one of them takes the tour.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.e2e.hands import select_step
from tests.studio.openid_provider import run_provider
from tests.studio.running_studio import ROOT, RunningStudio, run_studio, studio_environment
from tests.waiting import PATIENCE_SECONDS

PASSWORD = "a long pass phrase of nobody"
PEOPLE = """
from django.contrib.auth.models import User
from tapes_app.models import MembershipRecord, ProjectRecord, TapeRecord
from tapes_app.agents.services.sample_project import load_sample
ours = {"olga": "owner", "max": "member", "tea": "member", "vera": "viewer"}
places = {"Ours": ours, "Theirs": {"sam": "owner"}}
for name, people in places.items():
    project = ProjectRecord.objects.create(name=name)
    for person, role in people.items():
        user = User.objects.create_user(person, password="%s")
        MembershipRecord.objects.create(user=user, project=project, role=role)
    load_sample(project.id)
"""
SignIn = Callable[[str], Page]


@pytest.fixture(scope="module")
def shared_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        pytest.skip("the front end is not built; `make e2e` builds it")
    data_dir = tmp_path_factory.mktemp("accounts") / "data"
    with (
        run_provider() as provider,
        run_studio(data_dir, None, (), **provider.settings()) as running,
    ):
        running.wait_until_ready()
        provider.know("1", email="bo@example.org", preferred_username="bo")
        subprocess.run(
            [sys.executable, "manage.py", "shell", "-v", "0", "-c", PEOPLE % PASSWORD],
            cwd=ROOT,
            env=studio_environment(STUDIO_ACCOUNTS="1", STUDIO_DATA_DIR=str(data_dir)),
            check=True,
        )
        yield running


@pytest.fixture
def sign_in(shared_studio: RunningStudio, browser: Browser) -> Iterator[SignIn]:
    contexts: list[BrowserContext] = []

    def sign_in_(name: str) -> Page:
        context = browser.new_context(base_url=shared_studio.url)
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        contexts.append(context)
        page = context.new_page()
        page.goto("/tapes")
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", name="Tapes", level=1)).to_be_visible()
        return page

    yield sign_in_
    for context in contexts:
        context.close()


def test_a_wrong_password_says_so_and_a_right_one_leads_where_one_wanted_to_go(
    shared_studio: RunningStudio, browser: Browser
) -> None:
    page = browser.new_page(base_url=shared_studio.url)
    page.goto("/models")
    page.get_by_label("Name").fill("olga")
    page.get_by_label("Password").fill("guessed")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()

    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    expect(page).to_have_url(f"{shared_studio.url}/models")
    page.close()


@pytest.mark.parametrize(
    "goal",
    [
        "//evil.example",
        "https://evil.example/",
        "http:evil.example",
        "\\\\evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "///evil.example",
        "/%09/evil.example",
        "http://127.0.0.1:1/",
    ],
)
def test_signing_in_leads_nowhere_else(
    shared_studio: RunningStudio, browser: Browser, goal: str
) -> None:
    page = browser.new_page(base_url=shared_studio.url)
    page.goto("/login/")
    page.evaluate("goal => { document.querySelector('[name=next]').value = goal }", goal)
    page.get_by_label("Name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    expect(page).not_to_have_url(re.compile("/login/"))
    assert page.url.startswith(f"{shared_studio.url}/")
    page.close()


def test_the_tapes_of_another_project_are_not_there(
    shared_studio: RunningStudio, sign_in: SignIn
) -> None:
    theirs, ours = sign_in("sam"), sign_in("max")
    tape = theirs.request.get("/api/v1/tapes").json()["items"][0]
    own = ours.request.get("/api/v1/tapes").json()["items"]
    project = theirs.request.get("/api/v1/session").json()["project_id"]

    assert tape["id"] not in {row["id"] for row in own}
    for query, told in (
        ("", "The tape could not be loaded"),
        (f"?project={project}", "You are not in this project"),
    ):
        ours.goto(f"/t/{tape['id']}{query}")
        expect(ours.get_by_text(told)).to_be_visible()
        expect(ours.get_by_role("main")).not_to_contain_text(tape["title"])
    ours.goto(f"/t/{own[0]['id']}/diff/{tape['id']}")
    expect(ours.get_by_text("The tapes could not be compared")).to_be_visible()


def test_who_is_invited_comes_in_with_the_account_of_their_organisation(
    shared_studio: RunningStudio, sign_in: SignIn, browser: Browser
) -> None:
    link = post(sign_in("olga"), "/api/v1/invitations", {"role": "member"})["path"]
    page = browser.new_page(base_url=shared_studio.url)

    page.goto(link)
    page.get_by_role("link", name="Continue with Example ID").click()
    page.get_by_placeholder("sub").fill("1")
    page.get_by_role("button", name="Authorize").click()
    expect(page.get_by_text("Example ID says that you are bo.")).to_be_visible()
    page.get_by_role("button", name="Make account and join").click()
    expect(page.get_by_role("heading", name="Tapes", level=1)).to_be_visible()
    page.goto("/logout/")
    page.get_by_role("button", name="Sign out").click()
    page.goto("/models")
    page.get_by_role("link", name="Sign in with Example ID").click()
    page.get_by_role("button", name="1", exact=True).click()

    expect(page).to_have_url(f"{shared_studio.url}/models")
    page.close()


def test_a_job_of_another_project_has_no_socket(
    shared_studio: RunningStudio, sign_in: SignIn
) -> None:
    job = start_chat(sign_in("sam"))["job_id"]
    cookies = sign_in("max").context.cookies()
    head = {
        "Origin": shared_studio.url,
        "Cookie": "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in cookies),
    }

    address = f"{shared_studio.url.replace('http', 'ws', 1)}/ws/jobs/{job}"
    with (
        connect(address, additional_headers=head) as socket,
        pytest.raises(ConnectionClosed) as closed,
    ):
        socket.recv(timeout=PATIENCE_SECONDS)

    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4404


def test_a_member_starts_and_edits(sign_in: SignIn) -> None:
    page = sign_in("max")
    page.goto(f"/t/{a_finished_tape(page)}?step=0")
    edit_first_step(page)

    expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def test_a_viewer_sees_everything_and_is_told_that_it_stays_as_it_is(sign_in: SignIn) -> None:
    page = sign_in("vera")
    tape = a_finished_tape(page)

    page.goto(f"/t/{tape}?step=0")
    first = page.get_by_role("article", name=re.compile("^Step 0,"))
    expect(first).to_contain_text(re.compile(r"\w"))
    expect(page.get_by_text("You can only view this project")).to_be_visible()
    expect(first.get_by_role("button", name="Copy link")).to_be_visible()
    expect(first.get_by_role("button", name="Edit")).to_have_count(0)
    page.keyboard.press("e")
    expect(page.get_by_role("form", name=re.compile("^Edit step"))).to_have_count(0)
    assert page.request.get(f"/api/v1/tapes/{tape}").json()["draft"] is None


def test_a_first_visit_finds_a_failure_and_fixes_and_keeps_it_with_own_hands(
    sign_in: SignIn,
) -> None:
    page = sign_in("tea")
    page.get_by_role("region", name=re.compile("New here")).get_by_role(
        "button", name="Take the tour"
    ).click()
    tour = page.locator("[aria-labelledby=tour-stop]")
    expect(tour).to_contain_text("1 of 8")
    tour.get_by_role("button", name="Open the sample project").click()
    expect(tour).to_contain_text("Open the failed tape")
    expect(tour).to_be_focused()

    # Each stop waits for what it names, and goes on by itself.
    page.get_by_role("link", name=re.compile("^A truck brings 21 sacks")).click()
    expect(tour).to_contain_text("Find the bad step")
    expect(page.get_by_role("link", name=re.compile("^Diverges from"))).to_be_visible()
    page.keyboard.press("b")
    expect(tour).to_contain_text("the passing runs say “21 * 9” there instead of “21 - 9”")
    page.keyboard.press("e")
    form = page.get_by_role("form", name=re.compile("^Edit step"))
    form.get_by_role("textbox").first.fill("21 * 9")
    page.keyboard.press("Escape")
    expect(tour).to_contain_text("Run it")
    expect(page.get_by_role("button", name="Resume from step 10")).to_be_enabled()
    page.keyboard.press("Control+Enter")
    expect(tour).to_contain_text("The answer is the expected one now")
    expect(page.get_by_role("button", name=re.compile("^Outcome: Passed"))).to_be_visible()

    # Back stays at what is done, until the reader goes on.
    tour.get_by_role("button", name="Back").click()
    expect(tour).to_contain_text("Run it")
    tour.get_by_role("button", name="Next").click()
    expect(tour).to_contain_text("Compare")
    page.get_by_role("link", name=re.compile("^Diff with parent")).click()
    expect(tour).to_contain_text("The failure is on the left")
    tour.get_by_role("link", name="Go there").click()
    expect(page.get_by_role("button", name="More for this tape")).to_be_visible()
    page.keyboard.press("X")
    page.get_by_role("button", name="Make the test").press("Enter")
    expect(tour).to_contain_text("You found, fixed and kept it in 10 actions.")
    expect(tour.get_by_role("link", name="Add a model")).to_be_visible()
    tour.get_by_role("button", name="Done").click()
    expect(tour).to_have_count(0)

    # Once is enough.
    page.goto("/tapes")
    expect(page.get_by_role("table", name="Tapes")).to_be_visible()
    expect(page.get_by_text("New here?")).to_have_count(0)


def test_the_admin_is_not_for_members(sign_in: SignIn) -> None:
    page = sign_in("olga")

    page.goto("/admin/")

    expect(page.get_by_role("heading", name="Site administration")).to_have_count(0)


def start_chat(page: Page) -> dict[str, str]:
    (chat,) = [one for one in page.request.get("/api/v1/agents").json() if one["name"] == "chat"]
    version = page.request.get(f"/api/v1/agents/{chat['id']}").json()["versions"][0]["id"]
    tape = {"agent_version_id": version, "message": "What is 2 + 2?"}
    return post(page, "/api/v1/tapes", tape)


def post(page: Page, path: str, body: dict[str, str]) -> dict[str, str]:
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    head = {"X-CSRFToken": cookies["csrftoken"]}
    answer = page.request.post(path, data=body, headers=head)
    assert answer.ok, answer.text()
    made: dict[str, str] = answer.json()
    return made


def a_finished_tape(page: Page) -> str:
    tapes = page.request.get("/api/v1/tapes").json()["items"]
    return next(str(tape["id"]) for tape in tapes if tape["active_job_id"] is None)


def edit_first_step(page: Page) -> None:
    first = page.get_by_role("article", name=re.compile("^Step 0,"))
    select_step(first).get_by_role("button", name="Edit").click()
    page.get_by_role("form", name="Edit step 0").get_by_role("textbox").first.fill("Other words")
