"""The server from its start to its end: one process, one folder, one address."""

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Iterator
from copy import deepcopy
from functools import partial

import torch
import uvicorn

from optimize_app.finetune.trainer.threads import limit_threads
from optimize_app.serving.server.app import ServerApp
from optimize_app.serving.server.chats import ChatDesk
from optimize_app.serving.server.config import ServerConfig
from optimize_app.serving.server.engine import Engine
from optimize_app.serving.server.errors import ServerFolderError
from optimize_app.serving.server.grammars import GrammarMaker
from optimize_app.serving.server.metrics import RequestFigures
from optimize_app.serving.server.model import BaseModel, load_base
from optimize_app.serving.server.prompts import PromptWriter
from optimize_app.serving.server.server_folder import ServerFolder
from optimize_app.serving.server.writing import Alphabet

log = logging.getLogger(__name__)

_LOOK_SECONDS = 0.25
"""How often the folder is checked for a request to stop."""


def serve(folder: ServerFolder, config: ServerConfig) -> bool:
    """Serve until somebody asks to stop; return whether it ended because it was asked to.

    Raises:
        ServerFolderError: its address is taken.
        StudioError: the base cannot be served.
    """
    threads = limit_threads()
    if config.threads is not None:
        torch.set_num_threads(config.threads)
    listener = _listen(config)
    with contextlib.closing(listener):
        base = load_base(config)
        logging.basicConfig(
            stream=sys.stdout, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s"
        )
        if config.threads is None:
            log.info(threads)
        log.info(
            "Loaded %s: %s on %s, %d tokens of context.",
            config.base, base.precision, base.device, base.max_context,
        )  # fmt: skip
        return asyncio.run(_Program(folder, config, base).run(listener))


def _listen(config: ServerConfig) -> socket.socket:
    """Bind the address before the base is loaded, so that a conflict is found immediately."""
    try:
        family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
        return socket.create_server((config.host, config.port), family=family, backlog=1024)
    except OSError as error:
        raise ServerFolderError(
            f"{config.host}:{config.port} cannot be used: {error.strerror or error}. Set "
            "port to 0 for any free one."
        ) from error


class _Program:
    def __init__(self, folder: ServerFolder, config: ServerConfig, base: BaseModel) -> None:
        self._folder = folder
        self._config = config
        self._figures = RequestFigures()
        name = config.base_name
        grammars = GrammarMaker(base.tokenizer, vocabulary=base.vocabulary, end_ids=base.end_ids)
        self._engine = Engine(base, config, _alphabet_of(base, grammars))
        desk = ChatDesk(
            name,
            folder.adapters,
            self._engine,
            PromptWriter(deepcopy(base.tokenizer), base.max_context),
            grammars,
            self._figures,
        )
        app = ServerApp(folder, config, name, self._engine, desk, self._figures)
        self._server = _Server(
            uvicorn.Config(
                app,
                lifespan="off",
                ws="none",
                access_log=False,
                log_config=None,
                server_header=False,
                timeout_graceful_shutdown=2,
            )
        )
        self._signalled = asyncio.Event()

    async def run(self, listener: socket.socket) -> bool:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._signalled.set)
        self._figures.last_asked = loop.time()
        self._engine.start()
        host, port = listener.getsockname()[:2]
        self._server.on_started = partial(self._announce, host, port)
        watching = asyncio.create_task(self._watch())
        try:
            await self._server.serve([listener])
            await watching
        finally:
            watching.cancel()
            self._folder.address_file.unlink(missing_ok=True)
            self._folder.stop_file.unlink(missing_ok=True)  # the request was obeyed
            self._engine.close()
        return not self._engine.is_broken

    def _announce(self, host: str, port: int) -> None:
        self._folder.write_address(host, port)
        log.info("Answering on http://%s:%d/v1.", host, port)

    async def _watch(self) -> None:
        """Wait for a reason to end; then let answers finish for a while, and end."""
        while (reason := self._find_reason()) is None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._signalled.wait(), _LOOK_SECONDS)
        log.info("%s Ending.", reason)
        self._folder.address_file.unlink(missing_ok=True)
        await asyncio.to_thread(self._engine.drain, self._config.grace_seconds)
        await asyncio.to_thread(self._engine.close)
        self._server.should_exit = True

    def _find_reason(self) -> str | None:
        if self._signalled.is_set():
            return "The process was asked to end."
        if self._engine.is_broken:
            return "The engine broke."
        now = asyncio.get_running_loop().time()
        if self._engine.running or self._engine.waiting:
            self._figures.last_asked = now
        return self._folder.find_reason_to_stop(self._config, now - self._figures.last_asked)


class _Server(uvicorn.Server):
    """uvicorn without its signal handling, reporting when it is ready."""

    on_started = staticmethod(lambda: None)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.on_started()


def _alphabet_of(base: BaseModel, grammars: GrammarMaker) -> Alphabet:
    tokenizer = base.tokenizer
    return Alphabet(
        decode=lambda ids: str(tokenizer.decode(list(ids), skip_special_tokens=True)),
        write=lambda token: str(tokenizer.decode([token])),
        write_bytes=grammars.token_bytes,
        end_ids=frozenset(base.end_ids),
    )
