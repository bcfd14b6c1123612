"""Secrets never reach the log."""

import json
import logging
import sys

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from studio.logging import JsonFormatter, RedactingFormatter, request_id
from tapes_app.engine.redaction import redact, register_secret
from tapes_app.jobs.domain.current import current_job


@pytest.mark.parametrize(
    "text",
    [
        "key sk-proj-abcdefghijklmnopqrstuvwx",
        "Authorization: Bearer abcdefghijklmnop.qrst",
        "postgresql://studio:correct-horse@db/studio",
        "hf_abcdefghijklmnopqrstuvwxyz",
    ],
)
def test_what_looks_like_a_secret_is_taken_out(text: str) -> None:
    cleaned = redact(text)

    assert "[redacted]" in cleaned
    assert not {"abcdefghijklmnop", "correct-horse"} & set(cleaned.replace(":", " ").split())


@pytest.mark.parametrize("text", ["a task-force", "sk-8", "http://localhost:8700/tapes", "Bearer"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_a_registered_secret_is_taken_out_of_tracebacks_too() -> None:
    register_secret("plain-looking-passphrase")
    try:
        raise ValueError("refused: plain-looking-passphrase")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "failed", None, sys.exc_info())

    line = RedactingFormatter("%(message)s").format(record)

    assert "plain-looking-passphrase" not in line
    assert "ValueError: refused: [redacted]" in line


def a_record(message: str, **extra: object) -> logging.LogRecord:
    record = logging.LogRecord("studio.x", logging.ERROR, "x.py", 1, message, None, None)
    vars(record).update(extra)
    return record


def test_a_line_of_json_says_of_which_request_and_job_it_is() -> None:
    about_request, about_job = request_id.set("abc"), current_job.set("0190a5c4")
    line = json.loads(JsonFormatter().format(a_record("one\nline", http_status=404)))
    request_id.reset(about_request)
    current_job.reset(about_job)

    assert line["message"] == "one\nline"
    assert (line["level"], line["logger"]) == ("ERROR", "studio.x")
    assert (line["request_id"], line["job_id"], line["status"]) == ("abc", "0190a5c4", 404)
    assert line["time"].endswith("+00:00")


def test_a_line_of_json_is_one_line_without_secrets_and_says_no_more_than_it_knows() -> None:
    try:
        raise ValueError("Authorization: Bearer abcdefghijklmnop.qrst")
    except ValueError:
        record = a_record("key sk-proj-abcdefghijklmnopqrstuvwx", exc_info=sys.exc_info())

    text = JsonFormatter().format(record)

    assert "\n" not in text
    assert "abcdefghijklmnop" not in text
    assert "ValueError" in json.loads(text)["exception"]
    assert not {"request_id", "job_id", "status"} & set(json.loads(text))


def test_a_request_for_another_host_is_one_line(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.get("/tapes", headers={"host": "evil.example"})

    assert answer.status_code == 400
    [line] = [
        record for record in caplog.records if record.name == "django.security.DisallowedHost"
    ]
    assert "evil.example" in line.getMessage()
    assert not line.exc_info


def test_an_answer_names_its_request(client: Client) -> None:
    own = client.get("/static/nope.js", headers={"X-Request-ID": "of-the-proxy.1"})
    bad = client.get("/static/nope.js", headers={"X-Request-ID": "two\twords"})

    assert own.headers["X-Request-ID"] == "of-the-proxy.1"
    assert len(bad.headers["X-Request-ID"]) == 16


def test_each_request_is_a_line_where_the_log_is_json(
    client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="studio.requests")
    client.get("/static/plain.js")
    settings.STUDIO_LOG_FORMAT = "json"

    client.get("/static/nope.js?token=hidden")

    (line,) = [
        json.loads(JsonFormatter().format(one))
        for one in caplog.records
        if one.name == "studio.requests"
    ]
    assert (line["method"], line["path"], line["status"]) == ("GET", "/static/nope.js", 404)
    assert "hidden" not in json.dumps(line)
