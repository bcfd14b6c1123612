"""A real Chromium that opens a page and measures what a reader of it would experience."""

import shutil
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from harness import HERE
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

PROBE = (HERE / "page_probe.js").read_text()
VIEWPORT = {"width": 1440, "height": 900}
CARDS = "[data-probe='cards']"
FAST_SECONDS = 6.0
SLOW_FRAMES = 240
SLOW_PIXELS = 60.0
SETTLE_SECONDS = 3.0
_FRAME = 1 / 60


@dataclass(frozen=True)
class Scroll:
    """How long frames took while a page was scrolled, in milliseconds."""

    longest: float
    p99: float
    blank: float
    """Share of the checked frames that had nothing in their middle."""


@dataclass(frozen=True)
class Held:
    """What a page holds in memory after it was read to its end."""

    heap_megabytes: float
    nodes: int


@contextmanager
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        raise SystemExit("There is no chromium on this machine.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, address: str, cookie: str = "") -> Iterator[Page]:
    """Open an address in a fresh browser profile."""
    context = browser.new_context(viewport=VIEWPORT)
    if cookie:
        name, _, value = cookie.partition("=")
        context.add_cookies([{"name": name, "value": value, "domain": "127.0.0.1", "path": "/"}])
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.add_init_script(PROBE)
    page.goto(address, wait_until="commit")
    yield page
    context.close()


def wait_until(page: Page, expression: str, seconds: float = 120.0) -> None:
    """Wait for a condition in a page, whose policy forbids the way Playwright would wait."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(expression):
        if time.monotonic() > deadline:
            raise SystemExit(f"The page never came to {expression}.")
        time.sleep(0.05)


def first_cards(page: Page) -> float:
    """Return milliseconds from the navigation until the first cards were painted."""
    wait_until(page, "probe.firstCards > 0")
    return float(page.evaluate("probe.firstCards"))


def first_cards_again(page: Page) -> float:
    """Return milliseconds until the first cards of a page whose files are cached."""
    address = page.url
    page.goto("about:blank")
    page.goto(address, wait_until="commit")
    return first_cards(page)


def first_cards_of_link(page: Page, link: str) -> float:
    """Return milliseconds from clicking a link until the first cards were painted."""
    found = page.locator(link).first
    found.wait_for()
    time.sleep(SETTLE_SECONDS)
    page.evaluate("probe.listenToPress()")
    found.click()
    return first_cards(page) - float(page.evaluate("probe.pressed"))


def first_paint(page: Page) -> float:
    """Return milliseconds until a page painted its first text."""
    wait_until(page, "performance.getEntriesByName('first-contentful-paint').length > 0")
    return float(
        page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    )


def mark_cards(page: Page) -> None:
    """Find the element that scrolls the cards, whatever its class is."""
    page.evaluate(
        """() => {
          let at = document.querySelector("article[aria-label^='Step ']");
          while (at && !(at.scrollHeight > at.clientHeight + 10
                 && /auto|scroll/.test(getComputedStyle(at).overflowY))) at = at.parentElement;
          at.dataset.probe = "cards";
        }"""
    )


def scroll_slowly(page: Page, selector: str) -> Scroll:
    return _scroll(page, selector, SLOW_PIXELS, SLOW_FRAMES)


def scroll_to_end(page: Page, selector: str) -> Scroll:
    """Scroll through the entire page in a few seconds, however long it is."""
    height = float(page.evaluate("([at]) => probe.height(at)", [selector]))
    return _scroll(page, selector, max(60.0, height * _FRAME / FAST_SECONDS), 20_000)


def _scroll(page: Page, selector: str, pixels: float, most: int) -> Scroll:
    found = page.evaluate(
        "([at, by, most]) => probe.scroll(at, by, most)", [selector, pixels, most]
    )
    frames = sorted(found["frames"])
    return Scroll(
        frames[-1], frames[int(len(frames) * 0.99)], statistics.fmean(found["blank"] or [0])
    )


def held(page: Page) -> Held:
    session: CDPSession = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    nodes = page.evaluate("document.querySelectorAll('*').length")
    return Held(used / 1e6, nodes)


def type_text(page: Page, characters: int, pause_seconds: float = 0.09) -> list[float]:
    """Type into the focused element; return milliseconds from each key to its painted letter."""
    page.evaluate("probe.listenToKeys()")
    for number in range(characters):
        page.keyboard.press("x" if number % 6 else "Space")
        time.sleep(pause_seconds)
    wait_until(page, f"probe.keys.length >= {characters}")
    return [float(value) for value in page.evaluate("probe.keys")]


def percentile(values: list[Any], share: float) -> float:
    ordered = sorted(values)
    return float(ordered[min(len(ordered) - 1, int(len(ordered) * share))])


def middle(values: list[float]) -> float:
    return float(statistics.median(values))
