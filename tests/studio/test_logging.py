"""Secrets never reach the log."""

import logging
import sys

import pytest

from studio.logging import RedactingFormatter
from tapes_app.engine.redaction import redact, register_secret


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
