"""Take the pictures in docs/screens again, from a studio that this starts and fills.

`.venv/bin/python deploy/screens.py [NAME…]` after the front end is built; needs Chromium.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from deploy.screen_batches import write_batches  # noqa: E402
from deploy.small_png import shrink  # noqa: E402
from tests.e2e.making import Maker  # noqa: E402
from tests.environments.mcp_folder import PROGRAM  # noqa: E402
from tests.studio.running_studio import run_studio  # noqa: E402

FOLDER = ROOT / "docs" / "screens"
SAMPLE = "How did the robot maker"
_WAIT_MS = 60_000
_RUNS_MS = 300_000


@dataclass(frozen=True)
class Screen:
    """One picture: its address, width and theme, and what to do before it is taken."""

    address: str
    """Names in braces are ids of what `fill` makes."""

    prepare: Callable[[Page], None] = lambda _: None
    width: int = 1440
    is_dark: bool = False


def edit(page: Page) -> None:
    page.keyboard.press("e")
    form = page.get_by_role("form", name=re.compile("^Edit step"))
    form.get_by_role("textbox").first.fill(
        "1. Look at the last twelve months only.\n2. Answer the person."
    )
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def run_twice(page: Page) -> None:
    """Run a tape as recorded and with another question, and wait for the results."""
    page.keyboard.press("e")
    form = page.get_by_role("form", name=re.compile("^Edit step"))
    form.get_by_role("textbox").last.fill("What is new at Zephyr Motors?")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    form.get_by_role("button", name="Done").click()
    page.keyboard.press("Control+Shift+Enter")
    dialog = page.get_by_role("dialog", name="Run N")
    dialog.get_by_label("Repeats").fill("4")
    dialog.get_by_role("combobox", name="Pass criterion").click()
    page.get_by_role("option", name="The final text contains", exact=True).click()
    dialog.get_by_role("textbox", name="Text", exact=True).fill("Zephyr")
    dialog.get_by_role("button", name="Start 8 runs").click()
    results = page.get_by_role("region", name="Run N")
    for rate in ("Fix A: 100 % pass", "As recorded: 0 % pass"):
        expect(results.get_by_role("img", name=rate)).to_be_visible(timeout=_RUNS_MS)
    judged = results.get_by_role("row", name=re.compile("(Passed|Did not pass); judge branch"))
    expect(judged).to_have_count(8, timeout=_RUNS_MS)


def ask_the_model(page: Page) -> None:
    page.get_by_role("dialog", name="Playground").get_by_role(
        "button", name=re.compile("^Ask all")
    ).click()
    for number in (1, 2):
        answer = page.get_by_role("region", name=f"Answer {number}")
        expect(answer.get_by_text("Cost")).to_be_visible(timeout=_WAIT_MS)


def open_options(page: Page) -> None:
    page.get_by_role("button", name="Options").click()


def open_palette(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("step")


def find(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("Port Linden")


def peek(page: Page) -> None:
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("p")


def change_a_sentence(page: Page) -> None:
    instruction = page.get_by_role("textbox", name="Instruction")
    instruction.fill(f"{instruction.input_value()} Answer in three sentences.")
    prompt = page.get_by_role("region", name="Prompt by this draft")
    expect(prompt.locator("ins").first).to_be_visible()
    expect(page.get_by_text("Draft · saved")).to_be_visible()


def allow_tools(page: Page) -> None:
    """Add a server as from its manual, and open its tools."""
    page.get_by_role("button", name="Add an MCP server").click()
    server = {"command": sys.executable, "args": [PROGRAM]}
    page.get_by_role("textbox", name="JSON").fill(json.dumps({"mcpServers": {"adder": server}}))
    page.get_by_role("button", name="Add and check").click()
    page.get_by_role("button", name="Allow tools: adder").click()
    dialog = page.get_by_role("dialog", name="Tools of adder")
    dialog.get_by_role("checkbox", name="add", exact=True).check()


DATASETS = {
    "robot maker": ('title:"robot maker"', ""),
    "capitals, hard": ("agent:geographer outcome:fail", "What the agent still gets wrong"),
    "capitals, solved with search": (
        "agent:geographer outcome:pass tool:search",
        "Right answers that were looked up, to learn from",
    ),
    "capitals, all": ("agent:geographer", ""),
}
"""Name, the query that fills it, and what it is for."""

SCREENS: dict[str, Screen] = {
    "tape": Screen("/t/{child}?step=10"),
    "lanes": Screen("/t/{lanes}?step=12"),
    "run-options": Screen("/t/{child}?step=10", open_options),
    "run-n": Screen("/t/{other}?step=0", run_twice),
    "playground": Screen("/t/{child}?step=19&view=playground", ask_the_model),
    "compare": Screen("/t/{child}?step=8&cmp={root}"),
    "palette": Screen("/t/{child}?step=10", open_palette),
    "find": Screen("/t/{child}?step=12", find),
    "dark": Screen("/t/{child}?step=10&view=metrics", is_dark=True),
    "narrow": Screen("/t/{child}", width=800),
    "tapes": Screen("/tapes?q=agent:geographer", peek),
    "batches": Screen("/batches"),
    "datasets": Screen("/datasets"),
    "batch-compare": Screen("/batches/compare?a={left}&b={right}"),
    "matrix": Screen("/batches/matrix?ids={left},{right},{third}"),
    "versions": Screen("/agents/{agent}/diff?a=1&b=2"),
    "agent-editor": Screen("/agents/{writer}/edit?tape={root}&step=2", change_a_sentence),
    "annotate": Screen("/queues/{queue}/annotate"),
    "mcp-tools": Screen("/environments", allow_tools),
    # Last, because a draft stays on the tape.
    "editing": Screen("/t/{child}?step=1", edit),
}


def main(names: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        fill_library(Path(data))
        take_all(Path(data), names or list(SCREENS))


def fill_library(data: Path) -> None:
    """Import batches of tapes, so that lists have contents."""
    environment = {**os.environ, "STUDIO_DATA_DIR": str(data)}
    manage = [sys.executable, str(ROOT / "manage.py")]
    subprocess.run([*manage, "migrate", "-v0"], env=environment, check=True)
    for name, path in write_batches(data):
        command = [*manage, "import_tapes", str(path), "--batch", name]
        subprocess.run(command, env=environment, check=True)


def take_all(data: Path, names: list[str]) -> None:
    with (
        run_studio(data) as studio,
        sync_playwright() as playwright,
    ):
        link = studio.wait_until_ready()
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-browser"),
            args=["--no-sandbox"],
        )
        state = sign_in(browser, link, data)
        ids = fill(browser, studio.url, state)
        for name in names:
            take(browser, studio.url, state, name, ids)
        browser.close()


def sign_in(browser: Browser, link: str, folder: Path) -> Path:
    state = folder / "state.json"
    context = browser.new_context()
    context.new_page().goto(link, timeout=_WAIT_MS)
    context.storage_state(path=state)
    context.close()
    return state


def fill(browser: Browser, url: str, state: Path) -> dict[str, str]:
    """Make what the pictures show, in addition to the library; return ids by name."""
    context = browser.new_context(base_url=url, storage_state=state)
    context.set_default_timeout(_WAIT_MS)
    maker = Maker(context.new_page())
    root = maker.copy(SAMPLE)
    branches = [maker.edited(root, at, f"Another way at step {at}") for at in (3, 8, 8, 12, 15)]
    maker.edited(branches[1], 14, "And another way from there")
    maker.send("PATCH", f"tapes/{branches[0]}", {"title": "Shorter plan", "is_pinned": True})
    make_datasets(maker)
    third, right, left = maker.get("batches/summaries?limit=3")["items"]
    ids = {
        "root": root,
        "child": branches[1],
        "other": maker.copy(SAMPLE),
        "lanes": maker.told("briefing", "Brief me on Vulcan Materials."),
        "left": left["id"],
        "right": right["id"],
        "third": third["id"],
        "agent": maker.versions("analyst in short"),
        "writer": maker.get(f"tapes/{root}")["agent_id"],
        "queue": maker.queue("Turns of the analyst", [root, branches[1]]),
    }
    context.close()
    return ids


def make_datasets(maker: Maker) -> None:
    """Make datasets from the library, and assign some of its tapes to splits."""
    splits = {"test": "task:Cuba,Egypt,Greece,Kenya", "validation": "task:Japan,Nepal,Peru"}
    change = {"change": {"split": "train"}, "q": "agent:geographer"}
    maker.send("POST", "tapes/changes", change)
    for split, query in splits.items():
        maker.send("POST", "tapes/changes", {"change": {"split": split}, "q": query})
    for name, (query, description) in DATASETS.items():
        body = {"name": name, "description": description, "selection": {"q": query}}
        maker.send("POST", "datasets", body)


def take(browser: Browser, url: str, state: Path, name: str, ids: dict[str, str]) -> None:
    screen = SCREENS[name]
    context = browser.new_context(
        base_url=url,
        storage_state=state,
        viewport={"width": screen.width, "height": 860},
        color_scheme="dark" if screen.is_dark else "light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(_WAIT_MS)
    page = context.new_page()
    page.goto(screen.address.format(**ids))
    expect(page.get_by_role("heading").first).to_be_visible(timeout=_WAIT_MS)
    settle(page)
    screen.prepare(page)
    settle(page)
    picture = page.screenshot(scale="css")
    # The content security policy of the studio's pages forbids this: a blank page does it.
    page.goto("about:blank")
    (FOLDER / f"{name}.png").write_bytes(shrink(page, picture))
    context.close()
    print(FOLDER / f"{name}.png")


def settle(page: Page) -> None:
    """Wait until nothing loads and nothing moves."""
    page.wait_for_load_state("networkidle")
    page.wait_for_function(_IS_STILL)


# Scroll-driven animations stand still when nobody scrolls, yet count as running.
_IS_STILL = (
    "() => document.getAnimations().every(({playState, timeline}) =>"
    " playState !== 'running' || timeline !== document.timeline)"
)


if __name__ == "__main__":
    main(sys.argv[1:])
