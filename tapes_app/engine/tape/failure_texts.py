"""Which texts of tools report a failure, when nothing but the text says so.

A text counts by how it begins, or by the traceback that it ends with: a page, a log or a file that
mentions an error somewhere is no failure of the tool that read it.
"""

import json
import re
from typing import Any

_LONGEST_START = 300
_LONGEST_JSON = 20_000
_COLON = r"\s*[:\uff1a](?!\s*(?:0|none|null|false)\b)"
"""Also the wide one; a count of errors may be none."""

_TRACEBACK = "Traceback (most recent call last)"

# "Error", "TypeError", "java.lang.IllegalStateException", "requests.exceptions.Timeout" and alike.
_CLASS = r"(?:[\w$]+[.:\\]{1,2})*[\w$]*(?:Error|Exception|Timeout|Failure|Fault)"
_TRANSLATED = (  # "error" as messages begin with it
    r"Fehler|Erreur|Errore|Erro|Fout|Fel|Feil|Fejl|Virhe|Błąd|Chyba|Hiba|Hata|Eroare|Ошибка|Помилка"
    r"|Σφάλμα|خطأ|שגיאה|त्रुटि|错误|錯誤|エラー|오류|Lỗi|Galat|Kesalahan"
)
_EXACT_STARTS = (
    # Error: …, TimeoutError: …, Uncaught TypeError: …, openai.RateLimitError: …
    rf"(?:Uncaught |Unhandled )?{_CLASS}(?: ?[\[(][\w ./:-]{{1,60}}[\])])?{_COLON}",
    re.escape(_TRACEBACK),
    r"thread '[^']*' (?:\(\d+\) )?panicked at |goroutine \d+ \[running\]|Exception in thread ",
    r"npm (?:ERR!|error\b)|curl: \(\d+\)|wget: |ssh: (?:connect|[Cc]ould not)",
    r"ORA-\d{5}\b|SQLSTATE\[|ERROR \d{4} \(",
    r"Segmentation fault|Bus error|Out of memory\b|Killed$",
    r"'[^']{1,60}' is not recognized as an internal or external command",
)
_STARTS = (
    # error: …, [ERROR] …, fatal error: …, error[E0308]: …
    r"(?:fatal |internal |runtime |syntax |tool |execution |parse )?(?:error|failure)(?:\[\w+\])?"
    rf"{_COLON}",
    r"[\[(](?:error|fatal|failed|failure)[\])]",
    r"(?:fatal|panic|critical|exception|aborted)\s*:",
    rf"(?:{_TRANSLATED}){_COLON}",
    # bash: line 1: foo: command not found; ls: cannot access 'x': No such file or directory
    r"[\w./+-]{1,40}: (?:line \d+: )?.{0,160}?(?:command not found|no such file or directory"
    r"|permission denied|cannot (?:access|open|stat|create|remove)|(?:is|not) a directory"
    r"|could not resolve host|connection refused|unrecognized (?:option|arguments)|invalid option"
    r"|operation not permitted)",
    r"HTTP(?:/[\d.]+)?(?: error| status)?:? ?[45]\d\d\b|[45]\d\d (?:Client|Server) Error",
    r"(?:400 Bad Request|401 Unauthorized|403 Forbidden|404 Not Found|408 Request Timeout"
    r"|409 Conflict|422 Unprocessable|429 Too Many Requests|500 Internal Server Error"
    r"|502 Bad Gateway|503 Service Unavailable|504 Gateway Timeout)\b",
    r"(?:process |command |script )?(?:exited|failed|finished) with (?:a )?(?:non-zero )?"
    r"(?:exit )?(?:code|status):? -?[1-9]",
    r"(?:exit|return) ?code:? -?[1-9]\d*\b",
    r"(?:an |the following )?(?:unexpected |unknown |internal )?error "
    r"(?:occurred|while|when|executing|calling|running|invoking|in tool)",
    r"(?:failed|unable) to [a-z]+ ",
    r"(?:tool|function|command|request|query|call|execution|operation|connection)"
    r"(?: ['\"`]?[\w./-]{1,60}['\"`]?){0,3} (?:failed|timed out|was refused|not found"
    r"|does not exist|could not be (?:run|executed|found))\b",
    r"(?:the (?:request|operation|command|tool) )?(?:timed out|timeout) (?:after|waiting|while)",
    r"(?:access|permission) (?:is )?denied|unauthorized\b"
    r"|no such (?:tool|function|file|table|column)\b",
)
_EXACT_START = re.compile("|".join(_EXACT_STARTS))
_START = re.compile("|".join(_STARTS), re.IGNORECASE)
_LAST_OF_TRACEBACK = re.compile(rf"{_CLASS}\b")


def reports_failure(content: Any) -> bool:
    """Return whether what a tool gave back says that it failed: a text, its parts, or an object."""
    if isinstance(content, dict):
        return _is_failed_object(content)
    if isinstance(content, list):
        parts = [one.get("text") for one in content if isinstance(one, dict)]
        return len(parts) == len(content) > 0 and reports_failure(parts[0])
    return isinstance(content, str) and _is_failed_text(content)


def _is_failed_object(value: dict[str, Any]) -> bool:
    """`{"error": "…"}`, `{"isError": true}`, `{"success": false}`, `{"status": "error"}`."""
    error = value.get("error") or value.get("errors")
    if isinstance(error, str | dict | list) or error is True:
        return bool(error)
    if value.get("isError") is True or value.get("is_error") is True:
        return True
    if value.get("success") is False or value.get("ok") is False:
        return True
    return str(value.get("status", "")).lower() in {"error", "failed", "failure"}


def _is_failed_text(text: str) -> bool:
    start = text[:_LONGEST_START].lstrip()
    if not start:
        return False
    if start[0] == "{" and len(text) <= _LONGEST_JSON:
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if isinstance(found, dict):
            return _is_failed_object(found)
    line = start.partition("\n")[0].strip()
    if _EXACT_START.match(line) or _START.match(line):
        return True
    return _ends_with_traceback(text)


def _ends_with_traceback(text: str) -> bool:
    if _TRACEBACK not in text:
        return False
    last = text.rstrip().rpartition("\n")[2][:_LONGEST_START]
    return _LAST_OF_TRACEBACK.match(last) is not None
