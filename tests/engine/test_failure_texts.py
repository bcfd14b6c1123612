"""Texts of tools that report a failure are found in many languages, and others are left alone."""

import json

import pytest

from tapes_app.engine.tape.failure_texts import reports_failure
from tapes_app.engine.tape.families import is_error_step

FAILURES = [
    "Error: TimeoutError: page.goto: Timeout 30000ms exceeded.",
    "TimeoutError: page.click: Timeout 5000ms exceeded",
    "error: pathspec 'main' did not match any file(s) known to git",
    "fatal: not a git repository (or any of the parent directories): .git",
    "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin",
    "error[E0308]: mismatched types",
    "thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds",
    "panic: runtime error: invalid memory address or nil pointer dereference",
    "Uncaught TypeError: Cannot read properties of undefined (reading 'map')",
    'Exception in thread "main" java.lang.NullPointerException',
    "java.lang.IllegalStateException: closed",
    "System.InvalidOperationException: Sequence contains no elements",
    "requests.exceptions.ConnectionError: Max retries exceeded",
    "openai.RateLimitError: Error code: 429",
    'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no',
    "step 1 done\nTraceback (most recent call last):\n  File \"a.py\"\nKeyError: 'b'",
    "bash: line 1: pytets: command not found",
    "/bin/sh: 1: node: Permission denied",
    "ls: cannot access 'data': No such file or directory",
    "cat: /etc/shadow: Permission denied",
    "curl: (6) Could not resolve host: example.invalid",
    "'pyhton' is not recognized as an internal or external command,",
    "npm ERR! code ENOENT",
    'ERROR:  relation "orders" does not exist',
    "ERROR 1146 (42S02): Table 'shop.orders' doesn't exist",
    "ORA-00942: table or view does not exist",
    "SQLSTATE[42S02]: Base table or view not found",
    "sqlite3.OperationalError: no such table: orders",
    "HTTP/1.1 503 Service Unavailable",
    "HTTP 404",
    "404 Not Found",
    "500 Server Error: Internal Server Error for url: /orders",
    "exitcode: 1 (execution failed)\nCode output: …",
    "Command failed with exit code 2",
    "Process exited with code 137",
    "Segmentation fault (core dumped)",
    "An error occurred while calling the tool.",
    "Error executing tool search: missing key",
    "Failed to fetch the page: it does not answer.",
    "Tool 'lookup' not found",
    "Request timed out after 30 s",
    "Access denied for user 'shop'",
    "Fehler: Datei nicht gefunden",
    "Erreur : fichier introuvable",
    "Ошибка: файл не найден",
    "错误\uff1a找不到文件",
    "エラー: ファイルが見つかりません",
    "오류: 파일을 찾을 수 없습니다",
    '{"error": {"code": 404, "message": "no such order"}}',
    '{"success": false, "reason": "closed"}',
    '{"status": "error"}',
]
RESULTS = [
    "",
    "42",
    "The error rate fell to 2 % in May.",
    "Errors in the proof of 1898 were found by Hilbert.",
    "Error handling in Rust\nRust groups errors into two kinds.",
    "errors: 0, warnings: 2",
    "Error: 0",
    "error: none",
    "3 passed, 1 failed: see the report",
    "Query results: 3 failed tests",
    "Failure is not an option (film, 2003)",
    "# errors.py\nclass ParseError(Exception): ...",
    "exit code: 0",
    "exitcode: 0 (execution succeeded)\nCode output: 7",
    "HTTP 200 OK",
    "2024-12-19 INFO started\n2024-12-19 ERROR one request failed\n2024-12-19 INFO stopped",
    "How to read a traceback\n\nTraceback (most recent call last)\n\nis its first line.",
    "Permission slips are due on Friday.",
    "Fatalities fell.",
    '{"error": null, "result": 3}',
    '{"errors": [], "data": {"id": 1}}',
    '{"success": true}',
    '{"error": "half a document',
]


@pytest.mark.parametrize("text", FAILURES)
def test_a_tool_that_failed_is_found_by_its_text(text: str) -> None:
    assert reports_failure(text)
    assert reports_failure([{"type": "text", "text": text}])
    assert is_error_step({"kind": "tool", "content": text}, "observation")
    assert is_error_step({"kind": "page_observation", "text": text}, "observation")


@pytest.mark.parametrize("text", RESULTS)
def test_a_result_that_mentions_an_error_is_none(text: str) -> None:
    assert not reports_failure(text)
    assert not is_error_step({"kind": "tool", "content": text}, "observation")


@pytest.mark.parametrize(
    ("kind", "family"),
    [("user", "observation"), ("assistant", "action"), ("plan_thought", "thought")],
)
def test_what_a_person_or_an_agent_writes_is_not_read_for_failures(kind: str, family: str) -> None:
    assert not is_error_step({"kind": kind, "content": FAILURES[0]}, family)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    [json.loads('{"isError": true, "content": []}'), {"ok": False}, {"errors": [{"code": 1}]}],
)
def test_an_object_reports_its_failure_by_the_usual_fields(value: object) -> None:
    assert reports_failure(value)


def test_long_and_odd_texts_are_read_too() -> None:
    for text in ("a." * 500_000, "Err" * 500_000, "\n" * 1_000_000, "a: " * 300_000, "{" * 10_000):
        assert not reports_failure(text)
