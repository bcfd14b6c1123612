"""A person makes a training set of tapes, finetunes a base on it and finds the adapter."""

import re

from playwright.sync_api import Page, expect

from tests.e2e.hands import choose, from_tape_menu
from tests.e2e.making import Maker
from tests.e2e.test_axe import expect_nothing_serious
from tests.finetune.folders import make_base
from tests.studio.running_studio import RunningStudio

OPTIONS = '{"tokens_per_pass": 256, "too_long": "cut_start", "generations": 0}'


def test_tapes_become_an_adapter_by_mouse(studio: RunningStudio, page: Page) -> None:
    make_base(studio.data_dir / "models" / "minute")
    maker = Maker(page)
    for title in ("Beacon at dawn", "Beacon at dusk"):
        tape = maker.copy("How did the robot maker")
        maker.send("PATCH", f"tapes/{tape}", {"title": title})
    page.goto("/tapes?q=title:beacon")
    for title in ("Beacon at dawn", "Beacon at dusk"):
        page.get_by_role("checkbox", name=f"Select {title}").check()

    page.get_by_role("button", name="Training set…").click()
    making = page.get_by_role("dialog", name="New training set")
    expect(making.get_by_text("2 tapes chosen in the list.")).to_be_visible()
    making.get_by_role("textbox", name="Name").fill("Beacons")
    making.get_by_role("textbox", name="Held out").fill("0")
    making.get_by_role("button", name="Create training set").click()
    expect(making.get_by_text(re.compile("to learn and 0 examples held out"))).to_be_visible()
    making.get_by_role("link", name="Show the examples").click()
    expect(page.get_by_role("heading", name="Beacons", level=1)).to_be_visible()
    page.get_by_role("table", name="Examples").get_by_role("button").first.click()
    example = page.get_by_role("article", name="Example 1")
    expect(example.get_by_text(re.compile("tokens made from text, .* trained$"))).to_be_visible()
    example.get_by_text("<|end|>").last.hover()
    expect(
        example.get_by_text(re.compile('^Token .*, id 0, "<\\|end\\|>", trained$'))
    ).to_be_visible()
    page.keyboard.press("j")
    example = page.get_by_role("article", name="Example 2")
    expect(example.get_by_text(re.compile("tokens made from text, .* trained$"))).to_be_visible()
    expect(example.get_by_role("link", name=re.compile("^Tape .*, step"))).to_be_visible()
    expect_nothing_serious(page)

    page.get_by_role("link", name="Finetune with this set").click()
    form = page.get_by_role("dialog", name="New finetune")
    form.get_by_role("textbox", name="Name").fill("Beacon keeper")
    choose(form.get_by_role("combobox", name="Base model"), "minute")
    form.get_by_role("textbox", name="Steps").fill("20")
    form.get_by_role("textbox", name="Longest example").fill("256")
    form.get_by_role("textbox", name="Other options").fill(OPTIONS)
    form.get_by_role("button", name="Start finetune").click()

    expect(page.get_by_role("heading", name="Beacon keeper", level=1)).to_be_visible()
    expect(page.get_by_text("Succeeded", exact=True)).to_be_visible()
    expect(page.get_by_text("20 of 20 steps")).to_be_visible()
    expect(page.get_by_role("figure", name=re.compile("^Loss step 20"))).to_be_visible()
    expect_nothing_serious(page)
    page.get_by_role("link", name="Its adapter").click()
    adapters = page.get_by_role("table", name="Adapters")
    expect(adapters.get_by_role("row", name=re.compile("Beacon keeper.*minute"))).to_be_visible()


def test_an_edit_becomes_a_preference_pair_from_its_tape(studio: RunningStudio, page: Page) -> None:
    make_base(studio.data_dir / "models" / "minute")
    maker = Maker(page)
    tape = maker.copy("How far is 10 km")
    answered = [
        step["position"]
        for step in maker.get(f"tapes/{tape}/steps")["items"]
        if step["kind"] == "assistant"
    ][-1]
    page.goto(f"/t/{maker.edited(tape, answered, 'About six miles.')}")

    from_tape_menu(page, "Training")
    page.get_by_role("menuitem", name="Prefer the edit to the original…").click()
    making = page.get_by_role("dialog", name="New training set")
    making.get_by_role("button", name="Create training set").click()
    expect(making.get_by_text(re.compile("1 example to learn"))).to_be_visible()
    making.get_by_role("link", name="Show the examples").click()
    page.get_by_role("table", name="Examples").get_by_role("button").first.click()

    pair = page.get_by_role("article", name="Example 1")
    preferred = pair.get_by_role("region", name="Preferred")
    expect(preferred).to_contain_text("About six miles.")
    expect(preferred.locator("[data-learnt]").first).to_be_visible()
    expect(pair.get_by_role("region", name="Original")).to_contain_text("6.2137")
    page.get_by_role("link", name="Finetune with this set").click()
    form = page.get_by_role("dialog", name="New finetune")
    expect(form.get_by_role("combobox", name="Preset")).to_have_value("Preference pairs")
