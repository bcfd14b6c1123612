"""Which service does which kind of job; services register, jobs import none of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tapes_app.engine.errors import NotFoundError
from tapes_app.jobs.domain.protocol import JobState
from tapes_app.jobs.services.context import JobContext


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a service leaves its job; an exception is a failure without a result."""

    state: JobState = "succeeded"
    message: str = ""
    result: dict[str, Any] | None = None
    error_code: str = ""
    accepts_messages: bool = False
    """It waits for a message: one that arrives at the last moment queues it again."""


Service = Callable[[JobContext], Awaitable[Outcome]]

_SERVICES: dict[str, Service] = {}


def job_kind(kind: str) -> Callable[[Service], Service]:
    """Register a service for jobs of this kind."""

    def register(service: Service) -> Service:
        taken = _SERVICES.setdefault(kind, service)
        if taken.__module__ != service.__module__:
            raise ValueError(f"Job kind {kind!r} is already registered by {taken.__module__}.")
        _SERVICES[kind] = service
        return service

    return register


def find_service(kind: str) -> Service:
    """Return the service of a kind.

    Raises:
        NotFoundError: no service is registered for it in this process.
    """
    service = _SERVICES.get(kind)
    if service is None:
        raise NotFoundError(
            f"This worker does not run jobs of kind {kind!r}; it runs {sorted(_SERVICES)}.",
            kind=kind,
        )
    return service
