"""The tabs of an open browser, and what happens on their pages."""

import asyncio
import json
from collections.abc import Awaitable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tapes_app.environments.browser.addresses import shorten
from tapes_app.environments.browser.tree import write_tree

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Dialog, Download, Page, Request

_QUIET_SECONDS = 0.1
"""A page that has asked for nothing for this long has done what an action made it do."""

_SETTLE_SECONDS = 3.0
"""How long an action waits for that; pages may ask for something forever."""

LOOK_SECONDS = 5.0
"""How long a page may take to say what is on it: one whose scripts never end does not."""

_MOST_EVENTS = 8
_LONGEST_TITLE = 200
_MOST_FRAMES = 20
_ENDLESS = frozenset({"eventsource", "websocket", "media", "ping"})
"""Kinds of requests that nobody waits for."""

_PASSWORDS = "fields => fields.map(field => field.value).filter(value => value)"


class LostPageError(Exception):
    """A page no longer says what is on it."""


class Events:
    """What happened since the model last read a page: a few sentences, however much it was."""

    def __init__(self) -> None:
        self._events: dict[str, None] = {}
        self._more = 0

    def tell(self, event: str) -> None:
        if event in self._events or len(self._events) >= _MOST_EVENTS:
            self._more += 1
        else:
            self._events[event] = None

    def take(self) -> list[str]:
        """Return what happened, only once."""
        events = list(self._events)
        if self._more:
            events.append(f"Such things happened {self._more} more times.")
        self._events.clear()
        self._more = 0
        return events


@dataclass(eq=False)  # without slots: Playwright notes its own on an object whose methods it calls
class Tab:
    """A page with the requests that it waits for."""

    page: "Page"
    waits_for: set["Request"] = field(default_factory=set)
    is_crashed: bool = False

    async def read(self) -> tuple[str, str]:
        """Return the title and the tree of the page, once an action has had its effect.

        Raises:
            LostPageError: it has crashed, or does not respond.
        """
        try:
            async with asyncio.timeout(_SETTLE_SECONDS + 3 * LOOK_SECONDS):
                await self._settle()
                return await self._read()
        except TimeoutError as error:
            raise LostPageError from error

    async def _settle(self) -> None:
        """Wait until the page has asked for nothing for a while, if it ever does."""
        from playwright.async_api import Error

        clock = asyncio.get_running_loop().time
        end = clock() + _SETTLE_SECONDS
        quiet_since = clock()
        while (now := clock()) < end and now - quiet_since < _QUIET_SECONDS:
            await asyncio.sleep(_QUIET_SECONDS / 4)
            if self.waits_for:
                quiet_since = clock()
        with suppress(Error):
            await self.page.wait_for_load_state("domcontentloaded", timeout=1_000)

    async def _read(self) -> tuple[str, str]:
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as SlowError

        for _ in range(2):
            try:
                snapshot = await self.page.aria_snapshot(mode="ai", timeout=LOOK_SECONDS * 1_000)
                hidden = await self._list_hidden_values()
                title = " ".join((await self.page.title()).split())
                return title[:_LONGEST_TITLE], write_tree(snapshot, hidden)
            except SlowError:
                break
            except Error:  # it may just have gone to another page
                if self.is_crashed or self.page.is_closed():
                    break
        raise LostPageError

    async def _list_hidden_values(self) -> set[str]:
        from playwright.async_api import Error

        values: set[str] = set()
        for frame in self.page.frames[:_MOST_FRAMES]:
            with suppress(Error):  # a frame that is just going
                found = await frame.eval_on_selector_all("input[type=password]", _PASSWORDS)
                values |= set(map(str, found))
        return values

    def begin_request(self, request: "Request") -> None:
        if request.resource_type not in _ENDLESS:
            self.waits_for.add(request)

    def end_request(self, request: "Request") -> None:
        self.waits_for.discard(request)

    def crash(self, page: "Page") -> None:
        del page
        self.is_crashed = True
        self.waits_for.clear()


class Tabs:
    """The tabs in their order, of which one is the current one; whatever opens more is told."""

    def __init__(self, most: int, *, accepts_questions: bool) -> None:
        self.events = Events()
        self.current: Tab | None = None
        self._tabs: list[Tab] = []
        self._most = most
        self._accepts_questions = accepts_questions

    def __len__(self) -> int:
        return len(self._tabs)

    def __iter__(self) -> Iterator[Tab]:
        return iter(self._tabs)

    def watch(self, context: "BrowserContext") -> None:
        """Begin with the tabs of another browser."""
        self.current = None
        self._tabs.clear()
        context.on("page", self._add)

    def find(self, number: int) -> Tab | None:
        """Return a tab by its number, from 1; `None` if there is none."""
        return self._tabs[number - 1] if 1 <= number <= len(self._tabs) else None

    def number_of(self, tab: Tab) -> int:
        return self._tabs.index(tab) + 1

    async def drop(self, tab: Tab) -> None:
        """Close a tab, also one that does not respond."""
        from playwright.async_api import Error

        self._forget(tab)
        with suppress(Error, TimeoutError):
            async with asyncio.timeout(LOOK_SECONDS):
                await tab.page.close()

    def _add(self, page: "Page") -> None:
        if len(self._tabs) >= self._most:
            self.events.tell(f"A tab was closed at once: only {self._most} may be open.")
            _in_background(page.close())
            return
        tab = Tab(page)
        self._tabs.append(tab)
        if self.current is None:
            self.current = tab
        page.on("request", tab.begin_request)
        page.on("requestfinished", tab.end_request)
        page.on("requestfailed", tab.end_request)
        page.on("crash", tab.crash)
        page.on("close", lambda _: self._forget(tab))
        page.on("dialog", self._answer)
        page.on("download", self._note_download)
        page.on(
            "filechooser", lambda _: self.events.tell("The page asked for a file; it got none.")
        )
        page.on("popup", self._note_popup)

    def _forget(self, tab: Tab) -> None:
        if tab in self._tabs:
            self._tabs.remove(tab)
        if tab is self.current:
            self.current = self._tabs[-1] if self._tabs else None

    def _note_popup(self, page: "Page") -> None:
        if found := [tab for tab in self._tabs if tab.page is page]:
            number = self.number_of(found[0])
            self.events.tell(f"The page opened tab {number}, at {shorten(page.url)}.")

    async def _answer(self, dialog: "Dialog") -> None:
        from playwright.async_api import Error

        accepts = dialog.type in ("alert", "beforeunload") or self._accepts_questions
        if dialog.type != "beforeunload":
            text = json.dumps(dialog.message[:_LONGEST_TITLE], ensure_ascii=False)
            answer = "OK" if accepts else "Cancel"
            self.events.tell(f"The page showed a dialog, {text}, which was answered with {answer}.")
        with suppress(Error):
            await (dialog.accept() if accepts else dialog.dismiss())

    def _note_download(self, download: "Download") -> None:
        name = json.dumps(download.suggested_filename[:_LONGEST_TITLE], ensure_ascii=False)
        self.events.tell(f"The page offered the file {name}, which was not downloaded.")


def _in_background(work: Awaitable[Any]) -> None:
    task = asyncio.ensure_future(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
