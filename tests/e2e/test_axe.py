"""axe finds nothing serious: every screen and state of one, in both themes."""

import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.guards import list_shared_names
from tests.e2e.hands import visit
from tests.e2e.making import Maker
from tests.studio.running_studio import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
SERIOUS = {"serious", "critical"}


def test_axe_finds_nothing_serious_on_any_screen(page: Page) -> None:
    maker = Maker(page)
    root = maker.copy("How did the robot maker")
    child = maker.edited(root, 8, "something else")
    agent = maker.get("agents")[0]
    queue = maker.queue("Judged by axe", [root, child])
    dataset = maker.dataset("Looked at by axe", [root, child])
    page.goto("/tapes")
    for pane in ("summary", "facets"):
        page.evaluate(f"localStorage.setItem('studio.tapes.{pane}', 'true')")
    page.reload()
    places = {
        "/batches": "Batches",
        "/tapes": "Tapes",
        f"/tapes?peek={root}": "Task",
        "/tapes?search=nothing-like-this": "No tapes match these filters",
        f"/t/{root}/diff/{child}": "Diff",
        "/tapes?show=archived": "Tapes",
        "/datasets": "Datasets",
        f"/datasets/{dataset}": "Looked at by axe",
        "/agents": "Agents",
        f"/agents/{agent['id']}": agent["name"],
        f"/agents/{agent['id']}/edit": f"Edit {agent['name']}",
        f"/agents/{maker.versions('compared by axe')}/diff": "Versions",
        "/lint": "Linter",
        "/queues": "Annotate",
        "/queues/add": "Add to a queue",
        "/queues/rubrics": "Rubrics",
        "/queues/rubrics/new": "Preview",
        f"/queues/{queue}": "Judged by axe",
        f"/queues/{queue}/annotate": "GREADTH",
        "/models": "Models",
        "/environments": "Environments",
        "/models?add=1": "Add a model",
        "/tokens": "Access tokens",
        "/people": "People",
        "/projects": "Projects",
        "/runs": "Runs",
        "/training": "Training",
        "/training?tab=guide": "Make problems",
        "/training?tab=distillations": "Distillations",
        "/training?new=distillation": "New distillation",
        "/training?new=study": "New study",
        "/training/compare": "Compare finetunes",
        "/training?tab=bases": "Base models",
        "/training?tab=served": "Served models",
        "/training?new=set": "New training set",
        "/training?new=finetune": "New finetune",
        "/evaluation": "Evaluation",
        "/evaluation?new=sweep": "New sweep",
        "/evaluation/suites": "Suites",
        "/datasets/import": "Examples from a file",
        "/upload": "Upload",
        "/nowhere": "Not found",
    }
    found: dict[str, list[str]] = {}
    for path, name in places.items():
        visit(page, path)
        heading = page.get_by_role("heading", name=re.compile(f"^{re.escape(name)}"))
        tab = page.get_by_role("tab", name=name, exact=True, selected=True)
        expect(heading.or_(tab).first).to_be_visible()
        if problems := serious_problems(page):
            found[path] = problems
    assert found == {}


def test_axe_finds_nothing_serious_in_the_help(page: Page) -> None:
    found: dict[str, list[str]] = {}
    for scheme, name in (("light", "default"), ("dark", "slate")):
        in_scheme(page, scheme)
        for path in ("", "first-steps/", "http/", "operations/", "settings/"):
            page.goto(f"/help/{path}")
            # A script follows the scheme of the system; the studio's policy must let it run.
            expect(page.locator("body")).to_have_attribute("data-md-color-scheme", name)
            if problems := _ask_axe(page):
                found[f"{path} {scheme}"] = problems
        page.evaluate("localStorage.clear()")  # the pages remember the scheme they were opened in
    assert found == {}


DIALOGS = ("Tags", "Transform", "Rerun", "Export")
MENUS = ("Add to queue", "Training")
CHOICES = ("Add to dataset",)
ROLES: dict[str, Literal["dialog", "menu", "listbox"]] = {
    **dict.fromkeys(DIALOGS, "dialog"),
    **dict.fromkeys(MENUS, "menu"),
    **dict.fromkeys(CHOICES, "listbox"),
}


def test_axe_finds_nothing_serious_in_what_is_done_with_many_tapes(page: Page) -> None:
    Maker(page).copy("How did the robot maker")
    found: dict[str, list[str]] = {}
    page.goto("/batches")
    for width in (1440, 800):
        page.set_viewport_size({"width": width, "height": 900})
        for name, role in ROLES.items():
            visit_anew(page, "/tapes")
            page.get_by_role("checkbox", name=re.compile("^Select How did")).first.check()
            bar = page.get_by_role("toolbar", name="Selected tapes")
            bar.get_by_role("button", name=name, exact=True).click()
            # A list has no height before the studio has its first dataset.
            expect(page.get_by_role(role)).to_be_attached()
            if problems := serious_problems(page):
                found[f"{name} at {width}"] = problems
    assert found == {}


def test_axe_finds_nothing_serious_in_any_state_of_a_tape(page: Page) -> None:
    maker = Maker(page)
    root = maker.copy("How did the robot maker")
    child = maker.edited(root, 8, "something else")
    maker.edited(root, 8, "something else")  # two branches with one edit
    found: dict[str, list[str]] = {}
    page.goto("/batches")
    for name, (query, bring_about) in STATES.items():
        visit_anew(page, f"/t/{child}{query}")
        expect(page.get_by_role("article").first).to_be_visible()
        bring_about(page)
        problems = serious_problems(page)
        # Its lines are called as tapes are, of which other stories left some.
        if name != "palette":
            problems += list_shared_names(page)
        if problems:
            found[name] = problems
    maker.send("PATCH", f"tapes/{child}", {"is_archived": True})
    page.goto(f"/t/{child}?step=8")
    expect(page.get_by_text("This tape is archived")).to_be_visible()
    expect(page.get_by_role("article").first).to_be_visible()
    if problems := serious_problems(page):
        found["archived"] = problems
    assert found == {}


def visit_anew(page: Page, path: str) -> None:
    """Leave for another page first, so that nothing is kept of what was done on this one."""
    page.keyboard.press("Escape")  # dialogs of the shell stay where they are
    visit(page, "/batches")
    expect(page.get_by_role("heading", name="Batches", exact=True)).to_be_visible()
    visit(page, path)


def as_it_is(page: Page) -> None:
    pass


def press(*keys: str) -> Callable[[Page], None]:
    def bring_about(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return bring_about


def press_for_menu(key: str) -> Callable[[Page], None]:
    def bring_about(page: Page) -> None:
        page.keyboard.press(key)
        expect(page.get_by_role("menu")).to_be_visible()

    return bring_about


def open_menu(name: str) -> Callable[[Page], None]:
    def bring_about(page: Page) -> None:
        page.get_by_role("button", name=re.compile(name)).first.click()
        expect(page.get_by_role("menu").or_(page.get_by_role("dialog")).first).to_be_visible()

    return bring_about


def edit_raw(page: Page) -> None:
    page.keyboard.press("e")
    form = page.get_by_role("form", name="Edit step 8")
    expect(form).to_be_visible()
    form.get_by_text(re.compile("JSON"), exact=False).first.click()
    expect(form.locator(".cm-editor")).to_be_visible()


def insert(page: Page) -> None:
    page.get_by_role("button", name="More actions for step 8").click()
    page.get_by_role("menuitem", name=re.compile("Insert after")).click()
    expect(page.get_by_role("dialog")).to_be_visible()


STATES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "plain": ("", as_it_is),
    "a step is chosen": ("?step=10", as_it_is),
    "output": ("?step=10&view=output", as_it_is),
    "metrics": ("?step=10&view=metrics", as_it_is),
    "views": ("?step=10&view=views", as_it_is),
    "training": ("?step=10&view=training", as_it_is),
    "notes": ("?step=10&view=notes", as_it_is),
    "provenance": ("?step=10&view=provenance", as_it_is),
    "editing": ("?step=8", press("e")),
    "raw editing": ("?step=8", edit_raw),
    "inserting": ("?step=8", insert),
    "keys": ("", press("?")),
    "palette": ("?step=8", press("Control+k")),
    "judging": ("", open_menu("^Outcome")),
    "menu": ("", open_menu("^More for this tape")),
    "compare menu": ("", press_for_menu("v")),
    "training menu": ("", press_for_menu("T")),
    "finding": ("", press("/", "r", "o", "b", "o", "t")),
    "run options": ("", open_menu("^Options")),
    "run menu": ("", open_menu("Resume differently|More ways|Run options|^Ways")),
}


def settle(page: Page) -> None:
    """Half-transparent is half-readable: wait until nothing moves and nothing loads.

    What has just been opened is transparent for a frame before it begins to move.
    """
    page.wait_for_load_state("networkidle")
    expect(page.locator(".mantine-Skeleton-root, .mantine-Loader-root")).to_have_count(0)
    page.wait_for_function(
        "() => document.getAnimations().every(({playState, effect, timeline}) =>"
        " playState !== 'running'"
        " || timeline !== document.timeline"
        " || effect.getTiming().iterations === Infinity)"
        " && [...document.querySelectorAll('[role=menu], [role=dialog]')].every((opened) =>"
        " getComputedStyle(opened).opacity === '1')"
    )


def expect_nothing_serious(page: Page) -> None:
    """Ask axe where a story has led: not every page can be made over HTTP."""
    assert serious_problems(page) == []


def serious_problems(page: Page) -> list[str]:
    """Ask axe about the page as it is, in the light theme and in the dark one."""
    found: list[str] = []
    for scheme in ("light", "dark"):
        in_scheme(page, scheme)
        expect(page.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
        settle(page)
        found += [f"{scheme}: {problem}" for problem in _ask_axe(page)]
    in_scheme(page, "light")
    return found


def in_scheme(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")


_RUN_AXE = """() => axe.run(document, {
  resultTypes: ["violations"],
  ...(matchMedia("(prefers-color-scheme: dark)").matches && {
    runOnly: {type: "rule", values: ["color-contrast", "link-in-text-block"]},
  }),
})"""
"""In the dark theme only what depends on colors: all else was asked in the light one."""


def _ask_axe(page: Page) -> list[str]:
    """Its script comes from the disk and past the policy."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed; `make dev` and `npm ci` in frontend install it")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    answer: Any = page.evaluate(_RUN_AXE)
    return [
        f"{violation['id']}: {node['html'][:200]} {[why['message'] for why in node['any']]}"
        for violation in answer["violations"]
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]
