"""What is answered after too many wrong passwords, and where they came from."""

import math
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from tapes_app.projects.wording import count_of


def answer_locked(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """Say for how long nobody signs in with this name from here."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    minutes = max(1, math.ceil(_left(request, name) / timedelta(minutes=1)))
    message = f"Too many wrong passwords for this name. Try again in {count_of(minutes, 'minute')}."
    page = render(
        request, "studio_locked.html", {"message": message}, status=HTTPStatus.TOO_MANY_REQUESTS
    )
    page["Retry-After"] = str(minutes * 60)
    return page


def client_address(request: HttpRequest) -> str:
    """Return where a request came from; uvicorn has asked the proxies that are trusted."""
    return str(request.META.get("REMOTE_ADDR") or "")


def _left(request: HttpRequest, name: str) -> timedelta:
    attempts = AccessAttempt.objects.filter(username=name, ip_address=client_address(request))
    last = attempts.order_by("-attempt_time").values_list("attempt_time", flat=True).first()
    over: timedelta = settings.AXES_COOLOFF_TIME
    return over if last is None else last + over - timezone.now()
