"""Logging: one line per event on standard error, without secrets."""

import logging
from http import HTTPStatus
from typing import Any

from tapes_app.engine.redaction import redact


class RedactingFormatter(logging.Formatter):
    """Formats the whole record, traceback included, and then takes the secrets out.

    A filter would see the message only; tracebacks of HTTP clients quote headers.
    """

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class ExpectedAnswers(logging.Filter):
    """Leaves 503 out: `/healthz` answers it while things start, and that is no error."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != HTTPStatus.SERVICE_UNAVAILABLE


def build_logging(level: str) -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": "studio.logging.RedactingFormatter",
                "format": "{asctime} {levelname} {name}: {message}",
                "style": "{",
            }
        },
        "filters": {"expected_answers": {"()": "studio.logging.ExpectedAnswers"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.request": {"level": "ERROR", "filters": ["expected_answers"]},
            "django.channels.server": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "ERROR"},  # it warns that a folder has no host name
            "httpx": {"level": "WARNING"},
            "LiteLLM": {"level": "WARNING"},
            "uvicorn": {"level": "WARNING"},
            # How a tool failed stands on the tape, where the agent and the person read it.
            "tapes_app.engine.tool_environment": {"level": "WARNING"},
        },
    }
