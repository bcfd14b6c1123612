"""The routes: the list of models, health, metrics and chat completions."""

import hmac
import logging
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from optimize_app.serving.server.adapters import list_adapters
from optimize_app.serving.server.answers import write_error
from optimize_app.serving.server.chats import ChatDesk
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.engine import Engine
from optimize_app.serving.server.errors import KeyRefusedError, UnknownPathError
from optimize_app.serving.server.http import (
    ClientDisconnectedError,
    Receive,
    Scope,
    Send,
    answer,
    answer_json,
    read_body,
    read_header,
)
from optimize_app.serving.server.metrics import MEDIA_TYPE, RequestFigures, write_metrics
from optimize_app.serving.server.requests import parse_chat_request
from optimize_app.serving.server.server_folder import ServerFolder
from tapes_app.engine.errors import StudioError

log = logging.getLogger(__name__)

Route = Callable[[Receive, Send], Awaitable[None]]


class ServerApp:
    """An ASGI application; a `StudioError` becomes an answer in OpenAI's format."""

    def __init__(
        self, folder: ServerFolder, config: ServerConfig, base_name: str, engine: Engine,
        desk: ChatDesk, figures: RequestFigures,
    ) -> None:  # fmt: skip
        self._folder = folder
        self._config = config
        self._base_name = base_name
        self._engine = engine
        self._desk = desk
        self._figures = figures
        self._started = int(time.time())
        self._routes: dict[tuple[str, str], Route] = {
            ("GET", "/health"): self._health,
            ("GET", "/metrics"): self._metrics,
            ("GET", "/v1/models"): self._models,
            ("POST", "/v1/chat/completions"): self._chat,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # uvicorn sends nothing else that we have declared
            return
        try:
            route = self._routes.get((scope["method"], scope["path"]))
            if scope["path"] != "/health":
                self._check_key(scope)
            if route is None:
                raise UnknownPathError(
                    f"Nothing answers {scope['method']} {scope['path']}; send chats with "
                    "POST /v1/chat/completions."
                )
            await route(receive, send)
        except StudioError as error:
            headers = {"retry_after": "1"} if error.status in _AGAIN else {}
            await answer_json(send, write_error(error), status=error.status, **headers)
        except ClientDisconnectedError:
            log.info("A client left before its request was read.")

    def _check_key(self, scope: Scope) -> None:
        wanted = self._config.api_key
        if wanted is None:
            return
        scheme, _, given = read_header(scope, "authorization").partition(" ")
        same = hmac.compare_digest(given.strip().encode(), wanted.encode())
        if scheme.lower() != "bearer" or not same:
            raise KeyRefusedError("This server requires its key: Authorization: Bearer KEY.")

    async def _health(self, _receive: Receive, send: Send) -> None:
        alive = not self._engine.is_broken
        status = HTTPStatus.OK if alive else HTTPStatus.SERVICE_UNAVAILABLE
        await answer_json(send, {"status": "ok" if alive else "failed"}, status=status)

    async def _metrics(self, _receive: Receive, send: Send) -> None:
        text = write_metrics(self._figures, self._engine)
        await answer(send, text.encode(), media_type=MEDIA_TYPE)

    async def _models(self, _receive: Receive, send: Send) -> None:
        common = {"object": "model", "created": self._started, "owned_by": "tape-studio"}
        base = {"id": self._base_name, **common, "root": self._config.base, "parent": None}
        adapters = [
            {"id": name, **common, "root": str(folder), "parent": self._base_name}
            for name, folder in list_adapters(self._folder.adapters).items()
            if name != self._base_name
        ]
        await answer_json(send, {"object": "list", "data": [base, *adapters]})

    async def _chat(self, receive: Receive, send: Send) -> None:
        request = parse_chat_request(await read_body(receive))
        await self._desk.answer(request, receive, send)


_AGAIN = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
