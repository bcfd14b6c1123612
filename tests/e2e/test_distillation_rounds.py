"""Two rounds of DAgger by mouse: the worker is killed while the student is served."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import choose
from tests.e2e.making import Maker
from tests.e2e.test_axe import expect_nothing_serious
from tests.e2e.test_distillation import kill_worker
from tests.serving.servers import make_long_base
from tests.studio.running_studio import RunningStudio

OPTIONS = '{"tokens_per_pass": 512, "too_long": "cut_start", "generations": 0}'


def test_rounds_go_on_past_a_killed_worker_and_lead_to_what_they_made(
    studio: RunningStudio, page: Page
) -> None:
    make_long_base(studio.data_dir / "models" / "rounds-base")
    page.goto("/training")
    Maker(page).send("POST", "datasets/word-problems", {"count": 6, "seed": 5, "dataset": "rounds"})

    page.get_by_role("button", name="New distillation").click()
    form = page.get_by_role("dialog", name="New distillation")
    form.get_by_role("textbox", name="Name").fill("pupil")
    form.get_by_role("textbox", name="Tasks").fill("dataset:rounds")
    choose(form.get_by_role("combobox", name="Agent"), "math")
    form.get_by_role("textbox", name="Rounds").fill("2")
    form.get_by_role("textbox", name="Max turns").fill("2")
    form.get_by_role("combobox", name="Base model").fill("rounds-base")
    form.get_by_role("textbox", name="Steps").fill("3")
    form.get_by_role("textbox", name="Longest example").fill("512")
    form.get_by_role("textbox", name="Other options").fill(OPTIONS)
    form.get_by_role("button", name="Start distillation").click()

    expect(page.get_by_text(re.compile("pupil-round-1 is being served"))).to_be_visible()
    kill_worker(studio.data_dir, "serve")
    expect(page.get_by_text("Succeeded", exact=True)).to_be_visible(timeout=240_000)
    rounds = page.get_by_role("list", name="Rounds").get_by_role("listitem")
    expect(rounds).to_have_count(2)
    expect(rounds.nth(1).get_by_role("link", name="Finetune")).to_be_visible()
    expect_nothing_serious(page)
    rounds.nth(1).get_by_role("link", name="pupil-round-2", exact=True).click()
    expect(page.get_by_role("table", name="Tapes").get_by_role("row")).to_have_count(1 + 6)
