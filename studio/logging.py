"""Logging: one line per event on standard error, without secrets."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, Literal

from tapes_app.engine.redaction import redact
from tapes_app.jobs.domain.current import current_job

Format = Literal["text", "json"]

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request being answered; empty outside of one."""


class RedactingFormatter(logging.Formatter):
    """Formats the complete record, including the traceback, and then removes the secrets.

    A filter would only see the message, but tracebacks of HTTP clients quote headers.
    """

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time, level, logger, message, and the request or job."""

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
    """Leaves 503 out: `/healthz` answers it while the studio starts, and that is no error."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != HTTPStatus.SERVICE_UNAVAILABLE


class ForeignHosts(logging.Filter):
    """Leaves one line of a request for another host: scanners send many, and no code failed."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True


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
        "filters": {
            "expected_answers": {"()": "studio.logging.ExpectedAnswers"},
            "foreign_hosts": {"()": "studio.logging.ForeignHosts"},
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "json" if form == "json" else "line",
            }
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.request": {"level": "ERROR", "filters": ["expected_answers"]},
            "django.security.DisallowedHost": {"filters": ["foreign_hosts"]},
            "django.channels.server": {"level": "WARNING"},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "ERROR"},  # it warns that a folder has no host name
            "psycopg.pool": {"level": "ERROR"},  # callers get a sentence
            "httpx": {"level": "WARNING"},
            "LiteLLM": {"level": "WARNING"},
            "uvicorn": {"level": "WARNING"},
            "axes": {"level": "WARNING"},
            # A tool's failure is on the tape, where the agent and the person read it.
            "tapes_app.engine.environment.tool_environment": {"level": "WARNING"},
        },
    }
