"""From a failed tape to a better agent that is called from elsewhere: by mouse, and by keyboard.

An action is a click, or a key that chooses something, or a text that is typed.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import pytest
from openai import OpenAI
from playwright.sync_api import Locator, Page, expect

from tests.e2e.hands import add_model, tab_to
from tests.e2e.making import Maker
from tests.e2e.test_axe import expect_nothing_serious
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.studio.running_studio import RunningStudio

BY_MOUSE, BY_KEYBOARD = 27, 26
"""The guide says so; a key edits the agent at a step, instead of a menu and its line."""

CALCULATE = "tapes_app.gallery.chat.tools.calculate"


class Hand(Protocol):
    """What a person does, counted."""

    actions: int

    def press(self, target: Locator) -> None: ...

    def write(self, field: Locator, text: str) -> None: ...

    def choose(self, field: Locator, text: str, option: str) -> None:
        """Type a part of what a list offers, and choose it there."""

    def choose_from_menu(self, opener: Locator, item: Locator) -> None: ...

    def select_node(self, node: Locator) -> None:
        """Select the node below the selected one."""


class Mouse:
    def __init__(self) -> None:
        self.actions = 0

    def press(self, target: Locator) -> None:
        self.actions += 1
        target.click()

    def write(self, field: Locator, text: str) -> None:
        self.actions += 1
        field.fill(text)

    def choose(self, field: Locator, text: str, option: str) -> None:
        self.write(field, text)
        self.press(field.page.get_by_role("option", name=re.compile(option)))

    def choose_from_menu(self, opener: Locator, item: Locator) -> None:
        self.press(opener)
        self.press(item)

    def select_node(self, node: Locator) -> None:
        self.press(node)


class Keys:
    def __init__(self) -> None:
        self.actions = 0

    def press(self, target: Locator) -> None:
        self.actions += 1
        tab_to(target.page, target)
        target.page.keyboard.press("Enter")

    def use(self, page: Page, shortcut: str) -> None:
        self.actions += 1
        page.keyboard.press(shortcut)

    def write(self, field: Locator, text: str) -> None:
        self.actions += 1
        tab_to(field.page, field)
        field.page.keyboard.press("Control+a")
        field.page.keyboard.type(text)

    def choose(self, field: Locator, text: str, option: str) -> None:
        self.write(field, text)
        self.actions += 1
        wanted = field.page.get_by_role("option", name=re.compile(option))
        expect(wanted).to_be_visible()
        self._go_down(field.page, wanted, "element.hasAttribute('data-combobox-selected')")
        field.page.keyboard.press("Enter")

    def choose_from_menu(self, opener: Locator, item: Locator) -> None:
        self.press(opener)
        self.actions += 1
        expect(item).to_be_visible()
        self._go_down(item.page, item, "element === document.activeElement")
        item.page.keyboard.press("Enter")

    def select_node(self, node: Locator) -> None:
        self.actions += 1
        tab_to(node.page, node.page.locator("[aria-label=Nodes] [aria-current]"))
        node.page.keyboard.press("ArrowDown")
        expect(node).to_be_focused()

    def _go_down(self, page: Page, wanted: Locator, is_here: str) -> None:
        for _ in range(40):
            if wanted.evaluate(f"element => {is_here}"):
                return
            page.keyboard.press("ArrowDown")
        raise AssertionError("forty arrows did not lead there")


class Sums(dict[str, str]):
    """The answers that a model gives to whoever lets it plan and calculate, by question."""

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        messages = json.dumps(body["messages"])
        number = next(answer for question, answer in self.items() if question in messages)
        if body.get("response_format"):
            plan = {"kind": "Plan", "formula": f"{number} * 1"}
            return {"content": json.dumps({"steps": [plan]})}
        if body["messages"][-1]["role"] == "tool":
            return {"content": number}
        if body.get("tools") and "formula" in messages:
            arguments = json.dumps({"expression": f"{number} * 1"})
            function = {"name": "calculate", "arguments": arguments}
            return {"tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
        return {"content": "I do not know."}


@pytest.fixture
def sums() -> Iterator[tuple[Sums, str]]:
    """The answers, and the address of the model."""
    answers = Sums()
    with OpenAIServer(default=Behaviour(answer=answers.answer)) as server:
        yield answers, server.base_url


def test_a_failed_tape_becomes_a_better_agent_by_mouse(
    page: Page, studio: RunningStudio, sums: tuple[Sums, str]
) -> None:
    hand = Mouse()
    agent, failed = make_failed_tape(page, sums, "mouse_counter")

    page.goto(f"/t/{failed}")
    hand.press(last_step(page))
    more = page.get_by_role("button", name=re.compile("^More actions for step")).last
    hand.choose_from_menu(more, page.get_by_role("menuitem", name="Edit agent here"))
    build(page, hand)
    hand.press(page.get_by_role("button", name="Run from here with this draft"))
    expect_passed(page)
    expect_nothing_serious(page)
    hand.press(page.get_by_role("button", name="Save as version…"))
    finish(page, hand, "mouse_counter")

    assert hand.actions == BY_MOUSE
    assert "formula" in json.dumps(call_published(page, studio, agent, sums[0]))


def test_a_failed_tape_becomes_a_better_agent_by_keyboard_alone(
    page: Page, studio: RunningStudio, sums: tuple[Sums, str]
) -> None:
    hand = Keys()
    agent, failed = make_failed_tape(page, sums, "key_counter")

    page.goto(f"/t/{failed}")
    hand.press(last_step(page))
    page.wait_for_load_state("networkidle")
    hand.use(page, "a")
    build(page, hand)
    hand.use(page, "Control+Enter")
    expect_passed(page)
    hand.use(page, "Control+s")
    finish(page, hand, "key_counter")

    assert hand.actions == BY_KEYBOARD
    assert "formula" in json.dumps(call_published(page, studio, agent, sums[0]))


def make_failed_tape(page: Page, sums: tuple[Sums, str], name: str) -> tuple[str, str]:
    """Return an agent of one node without a tool, and a task of a dataset that it fails."""
    answers, base_url = sums
    add_model(page, name, base_url)
    maker = Maker(page)
    seed = sum(map(ord, name))
    maker.send("POST", "datasets/word-problems", {"count": 2, "seed": seed, "dataset": name})
    tasks = maker.get(f"tapes?q=dataset:{name}")["items"]
    answers.update({task["title"]: task["expected"] for task in tasks})
    spec = {
        "name": name,
        "llms": {"default": {"model": name}},
        "templates": {"system": "Solve the problem."},
        "nodes": [{"type": "engine.TalkNode", "settings": {"name": "answer"}}],
    }
    agent = maker.send("POST", "agents", {"spec": spec})
    tape = tasks[0]["id"]
    maker.send("POST", f"tapes/{tape}/resume", {"agent_version_id": agent["versions"][0]["id"]})
    maker.wait_for(f"tapes/{tape}", lambda found: found["outcome"] == "fail")
    return str(agent["id"]), str(tape)


def last_step(page: Page) -> Locator:
    steps = page.get_by_role("navigation", name="Steps")
    expect(steps).to_contain_text("I do not know.")
    return steps.get_by_role("button", name=re.compile("I do not know"))


def build(page: Page, hand: Hand) -> None:
    """A node that plans in steps of a kind of its own, before one that calculates."""
    expect(page.get_by_role("heading", name=re.compile("^Edit "))).to_be_visible()
    expect(page.get_by_role("region", name="Prompt by this draft")).to_contain_text("I do not know")
    hand.choose(page.get_by_role("combobox", name="Add a node"), "mono", "^Mono")
    name = page.get_by_role("textbox", name="Node", exact=True)
    expect(name).to_have_value("mono")
    expect(name).to_be_focused()
    hand.press(page.get_by_role("button", name="Move the node up"))
    hand.press(page.get_by_role("button", name="New kind…"))
    dialog = page.get_by_role("dialog", name="New kind of step")
    expect(dialog.get_by_role("textbox", name="Name")).to_be_focused()
    hand.write(dialog.get_by_role("textbox", name="Name"), "Plan")
    hand.write(dialog.get_by_role("textbox", name="Field", exact=True), "formula")
    hand.press(dialog.get_by_role("button", name="Add the kind"))
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="New kind…")).to_be_focused()
    nodes = page.get_by_role("navigation", name="Nodes")
    hand.select_node(nodes.get_by_role("button", name=re.compile("^answer")))
    hand.choose(page.get_by_role("combobox", name="Tools"), "calculate", CALCULATE)
    expect(page.get_by_text("No problems", exact=True)).to_be_visible()
    expect(page.get_by_text("The tools differ from the recorded ones.")).to_be_visible()


def expect_passed(page: Page) -> None:
    steps = page.get_by_role("listbox", name="Steps")
    expect(steps.get_by_role("option", name=re.compile("Plan"))).to_be_visible()
    expect(page.get_by_role("combobox", name="Tape", exact=True)).to_have_value(
        re.compile("^Passed: ")
    )


def finish(page: Page, hand: Hand, name: str) -> None:
    """Save, make a test of the tape that passes, compare on the dataset, and publish."""
    dialog = page.get_by_role("dialog", name="Save as version")
    expect(dialog.get_by_text("Kind added: Plan, a thought: formula (text)")).to_be_visible()
    expect(
        dialog.get_by_text(re.compile(r"^Node added: mono \(builders\.MonoNode\)"))
    ).to_be_visible()
    hand.write(dialog.get_by_role("textbox", name="Note"), "Plans, then calculates")
    hand.press(dialog.get_by_role("button", name="Save"))
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    editor = page.url

    hand.press(page.get_by_role("link", name="Open the tape"))
    expect(page.get_by_role("button", name="More for this tape")).to_be_visible()
    hand.choose_from_menu(
        page.get_by_role("button", name="More for this tape"),
        page.get_by_role("menuitem", name=re.compile("^Regression test")),
    )
    form = page.get_by_role("dialog", name="Regression test")
    hand.write(form.get_by_role("combobox", name="Suite"), f"suite of {name}")
    hand.press(form.get_by_role("button", name="Make the test"))
    expect(page.get_by_role("button", name="Show the suite")).to_be_visible()

    page.goto(editor)
    hand.press(page.get_by_role("link", name="Versions"))
    hand.choose_from_menu(
        page.get_by_role("button", name="Compare v2 with v1 on a dataset"),
        page.get_by_role("menuitem", name=re.compile(f"^{name}")),
    )
    hand.press(page.get_by_role("button", name="Start sweep"))
    variants = page.get_by_role("table", name="Variants")
    expect(variants.get_by_role("row").filter(has_text="v2")).to_contain_text("100 %")
    expect(variants.get_by_role("row").filter(has_text="v1")).to_contain_text(" 0 %")
    hand.press(variants.get_by_role("button", name="Publish v2"))
    expect(page.get_by_text(re.compile("^v2 is published"))).to_be_visible()


def call_published(
    page: Page, studio: RunningStudio, agent: str, answers: Mapping[str, str]
) -> Any:
    """Ask the published version by the official client, and return the steps of its tape."""
    maker = Maker(page)
    name = maker.get(f"agents/{agent}")["name"]
    token = maker.send("POST", "tokens", {"name": name, "access": "write"})["token"]
    client = OpenAI(base_url=f"{studio.url}/api/v1/openai", api_key=token)
    question, number = next(iter(answers.items()))
    answer = client.chat.completions.create(
        model=f"agent:{name}@published", messages=[{"role": "user", "content": question}]
    )
    assert answer.choices[0].message.content == number
    batch = f'batch:"Calls of {name} 2"'
    (tape,) = maker.get(f"tapes?q={batch}")["items"]
    return maker.get(f"tapes/{tape['id']}/steps")
