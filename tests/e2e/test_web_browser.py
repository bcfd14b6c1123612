"""A browser for agents on a real Chromium: what a model reads of pages, also of hostile ones."""

import asyncio
import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any, TypeVar

import psutil
import pytest

from tapes_app.engine import RunContext, Tape, ToolCalls, ToolResult, UserStep
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import open_for_run
from tapes_app.engine.environment.process_groups import end_left_groups
from tapes_app.engine.environment.spec import EnvironmentSpec, build_registered
from tapes_app.engine.environment.state import read_state
from tapes_app.engine.tape.dialog_steps import FunctionCall, ToolCall
from tapes_app.environments.browser.chromium import chromium
from tapes_app.environments.browser.session import REOPENED
from tests.e2e.site import Site, serve_site
from tests.studio.running_studio import ROOT
from tests.waiting import wait_until

T = TypeVar("T")


class Loop:
    """An event loop in a thread: the browser of other stories occupies that of this one."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Browsing:
    """An environment that is open for a tape, and the calls of a model one after the other."""

    def __init__(self, loop: Loop, site: Site, tape: Tape | None = None, **settings: Any) -> None:
        self.tape = tape or Tape(steps=(UserStep(content="Browse!"),))
        self._loop = loop
        self._notes: Path | None = settings.pop("notes", None)
        self._spec = EnvironmentSpec(
            type="browser",
            settings={"hosts": [site.host], "page_seconds": 3, "action_seconds": 2, **settings},
        )
        self._context: AbstractAsyncContextManager[Environment] | None = None

    def __enter__(self) -> "Browsing":
        run = RunContext(self.tape, process_notes=self._notes)
        self._context = open_for_run(build_registered(self._spec), run)
        self._session = self._loop.run(_enter(self._context))
        return self

    def __exit__(self, *_: object) -> None:
        assert self._context is not None
        self._loop.run(_leave(self._context))

    def call(self, name: str, **arguments: Any) -> str:
        """Call a tool and return what the model reads."""
        self.tape = self._loop.run(self._session.react(ask(self.tape, name, arguments)))
        return self.read()

    def click(self, what: str) -> str:
        """Click what the model saw last, by its role and name."""
        return self.call("click", element=self.find(what))

    def find(self, what: str) -> str:
        role, _, name = what.partition(" ")
        found = re.search(rf'- {role} \[(\w+)\] "{name}', self.read())
        assert found, self.read()
        return found[1]

    def read(self) -> str:
        content = results(self.tape)[-1].content
        assert isinstance(content, str)
        return content


async def _enter(context: AbstractAsyncContextManager[T]) -> T:
    return await context.__aenter__()


async def _leave(context: AbstractAsyncContextManager[Any]) -> None:
    await context.__aexit__(None, None, None)


def ask(tape: Tape, name: str, arguments: dict[str, Any]) -> Tape:
    function = FunctionCall(name=name, arguments=json.dumps(arguments))
    call = ToolCall(id=str(len(tape.steps)), function=function)
    return tape.append(ToolCalls(tool_calls=(call,)))


def results(tape: Tape) -> Sequence[ToolResult]:
    return [step for step in tape.steps if isinstance(step, ToolResult)]


@pytest.fixture(scope="module", autouse=True)
def _unwalled() -> Iterator[None]:
    """Tests may run as root, for whom the sandbox of Chromium does not work."""
    before, chromium.may_be_unwalled = chromium.may_be_unwalled, True
    yield
    chromium.may_be_unwalled = before


@pytest.fixture(scope="module")
def loop() -> Iterator[Loop]:
    loop = Loop()
    yield loop
    loop.close()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serve_site() as site:
        yield site


@pytest.fixture(scope="module")
def shared(loop: Loop, site: Site) -> Iterator[Browsing]:
    if chromium.find() is None:
        pytest.skip("no chromium on this machine; `.ci/run` installs it")
    with Browsing(loop, site, received_mb=5) as browsing:
        yield browsing


@pytest.fixture
def browsing(shared: Browsing, site: Site) -> Browsing:
    site.asked.clear()
    return shared


def test_a_page_is_a_tree_with_ids_for_what_can_be_acted_on(browsing: Browsing, site: Site) -> None:
    page = browsing.call("open_page", address=site.url("/form"))

    assert page.startswith(f"Page: Form\nAddress: {site.url('/form')}\nTab: 1 of 1\n\n")
    lines = [re.sub(r"\[f?\w*e\d+\]", "[id]", line) for line in page.splitlines()[4:]]
    assert lines == [
        "- text: Name",
        '- textbox [id] "Name"',
        "- text: Password",
        '- textbox [id] "Password": ••••',
        '- combobox [id] "State":',
        '  - option "Open" [selected]',
        '  - option "Closed"',
        '- button [id] "Send"',
    ]


def test_a_form_is_filled_and_sent_and_one_can_go_back(browsing: Browsing, site: Site) -> None:
    browsing.call("open_page", address=site.url("/"))
    browsing.click("link Form")

    browsing.call("type_text", element=browsing.find("textbox Name"), text="Ann")
    browsing.call("select_option", element=browsing.find("combobox State"), option="Closed")
    sent = browsing.click("button Send")
    back = browsing.call("go_back")

    assert "- paragraph: Thank you" in sent
    assert f"{site.host}/done?name=Ann&word=hunter%3A+2&state=Closed" in site.asked
    assert back.startswith("Page: Form")


def test_text_can_be_submitted_with_enter(browsing: Browsing, site: Site) -> None:
    browsing.call("open_page", address=site.url("/form"))

    page = browsing.call("type_text", element=browsing.find("textbox Name"), text="Bo", submit=True)

    assert page.startswith("Page: Done")


def test_hovering_keys_and_scrolling_have_their_effect(browsing: Browsing, site: Site) -> None:
    browsing.call("open_page", address=site.url("/menu"))
    hovered = browsing.call("hover", element=browsing.find("button File"))
    browsing.click("textbox Key")
    pressed = browsing.call("press_key", key="Escape")
    browsing.call("open_page", address=site.url("/list"))
    browsing.call("scroll", direction="down")
    wait_until(lambda: "More" in browsing.call("read_page"))

    assert "- paragraph: Print" in hovered
    assert pressed.startswith("Page: Escape")


def test_a_screenshot_is_an_image_of_the_step(browsing: Browsing, site: Site) -> None:
    browsing.call("open_page", address=site.url("/"))

    with pytest.raises(AssertionError):  # its content is no text
        browsing.call("take_screenshot")

    content = results(browsing.tape)[-1].content
    assert isinstance(content, list)
    assert content[1]["image_url"]["url"].startswith("data:image/jpeg;base64,")


@pytest.mark.parametrize(
    ("do", "reason"),
    [
        (lambda b: b.call("click", element="e999"), "There is no element e999 on the page"),
        (lambda b: b.call("press_key", key="Foo"), 'It could not be done: .*Unknown key: "Foo"'),
        (lambda b: b.click("button Under"), 'within 2 seconds: <div id="cover"></div> covers it'),
        (lambda b: b.call("switch_tab", tab=9), "There is no tab 9; there are 1."),
        (lambda b: b.call("click", element="text=Under"), "should match pattern"),
        (lambda b: b.call("open_page", address="file:///etc/passwd"), "is not a web address"),
    ],
)
def test_what_cannot_be_done_is_told(
    browsing: Browsing, site: Site, do: Callable[[Browsing], str], reason: str
) -> None:
    browsing.call("open_page", address=site.url("/covered"))

    assert re.search(reason, do(browsing))
    assert results(browsing.tape)[-1].is_error


def test_no_other_host_is_reached(browsing: Browsing, site: Site) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stun:
        stun.bind(("127.0.0.1", 0))
        stun.setblocking(False)
        site.udp_port = stun.getsockname()[1]

        redirected = browsing.call("open_page", address=site.url("/out"))
        framed = browsing.call("open_page", address=site.url("/frames"))
        reached = browsing.call("open_page", address=site.url("/reach"))
        while "Page: complete" not in browsing.read():
            reached += browsing.call("read_page")

        with pytest.raises(BlockingIOError):
            stun.recv(1)
    refusal = f"cannot be opened: the agent's browser may open {site.host}."
    assert f"Note: 'localhost:{site.server_port}' {refusal}" in redirected
    assert f"Note: 'localhost:8099' {refusal}" in framed
    assert "Thank you" in framed
    for host in ("localhost:8099", "example.org:443", "10.0.0.1"):
        assert f"Note: '{host}' {refusal}" in reached
    assert not [asked for asked in site.asked if asked.startswith("localhost")]


@pytest.mark.parametrize("lure", ["link File", "button Data", "link Chrome"])
def test_a_page_cannot_lead_to_files_or_to_the_browser_itself(
    browsing: Browsing, site: Site, lure: str
) -> None:
    browsing.call("open_page", address=site.url("/lure"))

    page = browsing.click(lure)

    assert "root:" not in page
    assert page.startswith("Page: Lure")


def test_tabs_are_listed_switched_and_closed(browsing: Browsing, site: Site) -> None:
    browsing.call("open_page", address=site.url("/tabs"))

    browsing.click("link Link")
    wait_until(lambda: site.url("/form") in browsing.call("list_tabs"))
    listed = browsing.read()
    other = browsing.call("switch_tab", tab=2)
    left = browsing.call("close_tab", tab=2)

    told = "".join(str(one.content) for one in results(browsing.tape))
    assert "Note: The page opened tab 2" in told
    assert listed.splitlines() == [
        f"1: {site.url('/tabs')} (current)",
        f"2: {site.url('/form')}",
    ]
    assert other.startswith("Page: Form")
    assert left.startswith("Page: Tabs")


def test_a_hundred_tabs_and_dialogs_are_told_and_the_run_goes_on(
    browsing: Browsing, site: Site
) -> None:
    browsing.call("open_page", address=site.url("/tabs"))
    many = browsing.click("button Many")
    alerts = browsing.call("open_page", address=site.url("/alerts"))
    browsing.call("open_page", address=site.url("/ask"))
    asked = browsing.click("button Delete")
    for _ in range(many.count("The page opened tab")):
        browsing.call("close_tab", tab=2)

    assert re.search(r"Tab: 1 of [1-5]\n", many)
    assert 'Note: The page showed a dialog, "0", which was answered with OK.' in alerts
    assert "Note: Such things happened 92 more times." in alerts
    assert 'Note: The page showed a dialog, "Delete it?", which was answered with Cancel.' in asked
    assert asked.startswith("Page: false")


def test_a_gigabyte_is_not_received(browsing: Browsing, site: Site) -> None:
    browsing.call("open_page", address=site.url("/"))

    offered = browsing.call("open_page", address=site.url("/huge"))
    wait_until(site.cut.is_set)
    site.cut.clear()
    sent = browsing.call("open_page", address=site.url("/huge-page"))
    wait_until(site.cut.is_set)

    assert 'Note: The page offered the file "huge' in offered
    assert "Note: The pages sent more than 5 MiB; the rest was cut off." in sent


def test_a_page_that_never_loads_or_never_ends_is_told(browsing: Browsing, site: Site) -> None:
    browsing.call("open_page", address=site.url("/"))

    never = browsing.call("open_page", address=site.url("/never"))
    browsing.call("open_page", address=site.url("/hang"))
    hung = browsing.click("button Hang")
    after = browsing.call("open_page", address=site.url("/done"))

    assert "Note: The page had not loaded after 3 seconds." in never
    assert "Note: The page did not respond, and its tab was closed." in hung
    assert after.startswith("Page: Done")


def test_a_browser_that_is_killed_is_told_and_opened_anew(
    loop: Loop, site: Site, tmp_path: Path
) -> None:
    with Browsing(loop, site, notes=tmp_path) as browsing:
        browsing.call("open_page", address=site.url("/"))
        (note,) = tmp_path.iterdir()
        processes = list_group(int(note.read_text()))
        next(one for one in processes if "--type=renderer" in one.cmdline()).kill()
        crashed = browsing.call("read_page")
        browsing.call("open_page", address=site.url("/"))
        link = browsing.find("link Form")
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        wait_until(lambda: not any(map(lives, processes)))
        after = browsing.call("click", element=link)
        again = browsing.click("link Form")
        last = list_group(int(next(tmp_path.iterdir()).read_text()))

    assert "Note: The page crashed, and its tab was closed." in crashed
    assert "The browser had ended and was opened anew." in after
    assert again.startswith("Page: Form")
    assert not any(map(lives, last))
    assert not any(tmp_path.iterdir())


def list_group(group: int) -> list[psutil.Process]:
    leader = psutil.Process(group)
    return [leader, *leader.children(recursive=True)]


def lives(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


_WORKER = """
import asyncio, sys
from pathlib import Path
from tapes_app.environments.browser.chromium import Chromium

async def browse():
    async with Chromium(may_be_unwalled=True).start(1, Path(sys.argv[1])):
        print("open", flush=True)
        await asyncio.Event().wait()

asyncio.run(browse())
"""


def test_a_killed_worker_leaves_no_browser(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _WORKER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "open\n"
        (note,) = tmp_path.iterdir()
        browser = list_group(int(note.read_text()))
        lived = [lives(process) for process in browser]
        worker.kill()

    end_left_groups(tmp_path)

    wait_until(lambda: not any(map(lives, browser)))
    assert (all(lived), len(lived) > 1, list(tmp_path.iterdir())) == (True, True, [])


def test_a_fork_opens_the_page_of_its_step_with_cookies_if_they_may_be_kept(
    loop: Loop, site: Site
) -> None:
    with Browsing(loop, site, keep_cookies=True) as browsing:
        browsing.call("open_page", address=site.url("/cookie"))
        browsing.call("open_page", address=site.url("/done"))
    first = Tape(steps=browsing.tape.steps[:3])

    with Browsing(loop, site, first, keep_cookies=True) as fork:
        forked = fork.call("click", element="e1")
    with Browsing(loop, site, first) as forgetful:
        signed_out = forgetful.call("read_page")

    state = read_state(first.steps)
    assert state is not None
    assert state["browser"]["tabs"] == [site.url("/cookie")]
    assert (REOPENED in forked, "who=ann" in forked) == (True, True)
    assert "No cookie" in signed_out
