"""Take a picture of every screen with data: three widths, light and dark, to be looked at.

`.venv/bin/python deploy/every_screen.py FOLDER [PART…]` after the front end is built; needs
Chromium. Stories of the end-to-end tests fill the studio; a part is a screen's name or its start.
"""

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright  # noqa: E402

from deploy.screens import fill_library, settle, sign_in  # noqa: E402
from tests.e2e.making import Maker  # noqa: E402
from tests.studio.running_studio import RunningStudio, run_studio  # noqa: E402

WIDTHS = (1440, 800, 420)
SCHEMES = ("light", "dark")
HEIGHT = 900
_PATIENCE_MS = 120_000


def tell_stories(studio: RunningStudio, page: Page) -> None:
    """Live through what fills the screens; a story that breaks leaves out only its own."""
    from tests.e2e import test_suites, test_sweeps, test_training

    suite = test_suites.test_a_failing_tape_is_a_test_that_fails_and_passes_when_it_asks_for_the_right_thing  # noqa: E501
    sweep = (
        test_sweeps.test_a_sweep_is_started_survives_its_worker_and_leads_to_the_tape_that_differs
    )
    stories: list[Callable[[], None]] = [
        lambda: suite(page),
        lambda: sweep(studio, page),
        lambda: test_training.test_tapes_become_an_adapter_by_mouse(studio, page),
    ]
    for story in stories:
        try:
            story()
        except AssertionError as broken:
            print(f"A story broke: {str(broken)[:300]}", flush=True)


def find_screens(maker: Maker) -> dict[str, str]:
    """Return addresses by name: those of what the stories made, and of every list."""
    tape = maker.copy("How did the robot maker")
    fixed = maker.edited(tape, 8, "something else")
    queue = maker.queue("Turns of the analyst", [tape, fixed])
    dataset = maker.dataset("Robot makers", [tape, fixed])
    left, right, *_ = maker.get("batches/summaries?limit=3")["items"]
    screens = {
        "tapes": "/tapes",
        "tapes-peek": f"/tapes?peek={tape}",
        "tape": f"/t/{fixed}?step=10",
        "tape-notes": f"/t/{fixed}?step=10&view=notes",
        "tape-diff": f"/t/{tape}/diff/{fixed}",
        "batches": "/batches",
        "batches-compare": f"/batches/compare?a={left['id']}&b={right['id']}",
        "datasets": "/datasets",
        "datasets-one": f"/datasets/{dataset}",
        "datasets-import": "/datasets/import",
        "queues": "/queues",
        "queues-one": f"/queues/{queue}",
        "queues-annotate": f"/queues/{queue}/annotate",
        "queues-rubrics": "/queues/rubrics",
        "evaluation": "/evaluation",
        "evaluation-new": "/evaluation?new=sweep",
        "evaluation-suites": "/evaluation/suites",
        "training": "/training",
        "training-served": "/training?tab=served",
        "training-guide": "/training?tab=guide",
        "training-new": "/training?new=finetune",
        "models": "/models",
        "agents": "/agents",
        "agents-one": f"/agents/{maker.get('agents')[0]['id']}",
        "lint": "/lint",
        "runs": "/runs",
        "people": "/people",
        "tokens": "/tokens",
        "projects": "/projects",
        "upload": "/upload",
        "guides": "/guides/evaluation",
    }
    made = {
        "evaluation-sweep": ("sweeps", "/evaluation/{}"),
        "evaluation-suite": ("suites", "/evaluation/suites/{}"),
        "training-set": ("training-sets", "/training/sets/{}"),
        "training-finetune": ("finetunes", "/training/{}"),
    }
    for name, (path, address) in made.items():
        answer = maker.get(path)
        rows = answer["items"] if isinstance(answer, dict) else answer
        if rows:
            screens[name] = address.format(rows[0].get("job_id") or rows[0]["id"])
    return screens


def take(context: BrowserContext, address: str, path: Path, width: int, scheme: str) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(address)
    expect(page.get_by_role("heading").first).to_be_visible(timeout=_PATIENCE_MS)
    settle(page)
    page.screenshot(path=path, scale="css")
    page.close()


def take_all(browser: Browser, studio: RunningStudio, folder: Path, parts: list[str]) -> None:
    state = sign_in(browser, studio.link, studio.data_dir)
    context = browser.new_context(base_url=studio.url, storage_state=state, reduced_motion="reduce")
    context.set_default_timeout(_PATIENCE_MS)
    expect.set_options(timeout=_PATIENCE_MS)
    page = context.new_page()
    page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
    tell_stories(studio, page)
    screens = find_screens(Maker(page))
    for name, address in screens.items():
        if parts and not name.startswith(tuple(parts)):
            continue
        for width in WIDTHS:
            for scheme in SCHEMES:
                take(context, address, folder / f"{name}-{width}-{scheme}.png", width, scheme)
        print(name, address, flush=True)


def main(folder: Path, parts: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        fill_library(Path(data))
        with run_studio(Path(data)) as studio, sync_playwright() as playwright:
            studio.wait_until_ready()
            program = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            take_all(browser, studio, folder, parts)
            browser.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("Say into which folder the pictures go.")
    main(Path(sys.argv[1]), sys.argv[2:])
