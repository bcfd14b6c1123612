"""Answers in forms that servers really send: calls told apart, and content in parts."""

from typing import Any

import pytest

from tapes_app.engine.model.llm import LLM, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.llms.reported_streams import read_reported

PROMPT = Prompt(messages=(user_message("How is the weather?"),))
OSLO, ROME = '{"city":"Oslo"}', '{"city":"Rome"}'
Pairs = list[tuple[str, str]]


def build(server: OpenAIServer) -> LLM:
    return OpenAICompatibleLLM(
        ModelConfig(litellm_model="openai/test-model", base_url=server.base_url, max_attempts=1)
    )


def streamed(*deltas: dict[str, Any]) -> Behaviour:
    end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
    return Behaviour(stream=(*({"choices": [{"delta": delta}]} for delta in deltas), end))


def whole(message: dict[str, Any]) -> Behaviour:
    return Behaviour(body={"choices": [{"message": message, "finish_reason": "stop"}]})


def piece(name: str | None = None, arguments: Any = None, **fields: Any) -> dict[str, Any]:
    given = {"name": name, "arguments": arguments}
    return {**fields, "function": {key: one for key, one in given.items() if one is not None}}


TWO: Pairs = [("weather", OSLO), ("time", ROME)]
SAME: Pairs = [("weather", OSLO), ("weather", ROME)]
ONE: Pairs = [("weather", OSLO)]
STREAMED_CALLS: dict[str, tuple[list[dict[str, Any]], Pairs]] = {
    "nothing tells them apart": ([piece("weather", OSLO), piece("time", ROME)], TWO),
    "the same tool": ([piece("weather", OSLO), piece("weather", ROME)], SAME),
    "equal indices": ([piece("weather", OSLO, index=0), piece("time", ROME, index=0)], TWO),
    "equal indices, the same tool, in pieces": (
        [piece("weather", "", index=0), piece(None, '{"city":', index=0),
         piece(None, '"Oslo"}', index=0), piece("weather", "", index=0),
         piece(None, ROME, index=0)],
        SAME,
    ),
    "equal ids": ([piece("weather", OSLO, id="x"), piece("weather", ROME, id="x")], SAME),
    "equal ids, other indices, in turns": (
        [piece("weather", "", id="x", index=0), piece("weather", "", id="x", index=1),
         piece(None, OSLO, id="x", index=0), piece(None, ROME, id="x", index=1)],
        SAME,
    ),
    "equal indices, other ids, in turns": (
        [piece("weather", "", id="a", index=0), piece("time", "", id="b", index=0),
         piece(None, OSLO, id="a", index=0), piece(None, ROME, id="b", index=0)],
        TWO,
    ),
    "empty ids": ([piece("weather", OSLO, id=""), piece("time", ROME, id="")], TWO),
    "no index, in pieces": (
        [piece("weather", ""), piece(None, OSLO), piece("time", ""), piece(None, ROME)], TWO,
    ),
    "an index of its own for each piece": (
        [piece("weather", "", index=0), piece(None, '{"city":', index=1),
         piece(None, '"Oslo"}', index=2)],
        ONE,
    ),
    "no arguments": ([piece("weather", ""), piece("time", "")], [("weather", ""), ("time", "")]),
    "arguments as an object": (
        [piece("weather", {}), piece("weather", {})], [("weather", "{}"), ("weather", "{}")],
    ),
    "another id in each piece": (
        [piece("weather", "", id="a", index=0), piece(None, '{"city":', id="b", index=0),
         piece(None, '"Oslo"}', id="c", index=0)],
        ONE,
    ),
    "another id in each piece, with the name": (
        [piece("weather", "", id="a", index=0), piece("weather", '{"city":', id="b", index=0),
         piece("weather", '"Oslo"}', id="c", index=0)],
        ONE,
    ),
    "the name in each piece": (
        [piece("weather", "", id="a", index=0), piece("weather", OSLO, id="a", index=0),
         piece("weather", "", id="a", index=0)],
        ONE,
    ),
    "a name in pieces": (
        [piece("wea", index=0), piece("ther", index=0), piece(None, OSLO, index=0)], ONE,
    ),
}  # fmt: skip


def pairs_of(calls: tuple[dict[str, Any], ...]) -> Pairs:
    return [(call["function"]["name"], call["function"]["arguments"]) for call in calls]


@pytest.mark.parametrize(("pieces", "calls"), STREAMED_CALLS.values(), ids=STREAMED_CALLS)
async def test_calls_are_told_apart_and_each_has_an_id_of_its_own(
    model_server: OpenAIServer, pieces: list[dict[str, Any]], calls: Pairs
) -> None:
    model_server.plan(streamed(*({"tool_calls": [one]} for one in pieces)))

    deltas, result = await collect(build(model_server), PROMPT)

    found = result.output.tool_calls
    assert pairs_of(found) == calls
    assert len({call["id"] for call in found if call["id"]}) == len(calls)
    for number, (_, arguments) in enumerate(calls):
        parts = (delta.tool_arguments for delta in deltas if delta.tool_index == number)
        assert "".join(parts) == arguments


async def test_calls_that_come_side_by_side_are_told_apart_by_their_order(
    model_server: OpenAIServer,
) -> None:
    rows = (
        [piece("weather", ""), piece("time", "")],
        [piece(None, '{"city":'), piece(None, '{"city":')],
        [piece(None, '"Oslo"}'), piece(None, '"Rome"}')],
    )
    model_server.plan(streamed(*({"tool_calls": row} for row in rows)))

    _, result = await collect(build(model_server), PROMPT)

    assert pairs_of(result.output.tool_calls) == TWO


@pytest.mark.parametrize("call_id", [None, "", "weather"])
async def test_each_call_of_a_whole_message_is_one(
    model_server: OpenAIServer, call_id: str | None
) -> None:
    calls = [piece("weather", OSLO, id=call_id), piece("weather", ROME, id=call_id)]
    model_server.plan(whole({"content": None, "tool_calls": calls}))

    _, result = await collect(build(model_server), PROMPT)

    first, second = result.output.tool_calls
    assert pairs_of((first, second)) == SAME
    assert first["id"] != second["id"]
    assert first["id"] == call_id or not call_id


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_a_legacy_function_call_is_a_call(
    model_server: OpenAIServer, *, is_streamed: bool
) -> None:
    pieces = [
        {"name": "weather", "arguments": ""},
        {"arguments": '{"city":'},
        {"arguments": '"Oslo"}'},
    ]
    message = {"content": None, "function_call": {"name": "weather", "arguments": OSLO}}
    model_server.plan(
        streamed(*({"function_call": one} for one in pieces)) if is_streamed else whole(message)
    )

    _, result = await collect(build(model_server), PROMPT)

    assert pairs_of(result.output.tool_calls) == ONE
    assert result.output.tool_calls[0]["id"]


THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "Let me "}]}
REST = {"type": "thinking", "thinking": "add."}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
PARTS: list[Any] = [THOUGHT, REST, {"type": "text", "text": "It is "}, IMAGE, "4."]


@pytest.mark.parametrize(
    "behaviour",
    [
        streamed(*({"content": [part]} for part in PARTS[:-1]), {"content": "4."}),
        whole({"content": PARTS}),
    ],
    ids=["streamed", "whole"],
)
async def test_content_in_parts_is_text_and_thoughts_and_nothing_is_lost(
    model_server: OpenAIServer, behaviour: Behaviour
) -> None:
    model_server.plan(behaviour)

    deltas, result = await collect(build(model_server), PROMPT)

    assert result.output.content == "".join(delta.text for delta in deltas) == "It is 4."
    assert result.output.reasoning_content == "Let me add."
    assert "".join(delta.reasoning for delta in deltas) == "Let me add."
    assert (result.output.model_extra or {})["content_parts"] == [IMAGE]


async def test_signed_thoughts_and_a_refusal_among_the_parts_are_kept(
    model_server: OpenAIServer,
) -> None:
    signature = {"type": "thinking", "thinking": "", "signature": "sig=="}
    refusal = {"type": "refusal", "refusal": "I will not."}
    model_server.plan(
        streamed(*({"content": [part]} for part in (THOUGHT, REST, signature, refusal)))
    )

    _, result = await collect(build(model_server), PROMPT)

    block = {"type": "thinking", "thinking": "Let me add.", "signature": "sig=="}
    assert result.output.thinking_blocks == (block,)
    assert (result.output.model_extra or {})["refusal"] == "I will not."


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("s04", [("get_weather", OSLO), ("get_time", ROME)]),
        ("s04b", [("get_weather", OSLO), ("get_weather", ROME)]),
        ("s04c", [("get_weather", OSLO), ("get_time", ROME)]),
        ("s05", [("get_weather", OSLO), ("get_weather", ROME)]),
        ("s05b", [("get_weather", OSLO), ("get_time", ROME)]),
        ("s15", [("get_weather", OSLO)]),
    ],
)
async def test_the_calls_of_reported_streams_are_read(
    model_server: OpenAIServer, name: str, calls: Pairs
) -> None:
    model_server.plan(read_reported(name))

    _, result = await collect(build(model_server), PROMPT)

    assert pairs_of(result.output.tool_calls) == calls
    assert len({call["id"] for call in result.output.tool_calls}) == len(calls)


@pytest.mark.parametrize(("name", "thought"), [("s07", "Let me add. 2+2."), ("s07b", "2+2.")])
async def test_the_parts_of_reported_streams_are_read(
    model_server: OpenAIServer, name: str, thought: str
) -> None:
    model_server.plan(read_reported(name))

    _, result = await collect(build(model_server), PROMPT)

    assert (result.output.content, result.output.reasoning_content) == ("The answer is 4.", thought)
