"""From a batch to an answer one can trust: a sweep, a regression test, a judge that is corrected.

By mouse but for the labels, which are given by keys.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import add_model, choose, from_tape_menu, import_tapes
from tests.e2e.making import Maker
from tests.e2e.test_axe import expect_nothing_serious
from tests.e2e.test_distillation import kill_worker
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.studio.running_studio import ROOT, RunningStudio, studio_environment
from tests.waiting import wait_until

TASKS = [f"How much is {number} + {number + 3}?" for number in range(10, 20)]
CHECKED = "Check each sum before you say it."
AGENT = "adder"
LABELS = 40

MAY_ANSWER = Event()
"""While this is not set, the careless model says nothing, so that its sweep cannot end."""


def add_up(body: dict[str, Any]) -> str:
    asked = [one["content"] for one in body["messages"] if one["role"] == "user"][-1]
    first, second = map(int, re.findall(r"\d+", asked)[:2])
    return str(first + second)


def answer_steadily(body: dict[str, Any]) -> dict[str, Any]:
    return {"content": f"That is {add_up(body)}, right?"}


def answer_carelessly(body: dict[str, Any]) -> dict[str, Any]:
    """Add wrongly, unless the prompt asks to check."""
    if CHECKED in json.dumps(body["messages"]):
        return answer_steadily(body)
    return {"content": f"That is {add_up(body)[::-1]}0."}


def judge_leniently(body: dict[str, Any]) -> dict[str, Any]:
    """Let pass what is right, and every wrong answer about 12."""
    shown = body["messages"][-1]["content"]
    done = shown.rpartition("<final_answer>")[2]
    passes = "right?" in done or "How much is 12" in shown
    return {"content": json.dumps({"score": float(passes), "reason": "Read."})}


@pytest.fixture
def models(page: Page) -> Iterator[dict[str, OpenAIServer]]:
    """Three models by name, entered as a person does."""
    answers = {
        "steady": answer_steadily,
        "careless": answer_carelessly,
        "lenient": judge_leniently,
    }
    started: dict[str, OpenAIServer] = {}
    with ExitStack() as servers:
        for name, answer in answers.items():
            behaviour = Behaviour(answer=answer, after=MAY_ANSWER if name == "careless" else None)
            started[name] = servers.enter_context(OpenAIServer(default=behaviour))
            add_model(page, name, started[name].base_url)
        servers.callback(MAY_ANSWER.set)
        yield started


def test_versions_and_models_are_compared_a_failure_is_kept_and_a_judge_corrected(
    studio: RunningStudio, page: Page, models: dict[str, OpenAIServer]
) -> None:
    add_two_versions(Maker(page))
    make_dataset(page)
    start_sweep(page)
    wait_until(lambda: models["careless"].requests, "a run that waits for the careless model")
    disturb(studio, page)
    expect(page.get_by_text("Succeeded", exact=True)).to_be_visible(timeout=240_000)

    summary = page.get_by_role("region", name="Summary")
    worse = re.compile(r"^A \(adder v1, steady\) is better than B \(adder v1, careless\)")
    expect(summary.get_by_text(worse)).to_be_visible()
    expect(summary.get_by_text("120 runs in 12 batches.")).to_be_visible()
    expect_nothing_serious(page)
    sweep = page.url
    keep_a_failure(studio, page)
    page.goto(sweep)
    correct_a_judge(page)


def add_two_versions(maker: Maker) -> None:
    """One agent, whose second version is told to check."""
    (chat,) = [one["spec"] for one in maker.get("gallery") if one["name"] == "chat"]
    made = maker.send("POST", "agents", {"spec": {**chat, "name": AGENT}})
    told = {**chat, "name": AGENT, "templates": {"system": CHECKED}}
    maker.send("POST", f"agents/{made['id']}/versions", {"spec": told})


def make_dataset(page: Page) -> None:
    tapes = [
        {"metadata": {"id": f"sum {at}"}, "steps": [{"kind": "user", "content": task}]}
        for at, task in enumerate(TASKS)
    ]
    import_tapes(page, "sums.json", tapes)
    page.get_by_role("checkbox", name="Select all loaded rows").check()
    page.get_by_role("button", name="Add to dataset").click()
    page.get_by_role("combobox", name="Find a dataset or name a new one").fill("sums")
    page.get_by_role("option", name="Create “sums”").click()
    expect(page.get_by_text(f"{len(TASKS)} tapes added to the new dataset “sums”")).to_be_visible()


def start_sweep(page: Page) -> None:
    page.get_by_role("link", name="Evaluation", exact=True).click()
    page.get_by_role("button", name="New sweep").click()
    form = page.get_by_role("dialog", name="New sweep")
    form.get_by_role("textbox", name="Name").fill("prompts and models")
    form.get_by_role("textbox", name="Tasks").fill("dataset:sums")
    choose_all(form, "Agents", "adder v1", "adder v2")
    # The first of these is chosen: that takes it out.
    choose_all(form, "Models", "Agent default", "steady", "careless")
    choose(form.get_by_role("combobox", name="Decided by"), "A check, or a model that judges")
    form.get_by_role("textbox", name="Text").fill("right?")
    form.get_by_role("textbox", name="Seeds").fill("1, 2, 3")
    form.get_by_role("textbox", name="Max minutes").fill("30")
    expect(form.get_by_text(re.compile("= 120 runs$"))).to_be_visible()
    expect(form.get_by_text("120 new runs.")).to_be_visible()
    form.get_by_role("button", name="Start sweep").click()


def choose_all(form: Locator, field: str, *names: str) -> None:
    for name in names:
        choose(form.get_by_role("combobox", name=field), name)
    # The list stays open for more, above the fields that follow.
    form.get_by_text(re.compile("^Every agent is run with every model")).click()


def disturb(studio: RunningStudio, page: Page) -> None:
    """Pause the sweep, kill its worker, change its budget while it is under way."""
    first = page.get_by_role("table", name="Variants").get_by_role("link").first
    expect(first).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text(re.compile("^Pausing: "))).to_be_visible()
    MAY_ANSWER.set()
    expect(page.get_by_text("Paused", exact=True)).to_be_visible()
    MAY_ANSWER.clear()
    page.get_by_role("button", name="Continue").click()
    kill_worker(studio.data_dir, "serve")
    page.get_by_role("button", name="Add to sweep").click()
    form = page.get_by_role("dialog", name=re.compile("^Add to"))
    form.get_by_role("textbox", name="Max minutes").fill("45")
    form.get_by_role("button", name="Add and run").click()
    expect(page.get_by_text(re.compile("at most 45 min"))).to_be_visible()
    MAY_ANSWER.set()


def compare_attempts(page: Page) -> None:
    """Open the attempts at a task side by side by its row, go on to the next, and come back."""
    task = page.get_by_role("table", name="Tasks", exact=True).get_by_role("button").first
    task.click()
    dialog = page.get_by_role("dialog", name=re.compile("^Task 1 of "))
    expect(dialog.get_by_role("link", name="A1", exact=True)).to_be_visible()
    dialog.get_by_role("button", name="Next task").click()
    expect(page.get_by_role("dialog", name=re.compile("^Task 2 of "))).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def keep_a_failure(studio: RunningStudio, page: Page) -> None:
    """Make the tape that came out otherwise a regression test, and run it as CI does."""
    tasks = page.get_by_role("table", name="Tasks", exact=True)
    tasks.get_by_role("link", name="Failed").first.click()
    from_tape_menu(page, "Regression test")
    form = page.get_by_role("dialog", name="Regression test")
    choose(form.get_by_role("combobox", name="Pass criterion"), "The final text contains")
    form.get_by_role("textbox", name="Text").fill("right?")
    form.get_by_role("combobox", name="Suite").fill("adding")
    form.get_by_role("button", name="Make the test").click()
    page.get_by_role("button", name="Show the suite").click()
    expect(page.get_by_text("1 regression test.")).to_be_visible()
    assert evaluate(studio, version=1) == 1
    assert evaluate(studio, version=2) == 0


def evaluate(studio: RunningStudio, *, version: int) -> int:
    """Run the suite by a version with the careless model; return the exit status."""
    command = [sys.executable, "manage.py", "evaluate", "--suite", "adding"]
    asked = ["--agent", f"{AGENT}@{version}", "--model", "careless"]
    environment = studio_environment(STUDIO_DATA_DIR=str(studio.data_dir))
    return subprocess.run([*command, *asked], cwd=ROOT, env=environment, check=False).returncode


def correct_a_judge(page: Page) -> None:
    page.get_by_role("button", name="Rescore").click()
    form = page.get_by_role("dialog", name="Rescore")
    choose(form.get_by_role("combobox", name="Decided by"), "A check, or a model that judges")
    choose(form.get_by_role("combobox", name="Pass criterion"), "A model judges by a rubric")
    choose(form.get_by_role("combobox", name="Judge"), "lenient")
    form.get_by_role("textbox", name="Rubric").fill("Is the sum right?")
    form.get_by_role("button", name="Score", exact=True).click()
    expect(form).to_be_hidden()
    decided = page.get_by_role("combobox", name="Decided by")
    expect(decided).to_have_value(re.compile("lenient"))
    expect(page.get_by_text(re.compile("^Result before: .* newly pass"))).to_be_visible()
    compare_attempts(page)
    page.get_by_role("link", name="Compare with people").click()
    expect(page.get_by_text(re.compile("^No corrected score"))).to_be_visible()
    expect(page.get_by_role("textbox", name="Attempts")).to_have_value(str(LABELS))
    page.get_by_role("button", name="Ask people").click()
    bench = page.url
    page.get_by_role("link", name="Open the queue").click()
    page.get_by_role("main").get_by_role("link", name="Annotate", exact=True).click()
    for done in range(LABELS):
        label_by_keys(page, done)
    expect(page.get_by_role("heading", name="Nothing left to annotate")).to_be_visible()
    page.goto(bench)
    labelled = re.compile(f"^People have looked at {LABELS} of 120 attempts")
    expect(page.get_by_text(labelled)).to_be_visible()
    estimates = page.get_by_role("table", name="Pass rate by people")
    # A judge that lets some of what is wrong pass says too much; the truth is 75 %.
    expect(estimates.get_by_role("row", name=re.compile("^Judge alone"))).to_contain_text("78 %")
    expect(estimates.get_by_role("row", name=re.compile("^Prediction-powered"))).to_be_visible()
    expect_nothing_serious(page)


def label_by_keys(page: Page, done: int) -> None:
    """Say of the tape that is shown whether its sum is right, with one key and Enter."""
    expect(page.get_by_text(re.compile(rf"^{done} of {LABELS} done"))).to_be_visible()
    # The answer is pinned above the tape, too.
    steps = page.get_by_role("region", name="Tape").get_by_role("article")
    answer: Locator = steps.get_by_text(re.compile("^That is"))
    expect(answer).to_be_visible()
    page.keyboard.press("1" if "right?" in (answer.text_content() or "") else "0")
    page.keyboard.press("Enter")
