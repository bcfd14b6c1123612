"""Reading a tape: cards of every sort, how much of it shows, beside another one, handed out."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, Locator, Page, Route, expect

from tests.e2e.guards import assert_layout_holds, assert_nothing_hides, assert_nothing_ran
from tests.e2e.hands import from_tape_menu, import_tapes
from tests.e2e.making import Maker
from tests.interchange.builders import build_row, store_rows
from tests.studio.running_studio import RunningStudio

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwAD"
    "hgGAWjR9awAAAABJRU5ErkJggg=="
)
TRACE = """Traceback (most recent call last):
  File "run.py", line 3, in <module>
    main()
ZeroDivisionError: division by zero"""
PEOPLE = [{"name": f"Person {at}", "age": at, "city": "Turin"} for at in range(30)]
BY_AGENT = {"agent": "reader", "node": "act", "prompt_id": "read-1"}

STEPS: list[dict[str, Any]] = [
    {"kind": "user", "content": "Say **hello** and see [the docs](https://docs.example/a)."},
    {"kind": "set_next_node", "next_node": "act", "metadata": BY_AGENT},
    {"kind": "plan_thought", "plan": ["Look for the people", "Count them"], "metadata": BY_AGENT},
    {
        "kind": "assistant",
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {
                    "name": "query",
                    "arguments": json.dumps({"table": "people", "sql": "SELECT *\nFROM people"}),
                },
            }
        ],
        "metadata": BY_AGENT,
    },
    {"kind": "tool", "content": json.dumps(PEOPLE), "tool_call_id": "call_1"},
    {"kind": "python_code_action", "code": "def f():\n    return 1", "metadata": BY_AGENT},
    {"kind": "tool", "content": TRACE, "is_error": True, "tool_call_id": "call_2"},
    {
        "kind": "page_observation",
        "text": "\n".join(f"Line {at} of the page" for at in range(60)),
        "current_page": 1,
        "total_pages": 4,
        "url": "https://pages.example/moon",
    },
    {"kind": "tool", "content": {"deep": {"deeper": list(range(200))}}, "tool_call_id": "c"},
    {
        "kind": "user",
        "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": PIXEL}},
            {"type": "image_url", "image_url": {"url": "https://evil.example/track.png"}},
        ],
    },
    {"kind": "assistant", "content": "There are 30 people.", "metadata": BY_AGENT},
]


@pytest.fixture(scope="module")
def tape(
    studio: RunningStudio,
    browser: Browser,
    signed_in: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    """Upload the tape with its call through the page; return its id."""
    messages = [{"role": "user", "content": "Say hello"}]
    prompt = {"id": "read-1", "tools": None, "messages": messages}
    info = {"model_name": "openai/gpt-x", "parameters": {"temperature": 0}}
    row = build_row(prompt_id="read-1", prompt=prompt, llm_info=info)
    database = store_rows(tmp_path_factory.mktemp("reading") / "tapedata.sqlite", row)
    value = {"metadata": {"id": "reading"}, "context": None, "steps": STEPS}
    context = browser.new_context(base_url=studio.url, storage_state=signed_in)
    page = context.new_page()
    upload(page, "reading.json", json.dumps(value).encode())
    upload(page, "tapedata.sqlite", database.read_bytes())
    found = page.request.get("/api/v1/tapes?q=people&limit=50").json()["items"]
    context.close()
    return next(str(row["id"]) for row in found if row["batch_name"] == "Reading")


@pytest.fixture
def reading(page: Page, tape: str) -> Iterator[Page]:
    """A page on the tape's first step, as the tape looks to somebody who never chose a look."""
    page.goto(f"/t/{tape}?step=0")
    expect(card(page, 0)).to_be_visible()
    yield page
    assert_nothing_ran(page)


def test_each_sort_of_step_has_its_card(reading: Page, tape: str) -> None:
    expect(card(reading, 0).locator("strong")).to_have_text("hello")
    link = card(reading, 0).get_by_role("link", name="the docs")
    expect(link).to_have_attribute("rel", re.compile("noopener noreferrer"))
    expect(card(reading, 0)).to_contain_text("(docs.example)")

    open_step(reading, tape, 1)
    expect(card(reading, 1)).to_contain_text("next_node act")
    open_step(reading, tape, 2)
    expect(card(reading, 2).get_by_role("listitem")).to_have_text(
        ["Look for the people", "Count them"]
    )
    open_step(reading, tape, 3)
    expect(card(reading, 3)).to_contain_text("people")
    expect(card(reading, 3).locator("code [data-sort=keyword]").first).to_have_text("SELECT")
    open_step(reading, tape, 4)
    expect(card(reading, 4).get_by_role("columnheader", name="city")).to_be_visible()
    card(reading, 4).get_by_role("button", name="Show all 30 rows").click()
    expect(card(reading, 4).get_by_role("cell", name="Person 29")).to_be_attached()
    open_step(reading, tape, 5)
    expect(card(reading, 5).locator("code [data-sort=keyword]").first).to_have_text("def")
    open_step(reading, tape, 6)
    expect(card(reading, 6)).to_contain_text("ZeroDivisionError: division by zero")
    expect(card(reading, 6)).not_to_contain_text("run.py")
    card(reading, 6).get_by_role("button", name=re.compile("^Traceback")).click()
    expect(card(reading, 6)).to_contain_text("run.py")
    open_step(reading, tape, 7)
    expect(card(reading, 7)).to_contain_text("Page 1 of 4")
    expect(card(reading, 7)).not_to_contain_text("Line 12")
    card(reading, 7).get_by_role("button", name="Show all 60 lines").click()
    expect(card(reading, 7)).to_contain_text("Line 59")
    open_step(reading, tape, 8)
    card(reading, 8).get_by_role("button", name=re.compile("deeper")).click()
    expect(card(reading, 8).get_by_role("button", name="Show all 200 items")).to_be_visible()


def test_pictures_from_elsewhere_are_never_loaded(reading: Page, tape: str) -> None:
    asked: list[str] = []
    reading.on("request", lambda request: asked.append(request.url))

    open_step(reading, tape, 9)
    expect(card(reading, 9).get_by_role("img", name="From the tape")).to_be_visible()
    expect(card(reading, 9).get_by_role("link", name=re.compile("track.png"))).to_be_visible()

    assert not [url for url in asked if "evil.example" in url]


@pytest.mark.parametrize("width", [1440, 800])
def test_cards_stay_on_the_page(reading: Page, tape: str, width: int) -> None:
    reading.set_viewport_size({"width": width, "height": 900})
    for position in range(len(STEPS)):
        reading.goto(f"/t/{tape}?step={position}")
        expect(card(reading, position)).to_be_visible()
        assert_layout_holds(reading)
        assert_nothing_hides(reading)


def test_the_raw_step_is_one_key_away_and_back(reading: Page, tape: str) -> None:
    open_step(reading, tape, 2)

    reading.keyboard.press("r")
    raw = reading.get_by_role("region", name="Step 2 as JSON")
    expect(raw).to_contain_text('"kind": "plan_thought"')
    reading.keyboard.press("r")

    expect(raw).to_have_count(0)
    expect(card(reading, 2)).to_contain_text("Count them")


def test_less_detail_hides_steps_that_selection_and_find_still_reach(
    reading: Page, tape: str
) -> None:
    detail = reading.get_by_role("radiogroup", name="Detail")
    detail.get_by_text("Conversation", exact=True).click()

    expect(card(reading, 0)).to_be_visible()
    expect(card(reading, 2)).to_have_count(0)
    # Errors are what one came to find.
    expect(card(reading, 6)).to_be_visible()
    hidden = reading.get_by_role("button", name=re.compile("hidden steps"))
    expect(hidden.first).to_be_visible()
    hidden.first.click()
    expect(card(reading, 2)).to_be_visible()

    reading.reload()
    expect(card(reading, 0)).to_be_visible()
    expect(card(reading, 7)).to_have_count(0)
    reading.goto(f"/t/{tape}?step=7")
    expect(card(reading, 7)).to_be_visible()
    detail.get_by_text("All", exact=True).click()
    expect(card(reading, 8)).to_be_visible()


def test_markdown_is_shown_as_written_when_that_is_chosen(reading: Page) -> None:
    reading.get_by_role("radiogroup", name="Text").get_by_text("Plain", exact=True).click()

    expect(card(reading, 0)).to_contain_text("Say **hello** and see [the docs]")


def test_another_tape_stands_beside_this_one(reading: Page, tape: str) -> None:
    child = make_child(reading, tape)
    reading.goto(f"/t/{child}?step=0&cmp={tape}")
    compared = reading.get_by_role("region", name="Compared tapes")

    expect(compared.get_by_role("article", name="Changed step")).to_be_visible()
    reading.keyboard.press("n")
    expect(compared).to_contain_text("Change 1 of 2")
    reading.keyboard.press("n")
    expect(compared).to_contain_text("Change 2 of 2")
    reading.keyboard.press("p")
    expect(compared).to_contain_text("Change 1 of 2")

    here = compared.get_by_role("article", name="Changed step").get_by_role("link")
    here.last.click()
    expect(reading).to_have_url(re.compile(rf"/t/{child}\?.*step=2"))
    expect(reading).to_have_url(re.compile(f"cmp={tape}"))
    compared.get_by_role("link", name="Swap sides").click()
    expect(reading).to_have_url(re.compile(rf"/t/{tape}\?.*cmp={child}"))
    compared.get_by_role("link", name="Stop comparing").click()
    expect(compared).to_have_count(0)
    expect(card(reading, 0)).to_be_visible()


def test_any_tape_is_found_to_compare_with(reading: Page, tape: str) -> None:
    child = make_child(reading, tape)

    reading.goto(f"/t/{child}")
    from_tape_menu(reading, "Compare")
    reading.get_by_role("menuitem", name="Another tape").click()
    dialog = reading.get_by_role("dialog", name="Compare with")
    dialog.get_by_role("textbox", name="Find a tape").fill("people")
    dialog.get_by_role("listitem").first.get_by_role("button").click()

    expect(reading.get_by_role("region", name="Compared tapes")).to_be_visible()
    expect(reading).to_have_url(re.compile(r"cmp=[0-9a-f-]{36}"))


def test_a_shared_page_opens_from_disk_without_a_network(
    reading: Page, browser: Browser, tmp_path: Path
) -> None:
    from_tape_menu(reading, "Share")
    with reading.expect_download() as download:
        reading.get_by_role("menuitem", name="One HTML page").click()
    file = tmp_path / "shared.html"
    download.value.save_as(file)

    asked: list[str] = []
    context = browser.new_context(offline=True)
    shared = context.new_page()
    problems: list[str] = []
    shared.on("console", lambda message: problems.append(message.text))
    shared.on("pageerror", lambda error: problems.append(str(error)))
    shared.route("http*://**", lambda route: note(asked, route))
    shared.goto(file.as_uri())

    expect(shared.locator("#step-4")).to_contain_text("Person 0")
    expect(shared.locator("#step-6")).to_contain_text("Error")
    call = shared.locator("details.llm").first
    expect(call).to_contain_text("LLM call openai/gpt-x")
    expect(call.locator("section").first).to_be_hidden()
    call.locator("summary").first.click()
    expect(call.locator("section").first).to_be_visible()
    assert background_of(shared, "light") != background_of(shared, "dark")
    assert (asked, problems) == ([], [])
    context.close()


def test_an_llm_call_is_copied_as_something_that_runs(
    reading: Page, tape: str, tmp_path: Path
) -> None:
    reading.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_step(reading, tape, 3)

    for name, check in (("curl", ["sh", "-n"]), ("Python", [sys.executable, "-m", "py_compile"])):
        reading.get_by_role("button", name=f"Copy as {name}").click()
        expect(reading.get_by_text(f"LLM call copied as {name}")).to_be_visible()
        text = reading.evaluate("navigator.clipboard.readText()")
        assert "Say hello" in text
        assert "Bearer" in text
        script = tmp_path / name
        script.write_text(text)
        assert shutil.which(check[0]) is not None
        subprocess.run([*check, str(script)], check=True, timeout=30)


def upload(page: Page, name: str, content: bytes) -> None:
    page.goto("/upload")
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.get_by_label("Files", exact=True).set_input_files(file)
    page.get_by_label("Batch").fill("Reading")
    page.get_by_role("button", name=re.compile("^Import")).click()
    expect(page.get_by_role("definition").first).to_be_visible()


def card(page: Page, position: int) -> Locator:
    return page.get_by_role("article", name=re.compile(rf"^Step {position},"))


def open_step(page: Page, tape: str, position: int) -> None:
    page.goto(f"/t/{tape}?step={position}")
    expect(card(page, position)).to_be_visible()
    expect(card(page, position).get_by_role("status")).to_have_count(0)


def make_child(page: Page, tape: str) -> str:
    """Edit one step and delete another; return the child's id."""
    maker = Maker(page)
    operations = [
        {"op": "replace", "position": 2, "step": {"kind": "plan_thought", "plan": ["Give up"]}},
        {"op": "delete", "position": 10},
    ]
    version = maker.get(f"tapes/{tape}/draft")["version"]
    draft = {"version": version, "operations": operations, "applied_count": len(operations)}
    maker.send("PUT", f"tapes/{tape}/draft", draft)
    return str(maker.send("POST", f"tapes/{tape}/save")["tape_id"])


def background_of(page: Page, scheme: str) -> str:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


def note(asked: list[str], route: Route) -> None:
    asked.append(route.request.url)
    route.abort()


def test_a_long_tape_has_phases_that_fold_in_the_outline(page: Page) -> None:
    def turn(agent: str, node: str, count: int) -> list[dict[str, Any]]:
        by = {"agent": agent, "node": node}
        return [
            {
                "kind": "assistant",
                "content": f"{node} {at}",
                "metadata": {**by, "prompt_id": f"{node}{at}", "id": f"{node}{at}"},
            }
            for at in range(count)
        ]

    steps = [
        {"kind": "user", "content": "A task in phases"},
        *turn("boss", "plan", 6),
        *turn("boss/researcher", "search", 30),
        *turn("boss", "judge", 8),
    ]
    import_tapes(page, "phases.json", [{"metadata": {"id": "phases"}, "steps": steps}])
    page.get_by_role("link", name="A task in phases").first.click()
    outline = page.get_by_role("navigation", name="Steps")
    phase = outline.get_by_role("button", name="researcher 30 steps")
    expect(phase).to_have_attribute("aria-expanded", "true")
    expect(outline.get_by_role("button", name="search 0")).to_be_visible()

    phase.click()
    expect(outline.get_by_role("button", name="search 0")).to_have_count(0)
    expect(outline.get_by_role("button", name="judge 7")).to_be_visible()
    phase.press("Enter")
    expect(outline.get_by_role("button", name="search 0")).to_be_visible()

    # By key, the phase of the selected step; it stays folded while the page is open.
    outline.get_by_role("button", name="search 3").click()
    page.keyboard.press("{")
    expect(phase).to_have_attribute("aria-expanded", "false")
    expect(phase).to_have_attribute("aria-current", "true")
    page.keyboard.press("}")
    expect(phase).to_have_attribute("aria-expanded", "true")
