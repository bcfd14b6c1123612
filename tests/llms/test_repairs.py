"""Requests whose form a provider refuses: each is asked once more in another form."""

from typing import Any

import pytest

from tapes_app.engine.errors import LLMError
from tapes_app.engine.model.llm import Prompt
from tapes_app.engine.model.messages import Message, assistant_message, system_message, user_message
from tapes_app.engine.prompts.sound_messages import fold_system
from tapes_app.llms.litellm_client import LiteLLM
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer

pytestmark = pytest.mark.filterwarnings("ignore:Accessing the 'model_:DeprecationWarning")
Client = type[OpenAICompatibleLLM | LiteLLM]
FORM = {"type": "json_schema", "json_schema": {"name": "Sum", "schema": {"type": "object"}}}
TALK = (
    system_message("Be brief."),
    user_message("Hi"),
    assistant_message("Hello."),
    system_message("Now be formal."),
    user_message("And?"),
)
FORBIDDEN = {
    "detail": [
        {
            "type": "extra_forbidden",
            "loc": ["body", "stream_options"],
            "msg": "Extra inputs are not permitted",
        }
    ]
}


@pytest.fixture(params=["direct", pytest.param("litellm", marks=pytest.mark.slow)])
def client(request: pytest.FixtureRequest) -> Client:
    return OpenAICompatibleLLM if request.param == "direct" else LiteLLM


def build(
    server: OpenAIServer, client: Client = OpenAICompatibleLLM, **parts: Any
) -> OpenAICompatibleLLM | LiteLLM:
    config = ModelConfig(
        litellm_model="openai/test-model", base_url=server.base_url, backoff_seconds=0, **parts
    )
    return client(config)


def told(request: dict[str, Any]) -> list[tuple[str, str]]:
    return [(message["role"], message["content"]) for message in request["messages"]]


FOLDED = [
    ("system", "Be brief."),
    ("user", "Hi"),
    ("assistant", "Hello."),
    ("user", "Now be formal.\n\nAnd?"),
]
WITHOUT_SYSTEM = [
    ("user", "Be brief.\n\nHi"),
    ("assistant", "Hello."),
    ("user", "Now be formal.\n\nAnd?"),
]


@pytest.mark.parametrize(
    "refusal",
    [
        Behaviour(status=422, body=FORBIDDEN),
        Behaviour(status=422, body={"object": "error", "message": FORBIDDEN}),
        Behaviour(status=400, error="Unrecognized request argument supplied: stream_options"),
    ],
)
async def test_stream_options_are_left_out_from_then_on_where_they_are_refused(
    client: Client, model_server: OpenAIServer, refusal: Behaviour
) -> None:
    model_server.plan(refusal, Behaviour(text="A."))
    llm = build(model_server, client)

    _, result = await collect(llm, Prompt(messages=TALK))
    await collect(llm, Prompt(messages=TALK))

    first, *others = model_server.requests
    assert result.output.content == "A."
    assert first["stream_options"] == {"include_usage": True}
    assert ["stream_options" in request for request in others] == [False, False]


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize(
    ("said", "messages"),
    [
        ("System message must be at the beginning.", FOLDED),
        ("Only the first message can have the role 'system'.", FOLDED),
        ("Unexpected role 'system' after role 'assistant'", FOLDED),
        ("System role not supported", WITHOUT_SYSTEM),
        ("Only user and assistant roles are supported!", WITHOUT_SYSTEM),
        ("'messages[0].role' does not support 'system' with this model.", WITHOUT_SYSTEM),
        ('messages: Unexpected role "system".', WITHOUT_SYSTEM),
    ],
)
async def test_a_system_message_that_is_refused_is_folded_in_from_then_on(
    model_server: OpenAIServer, said: str, messages: list[tuple[str, str]], status: int
) -> None:
    model_server.plan(Behaviour(status=status, error=said), Behaviour(text="A."))
    llm = build(model_server)

    _, result = await collect(llm, Prompt(messages=TALK))
    await collect(llm, Prompt(messages=TALK))

    first, second, third = (told(request) for request in model_server.requests)
    assert result.output.content == "A."
    assert first == [(message.role, message.text) for message in TALK]
    assert second == third == messages


@pytest.mark.slow
async def test_a_system_message_is_folded_in_through_litellm_too(
    model_server: OpenAIServer,
) -> None:
    said = "System message must be at the beginning."
    model_server.plan(Behaviour(status=400, error=said), Behaviour(text="A."))

    await collect(build(model_server, LiteLLM), Prompt(messages=TALK))

    assert told(model_server.requests[1]) == FOLDED


async def test_several_repairs_follow_each_other_and_all_are_kept(
    model_server: OpenAIServer,
) -> None:
    refusals = (
        "Unknown field: stream_options",
        "Unknown field: logprobs",
        "Unknown field: response_format",
        "After the optional system message, conversation roles must alternate",
        "Conversation roles must alternate user/assistant/user/assistant/...",
    )
    model_server.plan(*(Behaviour(status=400, error=said) for said in refusals))
    messages = (user_message("One"), *TALK)
    prompt = Prompt(messages=messages, response_format=FORM)

    await collect(build(model_server, record_tokens=True), prompt)

    last = model_server.requests[-1]
    assert len(model_server.requests) == len(refusals) + 1
    assert not {"stream_options", "logprobs", "response_format"} & last.keys()
    first, _, (_, question) = told(last)
    assert first == ("user", "One\n\nBe brief.\n\nHi")
    assert question.startswith("Now be formal.\n\nAnd?\n\nAnswer with one JSON object")


@pytest.mark.parametrize(
    ("status", "said", "messages"),
    [
        (400, "System message must be at the beginning.", TALK[:3]),
        (400, "System role not supported", TALK[1:3]),
        (401, "System message must be at the beginning.", TALK),
        (400, "No such temperature.", TALK),
    ],
)
async def test_a_refusal_that_another_form_would_not_change_is_final(
    model_server: OpenAIServer, status: int, said: str, messages: tuple[Message, ...]
) -> None:
    model_server.plan(Behaviour(status=status, error=said))

    with pytest.raises(LLMError, match=said):
        await collect(build(model_server), Prompt(messages=messages))

    assert len(model_server.requests) == 1


async def test_a_refusal_that_does_not_stop_is_final(model_server: OpenAIServer) -> None:
    said = "System message must be at the beginning."
    model_server.plan(*2 * [Behaviour(status=400, error=said)])

    with pytest.raises(LLMError, match="at the beginning"):
        await collect(build(model_server), Prompt(messages=TALK))

    assert len(model_server.requests) == 2


async def test_nothing_is_asked_again_once_some_of_the_answer_has_come(
    model_server: OpenAIServer,
) -> None:
    error = {"error": {"message": "System message must be at the beginning.", "code": 400}}
    model_server.plan(Behaviour(stream=({"choices": [{"delta": {"content": "A"}}]}, error)))

    with pytest.raises(LLMError, match="at the beginning"):
        await collect(build(model_server), Prompt(messages=TALK))

    assert len(model_server.requests) == 1


CALL = {"id": "c", "type": "function", "function": {"name": "add", "arguments": "{}"}}
ASKS = Message(role="assistant", content=None, tool_calls=[CALL])
RESULT = Message(role="tool", tool_call_id="c", content="3")


@pytest.mark.parametrize(
    ("messages", "folded"),
    [
        ([*TALK[:1], system_message("And kind."), *TALK[1:2]],
         [system_message("Be brief.\n\nAnd kind."), user_message("Hi")]),
        ([user_message("Hi"), ASKS, system_message("Hush."), RESULT, assistant_message("3")],
         [user_message("Hi"), ASKS, RESULT, user_message("Hush."), assistant_message("3")]),
        ([user_message("Hi"), Message(role="developer", content="Hush.")],
         [user_message("Hi"), user_message("Hush.")]),
        ([user_message("Hi"), system_message("Hush."),
          Message(role="user", content=[{"type": "text", "text": "And?"}])],
         [user_message("Hi"),
          {"role": "user", "content": [{"type": "text", "text": "Hush."},
                                       {"type": "text", "text": "And?"}]}]),
        ([], []),
    ],
)  # fmt: skip
def test_a_system_message_opens_the_next_turn_and_results_stay_next_to_their_calls(
    messages: list[Message], folded: list[dict[str, Any]]
) -> None:
    assert fold_system(messages, keep_first=True) == folded
