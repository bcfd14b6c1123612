"""Errors as providers report them, in a refusal and within a stream: what is tried again."""

from typing import Any

import pytest

from tapes_app.engine.errors import LLMError, LLMTransientError
from tapes_app.engine.model.llm import LLM, Prompt
from tapes_app.engine.model.messages import user_message
from tapes_app.llms.litellm_client import LiteLLM
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tapes_app.llms.rate_limits import OwnRateLimit, read_stated_wait
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.llms.reported_streams import read_reported

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")
PROMPT = Prompt(messages=(user_message("Say hello"),))
Client = type[OpenAICompatibleLLM | LiteLLM]


@pytest.fixture(params=["direct", pytest.param("litellm", marks=pytest.mark.slow)])
def client(request: pytest.FixtureRequest) -> Client:
    return OpenAICompatibleLLM if request.param == "direct" else LiteLLM


def build(server: OpenAIServer, client: Client = OpenAICompatibleLLM, **parts: Any) -> LLM:
    config = ModelConfig(
        litellm_model="openai/test-model", base_url=server.base_url, backoff_seconds=0, **parts
    )
    return client(config)


def within_stream(**error: Any) -> Behaviour:
    return Behaviour(stream=({"error": {"message": "No.", **error}},))


FINAL: list[dict[str, Any]] = [
    {"code": "context_length_exceeded", "type": "invalid_request_error"},
    {"code": "context_length_exceeded"},
    {"code": "invalid_api_key"},
    {"code": "model_not_found"},
    {"code": "content_filter"},
    {"code": "insufficient_quota"},
    {"code": "400"},
    {"code": None, "type": "BadRequestError"},
    {"code": 422},
    {"type": "AuthenticationError", "code": None},
    {"status": "INVALID_ARGUMENT"},
    {"message": "This model's maximum context length is 8192 tokens."},
    {"message": "Request too large for this model.", "code": "rate_limit_exceeded"},
]
AGAIN: list[dict[str, Any]] = [
    {"code": "rate_limit_exceeded", "type": "invalid_request_error"},
    {"code": "429"},
    {"code": 429},
    {"type": "RateLimitError"},
    {"status": "RESOURCE_EXHAUSTED"},
    {"message": "Rate limit reached."},
    {"code": "server_error"},
    {"type": "overloaded_error"},
    {"code": "unknown_error"},
    {"code": 1302},
    {},
]


def name_of(error: dict[str, Any]) -> str:
    return " ".join(str(one) for one in error.values()) or "nothing"


@pytest.mark.parametrize("error", FINAL, ids=name_of)
async def test_an_error_within_a_stream_that_cannot_change_is_not_tried_again(
    client: Client, model_server: OpenAIServer, error: dict[str, Any]
) -> None:
    model_server.plan(within_stream(**error))

    with pytest.raises(LLMError) as caught:
        await collect(build(model_server, client), PROMPT)

    assert not isinstance(caught.value, LLMTransientError)
    assert error.get("message", "No.") in caught.value.message
    assert len(model_server.requests) == 1


@pytest.mark.parametrize("error", AGAIN, ids=name_of)
async def test_an_error_within_a_stream_that_may_pass_is_tried_again(
    client: Client, model_server: OpenAIServer, error: dict[str, Any]
) -> None:
    model_server.plan(within_stream(**error), Behaviour(text="Hello."))

    _, result = await collect(build(model_server, client), PROMPT)

    assert (result.output.content, result.attempt_count) == ("Hello.", 2)


@pytest.mark.parametrize(
    "sent",
    [
        {"object": "error", "message": "max tokens must be positive", "code": 400},
        {"object": "error", "message": "max tokens must be positive", "type": "BadRequestError"},
        {"error": "max tokens must be positive", "error_type": "validation"},
        {"choices": [{"error": {"message": "max tokens must be positive", "code": 400}}]},
        'event: error\ndata: {"message": "max tokens must be positive", "code": 400}\n\n',
    ],
)
async def test_an_error_is_found_wherever_a_stream_has_it(
    model_server: OpenAIServer, sent: dict[str, Any] | str
) -> None:
    model_server.plan(Behaviour(stream=(sent,)))

    with pytest.raises(LLMError, match="max tokens must be positive") as caught:
        await collect(build(model_server), PROMPT)

    assert not caught.value.is_transient


async def test_an_error_as_a_whole_answer_is_one(model_server: OpenAIServer) -> None:
    said = {"object": "error", "message": "No such model.", "type": "NotFoundError", "code": 404}
    model_server.plan(Behaviour(body=said))

    with pytest.raises(LLMError, match=r"answered 404: No such model\."):
        await collect(build(model_server), PROMPT)


async def test_a_rate_limit_within_a_stream_lets_all_wait_that_share_it(
    model_server: OpenAIServer,
) -> None:
    limit = OwnRateLimit()
    config = ModelConfig(
        litellm_model="openai/test-model", base_url=model_server.base_url, deadline_seconds=60
    )
    error = {"error": {"message": "Slow down.", "code": "rate_limit_exceeded"}}
    model_server.plan(Behaviour(stream=(error,), headers={"Retry-After": "600"}))

    with pytest.raises(LLMTransientError, match="Slow down"):
        await collect(OpenAICompatibleLLM(config, limit), PROMPT)
    with pytest.raises(LLMTransientError, match="at its rate limit for another 600 seconds"):
        await collect(OpenAICompatibleLLM(config, limit), PROMPT)

    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("Limit 10000, Used 9900. Please try again in 1.2s. Visit the page.", 1.2),
        ("Please try again in 6m0s.", 360),
        ("Please try again in 20ms.", 0.02),
        ("Please try again in 20 seconds.", 20),
        ("Retry after 2 minutes", 120),
        ("Retry in 3 hours", 10_800),
        ("Please try again in 12.", 12),
        ("Please try again in a while.", None),
        ("Please try again in 3 1/2.", 3),
        ("Slow down.", None),
    ],
)
def test_the_wait_that_a_message_states_is_read(said: str, seconds: float | None) -> None:
    assert read_stated_wait(said) == (None if seconds is None else pytest.approx(seconds))


async def test_a_limit_within_a_stream_is_waited_out_for_as_long_as_it_states(
    model_server: OpenAIServer,
) -> None:
    said = "Rate limit reached. Please try again in 1s."
    model_server.plan(within_stream(message=said, code="rate_limit_exceeded"))

    _, result = await collect(build(model_server, max_attempts=1), PROMPT)

    assert result.attempt_count == 2


@pytest.mark.parametrize(
    ("status", "code", "is_tried_again"),
    [
        (500, "context_length_exceeded", False),
        (502, "400", False),
        (500, "server_error", True),
        (503, None, True),
        (400, "rate_limit_exceeded", True),
        (403, "quotaExceeded", True),
        (413, "rate_limit_exceeded", False),
        (429, "insufficient_quota", False),
        (401, "server_error", False),
    ],
)
async def test_a_refusal_is_read_by_its_code_where_its_status_is_vague(
    client: Client,
    model_server: OpenAIServer,
    status: int,
    code: str | None,
    *,
    is_tried_again: bool,
) -> None:
    model_server.plan(Behaviour(status=status, error="No.", code=code))

    if is_tried_again:
        _, result = await collect(build(model_server, client), PROMPT)
        assert result.attempt_count == 2
    else:
        with pytest.raises(LLMError) as caught:
            await collect(build(model_server, client), PROMPT)
        assert not caught.value.is_transient
        assert len(model_server.requests) == 1


async def test_the_error_of_a_reported_stream_is_final(model_server: OpenAIServer) -> None:
    model_server.plan(read_reported("s10b"))

    with pytest.raises(LLMError, match="max tokens must be positive") as caught:
        await collect(build(model_server), PROMPT)

    assert not caught.value.is_transient
    assert len(model_server.requests) == 1
