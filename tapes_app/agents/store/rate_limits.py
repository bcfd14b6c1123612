"""The rate limit of a stored model: any worker may update it, and all workers read it."""

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TypeVar
from uuid import UUID

from django.db import DatabaseError, connection
from django.db.models import Q
from django.utils import timezone

from tapes_app.llms.rate_limits import LONGEST_HOLD_SECONDS
from tapes_app.models import ModelRecord

_READ_AGAIN_SECONDS = 1.0
"""How long, at most, a worker takes to learn of a limit reported to another one."""

logger = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class HeldModel:
    """A model that is not called for a while, because its provider reached a limit."""

    name: str
    seconds: float


@cache
def share_limit(model_id: UUID) -> "SharedRateLimit":
    """Return this process's view of a model's limit: all of its runs share it."""
    return SharedRateLimit(model_id)


class SharedRateLimit:
    """A process's view of a model's limit; the database holds the limit itself."""

    def __init__(self, model_id: UUID) -> None:
        self._model_id = model_id
        self._until = 0.0
        self._read_at = float("-inf")

    async def read_seconds(self) -> float:
        now = time.monotonic()
        if now - self._read_at >= _READ_AGAIN_SECONDS:
            self._read_at = now
            left = await _reach(lambda: read_limit(self._model_id))
            # Without a database, the last known value holds.
            self._until = self._until if left is None else now + left
        return max(self._until - time.monotonic(), 0.0)

    async def hold(self, seconds: float) -> None:
        now = time.monotonic()
        self._until = max(self._until, now + min(seconds, LONGEST_HOLD_SECONDS))
        await _reach(lambda: hold_limit(self._model_id, seconds))

    def forget(self) -> None:
        """Read the limit again on next use, instead of up to a second later."""
        self._until, self._read_at = 0.0, float("-inf")


def read_limit(model_id: UUID) -> float:
    """Return how many more seconds a model must not be called; 0 if it may be called."""
    rows = ModelRecord.objects.filter(id=model_id, limited_until__isnull=False)
    until = rows.values_list("limited_until", flat=True).first()
    # A clock that was set back must not hold a model longer than the maximum.
    left = (until - timezone.now()).total_seconds() if until else 0.0
    return min(max(left, 0.0), LONGEST_HOLD_SECONDS)


def list_held(project: UUID, names: Collection[str]) -> list[HeldModel]:
    """Return the given models of a project that are currently held, by name."""
    now = timezone.now()
    rows = ModelRecord.objects.filter(project_id=project, name__in=names, limited_until__gt=now)
    held = rows.order_by("name").values_list("name", "limited_until")
    return [
        HeldModel(name, min((until - now).total_seconds(), LONGEST_HOLD_SECONDS))
        for name, until in held
        if until is not None
    ]


def hold_limit(model_id: UUID, seconds: float) -> None:
    """Hold a model for a number of seconds, unless it is held for longer already."""
    until = timezone.now() + timedelta(seconds=min(seconds, LONGEST_HOLD_SECONDS))
    is_shorter = Q(limited_until__isnull=True) | Q(limited_until__lt=until)
    ModelRecord.objects.filter(is_shorter, id=model_id).update(limited_until=until)


def forget_limit(model_id: UUID) -> None:
    """Let a model be called immediately: it has answered, or has been reconfigured."""
    ModelRecord.objects.filter(id=model_id).update(limited_until=None)
    share_limit(model_id).forget()  # other processes notice within a second


async def _reach(work: Callable[[], T]) -> T | None:
    """Query the database in a thread; if it is unavailable, models are called anyway."""

    def ask() -> T | None:
        try:
            return work()
        except DatabaseError as error:
            logger.warning("A rate limit is not shared: %s", error)
            return None
        finally:
            connection.close()

    return await asyncio.to_thread(ask)
