"""A sweep by mouse: two agents over word problems, a killed worker, the sentence, a tape."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import choose
from tests.e2e.making import Maker
from tests.e2e.test_axe import expect_nothing_serious
from tests.e2e.test_distillation import kill_worker
from tests.studio.running_studio import RunningStudio


def test_a_sweep_is_started_survives_its_worker_and_leads_to_the_tape_that_differs(
    studio: RunningStudio, page: Page
) -> None:
    maker = Maker(page)
    problems = {"count": 12, "seed": 9, "dataset": "sweep-problems"}
    maker.send("POST", "datasets/word-problems", problems)
    add_careless_agent(maker)

    page.goto("/evaluation")
    page.get_by_role("button", name="New sweep").click()
    form = page.get_by_role("dialog", name="New sweep")
    form.get_by_role("textbox", name="Name").fill("careless or not")
    form.get_by_role("textbox", name="Tasks").fill("dataset:sweep-problems")
    agents = form.get_by_role("combobox", name="Agents")
    choose(agents, "math")
    choose(agents, "careless")
    form.get_by_role("textbox", name="Repeats").fill("2")
    expect(form.get_by_text(re.compile("= 48 runs$"))).to_be_visible()
    preview = form.get_by_role("region", name="Preview")
    expect(preview.get_by_text("48 new runs.")).to_be_visible()
    expect(preview.get_by_text(re.compile("^Cost unknown"))).to_be_visible()
    form.get_by_role("textbox", name="Max minutes").fill("30")
    form.get_by_role("button", name="Start sweep").click()

    variants = page.get_by_role("table", name="Variants")
    expect(variants.get_by_role("link", name="A1", exact=True)).to_be_visible()
    kill_worker(studio.data_dir, "serve")
    expect(page.get_by_text("Succeeded", exact=True)).to_be_visible(timeout=240_000)
    summary = page.get_by_role("region", name="Summary")
    expect(summary.get_by_text(re.compile(r"^A \(math v\d+\) is better than "))).to_be_visible()
    expect(summary.get_by_text("48 runs in 4 batches.")).to_be_visible()

    tasks = page.get_by_role("table", name="Tasks", exact=True)
    tasks.get_by_role("link", name="Failed").first.click()
    expect(page.get_by_role("button", name=re.compile("^Outcome: Failed"))).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Add to sweep").click()
    page.get_by_role("textbox", name="More seeds").fill("5")
    expect(page.get_by_text("72 runs, 48 already there: 24 new.")).to_be_visible()
    page.get_by_role("button", name="Add and run").click()
    expect(variants.get_by_role("link", name="B3", exact=True)).to_be_visible()
    expect(page.get_by_text("72 runs in 6 batches.")).to_be_visible(timeout=240_000)
    expect_nothing_serious(page)


def add_careless_agent(maker: Maker) -> None:
    """The solver of word problems, whose script errs on most of them."""
    (math,) = [one for one in maker.get("agents") if one["name"] == "math"]
    (newest, *_) = maker.get(f"agents/{math['id']}")["versions"]
    spec = newest["spec"]
    llms = {
        name: {**llm, "parameters": {"script": {"error_rate": 0.9, "seed": 1}}}
        for name, llm in spec["llms"].items()
    }
    maker.send("POST", "agents", {"spec": {**spec, "name": "careless", "llms": llms}})
