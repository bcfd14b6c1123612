"""How long a provider's rate limit holds, shared by everything that calls the same model."""

import asyncio
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol

LONGEST_HOLD_SECONDS = 3600.0
"""After an hour the model is called again, whatever the provider asked for."""


class RateLimit(Protocol):
    """Until when a model is not called, because its provider refused a call."""

    async def read_seconds(self) -> float:
        """Return how many seconds it still holds; 0 if it does not."""

    async def hold(self, seconds: float) -> None:
        """Make all users of this limit wait, never for less than they already wait."""


class OwnRateLimit:
    """A limit known only in this process, to the LLMs that were given it."""

    def __init__(self) -> None:
        self._until = 0.0

    async def read_seconds(self) -> float:
        return max(self._until - _now(), 0.0)

    async def hold(self, seconds: float) -> None:
        self._until = max(self._until, _now() + min(seconds, LONGEST_HOLD_SECONDS))


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a provider asks to wait, from the more exact header if present."""
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
    """Return the seconds until an exhausted limit is renewed; `None` if no limit is exhausted.

    Reads `x-ratelimit-remaining-requests` with `x-ratelimit-reset-requests`, the same for tokens
    and without a suffix, and Anthropic's names for them. The last request that a limit allows
    already reports when the next one would be accepted.
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
    """Parse when a limit is renewed: `6m0s`, `17ms`, seconds from now, since 1970, or a time."""
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


_WAIT = re.compile(
    r"\b(?:try again|retry) (?:in|after) (\d[\w.]*)(?: ?(ms|[dhs]|m(?!illi))\w*)?", re.IGNORECASE
)


def read_stated_wait(message: str) -> float | None:
    """Return the seconds after which a message asks to try again: "in 1m2.5s", "in 20 seconds".

    A limit within a stream states them nowhere else: its headers were sent before it.
    """
    stated = _WAIT.search(message)
    return _read_reset(f"{stated[1].rstrip('.')}{stated[2] or ''}".lower()) if stated else None


def _read_time(text: str) -> float | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return max((at - datetime.now(UTC)).total_seconds(), 0.0) if at.tzinfo else None


def _now() -> float:
    return asyncio.get_running_loop().time()
