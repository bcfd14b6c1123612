"""The HTTP API: one NinjaAPI, and one shape for all errors."""

import errno
import inspect
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import DatabaseError, InterfaceError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI, Router
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.responses import NinjaJSONEncoder
from ninja.security import django_auth
from pydantic import BaseModel

from optimize_app.routes import routers as training_routers
from studio.api_descriptions import describe_dataclasses
from studio.api_errors import CSRF_MESSAGE
from studio.database_faults import (
    GONE,
    DatabaseUnusableError,
    explain_full_disk,
    is_unavailable,
    log_unavailable,
)
from studio.space import TOO_LITTLE_SPACE, NoSpaceError
from tapes_app.engine.errors import StudioError
from tapes_app.engine.redaction import redact
from tapes_app.projects.api.bodies import ErrorOut
from tapes_app.projects.api.json_bodies import BoundedParser, PlainRenderer
from tapes_app.routes import routers as tape_routers

logger = logging.getLogger(__name__)

_CODES = {
    400: "bad_request",
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    429: "too_many_requests",
}


_MAX_PROBLEMS = 50
_FULL = {errno.ENOSPC, errno.EDQUOT}

_ERROR = {
    "description": "What went wrong, and what to do.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}},
}


class StudioAPI(NinjaAPI):
    """Documents the errors of every operation in one place; operation names are function names."""

    def get_openapi_schema(self, *args: Any, **kwargs: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(*args, **kwargs)
        describe_dataclasses(schema["components"]["schemas"], self._list_answers())
        schema["components"]["schemas"]["ErrorOut"] = ErrorOut.model_json_schema()
        schema["components"]["responses"] = {"Error": _ERROR}
        error = {"$ref": "#/components/responses/Error"}
        for path in schema["paths"].values():
            for operation in path.values():
                answers = {str(status): answer for status, answer in operation["responses"].items()}
                operation["responses"] = {**answers, "default": error}
        return schema

    def _list_answers(self) -> Iterator[type[BaseModel]]:
        for _, router in self._routers:
            for view in router.path_operations.values():
                for operation in view.operations:
                    yield from filter(inspect.isclass, operation.response_models.values())

    def get_openapi_operation_id(self, operation: Operation) -> str:
        *_, subject, _, module = operation.view_func.__module__.split(".")
        return f"{subject}_{module}_{operation.view_func.__name__}"


def build_api(mounted: Sequence[tuple[str, Router]], *, namespace: str) -> NinjaAPI:
    """Return an API that requires a session and answers every error in one shape."""
    built = StudioAPI(
        title="Tape Studio",
        version="1",
        urls_namespace=namespace,
        auth=django_auth,
        parser=BoundedParser(),
        renderer=PlainRenderer(),
        description="Agents, tapes, LLM calls and runs. Errors are {code, message, details}.",
    )
    for prefix, router in mounted:
        built.add_router(prefix, router)
    for kind, answer in _ANSWERS.items():
        built.add_exception_handler(kind, answer)
    return built


def answer_error(
    status: int, code: str, message: str, details: dict[str, Any] | None = None
) -> HttpResponse:
    # Details quote the request, and somebody may have pasted a key into the wrong field.
    shown = json.loads(redact(json.dumps(details or {}, cls=NinjaJSONEncoder)))
    body = {"code": code, "message": redact(message), "details": shown}
    # RFC 9110, 11.6.1: a 401 answer must name the authentication scheme.
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    return JsonResponse(body, status=status, headers=headers)


def answer_studio_error(request: HttpRequest, error: StudioError) -> HttpResponse:
    return answer_error(error.status, error.code, error.message, error.details)


def answer_validation_error(request: HttpRequest, error: ValidationError) -> HttpResponse:
    problems = [
        {
            "where": ".".join(str(part) for part in problem.get("loc", ())),
            "message": str(problem.get("msg", "")),
        }
        for problem in error.errors[:_MAX_PROBLEMS]
    ]
    first = problems[0] if problems else {"where": "body", "message": "invalid"}
    if _is_mistyped_id(error):
        message = "The address contains an invalid id; check it for typing errors."
        return answer_error(422, "invalid_id", message, {"problems": problems})
    message = f"The request is invalid: {first['where']}: {first['message']}."
    return answer_error(422, "request_invalid", message, {"problems": problems})


def _is_mistyped_id(error: ValidationError) -> bool:
    """Return whether the first problem is an id in the address, which pages take from their own."""
    first = error.errors[0] if error.errors else {}
    return first.get("type") == "uuid_parsing" and first.get("loc", ("",))[0] in ("path", "query")


def answer_not_signed_in(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return answer_error(401, "not_signed_in", "You are not signed in; open /login/ first.")


def answer_http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    if isinstance(error.__cause__, HttpError):  # ninja hides why its parser rejected a body
        error = error.__cause__
    if error.status_code == HTTPStatus.FORBIDDEN and "CSRF" in str(error):
        return answer_error(403, "csrf_failed", CSRF_MESSAGE)
    code = _CODES.get(error.status_code, "http_error")
    return answer_error(error.status_code, code, str(error))


def answer_not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return answer_error(404, "not_found", "No page or API endpoint exists at this address.")


def answer_not_allowed(request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return answer_error(403, "not_allowed", "You are not allowed to do this.")


def answer_unreadable(request: HttpRequest, error: Exception) -> HttpResponse:
    return answer_error(400, "bad_request", "The request cannot be read.")


def answer_too_large(request: HttpRequest, error: Exception) -> HttpResponse:
    return answer_error(413, "too_large", "The request is too large; send files as an upload.")


def answer_file_error(request: HttpRequest, error: OSError) -> HttpResponse:
    if error.errno not in _FULL:
        return answer_unexpected(request, error)
    logger.error("%s %s: %s", request.method, request.path, error.strerror)
    return answer_error(NoSpaceError.status, NoSpaceError.code, TOO_LITTLE_SPACE)


def answer_database_error(request: HttpRequest, error: Exception) -> HttpResponse:
    if not is_unavailable(error):
        return answer_unexpected(request, error)
    log_unavailable(request, error)
    which_disk = explain_full_disk(error)
    if which_disk:
        return answer_error(NoSpaceError.status, NoSpaceError.code, which_disk)
    answer = answer_error(503, DatabaseUnusableError.code, GONE)
    answer["Retry-After"] = "5"
    return answer


def answer_unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    logger.error("%s %s failed", request.method, request.path, exc_info=error)
    message = "Something went wrong on the server; see its log for details."
    return answer_error(500, "internal_error", message)


_ANSWERS: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
    StudioError: answer_studio_error,
    ValidationError: answer_validation_error,
    AuthenticationError: answer_not_signed_in,
    HttpError: answer_http_error,
    Http404: answer_not_found,
    PermissionDenied: answer_not_allowed,
    RequestDataTooBig: answer_too_large,
    SuspiciousOperation: answer_unreadable,
    BadRequest: answer_unreadable,
    MultiPartParserError: answer_unreadable,
    UnreadablePostError: answer_unreadable,
    OSError: answer_file_error,
    DatabaseError: answer_database_error,
    InterfaceError: answer_database_error,
    Exception: answer_unexpected,
}

api = build_api([*tape_routers, *training_routers], namespace="api")
