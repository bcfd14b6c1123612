"""A websocket client that talks to the application without a network."""

import json
from typing import Any
from uuid import UUID

from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter

from tapes_app.jobs.api.consumer import websocket_urlpatterns


class Socket(ApplicationCommunicator):
    """One browser's connection to one job."""

    def __init__(self, job_id: UUID, user: Any, query: str = "") -> None:
        scope = {
            "type": "websocket",
            "path": f"/ws/jobs/{job_id}",
            "query_string": query.removeprefix("?").encode(),
            "headers": [],
            "user": user,
        }
        # The stubs of Django and Channels disagree about what an address may lead to.
        super().__init__(URLRouter(websocket_urlpatterns), scope)  # type: ignore[arg-type]

    async def connect(self) -> None:
        await self.send_input({"type": "websocket.connect"})
        assert (await self.receive_output(10))["type"] == "websocket.accept"

    async def read(self, count: int) -> list[dict[str, Any]]:
        return [json.loads((await self.receive_output(10))["text"]) for _ in range(count)]

    async def read_close_code(self) -> int:
        message = await self.receive_output(10)
        assert message["type"] == "websocket.close"
        return int(message["code"])

    async def disconnect(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(10)
