"""Where a browser is, as a step keeps it: the addresses of its tabs, and perhaps cookies."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import Field, StringConstraints, ValidationError

from tapes_app.engine.environment.state import is_sealed, seal_text
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.environments.browser.addresses import EMPTY_PAGE, LONGEST_ADDRESS, AllowedHosts

MOST_COOKIES_CHARACTERS = 8_000
"""Of all cookies together; with more of them, none are kept."""

MOST_ADDRESSES_CHARACTERS = 7_000
"""Of all tabs together: a step's whole state is limited to 64 KiB, and code may take 48,000."""


class BrowserState(FrozenModel):
    """Where a browser is."""

    tabs: Annotated[
        tuple[Annotated[str, StringConstraints(max_length=LONGEST_ADDRESS)], ...],
        Field(max_length=20),
    ] = ()
    """The addresses of the tabs; `about:blank` for a page that cannot be opened again."""

    current: Annotated[int, Field(ge=0, le=19)] = 0
    """Which of the tabs is the current one, from 0."""

    cookies: Annotated[str, StringConstraints(max_length=MOST_COOKIES_CHARACTERS)] = ""
    """JSON, as Playwright takes it."""

    @classmethod
    def of(
        cls, tabs: Sequence[str], current: int, allowed: AllowedHosts, cookies: Sequence[Any]
    ) -> Self:
        kept = json.dumps(list(cookies)) if cookies else ""
        room = MOST_ADDRESSES_CHARACTERS
        addresses = []
        for tab in tabs:
            fits = len(tab) <= room and not allowed.explain_refusal(tab)
            addresses.append(tab if fits else EMPTY_PAGE)
            room -= len(addresses[-1])
        return cls(
            tabs=tuple(addresses),
            current=current,
            cookies=kept if len(kept) <= MOST_COOKIES_CHARACTERS else "",
        )

    @classmethod
    def read(cls, kept: Any, key: bytes) -> Self:
        """Return what a step holds; cookies only if this studio kept them itself.

        Whose cookies somebody else put on a tape, his account would be used.
        """
        try:
            sealed = _SealedState.model_validate(kept)
        except ValidationError:
            return cls()
        cookies = sealed.cookies if is_sealed(sealed.cookies, sealed.seal, key) else ""
        return cls(tabs=sealed.tabs, current=sealed.current, cookies=cookies)

    def write(self, key: bytes) -> dict[str, Any]:
        """Return what a step holds."""
        data = self.model_dump(mode="json")
        return {**data, "seal": seal_text(self.cookies, key)} if self.cookies else data


class _SealedState(BrowserState):
    seal: str = ""
