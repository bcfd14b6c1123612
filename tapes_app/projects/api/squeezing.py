"""Compresses long, repetitive answers for browsers on slow connections."""

import gzip
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

_LEAST_BYTES = 4_000
_LEVEL = 1
"""A quarter of the size for a hundredth of a second per megabyte; higher levels save little
more."""


def squeezed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Compress a view's answers for browsers that support it."""

    @wraps(view)
    def answer(request: HttpRequest, *arguments: Any, **options: Any) -> HttpResponse:
        response = view(request, *arguments, **options)
        patch_vary_headers(response, ("Accept-Encoding",))
        can_read = "gzip" in request.headers.get("Accept-Encoding", "")
        if can_read and len(response.content) >= _LEAST_BYTES:
            response.content = gzip.compress(response.content, _LEVEL, mtime=0)
            response["Content-Encoding"] = "gzip"
            response["Content-Length"] = str(len(response.content))
        return response

    return answer
