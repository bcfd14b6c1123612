"""One chat completion: a request becomes asks of the engine, their events go to the client."""

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
    ClientGoneError,
    Receive,
    Send,
    answer_json,
    end_events,
    send_event,
    start_events,
    wait_until_gone,
)
from optimize_app.serving.server.metrics import RequestFigures
from optimize_app.serving.server.prompts import PromptWriter
from optimize_app.serving.server.requests import ChatRequest
from tapes_app.engine.errors import StudioError

log = logging.getLogger(__name__)

Told = asyncio.Queue[tuple[int, Event] | None]
"""Which answer, and what became of it; None: the client left."""


class ChatDesk:
    """Takes requests to the engine and carries what it tells back to those who asked."""

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
        # A long prompt or a large schema must not hold up the streams of others.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="prompts")

    async def answer(self, request: ChatRequest, receive: Receive, send: Send) -> None:
        """Answer a request to its end.

        Raises:
            StudioError: it is refused, and nothing was sent yet.
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
        told: Told = asyncio.Queue()
        adapter, prompt, limit, grammar = await loop.run_in_executor(
            self._thread, self._prepare, request
        )
        asks = [
            _make_ask(request, adapter, prompt, limit, grammar, index, told, loop)
            for index in range(request.n)
        ]
        writer = AnswerWriter(request, f"chatcmpl-{uuid.uuid4().hex}", int(time.time()), prompt)
        self._engine.submit(asks)
        try:
            events = _follow(told, len(asks), receive)
            async with aclosing(events):
                if request.stream:
                    await _stream(exchange, writer, events, send)
                else:
                    answers = await _collect(exchange, request.n, events)
                    await answer_json(send, writer.whole(answers))
        except ClientGoneError:
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
    """What is counted and logged of one request."""

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
    grammar: TokenGrammar | None, index: int, told: Told, loop: asyncio.AbstractEventLoop,
) -> Ask:  # fmt: skip
    def tell(event: Event) -> None:
        loop.call_soon_threadsafe(told.put_nowait, (index, event))

    return Ask(
        model=request.model,
        adapter=adapter,
        prompt=prompt,
        limit=limit,
        tell=tell,
        temperature=request.temperature,
        top_p=request.top_p,
        seed=None if request.seed is None else request.seed + index,
        stops=request.stops,
        grammar=None if grammar is None else grammar.copy(),
        top_count=request.top_logprobs,
        wants_masks=request.return_token_masks,
    )


async def _follow(
    told: Told, count: int, receive: Receive
) -> AsyncGenerator[tuple[int, Event], None]:
    """Give the events of `count` answers until all are over.

    Raises:
        ClientGoneError: nobody waits for them any more.
    """
    gone = asyncio.ensure_future(wait_until_gone(receive))
    gone.add_done_callback(lambda _: told.put_nowait(None))
    try:
        while count:
            coming = await told.get()
            if coming is None:
                raise ClientGoneError
            count -= not isinstance(coming[1], Sampled)
            yield coming
    finally:
        gone.cancel()


async def _collect(
    exchange: _Exchange, count: int, events: AsyncIterator[tuple[int, Event]]
) -> list[Answer]:
    """Return whole answers.

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
    """Send answers as they come. One that fails before its first token is refused plainly."""
    answers = [Answer() for _ in range(writer.request.n)]
    has_begun = False
    async for index, event in events:
        exchange.count(event)
        if isinstance(event, Failed):
            if not has_begun:
                raise event.error
            await send_event(send, write_error(event.error))
            break
        if not has_begun:
            has_begun = True
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
