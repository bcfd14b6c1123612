"""Each request has an id, is counted, and is a line of the log if that is JSON."""

import logging
import re
import time
from collections import Counter
from collections.abc import Callable
from secrets import token_hex
from threading import Lock

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from studio.logging import request_id

logger = logging.getLogger(__name__)

HEADER = "X-Request-ID"
_GIVEN = re.compile(r"[\w.-]{1,64}", re.ASCII)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BUCKETS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""In seconds; a request counts in every bucket that it did not exceed."""


class RequestCounts:
    """How many requests this process has answered, by status, and how long they took."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.by_status: Counter[tuple[str, int]] = Counter()
        self.by_bucket: Counter[float] = Counter()
        self.seconds = 0.0

    def add(self, method: str, status: int, seconds: float) -> None:
        with self._lock:
            self.by_status[method, status] += 1
            self.seconds += seconds
            for bucket in BUCKETS:
                if seconds <= bucket:
                    self.by_bucket[bucket] += 1


counts = RequestCounts()


class RequestsMiddleware:
    """The outermost middleware. A proxy may provide the request id; otherwise one is made."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.monotonic()
        name = request.headers.get(HEADER, "")
        name = name if _GIVEN.fullmatch(name) else token_hex(8)
        token = request_id.set(name)
        try:
            response = self._get_response(request)
            response.headers[HEADER] = name
            self._log(request, response.status_code, time.monotonic() - began)
        finally:
            request_id.reset(token)
        return response

    def _log(self, request: HttpRequest, status: int, seconds: float) -> None:
        method = request.method if request.method in _METHODS else "other"
        counts.add(str(method), status, seconds)
        if settings.STUDIO_LOG_FORMAT != "json":
            return
        facts = {
            "http_method": method,
            "http_path": request.path,
            "http_status": status,
            "http_milliseconds": round(seconds * 1000, 1),
        }
        logger.info("%s %s %d", method, request.path, status, extra=facts)
