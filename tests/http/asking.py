"""Requests to the API as a page sends them: JSON both ways, and an expected status."""

import json
from collections.abc import AsyncIterator
from typing import Any

from asgiref.sync import async_to_sync
from django.test import Client

REPLACE = {"op": "replace", "position": 1, "step": {"kind": "assistant", "content": "better"}}


def call(client: Client, method: str, path: str, body: Any = None, expect: int = 200) -> Any:
    content = "" if body is None else json.dumps(body)
    answer = client.generic(method, f"/api/v1/{path}", content, content_type="application/json")
    assert answer.status_code == expect, answer.content
    return answer.json() if answer.content else None


def read_stream(answer: Any) -> bytes:
    """Return the complete body of a streamed answer."""

    async def read(pieces: AsyncIterator[bytes]) -> bytes:
        return b"".join([piece async for piece in pieces])

    return async_to_sync(read)(answer.streaming_content)


def put_draft(client: Client, tape: Any, *operations: Any, version: int = 0) -> Any:
    body = {
        "version": version,
        "operations": list(operations),
        "applied_count": len(operations),
    }
    return call(client, "PUT", f"tapes/{tape}/draft", body)
