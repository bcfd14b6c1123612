"""The shape of API errors for requests that never reach the API: unknown addresses or methods."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse

API_PREFIX = "/api/"
CSRF_MESSAGE = "This page is out of date; reload it and try again."
_ERRORS = {
    400: ("bad_request", "The request cannot be read."),
    403: ("not_allowed", "You are not allowed to do this."),
    404: ("not_found", "No page or API endpoint exists at this address."),
    405: ("method_not_allowed", "This address does not support that method."),
    413: ("too_large", "The request is too large."),
    500: ("internal_error", "Something went wrong on the server; see its log for details."),
}


class ApiErrorShapeMiddleware:
    """Gives Django's own error pages under `/api/` the same shape as the API's errors."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        if is_json or response.status_code < 400 or not request.path.startswith(API_PREFIX):  # noqa: PLR2004
            return response
        code, message = _ERRORS.get(response.status_code, ("http_error", response.reason_phrase))
        body = {"code": code, "message": message, "details": {}}
        shaped = JsonResponse(body, status=response.status_code)
        if "Allow" in response.headers:
            shaped.headers["Allow"] = response.headers["Allow"]
        return shaped
