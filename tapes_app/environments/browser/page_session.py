"""What the tools of a browser work on: a browser, or whatever shows pages in the same way."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal, Protocol


class Element(Protocol):
    """Something on a page that can be acted on."""

    async def click(self) -> None: ...

    async def fill(self, value: str, /) -> None: ...

    async def hover(self) -> None: ...

    async def press(self, key: str, /) -> None: ...

    async def select_option(self, *, label: str) -> Any: ...


class Keyboard(Protocol):
    async def press(self, key: str, /) -> None: ...


class Mouse(Protocol):
    async def wheel(self, delta_x: float, delta_y: float, /) -> None: ...


class OpenPage(Protocol):
    """The current page."""

    @property
    def keyboard(self) -> Keyboard: ...

    @property
    def mouse(self) -> Mouse: ...

    async def go_back(self, *, wait_until: Literal["domcontentloaded"]) -> Any: ...


class PageSession(Protocol):
    """Pages that are open for a run. Each answer is the current page as a model reads it.

    Whatever cannot be done raises `ToolFailedError`.
    """

    async def open_page(self, address: str) -> str: ...

    async def look(self, start: int = 0) -> str:
        """Return the current page, from a line of its tree on."""
        ...

    async def act(self, do: Callable[[OpenPage], Awaitable[Any]]) -> str: ...

    async def act_on(self, element: str, do: Callable[[Element], Awaitable[Any]]) -> str: ...

    async def photograph(self) -> bytes: ...

    async def list_tabs(self) -> str: ...

    async def switch_tab(self, number: int) -> str: ...

    async def close_tab(self, number: int) -> str: ...

    def write_state(self, key: bytes) -> Mapping[str, Any]:
        """Return what a step holds of it; `key` is `RunContext.state_key`."""
        ...
