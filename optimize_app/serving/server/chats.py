"""A chat completion: a request becomes asks for the engine, whose events go to the client."""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path

from optimize_app.serving.server.adapters import FoundAdapter, find_adapter
from optimize_app.serving.server.answers import Answer, AnswerWriter, write_error
from optimize_app.serving.server.asks import Ask, Ended, Event, Failed, Sampled
from optimize_app.serving.server.engine import Engine
from optimize_app.serving.server.grammars import GrammarMaker, TokenGrammar
from optimize_app.serving.server.http import (
    ClientDisconnectedError,
    Receive,
    Send,
    answer_json,
    end_events,
    send_event,
    start_events,
    wait_for_disconnect,
)
from optimize_app.serving.server.metrics import RequestFigures
from optimize_app.serving.server.prompts import PromptWriter
from optimize_app.serving.server.requests import ChatRequest
from tapes_app.engine.errors import StudioError

log = logging.getLogger(__name__)

EventQueue = asyncio.Queue[tuple[int, Event] | None]
"""The index of an answer, and an event of it; None: the client left."""


class ChatDesk:
    """Passes requests to the engine and sends its events back to the clients."""

    def __init__(
        self, base_name: str, adapters: Path, engine: Engine, prompts: PromptWriter,
        grammars: GrammarMaker, figures: RequestFigures,
    ) -> None:  # fmt: skip
        self._base_name = base_name
        self._adapters = adapters
        self._engine = engine
        self._prompts = prompts
        self._grammars = grammars
        self._figures = figures
        # A long prompt or a large schema must not delay the streams of others.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="prompts")

    async def answer(self, request: ChatRequest, receive: Receive, send: Send) -> None:
        """Answer a request to its end.

        Raises:
            StudioError: it is refused before anything was sent.
        """
        exchange = _Exchange(self._figures, request.model)
        try:
            await self._answer(exchange, request, receive, send)
        except StudioError as error:
            exchange.end = error.code
            raise
        finally:
            exchange.close()

    async def _answer(
        self, exchange: "_Exchange", request: ChatRequest, receive: Receive, send: Send
    ) -> None:
        loop = asyncio.get_running_loop()
        queue: EventQueue = asyncio.Queue()
        adapter, prompt, limit, grammar = await loop.run_in_executor(
            self._thread, self._prepare, request
        )
        asks = [
            _make_ask(request, adapter, prompt, limit, grammar, index, queue, loop)
            for index in range(request.n)
        ]
        writer = AnswerWriter(request, f"chatcmpl-{uuid.uuid4().hex}", int(time.time()), prompt)
        self._engine.submit(asks)
        try:
            events = _follow(queue, len(asks), receive)
            async with aclosing(events):
                if request.stream:
                    await _stream(exchange, writer, events, send)
                else:
                    answers = await _collect(exchange, request.n, events)
                    await answer_json(send, writer.whole(answers))
        except ClientDisconnectedError:
            exchange.end = "cancelled"
        finally:
            self._engine.cancel(asks)

    def _prepare(
        self, request: ChatRequest
    ) -> tuple[FoundAdapter | None, tuple[int, ...], int, TokenGrammar | None]:
        adapter = None
        if request.model != self._base_name:
            adapter = find_adapter(self._adapters, request.model)
        prompt = self._prompts.write(request)
        return adapter, prompt, self._prompts.limit(request, prompt), self._grammars.make(request)


class _Exchange:
    """What is counted and logged about one request."""

    def __init__(self, figures: RequestFigures, model: str) -> None:
        self._figures = figures
        self._model = model
        self._clock = asyncio.get_running_loop().time
        self._started = figures.last_asked = self._clock()
        self._tokens = 0
        self.end = "failed"

    def count(self, event: Event) -> None:
        if isinstance(event, Sampled):
            if not self._tokens:
                self._figures.first_tokens += 1
                self._figures.first_token_seconds += self._clock() - self._started
            self._tokens += 1
        elif isinstance(event, Ended):
            self.end = event.reason
        else:
            self.end = event.error.code

    def close(self) -> None:
        seconds = self._clock() - self._started
        self._figures.last_asked = self._clock()
        self._figures.seconds += seconds
        known = self._model if self.end != "model_not_found" else ""
        self._figures.by_model[known, self.end] += 1
        log.info("%r: %d tokens in %.2f s, %s.", self._model, self._tokens, seconds, self.end)


def _make_ask(
    request: ChatRequest, adapter: FoundAdapter | None, prompt: tuple[int, ...], limit: int,
    grammar: TokenGrammar | None, index: int, queue: EventQueue, loop: asyncio.AbstractEventLoop,
) -> Ask:  # fmt: skip
    def on_event(event: Event) -> None:
        loop.call_soon_threadsafe(queue.put_nowait, (index, event))

    return Ask(
        model=request.model,
        adapter=adapter,
        prompt=prompt,
        limit=limit,
        on_event=on_event,
        temperature=request.temperature,
        top_p=request.top_p,
        seed=None if request.seed is None else request.seed + index,
        stops=request.stops,
        grammar=None if grammar is None else grammar.copy(),
        top_count=request.top_logprobs,
        wants_masks=request.return_token_masks,
    )


async def _follow(
    queue: EventQueue, count: int, receive: Receive
) -> AsyncGenerator[tuple[int, Event], None]:
    """Yield the events of `count` answers until all are over.

    Raises:
        ClientDisconnectedError: nobody waits for them anymore.
    """
    gone = asyncio.ensure_future(wait_for_disconnect(receive))
    gone.add_done_callback(lambda _: queue.put_nowait(None))
    try:
        while count:
            coming = await queue.get()
            if coming is None:
                raise ClientDisconnectedError
            count -= not isinstance(coming[1], Sampled)
            yield coming
    finally:
        gone.cancel()


async def _collect(
    exchange: _Exchange, count: int, events: AsyncIterator[tuple[int, Event]]
) -> list[Answer]:
    """Return complete answers.

    Raises:
        StudioError: one of them failed.
    """
    answers = [Answer() for _ in range(count)]
    async for index, event in events:
        exchange.count(event)
        if isinstance(event, Failed):
            raise event.error
        _note(answers, index, event)
    return answers


async def _stream(
    exchange: _Exchange,
    writer: AnswerWriter,
    events: AsyncIterator[tuple[int, Event]],
    send: Send,
) -> None:
    """Stream answers as they are written; a failure before any token gives a plain error."""
    answers = [Answer() for _ in range(writer.request.n)]
    has_started = False
    async for index, event in events:
        exchange.count(event)
        if isinstance(event, Failed):
            if not has_started:
                raise event.error
            await send_event(send, write_error(event.error))
            break
        if not has_started:
            has_started = True
            await start_events(send)
            for place in range(len(answers)):
                await send_event(send, writer.first_chunk(place))
        _note(answers, index, event)
        chunk = writer.chunk(index, event)
        if chunk is not None:
            await send_event(send, chunk)
    else:
        if writer.request.stream_options.include_usage:
            await send_event(send, writer.usage_chunk(answers))
    await end_events(send)


def _note(answers: Sequence[Answer], index: int, event: Sampled | Ended) -> None:
    if isinstance(event, Sampled):
        answers[index].sampled.append(event)
    else:
        answers[index].reason = event.reason
