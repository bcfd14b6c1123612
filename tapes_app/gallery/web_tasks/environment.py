"""The environment with a service desk: its pages in a browser, or as text, for one run."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.environment.spec import EnvironmentSettings, environments
from tapes_app.environments.browser.addresses import AllowedHosts
from tapes_app.environments.browser.environment import BrowserEnvironment, BrowserSettings
from tapes_app.environments.browser.own_sites import SiteAnswer, SiteRequest
from tapes_app.environments.browser.page_session import PageSession
from tapes_app.environments.browser.session import BrowserSession
from tapes_app.environments.browser.state import BrowserState
from tapes_app.environments.browser.tools import TYPE as BROWSER
from tapes_app.gallery.web_tasks.page import write_html
from tapes_app.gallery.web_tasks.records import DeskState
from tapes_app.gallery.web_tasks.site import HOST, DeskAnswer, DeskRequest, answer
from tapes_app.gallery.web_tasks.text_session import TextSession, TextState

TYPE = "service-desk"
STATE = "service_desk"
"""The key of the desk in the state of a step, and in the set-up of a task."""


class DeskSettings(EnvironmentSettings):
    """How the pages of the desk are shown."""

    in_browser: bool = False
    """Whether in a browser, which needs Chromium; otherwise as text, as a browser would say it."""


class _Desk:
    """The desk of a run, which keeps the state between two requests."""

    def __init__(self, state: DeskState) -> None:
        self.state = state

    def ask(self, request: DeskRequest) -> DeskAnswer:
        answered = answer(self.state, request)
        self.state = answered.state
        return answered

    def serve(self, request: SiteRequest) -> SiteAnswer:
        """Answer a browser."""
        answered = self.ask(DeskRequest.of(request.target, request.form))
        if answered.page is None:
            return SiteAnswer(address=answered.address)
        return SiteAnswer(write_html(answered.page), answered.page.status)


class ServiceDeskEnvironment(BrowserEnvironment):
    """Shows the pages of a service desk of its own, for nodes with the tools of a browser."""

    name = TYPE
    isolation = "Each run has a desk of its own, and its pages are the only ones."

    def __init__(
        self,
        settings: DeskSettings,
        session: PageSession | None = None,
        key: bytes = b"",
        desk: _Desk | None = None,
    ) -> None:
        super().__init__(BrowserSettings(hosts=(HOST,)), session, key)
        self._desk_settings = settings
        self._desk = desk

    @asynccontextmanager
    async def open(self, run: RunContext) -> AsyncIterator[Environment]:
        """Yield the tools with the desk as it is at the end of the tape.

        Raises:
            InvalidInputError: the tape has a state of a desk that cannot be read.
        """
        desk = _Desk(DeskState.read(run.state.get(STATE)))
        kept = run.state.get(BROWSER)
        key = run.state_key
        if not self._desk_settings.in_browser:
            text = TextSession(desk.ask, TextState.read(kept))
            yield ServiceDeskEnvironment(self._desk_settings, text, key, desk)
            return
        session = BrowserSession(
            AllowedHosts((HOST,)),
            self._settings.as_limits(),
            BrowserState.read(kept, key),
            run.process_notes,
            sites={HOST: desk.serve},
        )
        try:
            yield ServiceDeskEnvironment(self._desk_settings, session, key, desk)
        finally:
            await session.close()

    async def save_state(self) -> Mapping[str, Any]:
        if self._desk is None:
            return {}
        return {**await super().save_state(), STATE: self._desk.state.write()}


environments.add(TYPE, ServiceDeskEnvironment)
