"""Until when a provider wants to be left alone, as all know it who ask the same model."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol

LONGEST_HOLD_SECONDS = 3600.0
"""After an hour somebody asks again, whatever the provider said."""


class RateLimit(Protocol):
    """Until when nobody asks a model, because its provider refused somebody."""

    async def read_seconds(self) -> float:
        """Return how long it still holds; 0 where it does not."""

    async def hold(self, seconds: float) -> None:
        """Let all that know of this limit wait; never shorter than they wait already."""


class OwnRateLimit:
    """A limit that is known in this process alone, to those who were given it."""

    def __init__(self) -> None:
        self._until = 0.0

    async def read_seconds(self) -> float:
        return max(self._until - _now(), 0.0)

    async def hold(self, seconds: float) -> None:
        self._until = max(self._until, _now() + min(seconds, LONGEST_HOLD_SECONDS))


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a provider asks to wait, by the more exact header if it is there."""
    try:
        return max(float(headers.get("retry-after-ms", "")) / 1000, 0.0)
    except ValueError:
        return parse_retry_after(headers.get("retry-after"))


def parse_retry_after(value: str | None) -> float | None:
    """Return the seconds of a Retry-After header: a number, or a date."""
    if not value:
        return None
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max((at - datetime.now(UTC)).total_seconds(), 0.0) if at.tzinfo else None


def _now() -> float:
    return asyncio.get_running_loop().time()
