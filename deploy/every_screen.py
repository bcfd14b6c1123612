"""Take a picture of every screen, menu and dialog, in three widths, light and dark, for review.

`.venv/bin/python deploy/every_screen.py FOLDER [PART…]` after the front end is built; needs
Chromium. Stories of the end-to-end tests fill the studio; a part is a screen's name or its start.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright  # noqa: E402
from playwright.sync_api import Error as PlaywrightError  # noqa: E402

from deploy.screens import fill_library, settle, sign_in  # noqa: E402
from tests.e2e.making import Maker  # noqa: E402
from tests.studio.running_studio import RunningStudio, run_studio  # noqa: E402

WIDTHS = (1440, 800, 420)
SCHEMES = ("light", "dark")
HEIGHT = 900
_PATIENCE_MS = 120_000


def play_stories(studio: RunningStudio, page: Page) -> None:
    """Play the stories that fill the screens; a story that breaks leaves out only its own."""
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
        "batches-matrix": f"/batches/matrix?ids={left['id']},{right['id']}",
        "datasets": "/datasets",
        "datasets-one": f"/datasets/{dataset}",
        "datasets-import": "/datasets/import",
        "queues": "/queues",
        "queues-one": f"/queues/{queue}",
        "queues-annotate": f"/queues/{queue}/annotate",
        "queues-rubrics": "/queues/rubrics",
        "queues-rubrics-new": "/queues/rubrics/new",
        "evaluation": "/evaluation",
        "evaluation-new": "/evaluation?new=sweep",
        "evaluation-suites": "/evaluation/suites",
        "training": "/training",
        "training-sets": "/training?tab=sets",
        "training-adapters": "/training?tab=adapters",
        "training-bases": "/training?tab=bases",
        "training-served": "/training?tab=served",
        "training-guide": "/training?tab=guide",
        "training-new": "/training?new=finetune",
        "models": "/models",
        "models-add": "/models?add=1",
        "agents": "/agents",
        "agents-one": f"/agents/{maker.get('agents')[0]['id']}",
        "agents-diff": f"/agents/{maker.versions('analyst in short')}/diff?a=1&b=2",
        "lint": "/lint",
        "runs": "/runs",
        "people": "/people",
        "tokens": "/tokens",
        "projects": "/projects",
        "upload": "/upload",
        "help": "/help/evaluation/",
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


def press(*keys: str) -> Callable[[Page], None]:
    def bring_about(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return bring_about


def open_by(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name).first.click()


def act_on_one(name: str) -> Callable[[Page], None]:
    def bring_about(page: Page) -> None:
        page.get_by_role("checkbox", name=re.compile("^Select ")).nth(1).check()
        bar = page.get_by_role("toolbar", name="Selected tapes")
        bar.get_by_role("button", name=name, exact=True).click()

    return bring_about


OPENED: dict[str, tuple[str, Callable[[Page], None]]] = {
    "tape-menu": ("tape", press("m")),
    "tape-keys": ("tape", press("?")),
    "tape-palette": ("tape", press("Control+k")),
    "tape-details": ("tape", press("i")),
    "tape-compare": ("tape", press("v")),
    "tape-test": ("tape", press("X")),
    "tape-edit": ("tape", press("e")),
    "tape-options": ("tape", open_by("Options")),
    "tape-run-n": ("tape", press("Control+Shift+Enter")),
    "tapes-facets": ("tapes", open_by("Facets")),
    "tapes-tags": ("tapes", act_on_one("Tags")),
    "tapes-transform": ("tapes", act_on_one("Transform")),
    "tapes-rerun": ("tapes", act_on_one("Rerun")),
    "tapes-export": ("tapes", act_on_one("Export")),
    "queues-new": ("queues", open_by("Create a queue")),
    "datasets-new": ("datasets", open_by("Create a dataset")),
    "lint-rule": ("lint", open_by("Write a rule")),
}
"""Menus and dialogs: the screen on which each is opened, and how."""


def take(
    context: BrowserContext,
    address: str,
    path: Path,
    width: int,
    scheme: str,
    bring_about: Callable[[Page], None],
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(address)
    expect(page.get_by_role("heading").first).to_be_visible(timeout=_PATIENCE_MS)
    settle(page)
    bring_about(page)
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
    play_stories(studio, page)
    screens = find_screens(Maker(page))
    looks = {name: (address, press()) for name, address in screens.items()}
    looks |= {name: (screens[on], bring_about) for name, (on, bring_about) in OPENED.items()}
    for name, (address, bring_about) in looks.items():
        if parts and not name.startswith(tuple(parts)):
            continue
        for width in WIDTHS:
            for scheme in SCHEMES:
                path = folder / f"{name}-{width}-{scheme}.png"
                try:
                    take(context, address, path, width, scheme, bring_about)
                except (AssertionError, PlaywrightError) as failed:
                    print(f"No picture {path.name}: {str(failed)[:300]}", flush=True)
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
        raise SystemExit("Name the folder for the pictures.")
    main(Path(sys.argv[1]), sys.argv[2:])
