"""Wrong passwords: how long a name waits after each, the answer, and where they came from."""

import math
import threading
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Max, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from tapes_app.projects.domain.wording import count_of

_MINUTE = 60
_SECONDS_AFTER = (0, 0, 2, 5, 15)
"""How long a name waits after this many wrong passwords; after one more it is locked."""


_CHECKS = tuple(threading.Lock() for _ in range(64))
"""One for each of so many groups of names and addresses."""


class SlowingHandler(AxesDatabaseHandler):  # type: ignore[misc]  # the library has no types
    """Checks no password before the wait is over, and so does not count it either."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        name = (credentials or {}).get("username", "")
        return time_left(request, name) > timedelta(0) or super().is_locked(request, credentials)


def answer_locked(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """Answer with how long nobody can sign in with this name from here."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    seconds = max(1, math.ceil(time_left(request, name).total_seconds()))
    minutes = math.ceil(seconds / _MINUTE)
    wait = count_of(seconds, "second") if seconds < _MINUTE else count_of(minutes, "minute")
    message = f"Too many wrong passwords for this name. Try again in {wait}."
    page = render(
        request, "studio_locked.html", {"message": message}, status=HTTPStatus.TOO_MANY_REQUESTS
    )
    page["Retry-After"] = str(seconds)
    return page


def one_check_at_a_time(request: HttpRequest, name: str) -> threading.Lock:
    """Return the lock of a name from here: a guess is looked at when those before are counted.

    It holds in this process, the only one that serves the sign-in page.
    """
    return _CHECKS[hash((name, client_address(request))) % len(_CHECKS)]


def client_address(request: HttpRequest) -> str:
    """Return where a request came from; uvicorn has already resolved trusted proxies."""
    return str(request.META.get("REMOTE_ADDR") or "")


def time_left(request: HttpRequest, name: str) -> timedelta:
    """Return how long a name still has to wait from here; zero or less: it does not."""
    now, cool_off = timezone.now(), settings.AXES_COOLOFF_TIME
    attempts = AccessAttempt.objects.filter(
        username=name, ip_address=client_address(request), attempt_time__gt=now - cool_off
    )
    found = attempts.aggregate(count=Sum("failures_since_start"), last=Max("attempt_time"))
    last: datetime | None = found["last"]
    return timedelta(0) if last is None else last + wait_after(found["count"], cool_off) - now


def wait_after(failures: int, cool_off: timedelta) -> timedelta:
    """Return how long a name waits after this many wrong passwords in a row."""
    if failures < len(_SECONDS_AFTER):
        return timedelta(seconds=_SECONDS_AFTER[failures])
    return cool_off
