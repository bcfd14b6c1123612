"""Publishing by mouse: refused while a pinned suite fails, open once a version passes it."""

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.hands import choose
from tests.e2e.making import Maker
from tests.e2e.test_axe import expect_nothing_serious


def test_a_version_is_published_once_the_suite_that_its_agent_pins_passes(page: Page) -> None:
    maker = Maker(page)
    problems = {"count": 1, "seed": 21, "dataset": "gate-problems"}
    maker.send("POST", "datasets/word-problems", problems)
    spec = make_gated(maker, error_rate=1.0)
    agent = maker.send("POST", "agents", {"spec": spec})["id"]
    add_test(maker, suite="gate")

    page.goto(f"/agents/{agent}")
    scores = page.get_by_role("region", name="Score over versions")
    choose(scores.get_by_role("combobox", name="Suite"), "gate")
    scores.get_by_role("button", name="Pin", exact=True).click()
    panel = page.get_by_role("region", name="Published")
    expect(panel.get_by_text("0 of 1 passed")).to_be_visible()
    publish = panel.get_by_role("button", name="Publish v1")
    expect(publish).to_be_disabled()
    expect(panel.get_by_text("not run by this version")).to_be_visible()

    panel.get_by_role("button", name="Run its tests by v1").click()
    expect(panel.get_by_text("failed", exact=True)).to_be_visible()
    expect(publish).to_be_disabled()
    points = scores.get_by_role("table", name="Versions on gate")
    expect(points.get_by_role("row").filter(has_text="v1")).to_contain_text("0 %")

    maker.send("POST", f"agents/{agent}/versions", {"spec": make_gated(maker, error_rate=0.0)})
    page.reload()
    expect(panel.get_by_role("button", name="Publish v2")).to_be_disabled()
    panel.get_by_role("button", name="Run its tests by v2").click()
    expect(panel.get_by_text("1 of 1 passed")).to_be_visible()
    panel.get_by_role("button", name="Publish v2").click()

    expect(panel.get_by_text(re.compile("^v2 is the default for new runs"))).to_be_visible()
    expect(points.get_by_role("row").filter(has_text="v2")).to_contain_text("100 %")
    expect_nothing_serious(page)
    points.get_by_role("link", name="v1").click()
    expect(page.get_by_role("heading", name=re.compile("^gate, run "))).to_be_visible()


def make_gated(maker: Maker, *, error_rate: float) -> Any:
    """Return the solver of word problems under another name, wrong as often as asked."""
    (math,) = [one for one in maker.get("agents") if one["name"] == "math"]
    (newest, *_) = maker.get(f"agents/{math['id']}")["versions"]
    script = {"script": {"error_rate": error_rate, "seed": 1}}
    llms = {name: {**llm, "parameters": script} for name, llm in newest["spec"]["llms"].items()}
    return {**newest["spec"], "name": "gated", "llms": llms}


def add_test(maker: Maker, *, suite: str) -> None:
    """Make a word problem the one test of a suite."""
    (task,) = maker.get("tapes?q=dataset:gate-problems")["items"]
    body = {"suite": suite, "at": 1, "name": "One problem"}
    maker.send("POST", f"tapes/{task['id']}/regression-test", body)
