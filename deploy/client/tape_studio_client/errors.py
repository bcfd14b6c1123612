"""The exceptions: an answer of the studio that reports an error, or no answer at all."""

from typing import Any


class StudioError(Exception):
    """The studio could not do what it was asked.

    `code` is stable and meant for programs; `message` is a sentence for people.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        status: int = 0,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.details = details or {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.message, self.code, self.status, self.details)


def _rebuild(
    kind: type[StudioError], message: str, code: str, status: int, details: dict[str, Any]
) -> StudioError:
    return kind(message, code=code, status=status, details=details)


class NotFoundError(StudioError):
    """There is no such object in the token's project (404)."""


class ConflictError(StudioError):
    """It changed in the meantime, or its state does not allow this (409)."""


class NotAllowedError(StudioError):
    """The token is unknown, expired or revoked, or may not do this (401, 403)."""


class UnreachableError(StudioError):
    """The studio does not answer, sends something unreadable, or is unavailable at the moment."""


class JobFailedError(StudioError):
    """The awaited job failed or was cancelled."""
