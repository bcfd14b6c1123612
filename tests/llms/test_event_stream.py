"""Server-sent events: as the standard says, and as servers send them without keeping to it."""

from collections.abc import AsyncIterator, Sequence

import pytest

from tapes_app.engine.errors import LLMTransientError
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.llms.event_stream import ServerEvent, read_events
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.llms.reported_streams import read_reported

PROMPT = Prompt(messages=(user_message("Hi"),))
A, B = ServerEvent("", {"a": 1}), ServerEvent("", {"b": 2})


async def send(pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def read(*pieces: bytes) -> list[ServerEvent]:
    return [event async for event in read_events(send(pieces))]


@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b'data: {"a": 1}\n\ndata: {"b": 2}\n\ndata: [DONE]\n\n', [A, B]),
        (b'data: {"a": 1}\r\rdata: {"b": 2}\r\rdata: [DONE]\r\r', [A, B]),
        (b'data: {"a": 1}\r\n\r\ndata: {"b": 2}\r\n\r\n', [A, B]),
        (b'\xef\xbb\xbfdata: {"a": 1}\n\ndata:{"b": 2}\n\n', [A, B]),
        (b'data: {"a":\ndata: 1}\n\ndata: {\ndata: "b"\ndata: :2}\n\n', [A, B]),
        (b'data: {"a": 1}\ndata: {"b": 2}\ndata: [DONE]\n', [A, B]),
        (b'data: {"a":\ndata: 1}\ndata: [DONE]\ndata: {"b": 2}\n', [A]),
        (b'data: {"a":\ndata: 1}', [A]),
        (b': ping\n\ndata:\n\nid: 7\nretry: 5\ndata: {"a": 1}\n\n', [A]),
        (
            b'event: error\ndata: {"a": 1}\n\ndata: {"b": 2}\n\n',
            [ServerEvent("error", {"a": 1}), B],
        ),
        ('data: {"a": "x\u2028\x85y"}\n\n'.encode(), [ServerEvent("", {"a": "x\u2028\x85y"})]),
        (b"", []),
    ],
)
async def test_events_are_the_same_however_the_body_is_cut(
    body: bytes, events: list[ServerEvent]
) -> None:
    whole = await read(body)
    by_bytes = await read(*(body[at : at + 1] for at in range(len(body))))

    assert whole == by_bytes == events


async def test_an_object_on_one_line_does_not_wait_for_the_empty_line() -> None:
    async def send_one() -> AsyncIterator[bytes]:
        yield b'data: {"a": 1}\r'
        raise AssertionError("the event was complete")

    assert await anext(read_events(send_one())) == A


@pytest.mark.parametrize("body", [b"data: <html>\n\n", b'data: {"a":\n\n', b"data: {"])
async def test_data_that_is_no_json_is_an_error(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"line \d"):
        await read(body)


async def test_an_event_without_end_is_an_error_however_it_is_cut_into_lines() -> None:
    piece = b"data: [" + b" " * 1_000_000 + b"1,\n"

    with pytest.raises(LLMTransientError, match="longer than 16 MiB"):
        await read(*[piece] * 20)
    with pytest.raises(LLMTransientError, match="longer than 16 MiB"):
        await read(*[b"x" * 1_000_000] * 20)


@pytest.mark.parametrize(("name", "text"), [("bom", "bommed text"), ("ml", "multi"), ("cr", "cr")])
async def test_reported_streams_are_read(model_server: OpenAIServer, name: str, text: str) -> None:
    model_server.plan(read_reported(name))
    config = ModelConfig(litellm_model="openai/test-model", base_url=model_server.base_url)

    _, result = await collect(OpenAICompatibleLLM(config), PROMPT)

    assert result.output.content == text


async def test_a_stream_with_a_byte_order_mark_several_lines_and_returns_is_read(
    model_server: OpenAIServer,
) -> None:
    start = '\ufeffdata: {"choices": [{"delta":\rdata: {"content": "Hi"}}]}\r\r'
    end = 'data: {"choices": [{"delta": {"content": "."}, "finish_reason": "stop"}]}\r\r'
    model_server.plan(Behaviour(stream=(start, end, "data: [DONE]\r\r")))
    config = ModelConfig(litellm_model="openai/test-model", base_url=model_server.base_url)

    _, result = await collect(OpenAICompatibleLLM(config), PROMPT)

    assert result.output.content == "Hi."
