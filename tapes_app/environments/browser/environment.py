"""The environment that drives a web browser, and what its settings allow."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from pydantic import Field

from tapes_app.engine.environment.actions import PendingAction, UnknownActionError
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.environment.spec import EnvironmentSettings, environments
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.browser.addresses import AllowedHosts, HostPattern
from tapes_app.environments.browser.chromium import chromium
from tapes_app.environments.browser.page_session import PageSession
from tapes_app.environments.browser.session import BrowserSession, Limits
from tapes_app.environments.browser.state import BrowserState
from tapes_app.environments.browser.tools import BROWSER_TOOLS, TYPE, open_session

LONGEST_CALL_SECONDS = 300.0
"""An action ends by itself long before; this is for mistakes of ours."""


class BrowserSettings(EnvironmentSettings):
    """Which pages are opened, and what they may take."""

    hosts: Annotated[tuple[HostPattern, ...], Field(min_length=1, max_length=100)]
    """What may be opened: example.org, *.example.org, or * for all public hosts."""

    page_seconds: float = Field(15.0, gt=0, le=120)
    """How long a page may take to load."""

    action_seconds: float = Field(5.0, gt=0, le=60)
    """How long an action waits for its element."""

    tabs: int = Field(5, ge=1, le=20)
    """How many tabs may be open."""

    received_mb: int = Field(50, ge=1, le=1_000)
    """How much may be received for one action, in MiB."""

    tree_characters: int = Field(20_000, ge=500, le=200_000)
    """How much of a page one answer shows."""

    dialogs: Literal["accept", "dismiss"] = "dismiss"
    """How questions of pages, such as "Delete this?", are answered."""

    keep_cookies: bool = False
    """Whether cookies are kept with the steps, for whoever can read the tape."""

    def as_limits(self) -> Limits:
        return Limits(
            page_seconds=self.page_seconds,
            action_seconds=self.action_seconds,
            tabs=self.tabs,
            received_bytes=self.received_mb * 2**20,
            tree_characters=self.tree_characters,
            accepts_questions=self.dialogs == "accept",
            keeps_cookies=self.keep_cookies,
        )


class BrowserEnvironment(ToolEnvironment):
    """Opens web pages in a browser and acts on them, for nodes with its tools."""

    name = TYPE
    isolation = (
        "Each run has a browser with a profile of its own, which is thrown away; only allowed "
        "hosts are reached."
    )
    offers = BROWSER_TOOLS

    def __init__(
        self, settings: BrowserSettings, session: PageSession | None = None, key: bytes = b""
    ) -> None:
        """`key` is `RunContext.state_key`."""
        super().__init__(BROWSER_TOOLS, timeout_seconds=LONGEST_CALL_SECONDS)
        self._settings = settings
        self._session = session
        self._key = key

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        """Yield the tools with a browser that starts for the first of them."""
        allowed = AllowedHosts(self._settings.hosts, chromium.inner_hosts)
        begin = BrowserState.read(run.state.get(TYPE), run.state_key)
        session = BrowserSession(allowed, self._settings.as_limits(), begin, run.process_notes)
        try:
            yield BrowserEnvironment(self._settings, session, run.state_key)
        finally:
            await session.close()

    async def save_state(self) -> Mapping[str, Any]:
        kept = self._session.write_state(self._key) if self._session is not None else {}
        return {TYPE: kept} if kept else {}

    async def observe(self, pending: PendingAction, tape: Tape) -> Sequence[Step]:
        if self._find(pending) is None:
            raise UnknownActionError(
                f"The environment {TYPE!r} has no tool {pending.name!r}.",
                kind=pending.action.kind,
            )
        token = open_session.set(self._session)
        try:
            return await super().observe(pending, tape)
        finally:
            open_session.reset(token)

    def can_run_together(self, pending: PendingAction) -> bool:
        return False


environments.add(TYPE, BrowserEnvironment)
