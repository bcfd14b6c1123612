"""Minimal HTTP over ASGI, for three routes: a body, an answer, a stream, a client that left."""

import json
from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

from optimize_app.serving.server.errors import BodyTooLargeError

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LARGEST_BODY = 32 * 1024 * 1024
JSON = "application/json"


class ClientDisconnectedError(Exception):
    """The client hung up."""


async def read_body(receive: Receive) -> bytes:
    """Return the body of a request.

    Raises:
        BodyTooLargeError: it is longer than the limit.
        ClientDisconnectedError: the client left before its end.
    """
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnectedError
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST_BODY:
            raise BodyTooLargeError(
                f"The request is longer than {LARGEST_BODY // 1024**2} MiB; shorten the messages."
            )
        if not message.get("more_body"):
            return b"".join(parts)


async def wait_for_disconnect(receive: Receive) -> None:
    """Return when the client hangs up or its request has been answered."""
    while (await receive())["type"] != "http.disconnect":
        pass


def read_header(scope: Scope, name: str) -> str:
    wanted = name.lower().encode()
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == wanted), "")


async def start(send: Send, status: int, media_type: str, **headers: str) -> None:
    named = {"content-type": media_type, **{k.replace("_", "-"): v for k, v in headers.items()}}
    await send(
        {
            "type": "http.response.start",
            "status": int(status),
            "headers": [(key.encode(), value.encode()) for key, value in named.items()],
        }
    )


async def answer(
    send: Send, body: bytes, *, status: int = HTTPStatus.OK, media_type: str = JSON, **headers: str
) -> None:
    await start(send, status, media_type, content_length=str(len(body)), **headers)
    await send({"type": "http.response.body", "body": body})


async def answer_json(
    send: Send, value: Any, *, status: int = HTTPStatus.OK, **headers: str
) -> None:
    await answer(send, dump(value), status=status, **headers)


async def start_events(send: Send) -> None:
    """Begin a stream of server-sent events."""
    await start(send, HTTPStatus.OK, "text/event-stream; charset=utf-8", cache_control="no-cache")


async def send_event(send: Send, value: Any) -> None:
    await send(
        {"type": "http.response.body", "body": b"data: " + dump(value) + b"\n\n", "more_body": True}
    )


async def end_events(send: Send) -> None:
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


def dump(value: Any) -> bytes:
    """Return JSON in ASCII: a text may contain lone surrogates, which UTF-8 cannot encode."""
    return json.dumps(value).encode()
