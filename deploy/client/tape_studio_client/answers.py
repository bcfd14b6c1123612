"""Answers of the API as values or errors, and which requests may be retried."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import httpx

from tape_studio_client.errors import (
    ConflictError,
    NotAllowedError,
    NotFoundError,
    StudioError,
    UnreachableError,
)

Value = TypeVar("Value")
_SAFE = {"GET", "HEAD"}
_AGAIN = {502, 503, 504}
_KINDS: dict[int, type[StudioError]] = {
    401: NotAllowedError,
    403: NotAllowedError,
    404: NotFoundError,
    409: ConflictError,
}


@dataclass(frozen=True)
class Retries:
    """How often a request that changes nothing is retried while the studio is unavailable."""

    times: int = 4
    first_seconds: float = 0.25
    longest_seconds: float = 8.0

    def seconds_before(self, attempt: int, answer: httpx.Response | None = None) -> float:
        """Return how long to wait before another attempt: longer each time."""
        delay = answer.headers.get("Retry-After", "") if answer is not None else ""
        if delay.isascii() and delay.isdigit():
            return min(float(delay), self.longest_seconds)
        doubled: float = self.first_seconds * 2.0**attempt
        return min(doubled, self.longest_seconds)

    def has_another(self, attempt: int, method: str, status: int | None = None) -> bool:
        """Return whether to retry after an attempt, which got this status or no answer."""
        is_worth_it = status is None or status in _AGAIN
        return attempt < self.times and method in _SAFE and is_worth_it


def read(kind: type[Value], values: Mapping[str, Any]) -> Value:
    """Return an answer as a dataclass; fields that the class does not have are dropped."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: value for name, value in values.items() if name in known})


def error_of(answer: httpx.Response) -> StudioError:
    """Return the error for an answer with a status of 400 or more."""
    try:
        body = answer.json()
        message, code, details = body["message"], body["code"], body["details"]
    except (ValueError, KeyError, TypeError):
        message = f"The studio answered {answer.status_code} {answer.reason_phrase}.".replace(
            " .", "."
        )
        return UnreachableError(message, code="no_answer", status=answer.status_code)
    away = UnreachableError if answer.status_code in _AGAIN else StudioError
    kind = _KINDS.get(answer.status_code, away)
    return kind(message, code=code, status=answer.status_code, details=details)


def unreachable(url: str, error: httpx.TransportError) -> UnreachableError:
    """Return the error for a missing answer."""
    message = str(error) or type(error).__name__
    return UnreachableError(f"The studio at {url} does not answer: {message}", code="no_answer")
