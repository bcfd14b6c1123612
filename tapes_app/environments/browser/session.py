"""A browser that is open for a run: what is done in it, and what the model reads then."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tapes_app.engine.environment.tool_functions import ToolFailedError
from tapes_app.environments.browser.addresses import EMPTY_PAGE, AllowedHosts, shorten
from tapes_app.environments.browser.chromium import chromium
from tapes_app.environments.browser.gateway import Gateway
from tapes_app.environments.browser.own_sites import Site
from tapes_app.environments.browser.state import BrowserState
from tapes_app.environments.browser.tabs import LostPageError, Tab, Tabs
from tapes_app.environments.browser.tree import cut_tree

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Locator, Page

REOPENED = (
    "The browser was opened anew at the page of this step, so the ids of earlier steps no longer "
    "hold. Nothing was done: call again with an id from below."
)


_COVERED = " intercepts pointer events"


@dataclass(frozen=True, slots=True)
class Limits:
    """What pages may take."""

    page_seconds: float
    action_seconds: float
    tabs: int
    received_bytes: int
    tree_characters: int
    accepts_questions: bool
    keeps_cookies: bool


class BrowserSession:
    """One browser with its tabs, started for the first action; it does one action at a time.

    Whatever pages do is told in the answer to an action, and the next action finds a browser.
    """

    def __init__(
        self,
        allowed: AllowedHosts,
        limits: Limits,
        begin: BrowserState,
        notes: Path | None,
        *,
        sites: Mapping[str, Site] | None = None,
    ) -> None:
        """`begin`: where it was on the tape; `notes` is `RunContext.process_notes`.

        `sites` are those of the run itself, by their hosts.
        """
        self.state = begin
        """Where it is, as the next one finds it."""

        self._allowed = allowed
        self._limits = limits
        self._notes = notes
        self._stack = AsyncExitStack()
        self._gateway = Gateway(allowed, limits.received_bytes, sites)
        self._context: BrowserContext | None = None
        self._is_lost = False
        """Whether the browser opened no page, and so must have ended."""

        self._tabs = Tabs(limits.tabs, accepts_questions=limits.accepts_questions)

    def write_state(self, key: bytes) -> dict[str, Any]:
        """Return what a step holds of it; `key` is `RunContext.state_key`."""
        return self.state.write(key) if self.state.tabs else {}

    async def close(self) -> None:
        self._context = None
        stack, self._stack = self._stack, AsyncExitStack()
        await stack.aclose()

    async def open_page(self, address: str) -> str:
        """Open an address and return the page.

        Raises:
            ToolFailedError: it is not allowed, or does not answer.
        """
        return await self._act(lambda page: self._go(page, address))

    async def act(self, do: Callable[["Page"], Awaitable[Any]]) -> str:
        """Do something on the current page and return what is there then.

        Raises:
            ToolFailedError: it could not be done; the message has the page, too.
            BrowserError: there is no browser on this machine.
        """
        return await self._act(do)

    async def act_on(self, element: str, do: Callable[["Locator"], Awaitable[Any]]) -> str:
        """Do something with an element of the current page, as `act` does."""

        async def find_and_do(page: "Page") -> None:
            found = page.locator(f"aria-ref={element}")
            if not await found.count():
                raise ToolFailedError(
                    f"There is no element {element} on the page as it is now. Nothing was done: "
                    "call again with an id from below."
                )
            await do(found)

        return await self._act(find_and_do, names_element=True)

    async def look(self, start: int = 0) -> str:
        """Return the current page, from a line of its tree on."""
        await self._begin()
        return await self._look(start)

    async def photograph(self) -> bytes:
        """Return what a person would see of the current page, as JPEG.

        Raises:
            ToolFailedError: the page does not respond.
        """
        await self._begin()
        from playwright.async_api import Error

        tab, _, _ = await self._read()
        try:
            return await tab.page.screenshot(
                type="jpeg", quality=70, timeout=self._limits.page_seconds * 1_000
            )
        except Error as error:
            raise ToolFailedError(_explain(error.message)) from error

    async def list_tabs(self) -> str:
        await self._begin()
        return "\n".join(
            f"{number}: {shorten(tab.page.url)}{' (current)' * (tab is self._tabs.current)}"
            for number, tab in enumerate(self._tabs, start=1)
        )

    async def switch_tab(self, number: int) -> str:
        await self._begin()
        self._tabs.current = self._find_tab(number)
        await self._tabs.current.page.bring_to_front()
        return await self._look()

    async def close_tab(self, number: int) -> str:
        await self._begin()
        await self._tabs.drop(self._find_tab(number))
        return await self._look()

    def _find_tab(self, number: int) -> Tab:
        found = self._tabs.find(number)
        if found is None:
            raise ToolFailedError(f"There is no tab {number}; there are {len(self._tabs)}.")
        return found

    # What is done.

    async def _act(
        self, do: Callable[["Page"], Awaitable[Any]], *, names_element: bool = False
    ) -> str:
        is_new = await self._begin()
        from playwright.async_api import Error  # which may be missing, as that has said then
        from playwright.async_api import TimeoutError as SlowError

        failure = REOPENED if is_new and names_element else ""
        if not failure:
            try:
                async with asyncio.timeout(self._limits.page_seconds + self._limits.action_seconds):
                    await do((await self._current_tab()).page)
            except TimeoutError:
                failure = "The page did not respond in time."
            except LostPageError:
                failure = "The page was lost."
            except ToolFailedError as error:
                failure = str(error)
            except SlowError as error:
                seconds = self._limits.action_seconds
                failure = (
                    f"It could not be done within {seconds:g} seconds{_find_cover(error.message)}."
                )
            except Error as error:
                failure = _explain(error.message)
        page = await self._look()
        if failure:
            raise ToolFailedError(f"{failure}\n\n{page}")
        return page

    async def _go(self, page: "Page", address: str) -> None:
        """Open an address; a page that loads slowly is shown as far as it is."""
        from playwright.async_api import Error
        from playwright.async_api import TimeoutError as SlowError

        reason = self._allowed.explain_refusal(address)
        if reason:
            raise ToolFailedError(reason)
        seconds = self._limits.page_seconds
        try:
            await page.goto(address, wait_until="domcontentloaded", timeout=seconds * 1_000)
        except SlowError:
            await self._stop_loading(page)
            self._tabs.events.tell(f"The page had not loaded after {seconds:g} seconds.")
        except Error as error:
            if "Download is starting" not in error.message:  # which is told as an event
                raise

    async def _stop_loading(self, page: "Page") -> None:
        """Let a page be as far as it is; while it loads on, it does not say what is on it."""
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Page.stopLoading")
        await devtools.detach()

    # What opens.

    async def _begin(self) -> bool:
        """Begin an action; return whether a browser was opened where another one had been."""
        self._gateway.begin()
        return await self._find_browser()

    async def _find_browser(self) -> bool:
        browser = self._context.browser if self._context is not None else None
        if browser is not None and browser.is_connected() and not self._is_lost:
            return False
        if self._context is not None:
            self._tabs.events.tell("The browser had ended and was opened anew.")
            await self.close()
        try:
            await self._open()
        except BaseException:
            await self.close()
            raise
        return any(address != EMPTY_PAGE for address in self.state.tabs)

    async def _open(self) -> None:
        await self._stack.enter_async_context(self._gateway.listen())
        starting = chromium.start(self._gateway.port, self._notes)
        browser = await self._stack.enter_async_context(starting)
        context = await browser.new_context(
            accept_downloads=False,
            service_workers="block",
            viewport={"width": 1280, "height": 800},
        )
        context.set_default_timeout(self._limits.action_seconds * 1_000)
        self._tabs.watch(context)
        self._context, self._is_lost = context, False
        if self._limits.keeps_cookies and self.state.cookies:
            await context.add_cookies(json.loads(self.state.cookies))
        for address in self.state.tabs[: self._limits.tabs]:
            await self._reopen(await context.new_page(), address)
        self._tabs.current = self._tabs.find(self.state.current + 1) or self._tabs.find(1)

    async def _reopen(self, page: "Page", address: str) -> None:
        from playwright.async_api import Error

        if address == EMPTY_PAGE:
            return
        try:
            await self._go(page, address)
        except ToolFailedError as error:  # the settings may allow less than they did
            self._tabs.events.tell(str(error))
        except Error as error:
            self._tabs.events.tell(_explain(error.message))

    async def _current_tab(self) -> Tab:
        """Return the current tab, or a new one.

        Raises:
            LostPageError: there is no browser any more.
        """
        from playwright.async_api import Error

        if self._tabs.current is None:
            assert self._context is not None
            try:
                await self._context.new_page()
            except Error as error:
                self._is_lost = True
                raise LostPageError from error
        assert self._tabs.current is not None
        return self._tabs.current

    # What the model reads.

    async def _look(self, start: int = 0) -> str:
        """Return the current page and what has happened, and note where the browser is."""
        tab, title, tree = await self._read()
        await self._keep_state()
        head = [
            f"Page: {title}",
            f"Address: {shorten(tab.page.url)}",
            f"Tab: {self._tabs.number_of(tab)} of {len(self._tabs)}",
            *(f"Note: {event}" for event in self._take_events()),
        ]
        return "\n".join([*head, "", cut_tree(tree, self._limits.tree_characters, start)])

    async def _read(self) -> tuple[Tab, str, str]:
        """Return the current tab, its title and its tree; tabs that are lost are closed."""
        for _ in range(self._limits.tabs + 2):
            await self._find_browser()
            try:
                tab = await self._current_tab()
            except LostPageError:
                continue
            try:
                return tab, *await tab.read()
            except LostPageError:
                what = "crashed" if tab.is_crashed else "did not respond"
                self._tabs.events.tell(f"The page {what}, and its tab was closed.")
                await self._tabs.drop(tab)
        raise ToolFailedError("No page responds.")

    def _take_events(self) -> list[str]:
        events = self._tabs.events.take()
        if self._gateway.is_over:
            most = self._limits.received_bytes // 2**20
            events.append(f"The pages sent more than {most} MiB; the rest was cut off.")
        return [*events, *self._gateway.take_refusals()]

    async def _keep_state(self) -> None:
        assert self._context is not None
        assert self._tabs.current is not None
        cookies: Sequence[Any] = ()
        if self._limits.keeps_cookies:
            cookies = await self._context.cookies()
        self.state = BrowserState.of(
            [tab.page.url for tab in self._tabs],
            self._tabs.number_of(self._tabs.current) - 1,
            self._allowed,
            cookies,
        )


def _explain(message: str) -> str:
    """Return the first line of an error of Playwright, without its stack of calls."""
    first = message.partition("\n")[0]
    return f"It could not be done: {first[:500]}"


def _find_cover(message: str) -> str:
    """Return what else would have been clicked, if that is why an element could not be."""
    lines = (line.strip(" -") for line in message.splitlines())
    found = next((line for line in lines if line.endswith(_COVERED)), "")
    return f": {found.removesuffix(_COVERED)[:200]} covers it" if found else ""
