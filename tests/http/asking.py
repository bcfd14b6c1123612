"""Asking the API as a page does: JSON there, JSON back, and the status that is expected."""

import json
from typing import Any

from django.test import Client

REPLACE = {"op": "replace", "position": 1, "step": {"kind": "assistant", "content": "better"}}


def call(client: Client, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
    content = "" if body is None else json.dumps(body)
    answer = client.generic(method, f"/api/v1/{path}", content, content_type="application/json")
    assert answer.status_code == expect, answer.content
    return answer.json() if answer.content else None


def put_draft(client: Client, tape: Any, *operations: Any, version: int = 0) -> Any:
    body = {
        "version": version,
        "operations": list(operations),
        "applied_count": len(operations),
    }
    return call(client, "PUT", f"tapes/{tape}/draft", body)
