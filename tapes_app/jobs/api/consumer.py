"""The websocket of one job: its address, who may listen, from which number, and what is sent."""

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from asgiref.typing import WebSocketSendEvent
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import URLPattern, path

from tapes_app.jobs.domain.protocol import (
    CLOSE_BAD_REQUEST,
    CLOSE_NOT_ALLOWED,
    CLOSE_NOT_FOUND,
    CLOSE_NOT_SIGNED_IN,
    CLOSE_TOO_SLOW,
    LARGEST_SEQ,
    Hello,
    encode_control,
)
from tapes_app.jobs.services.stream import LeftError, Subscription, TooSlowError, get_hub
from tapes_app.jobs.store.log import find_visible_head


class JobConsumer(AsyncWebsocketConsumer):
    """Sends a job's events after the number that the browser asks for, then new ones."""

    _subscription: Subscription | None = None
    _sender: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        # Accepted first: browsers only see the close code of a connection that was open.
        await self.accept()
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            await self.close(CLOSE_NOT_SIGNED_IN)
            return
        after = _parse_after(self.scope["query_string"])
        if after is None:
            await self.close(CLOSE_BAD_REQUEST)
            return
        job_id: UUID = self.scope["url_route"]["kwargs"]["job_id"]
        project: Any = self.scope.get("project")
        head = await database_sync_to_async(find_visible_head)(user.pk, job_id, project)
        if head is None:
            await self.close(CLOSE_NOT_FOUND)
            return
        hello = Hello(
            job_id=job_id,
            state=head.state,
            last_seq=head.last_seq,
            pruned_seq=head.pruned_seq,
            sent_at=datetime.now(UTC),
        )
        await self.send(encode_control(hello))
        # A number from the future (another database) would wait forever: start from the end.
        self._subscription = get_hub().subscribe(
            job_id, after=min(after, head.last_seq), user_id=user.pk
        )
        self._sender = asyncio.get_running_loop().create_task(self._send_all(self._subscription))

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Ignore what the browser sends: commands go over HTTP."""

    async def disconnect(self, code: int) -> None:
        if self._subscription is not None:
            get_hub().unsubscribe(self._subscription)
        if self._sender is not None and self._sender is not asyncio.current_task():
            self._sender.cancel()
            with suppress(asyncio.CancelledError):
                await self._sender

    async def _send_all(self, subscription: Subscription) -> None:
        """Send in a separate task per socket, so that a slow browser delays nobody."""
        try:
            while True:
                for frame in await subscription.next_frames():
                    event: WebSocketSendEvent = {
                        "type": "websocket.send",
                        "bytes": None,
                        "text": frame,
                    }
                    await self.base_send(event)
        except LeftError:
            await self.close(CLOSE_NOT_ALLOWED)
        except TooSlowError:
            await self.close(CLOSE_TOO_SLOW)
        except (OSError, RuntimeError):
            # The browser is gone; the server calls `disconnect` when it notices.
            get_hub().unsubscribe(subscription)


def _parse_after(query: bytes) -> int | None:
    values: dict[str, Any] = parse_qs(query.decode("latin1"))
    text = values.get("after", ["0"])[-1]
    if not text.isascii() or not text.isdigit() or len(text) > 19:  # noqa: PLR2004
        return None
    return min(int(text), LARGEST_SEQ)


websocket_urlpatterns: list[URLPattern] = [
    # Channels routes ASGI applications by Django's paths; Django's types only allow views.
    path("ws/jobs/<uuid:job_id>", JobConsumer.as_asgi()),  # type: ignore[arg-type]
]
