"""What a provider's error means: its message, and the status that its code and type stand for."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

_MEANINGS = (
    (re.compile(r"insufficient_(quota|balance|credit|funds)|billing|payment_required"), 402),
    (re.compile(r"rate_?limit|too_many_requests|throttl|resource_exhausted|quota"), 429),
    (re.compile(r"^(tokens|requests)$"), 429),
    (re.compile(r"api_key|authentication|unauthenticated|unauthorized|invalid_token"), 401),
    (re.compile(r"permission|forbidden|access_denied"), 403),
    (re.compile(r"(model|deployment|resource)_not_found|^not_found"), 404),
    (re.compile(r"too_large|context_(length|window|size)|maximum_context|string_above_max"), 400),
    (re.compile(r"content_(policy|filter)|responsible_ai|safety"), 400),
    (re.compile(r"overloaded|unavailable|model_loading|capacity"), 503),
    (re.compile(r"timeout|timed_out|deadline_exceeded"), 408),
    (re.compile(r"^(internal_)?server_error|^internal|^api_error"), 500),
    (re.compile(r"bad_request|invalid_(?!response)|unsupported|unprocessable|validation"), 400),
    (re.compile(r"(missing|unknown)_(required_)?(parameter|argument|field)"), 400),
)
"""Words of codes and types, as `rate_limit_exceeded` or `RateLimitError`, and the status of each.
The first row that fits decides."""

_TELLING_MESSAGES = (
    (re.compile(r"request too large", re.IGNORECASE), 413),
    (re.compile(r"maximum context length|prompt is too long", re.IGNORECASE), 400),
    (re.compile(r"exceed[^.]{0,60}context (length|window|size)", re.IGNORECASE), 400),
    (re.compile(r"context (length|window|size)[^.]{0,60}exceed", re.IGNORECASE), 400),
    (re.compile(r"rate limit|too many requests", re.IGNORECASE), 429),
    (re.compile(r"(invalid|incorrect) api key", re.IGNORECASE), 401),
)
"""Messages that are clear whatever the code: they decide if it is missing, or asks to try again."""

_SPENT = _MEANINGS[0][0]
_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_STATUSES = range(400, 600)
_VAGUE_STATUSES = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN})
_WORD_KEYS = ("code", "status", "status_code", "type", "error_type")


@dataclass(frozen=True, slots=True)
class ProviderError:
    """An error as a provider reports it, in a refusal or within a stream."""

    message: str
    words: tuple[str, ...] = ()
    """Its code, status and type, in the order of their weight."""

    @classmethod
    def read(cls, payload: Any) -> Self | None:
        """Read the error in a JSON value; `None` if it is none.

        Providers send `{"error": {"message", "code", "type"}}`, `{"error": "text"}`, these fields
        themselves, or `{"detail": …}`; some put the error into a choice.
        """
        if not isinstance(payload, dict):
            return None
        choices = payload.get("choices") or ()
        error = payload.get("error") or (None if choices else _bare_error(payload))
        if not error:
            found = (
                cls.read({"error": one.get("error")}) for one in choices if isinstance(one, dict)
            )
            return next((one for one in found if one), None)
        fields = error if isinstance(error, dict) else {"message": error}
        given = [holder.get(name) for holder in (fields, payload) for name in _WORD_KEYS]
        words = tuple(str(one) for one in given if isinstance(one, str | int))
        return cls(_as_text(fields.get("message") or error), words)

    @property
    def is_quota_spent(self) -> bool:
        """Whether the account has no money left, which waiting does not change."""
        return any(_SPENT.search(_normalize(word)) for word in self.words)

    def status_within(self, http_status: int | None) -> int:
        """Return the status that the error stands for, received with an HTTP status or in a stream.

        A refusal keeps its status, unless its words say that it is a rate limit; a failure of the
        server does not, if its words say that the request is at fault. `http_status`: `None` in a
        stream, whose own status says nothing.
        """
        status = self._status_by_words(http_status)
        if status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return _meaning_of_message(self.message) or status
        return status

    def _status_by_words(self, http_status: int | None) -> int:
        named = next(self._statuses(), None)
        if http_status is None or named is None:
            return named or http_status or HTTPStatus.INTERNAL_SERVER_ERROR
        is_failure = http_status >= HTTPStatus.INTERNAL_SERVER_ERROR
        is_limit = named == HTTPStatus.TOO_MANY_REQUESTS and http_status in _VAGUE_STATUSES
        is_refusal = named < HTTPStatus.INTERNAL_SERVER_ERROR
        return named if is_limit or (is_failure and is_refusal) else http_status

    def _statuses(self) -> Iterator[int]:
        for word in self.words:
            if word.isascii() and word.isdigit():
                if int(word) in _STATUSES:
                    yield int(word)
                continue
            text = _normalize(word)
            yield from (status for pattern, status in _MEANINGS if pattern.search(text))


def _bare_error(payload: dict[str, Any]) -> Any:
    """Return the error in an object that has no `error`: no answer has these fields."""
    is_error = payload.get("object") == "error" or isinstance(payload.get("message"), str)
    return payload if is_error and payload.get("message") else payload.get("detail")


def _meaning_of_message(message: str) -> int | None:
    return next((status for known, status in _TELLING_MESSAGES if known.search(message)), None)


def _normalize(word: str) -> str:
    """Return a code as lower-case words: `RateLimitError` is `rate_limit_error`."""
    return re.sub(r"\W+", "_", _WORD_STARTS.sub("_", word)).lower()


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
