"""A real browser on a whole studio; both live as long as the tests of this folder."""

import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    expect,
    sync_playwright,
)

from tests.e2e.hands import TEST_MODEL
from tests.studio.running_studio import ROOT, RunningStudio, run_studio

# A busy machine is slow, not wrong: what is expected comes, only later. A wait ends when it does.
_PATIENCE_MS = 120_000
expect.set_options(timeout=_PATIENCE_MS)
_SNAPSHOT_MS = 10_000
# The shell alone: the whole browser draws windows that nobody sees, for a fifth of the time.
_NAMES = "chromium-headless-shell", "chromium", "chromium-browser"
_CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)


@pytest.fixture(scope="package")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        pytest.skip("the front end is not built; `make e2e` builds it")
    # As root, as on machines of CI, an agent's browser starts only if that is allowed.
    data_dir = tmp_path_factory.mktemp("studio")
    with run_studio(data_dir, STUDIO_UNWALLED_FUNCTIONS="1") as running:
        running.wait_until_ready()
        yield running


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if _CHROMIUM is None:
        pytest.skip("no chromium on this machine; `.ci/run` installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def signed_in(
    studio: RunningStudio, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Sign in once, as the link allows, and return the cookies for every later page."""
    state = tmp_path_factory.mktemp("browser") / "state.json"
    context = browser.new_context()
    context.new_page().goto(studio.link)
    context.storage_state(path=state)
    context.close()
    return state


@pytest.fixture
def context(studio: RunningStudio, browser: Browser, signed_in: Path) -> Iterator[BrowserContext]:
    context = browser.new_context(
        base_url=studio.url, storage_state=signed_in, viewport={"width": 1440, "height": 900}
    )
    context.set_default_timeout(_PATIENCE_MS)
    yield context
    _remove_models(context)
    context.close()


def _remove_models(context: BrowserContext) -> None:
    """Remove the models whose server ends with a story: the next one would be offered them."""
    tokens = [one.get("value") for one in context.cookies() if one.get("name") == "csrftoken"]
    for model in context.request.get("/api/v1/models").json() if tokens else ():
        if model["litellm_model"] == TEST_MODEL:
            path, headers = f"/api/v1/models/{model['id']}", {"X-CSRFToken": str(tokens[0])}
            assert context.request.delete(path, headers=headers).ok


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A signed-in page on which nothing may break the policy or crash a script."""
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(f"{error.name}: {error.message}"))
    page.on("console", lambda message: problems.extend(_violations(message)))
    yield page
    assert problems == []


def _violations(message: ConsoleMessage) -> list[str]:
    return [message.text] if "Content Security Policy" in message.text else []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add to the report of a failure what its pages showed."""
    report = yield
    context = getattr(item, "funcargs", {}).get("context")
    if call.when == "call" and report.failed and isinstance(context, BrowserContext):
        report.sections += [(f"page {page.url}", _read(page)) for page in context.pages]
    return report


def _read(page: Page) -> str:
    try:
        return page.locator("body").aria_snapshot(timeout=_SNAPSHOT_MS)
    except Error as problem:
        return problem.message
