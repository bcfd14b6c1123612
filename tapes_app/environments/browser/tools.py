"""The tools with which a model uses a browser: each answers with the page as it is then.

Agents name them `browser.click` and so on. They work in the environment that is answering a call.
"""

# ruff: noqa: D417 - models do not see the session

from collections.abc import Callable
from contextvars import ContextVar
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from tapes_app.engine.environment.tool_context import Depends
from tapes_app.engine.environment.tool_functions import AnyTool, Tool, ToolFailedError, tools
from tapes_app.engine.tape.media import Image
from tapes_app.environments.browser.addresses import LONGEST_ADDRESS
from tapes_app.environments.browser.page_session import Element, PageSession
from tapes_app.environments.browser.tree import ElementId

TYPE = "browser"
"""The type of the environment, the key of its state, and the module in the names of its tools."""

open_session: ContextVar[PageSession | None] = ContextVar("open_browser", default=None)
"""The browser of the environment that is answering a call."""

BROWSER_TOOLS: list[AnyTool] = []
"""All of them."""


async def _find_session() -> PageSession:
    session = open_session.get()
    if session is None:
        raise ToolFailedError(
            f"No browser is open: give the agent the environment {TYPE!r}, with the hosts that it "
            "may open."
        )
    return session


Session = Annotated[PageSession, Depends(_find_session)]
Address = Annotated[str, StringConstraints(max_length=LONGEST_ADDRESS)]
Text = Annotated[str, StringConstraints(max_length=20_000)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=50)]
TabNumber = Annotated[int, Field(ge=1)]


def _browser_tool(function: Callable[..., Any]) -> AnyTool:
    made: AnyTool = Tool(function)
    made.__module__ = TYPE
    BROWSER_TOOLS.append(made)
    return tools.replace(made.type_name, made)


@_browser_tool
async def open_page(address: Address, session: Session) -> str:
    """Open an address in the current tab.

    Args:
        address: the whole address, with http or https
    """
    return await session.open_page(address)


@_browser_tool
async def read_page(session: Session, start: Annotated[int, Field(ge=0)] = 0) -> str:
    """Read the current page again, or the rest of a long one.

    Args:
        start: the line to begin with, counted from 0
    """
    return await session.look(start)


@_browser_tool
async def click(element: ElementId, session: Session) -> str:
    """Click an element.

    Args:
        element: its id, such as e12
    """
    return await session.act_on(element, lambda found: found.click())


@_browser_tool
async def type_text(
    element: ElementId,
    text: Text,
    session: Session,
    submit: bool = False,  # noqa: FBT001, FBT002 - a model names it
) -> str:
    """Replace the text of a field.

    Args:
        element: its id, such as e12
        text: what the field holds afterwards
        submit: whether to press Enter afterwards
    """

    async def fill(found: Element) -> None:
        await found.fill(text)
        if submit:
            await found.press("Enter")

    return await session.act_on(element, fill)


@_browser_tool
async def select_option(element: ElementId, option: Text, session: Session) -> str:
    """Select an option of a combobox or list.

    Args:
        element: the id of the combobox, such as e12
        option: the option's text
    """
    return await session.act_on(element, lambda found: found.select_option(label=option))


@_browser_tool
async def hover(element: ElementId, session: Session) -> str:
    """Move the mouse over an element, as to open a menu.

    Args:
        element: its id, such as e12
    """
    return await session.act_on(element, lambda found: found.hover())


@_browser_tool
async def press_key(key: Key, session: Session) -> str:
    """Press a key where the focus is.

    Args:
        key: its name, such as Enter, Escape, ArrowDown or Control+A
    """
    return await session.act(lambda page: page.keyboard.press(key))


@_browser_tool
async def scroll(direction: Literal["down", "up"], session: Session) -> str:
    """Scroll the page by its height, for pages that load more when they are scrolled.

    Args:
        direction: down or up
    """
    height = 700 if direction == "down" else -700
    return await session.act(lambda page: page.mouse.wheel(0, height))


@_browser_tool
async def go_back(session: Session) -> str:
    """Go back to the page before, in the history of the tab."""
    return await session.act(lambda page: page.go_back(wait_until="domcontentloaded"))


@_browser_tool
async def list_tabs(session: Session) -> str:
    """List the tabs that are open."""
    return await session.list_tabs()


@_browser_tool
async def switch_tab(tab: TabNumber, session: Session) -> str:
    """Go to another tab.

    Args:
        tab: its number
    """
    return await session.switch_tab(tab)


@_browser_tool
async def close_tab(tab: TabNumber, session: Session) -> str:
    """Close a tab.

    Args:
        tab: its number
    """
    return await session.close_tab(tab)


@_browser_tool
async def take_screenshot(session: Session) -> Any:
    """Take a picture of what can be seen of the current page."""
    return ["What can be seen of the page:", Image(await session.photograph())]
