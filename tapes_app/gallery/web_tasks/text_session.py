"""The pages of a desk without a browser: the same tools, and the same text for a model.

What was typed and not sent is kept with each step, so a run goes on from there.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, NoReturn, Self
from urllib.parse import urljoin, urlsplit

from pydantic import Field, ValidationError

from tapes_app.engine.environment.tool_functions import ToolFailedError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.environments.browser.addresses import AllowedHosts
from tapes_app.environments.browser.page_session import Element, OpenPage
from tapes_app.environments.browser.tree import cut_tree
from tapes_app.gallery.web_tasks.page import Form, Link, Page
from tapes_app.gallery.web_tasks.records import Line
from tapes_app.gallery.web_tasks.site import HOST, DeskAnswer, DeskRequest, write_query
from tapes_app.gallery.web_tasks.text_tree import Control, FormField, write_text_tree

TREE_CHARACTERS = 20_000
_MOST_VISITED = 50
_ONLY_IN_A_BROWSER = "That takes a browser; these pages are shown as text only."

Address = Annotated[str, Field(max_length=2_000)]


class TextState(FrozenModel):
    """Where a session is."""

    visited: Annotated[tuple[Address, ...], Field(max_length=_MOST_VISITED)] = ()
    """Targets on the site; the last one is the current page."""

    typed: Annotated[dict[Line, Line], Field(max_length=50)] = Field(default_factory=dict)
    """Values of fields that were not sent yet, by the ids of the fields."""

    @classmethod
    def read(cls, kept: Any) -> Self:
        """Return what a step holds; whatever else is there means that no page is open."""
        try:
            return cls.model_validate(kept)
        except ValidationError:
            return cls()


class TextSession:
    """One page at a time, of one desk."""

    def __init__(self, ask: Callable[[DeskRequest], DeskAnswer], begin: TextState) -> None:
        self._ask = ask
        self._state = begin
        self._allowed = AllowedHosts((HOST,))
        self._page: Page | None = None
        if begin.visited:
            self._page = ask(DeskRequest.of(begin.visited[-1])).page

    async def open_page(self, address: str) -> str:
        async def go() -> None:
            reason = self._allowed.explain_refusal(address)
            if reason:
                raise ToolFailedError(reason)
            parts = urlsplit(address)
            self._go(f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/")

        return await self._do(go)

    async def look(self, start: int = 0) -> str:
        return self._show(start)

    async def act(self, do: Callable[[OpenPage], Awaitable[Any]]) -> str:
        return await self._do(lambda: do(_TextPage(self)))

    async def act_on(self, element: str, do: Callable[[Element], Awaitable[Any]]) -> str:
        async def find_and_do() -> None:
            await do(self._find(element))

        return await self._do(find_and_do)

    async def photograph(self) -> bytes:
        raise ToolFailedError(_ONLY_IN_A_BROWSER)

    async def list_tabs(self) -> str:
        return f"1: {self.address} (current)"

    async def switch_tab(self, number: int) -> str:
        if number != 1:
            raise ToolFailedError(f"There is no tab {number}; there are 1.")
        return self._show()

    async def close_tab(self, number: int) -> str:
        del number
        raise ToolFailedError(_ONLY_IN_A_BROWSER)

    def write_state(self, key: bytes) -> Mapping[str, Any]:
        del key
        return self._state.model_dump(mode="json") if self._state.visited else {}

    @property
    def address(self) -> str:
        visited = self._state.visited
        return urljoin(f"http://{HOST}/", visited[-1]) if visited else "about:blank"

    def follow(self, link: Link) -> None:
        self._go(link.address)

    def send(self, form: Form) -> None:
        """Send a form with what was typed in its fields."""
        values = {
            one.field.name: self._state.typed.get(found, one.field.value)
            for found, one in self._controls().items()
            if isinstance(one, FormField) and one.form == form
        }
        query = write_query(values)
        if form.changes:
            self._go(form.address, query)
        else:
            self._go(f"{form.address}?{query}")

    def set_value(self, element: str, value: str) -> None:
        typed = {**self._state.typed, element: " ".join(value.split())[:200]}
        self._state = self._state.model_copy(update={"typed": typed})

    def go_back(self) -> None:
        before = self._state.visited[:-1]
        if not before:
            raise ToolFailedError("There is no page before this one.")
        self._state = TextState(visited=before[:-1])
        self._go(before[-1])

    async def _do(self, work: Callable[[], Awaitable[Any]]) -> str:
        """Return the page after some work; a failure has the page, too."""
        try:
            await work()
        except ToolFailedError as error:
            raise ToolFailedError(f"{error}\n\n{self._show()}") from error
        return self._show()

    def _find(self, element: str) -> "_TextElement":
        control = self._controls().get(element)
        if control is None:
            raise ToolFailedError(
                f"There is no element {element} on the page as it is now. Nothing was done: call "
                "again with an id from below."
            )
        return _TextElement(self, element, control)

    def _go(self, target: str, body: str | None = None) -> None:
        answer = self._ask(DeskRequest.of(target, body))
        while answer.address:
            target = answer.address
            answer = self._ask(DeskRequest.of(target))
        self._page = answer.page
        visited = (*self._state.visited, target)[-_MOST_VISITED:]
        self._state = TextState(visited=visited)

    def _controls(self) -> dict[str, Control]:
        return write_text_tree(self._page, self._state.typed)[1] if self._page else {}

    def _show(self, start: int = 0) -> str:
        tree = write_text_tree(self._page, self._state.typed)[0] if self._page else ""
        title = self._page.title if self._page else ""
        head = f"Page: {title}\nAddress: {self.address}\nTab: 1 of 1\n"
        return f"{head}\n{cut_tree(tree, TREE_CHARACTERS, start)}"


@dataclass(frozen=True, slots=True)
class _TextElement:
    session: TextSession
    id: str
    control: Control

    async def click(self) -> None:
        if isinstance(self.control, Link):
            self.session.follow(self.control)
        elif not isinstance(self.control, FormField):
            self.session.send(self.control.form)

    async def fill(self, value: str, /) -> None:
        if not isinstance(self.control, FormField) or self.control.field.options:
            raise ToolFailedError("It could not be done: nothing can be typed there.")
        self.session.set_value(self.id, value)

    async def hover(self) -> None:
        """Nothing on these pages changes by it."""

    async def press(self, key: str, /) -> None:
        if key == "Enter" and isinstance(self.control, FormField):
            self.session.send(self.control.form)

    async def select_option(self, *, label: str) -> None:
        options = self.control.field.options if isinstance(self.control, FormField) else ()
        if label not in options:
            raise ToolFailedError("It could not be done: there is no such option.")
        self.session.set_value(self.id, label)


@dataclass(frozen=True, slots=True)
class _TextPage:
    session: TextSession

    @property
    def keyboard(self) -> NoReturn:
        raise ToolFailedError(_ONLY_IN_A_BROWSER)

    @property
    def mouse(self) -> NoReturn:
        raise ToolFailedError(_ONLY_IN_A_BROWSER)

    async def go_back(self, *, wait_until: str) -> None:
        del wait_until
        self.session.go_back()
