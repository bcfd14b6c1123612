"""Models behind HTTP, direct and through litellm: the same promises for both."""

import asyncio
import json
import time
from typing import Any

import pytest
from pydantic import SecretStr

from tapes_app.engine.errors import LLMDeadlineError, LLMError, LLMTransientError
from tapes_app.engine.model.llm import LLM, LLMDelta, LLMResult, Prompt, Usage, is_unsent
from tapes_app.engine.model.messages import Message, user_message
from tapes_app.llms.factory import build_llm
from tapes_app.llms.litellm_client import LiteLLM
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tapes_app.llms.pricing import PriceSheet
from tapes_app.llms.rate_limits import OwnRateLimit, read_spent_limit
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer

PROMPT = Prompt(messages=(user_message("Say hello to the world"),))
SECRET = "very-secret-key-0123456789"
pytestmark = pytest.mark.filterwarnings(
    # litellm walks over pydantic models in a way that pydantic has deprecated
    "ignore:Accessing the 'model_:DeprecationWarning"
)
TOOL = {
    "type": "function",
    "function": {"name": "add", "parameters": {"type": "object", "properties": {}}},
}


@pytest.fixture(params=["direct", pytest.param("litellm", marks=pytest.mark.slow)])
def client(request: pytest.FixtureRequest) -> type[OpenAICompatibleLLM | LiteLLM]:
    return OpenAICompatibleLLM if request.param == "direct" else LiteLLM


Client = type[OpenAICompatibleLLM | LiteLLM]


def build(client: Client, server: OpenAIServer, model: str = "test-model", **parts: Any) -> LLM:
    values = {"api_key": SecretStr(SECRET), "backoff_seconds": 0, **parts}
    config = ModelConfig(litellm_model=f"openai/{model}", base_url=server.base_url, **values)
    return client(config)


async def test_text_streams_in_pieces_with_usage_and_cost(
    client: Client, model_server: OpenAIServer
) -> None:
    prices = PriceSheet(input=2_000_000, output=10_000_000, cache_read=200_000)
    model_server.plan(Behaviour(text="Hello, wide world.", cached_tokens=2))
    llm = build(client, model_server, prices=prices, parameters={"temperature": 0})

    deltas, result = await collect(llm, PROMPT)

    assert [delta.text for delta in deltas if delta.text] == ["Hello,", " wide", " world."]
    assert result.output.content == "Hello, wide world."
    assert result.usage.input_tokens == 5
    assert result.usage.cache_read_tokens == 2
    assert result.usage.output_tokens == 4
    assert result.cost_micro_usd == round(3 * 2 + 2 * 0.2 + 4 * 10)
    assert (result.finish_reason, result.attempt_count) == ("stop", 1)
    assert model_server.requests[0]["temperature"] == 0
    assert model_server.requests[0]["model"] == "test-model"
    assert model_server.keys == [f"Bearer {SECRET}"]


async def test_parallel_tool_calls_are_merged_by_index(
    client: Client, model_server: OpenAIServer
) -> None:
    calls = [
        {"id": f"c{n}", "type": "function", "function": {"name": "add", "arguments": arguments}}
        for n, arguments in enumerate(['{"a": 1, "b": 2}', '{"a": "é", "b": [1, 2, 3]}'])
    ]
    model_server.plan(Behaviour(message={"tool_calls": calls}))

    prompt = PROMPT.model_copy(update={"tools": (TOOL,)})
    deltas, result = await collect(build(client, model_server), prompt)

    assert list(result.output.tool_calls) == calls
    assert result.finish_reason == "tool_calls"
    assert model_server.requests[0]["tools"] == [TOOL]
    for index, call in enumerate(calls):
        pieces = [delta for delta in deltas if delta.tool_index == index]
        arguments = "".join(piece.tool_arguments for piece in pieces)
        assert pieces[0].tool_name == "add"
        assert json.loads(arguments) == json.loads(call["function"]["arguments"])  # type: ignore[index]


async def test_reasoning_is_kept_apart_from_the_text(
    client: Client, model_server: OpenAIServer
) -> None:
    message = {"reasoning_content": "Let me see.", "content": "Two."}
    model_server.plan(Behaviour(message=message, reasoning_tokens=3))

    deltas, result = await collect(build(client, model_server), PROMPT)

    assert "".join(delta.reasoning for delta in deltas) == "Let me see."
    assert result.output.reasoning_content == "Let me see."
    assert result.output.content == "Two."
    assert result.usage.reasoning_tokens == 3


FORM = {
    "type": "json_schema",
    "json_schema": {"name": "Sum", "schema": {"type": "object"}, "strict": True},
}


async def test_the_form_of_an_answer_is_passed_on(
    client: Client, model_server: OpenAIServer
) -> None:
    prompt = Prompt(messages=PROMPT.messages, response_format=FORM)

    await collect(build(client, model_server), prompt)

    assert model_server.requests[0]["response_format"] == FORM


async def test_a_parameter_goes_over_the_form_that_an_agent_asks_for(
    client: Client, model_server: OpenAIServer
) -> None:
    prompt = Prompt(messages=PROMPT.messages, response_format=FORM)
    free = {"response_format": {"type": "text"}}

    await collect(build(client, model_server, parameters=free), prompt)

    assert model_server.requests[0]["response_format"] == {"type": "text"}


async def test_a_model_that_wants_roles_to_alternate_gets_turns_from_then_on(
    client: Client, model_server: OpenAIServer
) -> None:
    refusal = "Conversation roles must alternate user/assistant/user/assistant/..."
    model_server.plan(Behaviour(status=400, error=refusal), Behaviour(text="A."))
    prompt = Prompt(messages=(user_message("One"), user_message("Two")))
    llm = build(client, model_server)

    _, result = await collect(llm, prompt)
    await collect(llm, prompt)

    said = [[one["content"] for one in asked["messages"]] for asked in model_server.requests]
    assert result.output.content == "A."
    assert said == [["One", "Two"], ["One\n\nTwo"], ["One\n\nTwo"]]


async def test_a_provider_that_takes_no_response_format_is_told_the_form_in_words(
    client: Client, model_server: OpenAIServer
) -> None:
    refusal = "Unknown parameter: 'response_format.json_schema'."
    model_server.plan(Behaviour(status=400, error=refusal), Behaviour(text="{}"))
    prompt = Prompt(messages=PROMPT.messages, response_format=FORM)

    _, result = await collect(build(client, model_server), prompt)

    _, again = model_server.requests
    assert result.output.content == "{}"
    assert "response_format" not in again
    [message] = again["messages"]
    assert message["content"].startswith("Say hello to the world\n\n")
    assert message["content"].endswith('{"type":"object"}')


async def test_a_refusal_for_another_reason_is_final(
    client: Client, model_server: OpenAIServer
) -> None:
    model_server.plan(Behaviour(status=400, error="No such temperature."))
    prompt = Prompt(messages=PROMPT.messages, response_format=FORM)

    with pytest.raises(LLMError, match="No such temperature"):
        await collect(build(client, model_server), prompt)

    assert len(model_server.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_transient_refusal_is_tried_again(
    client: Client, model_server: OpenAIServer, status: int
) -> None:
    model_server.plan(Behaviour(status=status, error="Not now."), Behaviour(text="Now."))

    _, result = await collect(build(client, model_server), PROMPT)

    assert (result.output.content, result.attempt_count) == ("Now.", 2)


async def test_retry_after_is_honoured_or_final_when_it_passes_the_deadline(
    client: Client, model_server: OpenAIServer
) -> None:
    model_server.plan(
        Behaviour(status=429, error="Slow down.", retry_after="0.15"), Behaviour(text="Now.")
    )
    started = time.perf_counter()
    _, result = await collect(build(client, model_server), PROMPT)
    assert result.output.content == "Now."
    assert time.perf_counter() - started >= 0.15

    model_server.plan(Behaviour(status=429, error="Slow down.", retry_after="3600"))
    with pytest.raises(LLMTransientError, match="429"):
        await collect(build(client, model_server), PROMPT)
    assert len(model_server.requests) == 3


async def test_a_limit_that_is_told_lets_all_wait_that_share_it(model_server: OpenAIServer) -> None:
    config = ModelConfig(
        litellm_model="openai/test-model", base_url=model_server.base_url, deadline_seconds=60
    )
    limit = OwnRateLimit()
    told, other = OpenAICompatibleLLM(config, limit), OpenAICompatibleLLM(config, limit)
    model_server.plan(Behaviour(status=429, error="Slow down.", retry_after="600"))

    with pytest.raises(LLMTransientError, match="429"):
        await collect(told, PROMPT)
    with pytest.raises(LLMTransientError, match="at its rate limit for another 600 seconds"):
        await collect(other, PROMPT)

    assert len(model_server.requests) == 1


class EndlessLimit:
    """Holds for minutes, and tells that somebody waits for it."""

    def __init__(self) -> None:
        self.is_awaited = asyncio.Event()

    async def read_seconds(self) -> float:
        self.is_awaited.set()
        return 600.0

    async def hold(self, seconds: float) -> None:
        pass


async def test_a_call_that_is_stopped_while_it_waits_for_a_limit_was_never_sent(
    model_server: OpenAIServer,
) -> None:
    config = ModelConfig(
        litellm_model="openai/test-model", base_url=model_server.base_url, deadline_seconds=3600
    )
    limit, sent = EndlessLimit(), OpenAICompatibleLLM(config)
    waiting = OpenAICompatibleLLM(config, limit)
    model_server.plan(Behaviour(text="Now."))

    await collect(sent, PROMPT)
    call = asyncio.ensure_future(collect(waiting, PROMPT))
    await limit.is_awaited.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert (is_unsent(sent), is_unsent(waiting)) == (False, True)
    assert len(model_server.requests) == 1


async def test_a_limit_that_says_when_to_come_back_costs_no_attempt(
    model_server: OpenAIServer,
) -> None:
    limit = Behaviour(status=429, error="Slow down.", retry_after="1")
    model_server.plan(limit, Behaviour(text="Now."))

    _, result = await collect(build(OpenAICompatibleLLM, model_server, max_attempts=1), PROMPT)

    assert (result.output.content, result.attempt_count) == ("Now.", 2)


async def test_the_last_request_that_a_limit_allows_lets_the_next_one_wait(
    client: Client, model_server: OpenAIServer
) -> None:
    spent = {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "10m0s",
        "x-ratelimit-remaining-tokens": "900",
        "x-ratelimit-reset-tokens": "17h",
    }
    limit = OwnRateLimit()
    config = ModelConfig(
        litellm_model="openai/test-model",
        base_url=model_server.base_url,
        api_key=SecretStr(SECRET),
        deadline_seconds=60,
    )
    model_server.plan(Behaviour(text="The last.", headers=spent))

    _, result = await collect(client(config, limit), PROMPT)
    with pytest.raises(LLMTransientError, match="at its rate limit for another 600 seconds"):
        await collect(client(config, limit), PROMPT)

    assert result.output.content == "The last."
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "17ms"}, 0.017),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m0.5s"}, 60.5),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "12"}, 12),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1000000000000"}, 0),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2020-01-01T00:00:00Z",
            },
            0,
        ),
        ({"x-ratelimit-remaining": "1", "x-ratelimit-reset": "12"}, None),
        ({"x-ratelimit-remaining": "0"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "inf"}, None),
        ({}, None),
    ],
)
def test_what_is_left_of_a_limit_is_read(headers: dict[str, str], seconds: float | None) -> None:
    assert read_spent_limit(headers) == (None if seconds is None else pytest.approx(seconds))


async def test_a_wait_may_be_told_in_milliseconds(
    client: Client, model_server: OpenAIServer
) -> None:
    limit = Behaviour(status=429, error="Slow down.", retry_after="600", retry_after_ms="2")
    model_server.plan(limit)

    _, result = await collect(build(client, model_server, deadline_seconds=60), PROMPT)

    assert result.attempt_count == 2


async def test_a_quota_that_is_used_up_is_final(client: Client, model_server: OpenAIServer) -> None:
    said = "You exceeded your current quota."
    model_server.plan(*3 * [Behaviour(status=429, error=said, code="insufficient_quota")])

    with pytest.raises(LLMError, match="quota is used up") as refused:
        await collect(build(client, model_server), PROMPT)

    assert not isinstance(refused.value, LLMTransientError)
    assert len(model_server.requests) == 1


async def test_an_answer_without_its_end_is_an_error(
    client: Client, model_server: OpenAIServer
) -> None:
    model_server.plan(Behaviour(text="Half of", has_finish_reason=False))

    with pytest.raises(LLMTransientError, match="without a finish reason"):
        await collect(build(client, model_server), PROMPT)


async def test_lines_that_keep_a_connection_alive_are_passed_over(
    client: Client, model_server: OpenAIServer
) -> None:
    end = {"delta": {"content": "Hi."}, "finish_reason": "stop"}
    empty = ("data:", "data: ") if client is OpenAICompatibleLLM else ()
    said = json.dumps({"id": "m", "created": 1, "model": "test-model", "choices": [end]})
    lines = (": ping", "", *empty, f"data: {said}", "", ": ping", "", "data: [DONE]", "")
    model_server.plan(Behaviour(raw_lines=lines))

    _, result = await collect(build(client, model_server), PROMPT)

    assert result.output.content == "Hi."


async def test_a_line_of_15_mb_is_read(model_server: OpenAIServer) -> None:
    text = "x" * 15_000_000
    end = {"delta": {"content": text}, "finish_reason": "stop"}
    model_server.plan(Behaviour(raw_lines=(f"data: {json.dumps({'choices': [end]})}",)))

    _, result = await collect(build(OpenAICompatibleLLM, model_server), PROMPT)

    assert result.output.content == text


async def test_attempts_are_limited(client: Client, model_server: OpenAIServer) -> None:
    with pytest.raises(LLMTransientError, match="500"):
        await collect(build(client, model_server, "fail-500", max_attempts=3), PROMPT)

    assert len(model_server.requests) == 3


async def test_a_refusal_that_will_not_change_is_final(
    client: Client, model_server: OpenAIServer
) -> None:
    with pytest.raises(LLMError, match="401") as caught:
        await collect(build(client, model_server, "fail-401"), PROMPT)

    assert not caught.value.is_transient
    assert "check its key" in caught.value.message
    assert len(model_server.requests) == 1


async def test_the_key_is_in_no_error_and_no_description(
    client: Client, model_server: OpenAIServer
) -> None:
    model_server.plan(Behaviour(status=400, error=f"You sent {SECRET}, which is wrong."))
    llm = build(client, model_server)

    with pytest.raises(LLMError) as caught:
        await collect(llm, PROMPT)

    assert SECRET not in repr(caught.value) + str(caught.value.details)
    assert caught.value.__cause__ is None
    assert SECRET not in json.dumps(llm.describe())
    assert SECRET not in repr(getattr(llm, "config", None))


async def test_a_connection_lost_in_mid_answer_is_an_error_and_not_tried_again(
    client: Client, model_server: OpenAIServer
) -> None:
    pieces: list[str] = []

    async def read() -> None:
        async for event in build(client, model_server, "drop").stream(PROMPT):
            assert isinstance(event, LLMDelta)
            pieces.append(event.text)

    with pytest.raises(LLMTransientError, match="connection"):
        await read()

    assert "".join(pieces).startswith("The")
    assert len(model_server.requests) == 1


async def test_a_connection_lost_before_the_first_piece_is_tried_again(
    client: Client, model_server: OpenAIServer
) -> None:
    model_server.plan(Behaviour(drop_after=0), Behaviour(text="Here."))

    _, result = await collect(build(client, model_server), PROMPT)

    assert (result.output.content, result.attempt_count) == ("Here.", 2)


async def test_an_answer_stops_at_its_deadline(client: Client, model_server: OpenAIServer) -> None:
    with pytest.raises(LLMDeadlineError, match="allow it more time"):
        await collect(build(client, model_server, "hang", deadline_seconds=0.4), PROMPT)

    assert len(model_server.requests) == 1


async def test_silence_before_the_first_piece_counts_as_a_timeout_and_is_tried_again(
    client: Client, model_server: OpenAIServer
) -> None:
    model_server.plan(Behaviour(hang_after=0), Behaviour(text="Awake."))

    _, result = await collect(build(client, model_server, silence_seconds=1), PROMPT)

    assert result.output.content == "Awake."
    assert result.attempt_count >= 2  # a busy machine may be silent once more


async def test_closing_the_stream_closes_the_request(
    client: Client, model_server: OpenAIServer
) -> None:
    events = build(client, model_server, "hang").stream(PROMPT)

    await anext(events)
    await events.aclose()  # type: ignore[attr-defined]  # every stream here is a generator

    assert await asyncio.to_thread(model_server.was_cut_off.wait, 3)


async def test_cancelling_the_task_closes_the_request(
    client: Client, model_server: OpenAIServer
) -> None:
    came = asyncio.Event()

    async def read() -> None:
        async for _ in build(client, model_server, "hang").stream(PROMPT):
            came.set()

    task = asyncio.create_task(read())
    await came.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert await asyncio.to_thread(model_server.was_cut_off.wait, 3)


async def test_a_small_model_may_stutter(client: Client, model_server: OpenAIServer) -> None:
    model_server.plan(Behaviour(text=" a" * 200))

    _, result = await collect(build(client, model_server), PROMPT)

    assert result.output.content == " a" * 200


async def test_nobody_listening_is_an_error_that_says_so(client: Client) -> None:
    with OpenAIServer() as server:
        llm = build(client, server, max_attempts=1)

    with pytest.raises(LLMTransientError, match=r"[Cc]onnection"):
        await collect(llm, PROMPT)


async def test_text_with_strange_separators_and_lone_surrogates_passes(
    model_server: OpenAIServer,
) -> None:
    model_server.plan(Behaviour(text="one\u2028two\x85three"))
    prompt = Prompt(messages=(Message(role="user", content="odd \ud800 text\x00"),))

    _, result = await collect(build(OpenAICompatibleLLM, model_server), prompt)

    assert result.output.content == "one\u2028two\x85three"
    assert model_server.requests[0]["messages"][0]["content"] == "odd \ud800 text\x00"


async def test_a_server_that_does_not_stream_is_read_whole(model_server: OpenAIServer) -> None:
    model_server.plan(Behaviour(text="All at once.", is_streamed=False))

    _, result = await collect(build(OpenAICompatibleLLM, model_server), PROMPT)

    assert result.output.content == "All at once."
    assert result.usage.output_tokens == 4


async def test_usage_that_a_server_does_not_send_stays_unknown(model_server: OpenAIServer) -> None:
    model_server.plan(Behaviour(text="Hm.", has_usage=False))

    _, result = await collect(
        build(OpenAICompatibleLLM, model_server, prices=PriceSheet(input=1, output=1)), PROMPT
    )

    assert result.usage == Usage()
    assert result.cost_micro_usd is None


async def test_an_error_inside_the_stream_is_raised(model_server: OpenAIServer) -> None:
    line = 'data: {"error": {"message": "out of memory", "code": 503}}'
    model_server.plan(Behaviour(raw_lines=(line, "")), Behaviour(text="Fine."))

    _, result = await collect(build(OpenAICompatibleLLM, model_server), PROMPT)

    assert (result.output.content, result.attempt_count) == ("Fine.", 2)


async def test_a_page_that_is_no_json_names_the_base_url(model_server: OpenAIServer) -> None:
    model_server.plan(Behaviour(raw_lines=("data: <html>", "")))

    with pytest.raises(LLMError, match="/v1"):
        await collect(build(OpenAICompatibleLLM, model_server), PROMPT)


async def test_an_address_that_is_none_is_refused() -> None:
    llm = build_llm(ModelConfig(litellm_model="openai/x", base_url="ftp://somewhere"))

    with pytest.raises(LLMError, match="base URL"):
        await collect(llm, PROMPT)


async def test_many_streams_at_once_do_not_mix(model_server: OpenAIServer) -> None:
    llm = build(OpenAICompatibleLLM, model_server)
    prompts = [Prompt(messages=(user_message(f"number {n}"),)) for n in range(20)]

    answers: list[tuple[list[LLMDelta], LLMResult]] = await asyncio.gather(
        *(collect(llm, prompt) for prompt in prompts)
    )

    texts = [result.output.content for _, result in answers]
    assert texts == [f"The test server heard: number {n}" for n in range(20)]
