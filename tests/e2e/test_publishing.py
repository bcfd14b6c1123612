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

    # The earlier version fails the suite, so rolling back to it is refused, with what to do.
    page.get_by_role("button", name="Roll back to v1…").click()
    dialog = page.get_by_role("dialog", name="Roll back to v1 of gated")
    expect(dialog.get_by_text(re.compile("^v1 differs from v2 in"))).to_be_visible()
    expect(dialog.get_by_text("0 of 1 passed")).to_be_visible()
    expect(dialog.get_by_role("button", name="Roll back to v1")).to_be_disabled()
    expect_nothing_serious(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    points.get_by_role("link", name="v1").click()
    expect(page.get_by_role("heading", name=re.compile("^gate, run "))).to_be_visible()


def test_a_winner_is_published_from_its_sweep_and_undone_by_one_action_each(page: Page) -> None:
    maker = Maker(page)
    problems = {"count": 2, "seed": 22, "dataset": "two-problems"}
    maker.send("POST", "datasets/word-problems", problems)
    spec = {**make_gated(maker, error_rate=1.0), "name": "better"}
    agent = maker.send("POST", "agents", {"spec": spec})
    (first,) = agent["versions"]
    maker.send("POST", f"agents/{agent['id']}/publications", {"version_id": first["id"]})
    mended = {**make_gated(maker, error_rate=0.0), "name": "better"}
    maker.send("POST", f"agents/{agent['id']}/versions", {"spec": mended})

    # Compared in three actions: the list of datasets, one of them, and the start. (The list also
    # opens under the pointer, but what loads above may push the button away from it.)
    page.goto(f"/agents/{agent['id']}")
    page.get_by_role("button", name="Compare v2 with v1 on a dataset").click()
    page.get_by_role("menuitem", name=re.compile("^two-problems")).click()
    page.get_by_role("button", name="Start sweep").click()

    variants = page.get_by_role("table", name="Variants")
    expect(variants.get_by_role("row").filter(has_text="v2")).to_contain_text("100 %")
    expect(
        variants.get_by_role("row").filter(has_text="v1").get_by_text("published")
    ).to_be_visible()
    variants.get_by_role("button", name="Publish v2").click()
    expect(page.get_by_text("v2 is published instead of v1")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("v1 is published instead of v2")).to_be_visible()

    # By keyboard from the comparison of both, where what they achieved stands beside their diff.
    page.goto(f"/agents/{agent['id']}/diff?a=1&b=2")
    row = page.get_by_role("table", name="Outcomes").get_by_role("row", name="two-problems")
    expect(row.get_by_role("link")).to_have_text(["0 of 2", "2 of 2"])
    expect(page.get_by_role("button", name="Publish v2…")).to_be_visible()
    page.keyboard.press("Shift+P")
    dialog = page.get_by_role("dialog", name="Publish v2 of better")
    expect(dialog.get_by_role("button", name="Publish v2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)

    # What was before is the draft from which one goes on.
    page.goto(f"/agents/{agent['id']}")
    expect(page.get_by_role("region", name="Published")).to_contain_text("v2 is the default")
    page.get_by_text("Published before").click()
    expect(page.get_by_role("list", name="Published before").get_by_role("listitem")).to_have_count(
        3
    )
    page.get_by_role("button", name="Edit from v1").click()
    expect(page.get_by_role("heading", name="Edit better")).to_be_visible()
    expect(page.get_by_role("button", name="Save as version…")).to_be_enabled()
    assert maker.get(f"agents/{agent['id']}/draft")["spec"]["llms"] == spec["llms"]


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
