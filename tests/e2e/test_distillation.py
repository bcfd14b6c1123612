"""From word problems to a student that is compared with its teacher: by mouse, past a kill."""

import json
import os
import re
import signal
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import choose, select_step
from tests.e2e.making import Maker
from tests.serving.servers import make_long_base
from tests.studio.running_studio import RunningStudio

STEPS = 200
OPTIONS = '{"tokens_per_pass": 512, "too_long": "cut_start", "generations": 0}'


def test_the_guide_leads_from_problems_to_a_student_beside_its_teacher(
    studio: RunningStudio, page: Page
) -> None:
    make_long_base(studio.data_dir / "models" / "minute")
    page.goto("/training")
    open_guide(page)
    step(page, "Make problems").get_by_role("textbox").fill("12")
    step(page, "Make problems").get_by_role("button").click()
    step(page, "Record the teacher").get_by_role("button").click()
    expect(step(page, "Record the teacher").get_by_role("link")).to_have_text(
        re.compile("right tapes$")
    )

    step(page, "Make a training set").get_by_role("link").click()
    making = page.get_by_role("dialog", name="New training set")
    making.get_by_role("textbox", name="Held out").fill("0")
    making.get_by_role("button", name="Create training set").click()
    making.get_by_role("link", name="Show the examples").click()
    page.get_by_role("table", name="Examples").get_by_role("button").first.click()
    example = page.get_by_role("article", name="Example 1")
    expect(example.locator("[data-learnt]").first).to_be_visible()

    open_guide(page)
    step(page, "Finetune the student").get_by_role("link").click()
    form = page.get_by_role("dialog", name="New finetune")
    choose(form.get_by_role("combobox", name="Base model"), "minute")
    form.get_by_role("textbox", name="Steps").fill(str(STEPS))
    form.get_by_role("textbox", name="Longest example").fill("512")
    form.get_by_role("textbox", name="Other options").fill(OPTIONS)
    form.get_by_role("button", name="Start finetune").click()
    expect(page.get_by_role("figure", name=re.compile("^Loss step"))).to_be_visible()
    kill_worker(studio.data_dir, "train")
    expect(page.get_by_text("Succeeded", exact=True)).to_be_visible(timeout=600_000)
    expect(page.get_by_text(f"{STEPS} of {STEPS} steps")).to_be_visible()

    open_guide(page)
    step(page, "Serve it").get_by_role("button", name="Serve math-student").click()
    step(page, "Evaluate it").get_by_role("button", name="Evaluate the student").click()
    step(page, "Evaluate it").get_by_role("link", name="Compare with teacher").click()
    pairs = page.get_by_role("table", name="Pairs", exact=True)
    expect(pairs.get_by_role("row")).to_have_count(1 + 4)

    maker = Maker(page)
    taught, *_ = maker.get("tapes?q=batch:math-teacher-exam")["items"]
    page.goto(f"/t/{taught['id']}?step=0")
    asked = page.get_by_role("article", name=re.compile("^Step 0,"))
    select_step(asked).get_by_role("button", name="Fork here").click()
    bar = page.get_by_role("region", name="Run", exact=True)
    choose(bar.get_by_role("combobox", name="Model", exact=True), "math-student")
    bar.get_by_role("button", name=re.compile("^Resume")).first.click()
    expect(page.get_by_role("article", name=re.compile("^Step 1,"))).to_be_visible()
    child = page.url.partition("/t/")[2].partition("?")[0]
    steps = f"tapes/{child}/steps"  # what streams is not stored yet
    said = maker.wait_for(steps, lambda answer: len(answer["items"]) > 1)["items"][1]
    call = maker.get(f"tapes/{child}/calls/{said['call_id']}")
    assert call["model_name"].endswith("/math-student")


def open_guide(page: Page) -> None:
    page.get_by_role("link", name="Training", exact=True).click()
    page.get_by_role("tab", name="Guide").click()


def step(page: Page, title: str) -> Locator:
    return page.get_by_role("listitem", name=re.compile(f"^{title}"))


def kill_worker(data_dir: Path, queue: str) -> None:
    """End the worker of a queue without a word, as a lack of memory would."""
    beats = [json.loads(path.read_text()) for path in (data_dir / "workers").glob("*.json")]
    # Those that were killed before have left their files.
    (pid,) = {beat["pid"] for beat in beats if queue in beat["queues"] and is_alive(beat["pid"])}
    os.kill(pid, signal.SIGKILL)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
