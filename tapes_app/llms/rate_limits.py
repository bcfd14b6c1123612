"""Until when a provider wants to be left alone, as all know it who ask the same model."""

import asyncio
import math
import re
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


def read_spent_limit(headers: Mapping[str, str]) -> float | None:
    """Return the seconds until a limit of which nothing remains is renewed; `None`: some is left.

    `x-ratelimit-remaining-requests` with `x-ratelimit-reset-requests`, the same of tokens or of
    neither, and Anthropic's names for them. With the last request that a limit allows comes what
    the next one would be refused for.
    """
    waits = [
        wait
        for what in ("-requests", "-tokens", "")
        for remaining, reset in (
            (f"x-ratelimit-remaining{what}", f"x-ratelimit-reset{what}"),
            (f"anthropic-ratelimit{what}-remaining", f"anthropic-ratelimit{what}-reset"),
        )
        if headers.get(remaining, "").strip() in {"0", "0.0"}
        and (wait := _read_reset(headers.get(reset, "").strip())) is not None
    ]
    return max(waits, default=None)


_UNITS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001, "us": 1e-6, "ns": 1e-9}
_SPANS = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|us|ns|[dhms])")
_EPOCH_SECONDS_FROM = 1e9
_EPOCH_MILLISECONDS_FROM = 1e12


def _read_reset(text: str) -> float | None:
    """Read when a limit is renewed: `6m0s`, `17ms`, seconds from now, since 1970, or a time."""
    if text and not _SPANS.sub("", text):
        return sum(float(number) * _UNITS[unit] for number, unit in _SPANS.findall(text))
    try:
        number = float(text)
    except ValueError:
        return _read_time(text)
    if number >= _EPOCH_MILLISECONDS_FROM:
        number /= 1000
    if number >= _EPOCH_SECONDS_FROM:
        number -= datetime.now(UTC).timestamp()
    return max(number, 0.0) if math.isfinite(number) else None


def _read_time(text: str) -> float | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return max((at - datetime.now(UTC)).total_seconds(), 0.0) if at.tzinfo else None


def _now() -> float:
    return asyncio.get_running_loop().time()
