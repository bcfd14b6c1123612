"""Old event logs and old drafts: how much space they take, and removing them in batches."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from tapes_app.editing.store.drafts import measure_old_drafts, prune_some_old_drafts
from tapes_app.engine.errors import InvalidInputError
from tapes_app.jobs.store.log import measure_old_logs, prune_some_old_logs
from tapes_app.projects.domain.rows import Amount
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.store.operator_log import log_action

_AGE = re.compile(r"([0-9]{1,5})([dw]?)")
_DAYS = {"": 1, "d": 1, "w": 7}
_LONGEST_DAYS = 36_500


@dataclass(frozen=True, slots=True)
class Ages:
    """The age in days at which each counts as old; `None`: it is left alone."""

    events: int | None = None
    drafts: int | None = None


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed."""

    events: int
    drafts: int
    is_all: bool = True
    """Whether nothing old is left; False if the time was up."""


def read_age(text: str) -> int:
    """Return the number of days that a text such as `30d` or `4w` means.

    Raises:
        InvalidInputError: it is not an age, or is less than one day: what is open now is not old.
    """
    found = _AGE.fullmatch(text.strip())
    days = int(found[1]) * _DAYS[found[2]] if found else 0
    if not 1 <= days <= _LONGEST_DAYS:
        raise InvalidInputError(f"{text!r} is not an age; give days or weeks, such as 30d or 4w.")
    return days


def measure(ages: Ages) -> dict[str, Amount]:
    """Return what would be removed: `events` and `drafts`, if an age is given for them."""
    found = {}
    if ages.events is not None:
        found["events"] = measure_old_logs(_days_ago(ages.events))
    if ages.drafts is not None:
        found["drafts"] = measure_old_drafts(_days_ago(ages.drafts))
    return found


def prune(user_id: int, ages: Ages, *, seconds: float | None = None) -> Pruned:
    """Remove what is old in batches, for at most this long, and record it in the admin log."""
    ends_at = None if seconds is None else time.monotonic() + seconds
    events, drafts = 0, 0
    is_all = True
    if ages.events is not None:
        events, is_all = _repeat(prune_some_old_logs, _days_ago(ages.events), ends_at)
    if ages.drafts is not None and is_all:
        drafts, is_all = _repeat(prune_some_old_drafts, _days_ago(ages.drafts), ends_at)
    pruned = Pruned(events, drafts, is_all)
    if events or drafts:
        log_action(user_id, "event logs and drafts", f"Pruned: {describe(pruned, ages)}.")
    return pruned


def describe(pruned: Pruned, ages: Ages) -> str:
    """Describe what was removed."""
    parts = []
    if ages.events is not None:
        parts.append(f"{count_of(pruned.events, 'event')} older than {_show_days(ages.events)}")
    if ages.drafts is not None:
        parts.append(f"{count_of(pruned.drafts, 'draft')} older than {_show_days(ages.drafts)}")
    return " and ".join(parts)


def _repeat(
    prune_some: Callable[[datetime], int | None], before: datetime, ends_at: float | None
) -> tuple[int, bool]:
    """Return how many were removed, and whether those were all."""
    count = 0
    while ends_at is None or time.monotonic() < ends_at:
        removed = prune_some(before)
        if removed is None:
            return count, True
        count += removed
    return count, False


def _days_ago(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def _show_days(days: int) -> str:
    return count_of(days, "day")
