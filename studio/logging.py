"""Logging: one line per event on standard error, without secrets."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Literal

from tapes_app.engine.redaction import redact
from tapes_app.jobs.current import current_job

Format = Literal["text", "json"]

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is being answered; empty outside of one."""


class RedactingFormatter(logging.Formatter):
    """Formats the whole record, traceback included, and then takes the secrets out.

    A filter would see the message only; tracebacks of HTTP clients quote headers.
    """

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line: when, how bad, who says it, what, and of which request or job."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": redact(record.getMessage()),
        }
        if request_id.get():
            line["request_id"] = request_id.get()
        if job := current_job.get():
            line["job_id"] = job
        for name in ("method", "path", "status", "milliseconds"):
            if hasattr(record, f"http_{name}"):
                line[name] = _plain(getattr(record, f"http_{name}"))
        if record.exc_info:
            line["exception"] = redact(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=True, default=str)


def _plain(value: object) -> object:
    return redact(value) if isinstance(value, str) else value


class ExpectedAnswers(logging.Filter):
    """Leaves 503 out: `/healthz` answers it while things start, and that is no error."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != HTTPStatus.SERVICE_UNAVAILABLE


def build_logging(level: str, form: Format = "text") -> dict[str, Any]:
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": "studio.logging.RedactingFormatter",
                "format": "{asctime} {levelname} {name}: {message}",
                "style": "{",
            },
            "json": {"()": "studio.logging.JsonFormatter"},
        },
        "filters": {"expected_answers": {"()": "studio.logging.ExpectedAnswers"}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json" if form == "json" else "line",
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.request": {"level": "ERROR", "filters": ["expected_answers"]},
            "django.channels.server": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "ERROR"},  # it warns that a folder has no host name
            "psycopg.pool": {"level": "ERROR"},  # who asks is told, in a sentence
            "httpx": {"level": "WARNING"},
            "LiteLLM": {"level": "WARNING"},
            "uvicorn": {"level": "WARNING"},
            "axes": {"level": "WARNING"},
            # How a tool failed stands on the tape, where the agent and the person read it.
            "tapes_app.engine.tool_environment": {"level": "WARNING"},
        },
    }
