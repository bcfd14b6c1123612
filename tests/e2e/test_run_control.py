"""Runs under a person's hands: pause, edit, breakpoints, answers, lost connections, errors."""

import re
from collections.abc import Iterator
from threading import Event

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from tests.e2e.hands import choose, select_step
from tests.e2e.making import Maker
from tests.llms.openai_server import Behaviour, OpenAIServer

WORDS = " ".join(f"word{number}" for number in range(40))
QUESTION = "Tell me about Vulcan"


@pytest.fixture
def maker(page: Page) -> Maker:
    return Maker(page)


@pytest.fixture
def endpoint() -> Iterator[OpenAIServer]:
    """An OpenAI-compatible endpoint that says `WORDS`."""
    with OpenAIServer(default=Behaviour(text=WORDS)) as server:
        yield server


def test_pause_edit_and_go_on(page: Page, maker: Maker) -> None:
    paused = open_question(page, maker)
    bar(page).get_by_role("button", name="Ways to start").click()
    page.get_by_role("menuitem", name="Resume step by step").click()
    expect(bar(page).get_by_role("button", name="Continue")).to_be_visible()

    choose_step(page, 1)
    edit_step(page, step_card(page, 1), "1. Answer at once, without any tool.")
    expect(bar(page).get_by_role("button", name="Continue with the edit")).to_be_enabled()
    expect(bar(page).get_by_role("button", name="Continue", exact=True)).to_have_count(0)
    page.keyboard.press("Control+Enter")

    expect(page).not_to_have_url(re.compile(paused))
    expect(page.get_by_text("The agent is waiting for your answer")).to_be_visible()
    choose_step(page, 1)
    expect(step_card(page, 1)).to_contain_text("Answer at once")
    (job,) = maker.get(f"jobs?tape={paused}")["items"]
    assert job["state"] == "cancelled"
    assert maker.get(f"tapes/{paused}")["step_count"] == 2


def choose_step(page: Page, position: int) -> None:
    """Bring a step into sight, as a person does, by its line in the map."""
    line = page.get_by_role("navigation", name="Steps").get_by_role("button")
    line.filter(has_text=re.compile(rf"^{position}\D")).first.click()


def test_one_step_at_a_time_then_to_the_end(page: Page, maker: Maker) -> None:
    tape = open_question(page, maker)
    bar(page).get_by_role("button", name="Ways to start").click()
    page.get_by_role("menuitem", name="Resume step by step").click()
    expect(bar(page)).to_contain_text("Paused after node 'PlanNode'")

    bar(page).get_by_role("button", name="Step", exact=True).click()
    expect(bar(page)).to_contain_text("Paused after node 'ActNode'")

    bar(page).get_by_role("button", name="Steer").click()
    page.get_by_label("Message to the agent").fill("Be brief, please.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("list", name="Queued messages")).to_contain_text("Be brief, please.")

    page.get_by_label("Message to the agent").blur()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("The agent is waiting for your answer")).to_be_visible()
    expect(page.get_by_role("list", name="Queued messages")).to_have_count(0)
    steps = maker.get(f"tapes/{tape}/steps")["items"]
    assert "Be brief, please." in [step["body"].get("content") for step in steps]


def test_a_breakpoint_is_hit(page: Page, maker: Maker) -> None:
    open_question(page, maker)
    options(page).get_by_role("combobox", name="Pause", exact=True).click()
    page.get_by_role("option", name="Before tool").click()
    options_open(page).get_by_label("Where to pause").first.fill("get_stock_data")
    options_open(page).get_by_role("button", name="Add").click()
    options_open(page).get_by_role("button", name="Done").click()
    expect(bar(page).get_by_role("button", name="Options, 1 changed")).to_be_visible()

    bar(page).get_by_role("button", name="Resume", exact=True).click()

    expect(bar(page)).to_contain_text("Breakpoint hit: Before tool get_stock_data")
    bar(page).get_by_role("button", name=re.compile(r"^step \d+$")).click()
    paused = page.locator("article[aria-current]")
    expect(paused).to_contain_text("get_stock_data")
    expect(paused).to_be_in_viewport()
    expect(paused).to_contain_text("paused here")
    line = page.get_by_role("navigation", name="Steps").get_by_role("button", name="paused")
    expect(line).to_contain_text("get_stock_data")
    branches = page.get_by_role("region", name="Branches")
    expect(branches.get_by_role("link", name=re.compile(r"paused at step \d+"))).to_have_attribute(
        "aria-current", "page"
    )
    bar(page).get_by_role("button", name="Continue").click()
    expect(page.get_by_text("The agent is waiting for your answer")).to_be_visible()


def test_reply_as_the_person_also_for_a_tool_that_asks(page: Page, maker: Maker) -> None:
    tape = open_chat(page, maker, "What is 6 * 7?", keep=1)
    # Little room: what is asked about stays in sight above the box.
    page.set_viewport_size({"width": 1280, "height": 520})
    options(page).get_by_role("combobox", name="Policy of calculate").click()
    page.get_by_role("option", name=re.compile("^Ask")).click()
    options_open(page).get_by_role("button", name="Done").click()
    bar(page).get_by_role("button", name="Resume", exact=True).click()

    answer = page.get_by_role("region", name="Your answer")
    expect(answer).to_contain_text("calculate")
    asked = page.get_by_role("article").filter(has_text="calculate").last
    expect(asked).to_be_in_viewport()
    page.reload()
    expect(answer).to_contain_text("calculate")
    expect(asked).to_be_in_viewport()
    answer.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("The agent is waiting for your answer")).to_be_visible()
    expect(page.get_by_role("article").filter(has_text="6 * 7 = 42.").last).to_be_visible()

    page.get_by_label("The agent is waiting for your answer").fill("Thank you, and 6 * 8?")
    page.reload()
    box = page.get_by_label("The agent is waiting for your answer")
    expect(box).to_have_value("Thank you, and 6 * 8?")
    box.press("Control+Enter")
    expect(answer).to_contain_text("calculate")
    expect(asked).to_be_in_viewport()
    answer.get_by_label("Or enter the result yourself").fill("about 50")
    answer.get_by_role("button", name="Send").click()
    expect(answer).to_contain_text("must be data")
    answer.get_by_label("Or enter the result yourself").fill("50")
    answer.get_by_role("button", name="Send").click()

    expect(page.get_by_text("The agent is waiting for your answer")).to_be_visible()
    steps = maker.get(f"tapes/{tape}/steps")["items"]
    assert {"Thank you, and 6 * 8?", "50", "42"} <= {
        str(step["body"].get("content")) for step in steps
    }


def test_what_is_talked_about_is_on_screen_after_a_reload_on_a_link_and_after_resume(
    page: Page, maker: Maker
) -> None:
    tape = open_chat(page, maker, "What is 6 * 7?", keep=1)
    bar(page).get_by_role("button", name="Resume", exact=True).click()
    box = page.get_by_label("The agent is waiting for your answer")
    expect(box).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 520})
    last = page.get_by_role("article").filter(has_text="42").last

    page.reload()
    expect(box).to_be_visible()
    expect(last).to_be_in_viewport()

    page.goto(f"/t/{tape}?step=0")
    expect(box).to_be_visible()
    expect(step_card(page, 0)).to_be_in_viewport()
    box.fill("And 6 * 8?")
    expect(step_card(page, 0)).to_be_in_viewport()

    bar(page).get_by_role("button", name="Stop").click()
    expect(step_card(page, 0)).to_be_in_viewport()
    bar(page).get_by_role("button", name="Resume", exact=True).click()
    expect(box).to_be_visible()
    expect(last).to_be_in_viewport()
    last.hover()
    page.mouse.wheel(0, -2_000)
    expect(last).not_to_be_in_viewport()
    # Who reads further up is left there.
    page.set_viewport_size({"width": 1280, "height": 500})
    expect(step_card(page, 0)).to_be_in_viewport()

    # On a phone one can answer too.
    page.set_viewport_size({"width": 420, "height": 800})
    expect(box).to_be_in_viewport()
    box.fill("And 6 * 9?")
    box.press("Control+Enter")
    answered = page.get_by_role("article").filter(has_text="54").last
    expect(answered).to_be_in_viewport()


def test_words_that_were_typed_when_a_run_was_stopped_become_a_step(
    page: Page, maker: Maker
) -> None:
    tape = open_question(page, maker)
    bar(page).get_by_role("button", name="Ways to start").click()
    page.get_by_role("menuitem", name="Resume step by step").click()
    expect(bar(page)).to_contain_text("Paused after node 'PlanNode'")
    bar(page).get_by_role("button", name="Steer").click()
    page.get_by_label("Message to the agent").fill("Only the last month, please.")

    (job,) = maker.get(f"jobs?tape={tape}")["items"]
    maker.send("POST", f"jobs/{job['id']}/cancel")
    unheard = page.get_by_role("list", name="Messages that the agent has not read")
    expect(unheard).to_contain_text("Only the last month, please.")
    unheard.get_by_role("button", name="Add as a step").click()

    expect(unheard).to_have_count(0)
    added = page.get_by_role("article").filter(has_text="inserted")
    expect(added.get_by_role("textbox").first).to_have_value("Only the last month, please.")


def test_a_lost_connection_loses_nothing(page: Page, maker: Maker, endpoint: OpenAIServer) -> None:
    open_sockets: list[WebSocketRoute] = []
    is_down = [False]

    def route(socket: WebSocketRoute) -> None:
        if is_down[0]:
            socket.close()
            return
        socket.connect_to_server()
        open_sockets.append(socket)

    page.route_web_socket(re.compile("/ws/jobs/"), route)
    rest = Event()
    endpoint.default = Behaviour(text=WORDS, after=rest, first=10)
    add_model(maker, "Connection model", endpoint)
    open_chat(page, maker, "Tell me a story.", keep=1)
    choose(bar(page).get_by_role("combobox", name="Model", exact=True), "Connection model")
    bar(page).get_by_role("button", name="Resume", exact=True).click()
    expect(page.get_by_label("Being written")).to_contain_text("word1")

    is_down[0] = True
    for socket in open_sockets:
        socket.close()
    expect(page.get_by_text("Not connected since").first).to_be_visible()
    rest.set()
    is_down[0] = False

    expect(step_card(page, 2)).to_contain_text(WORDS)
    expect(page.get_by_text("The agent is waiting for your answer")).to_be_visible()
    expect(page.get_by_text("Not connected since")).to_have_count(0)
    assert len(endpoint.requests) == 1


def test_a_provider_error_is_kept_and_retried_from_there(
    page: Page, maker: Maker, endpoint: OpenAIServer
) -> None:
    add_model(maker, "Breaking model", endpoint)
    endpoint.plan(*[Behaviour(text=WORDS, delay_seconds=0.02, drop_after=6)] * 10)
    open_chat(page, maker, "Say many words.", keep=1)
    choose(bar(page).get_by_role("combobox", name="Model", exact=True), "Breaking model")
    bar(page).get_by_role("button", name="Resume", exact=True).click()

    failure = bar(page).get_by_role("alert")
    expect(failure).to_contain_text("The model failed")
    page.reload()
    expect(failure).to_contain_text("The model failed")
    expect(page.get_by_label("Interrupted")).to_contain_text("word1")

    endpoint.plan()
    while endpoint.next_behaviour("none") != endpoint.default:
        pass  # use up what was planned
    failure.get_by_role("button", name="Retry from here").click()
    expect(step_card(page, 2)).to_contain_text(WORDS)


def test_a_budget_is_a_hard_stop_that_can_be_raised(page: Page, maker: Maker) -> None:
    open_question(page, maker)
    options(page).get_by_label("Tokens", exact=True).fill("200")
    options_open(page).get_by_role("button", name="Done").click()
    bar(page).get_by_role("button", name="Resume", exact=True).click()

    # Not even the first call fits, so none was made.
    expect(bar(page)).to_contain_text("The budget of 200 tokens has no room for the first call")
    expect(bar(page)).not_to_contain_text("Took")
    raise_budget(page)
    # Twice that would not be enough for the call, so it is what the call takes.
    expect(bar(page)).to_contain_text("The budget of 500 tokens has no room for another call")
    expect(bar(page)).to_contain_text("Took 1 step, 1 call")
    raise_budget(page)

    # A run that starts or ends takes its options with it.
    expect(bar(page)).not_to_contain_text("Budget reached")
    expect(bar(page)).to_contain_text("Took")
    options(page)
    expect(options_open(page).get_by_label("Tokens", exact=True)).to_have_value("1,000")


def raise_budget(page: Page) -> None:
    bar(page).get_by_role("button", name="Double the budget and continue").click()


def test_an_agent_that_lacks_a_node_is_told_and_another_is_one_click_away(
    page: Page, maker: Maker
) -> None:
    tape = maker.copy("How far is 10 km")
    pointer = {
        "kind": "set_next_node",
        "next_node": "Elsewhere",
        "metadata": {"agent": "chat", "node": "ChatNode", "prompt_id": "mine"},
    }
    count = maker.get(f"tapes/{tape}")["step_count"]
    operation = {"op": "insert", "position": count, "step": pointer}
    draft = {"version": 0, "operations": [operation], "applied_count": 1}
    maker.send("PUT", f"tapes/{tape}/draft", draft)
    broken = maker.send("POST", f"tapes/{tape}/save")["tape_id"]

    page.goto(f"/t/{broken}")

    expect(bar(page).get_by_role("alert")).to_contain_text("Node 'Elsewhere' not found")
    expect(bar(page).get_by_role("button", name="Resume", exact=True)).to_be_disabled()
    bar(page).get_by_role("alert").get_by_role("button", name=re.compile("analyst")).click()
    expect(bar(page)).to_contain_text("'chat' wrote this tape; 'analyst' starts at its first node")
    expect(bar(page).get_by_role("button", name="Resume", exact=True)).to_be_enabled()


def bar(page: Page) -> Locator:
    return page.get_by_role("region", name="Run", exact=True)


def options(page: Page) -> Locator:
    bar(page).get_by_role("button", name=re.compile("^Options")).click()
    return options_open(page)


def options_open(page: Page) -> Locator:
    return page.locator("[aria-label='Run options']")


def step_card(page: Page, position: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^Step {position},"))


def open_question(page: Page, maker: Maker) -> str:
    """Open a tape that holds nothing but a question to the analyst."""
    made = maker.send("POST", f"tapes/{maker.sample(QUESTION)}/fork", {"at": 1})
    page.goto(f"/t/{made['tape_id']}")
    expect(step_card(page, 0)).to_contain_text(QUESTION)
    return str(made["tape_id"])


def open_chat(page: Page, maker: Maker, question: str, *, keep: int) -> str:
    """Open a tape that holds nothing but a question to the chat agent."""
    source = maker.sample("How far is 10 km")
    step = {"kind": "user", "content": question}
    fork = str(maker.send("POST", f"tapes/{source}/fork", {"at": keep})["tape_id"])
    operation = {"op": "replace", "position": 0, "step": step}
    draft = {"version": 0, "operations": [operation], "applied_count": 1}
    maker.send("PUT", f"tapes/{fork}/draft", draft)
    tape = str(maker.send("POST", f"tapes/{fork}/save")["tape_id"])
    page.goto(f"/t/{tape}")
    expect(step_card(page, 0)).to_contain_text(question)
    return tape


def add_model(maker: Maker, name: str, endpoint: OpenAIServer) -> None:
    model = {"name": name, "litellm_model": "openai/test-model", "base_url": endpoint.base_url}
    maker.send("POST", "models", model)


def edit_step(page: Page, card: Locator, text: str) -> None:
    select_step(card).get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name=re.compile("^Edit step"))
    form.get_by_role("textbox").first.fill(text)
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    form.get_by_role("button", name="Done").click()
