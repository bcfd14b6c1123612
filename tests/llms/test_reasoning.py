"""What a model thought: read from each provider's stream, kept on steps, given back to some."""

import json
from typing import Any

import pytest
from pydantic import SecretStr

from tapes_app.engine import Prompt, Tape, UserStep
from tapes_app.engine.model.messages import Message, user_message
from tapes_app.engine.prompts.sound_messages import view_to_messages
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, ToolResult, deed_content
from tapes_app.engine.tape.view import compute_view_stack
from tapes_app.llms.factory import build_llm
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.pricing import PriceSheet
from tapes_app.llms.reasoning import join_blocks, join_details, messages_for
from tests.llms.collecting import collect
from tests.llms.openai_server import Behaviour, OpenAIServer

pytestmark = pytest.mark.filterwarnings(
    # litellm's own types, as pydantic sees them
    "ignore:Accessing the 'model_:DeprecationWarning",
    "ignore:Item 'summary' on TypedDict:Warning",
)

SIGNED = {"type": "thinking", "thinking": "I add them.", "signature": "sig=="}
HIDDEN = {"type": "redacted_thinking", "data": "abc"}
CALL = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}
THOUGHT = Message(
    role="assistant",
    content=None,
    tool_calls=[CALL],
    reasoning_content="I add them.",
    thinking_blocks=[SIGNED, HIDDEN],
)


def events(*said: dict[str, Any]) -> tuple[str, ...]:
    """Return the lines of a stream as Anthropic writes them."""
    lines = ((f"event: {one['type']}", f"data: {json.dumps(one)}", "") for one in said)
    return tuple(line for group in lines for line in group)


def block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


ANTHROPIC = events(
    {
        "type": "message_start",
        "message": {
            "id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [],
            "stop_reason": None, "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    },
    *block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "I add "},
        {"type": "thinking_delta", "thinking": "them."},
        {"type": "signature_delta", "signature": "sig=="},
    ),
    *block(1, HIDDEN),
    *block(
        2,
        {"type": "tool_use", "id": "c1", "name": "add", "input": {}},
        {"type": "input_json_delta", "partial_json": '{"a": 1}'},
    ),
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 20},
    },
    {"type": "message_stop"},
)  # fmt: skip
TOOLS = ({"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}},)


@pytest.mark.slow
async def test_signed_thoughts_go_back_to_anthropic_as_they_came_before_the_calls(
    model_server: OpenAIServer,
) -> None:
    llm = build_llm(
        ModelConfig(
            litellm_model="anthropic/claude-sonnet-4-5",
            base_url=model_server.base_url.removesuffix("/v1"),
            api_key=SecretStr("k" * 20),
            parameters={"reasoning_effort": "low"},
            max_attempts=1,
        )
    )
    model_server.plan(*2 * [Behaviour(text="", raw_lines=ANTHROPIC)])
    asked = user_message("Add them.")

    deltas, result = await collect(llm, Prompt(messages=(asked,), tools=TOOLS))
    tape = Tape(
        steps=(
            UserStep(content="Add them."),
            ToolCalls.from_llm_output(result.output),
            ToolResult(content="3", tool_call_id="c1"),
        )
    )
    stored = Tape.model_validate(tape.to_json())
    messages = tuple(view_to_messages(compute_view_stack(stored).top))
    await collect(llm, Prompt(messages=messages, tools=TOOLS))

    assert "".join(delta.reasoning for delta in deltas) == "I add them."
    assert result.output.reasoning_content == "I add them."
    assert result.output.thinking_blocks == (SIGNED, HIDDEN)
    assert not result.usage.is_estimate
    first, again = model_server.requests
    assert first["thinking"]["type"] == "enabled"
    assert "thinking" in again
    thought, hidden, call = again["messages"][1]["content"]
    assert [thought, hidden] == [SIGNED, HIDDEN]
    assert (call["type"], call["id"]) == ("tool_use", "c1")


@pytest.mark.parametrize(
    ("model", "kept"),
    [
        ("anthropic/claude-sonnet-4-5", {"thinking_blocks"}),
        ("bedrock/anthropic.claude-3-7-sonnet", {"thinking_blocks"}),
        ("deepseek/deepseek-reasoner", {"reasoning_content"}),
        ("hosted_vllm/Qwen/Qwen3-8B", {"reasoning_content"}),
        ("openai/gpt-5", set()),
        ("groq/llama-3.3-70b", set()),
        ("openrouter/anthropic/claude-sonnet-4.5", set()),
        ("openrouter/deepseek/deepseek-r1", {"reasoning_content"}),
    ],
)
def test_each_model_is_given_back_what_it_wants_and_no_more(model: str, kept: set[str]) -> None:
    [sent] = messages_for(model, [THOUGHT])

    assert sent.keys() == {"role", "content", "tool_calls"} | kept


def test_signed_thoughts_stay_away_from_a_model_that_shall_not_think() -> None:
    [sent] = messages_for("anthropic/claude-sonnet-4-5", [THOUGHT], effort="none")

    assert "thinking_blocks" not in sent


async def test_a_server_gets_the_effort_and_the_reasoning_of_its_own_kind_of_model(
    model_server: OpenAIServer,
) -> None:
    address = model_server.base_url
    asked = Prompt(messages=(user_message("Hi"), THOUGHT, Message(role="tool", content="3")))
    for name, parameters in (("qwen3-8b", {"reasoning_effort": "high"}), ("gpt-4o", {})):
        config = ModelConfig(litellm_model=name, base_url=address, parameters=parameters)
        await collect(build_llm(config), asked)

    thinks, plain = model_server.requests
    assert thinks["reasoning_effort"] == "high"
    assert thinks["messages"][1]["reasoning_content"] == "I add them."
    assert "thinking_blocks" not in json.dumps(model_server.requests)
    assert "reasoning_content" not in json.dumps(plain)


HIGH: dict[str, Any] = {"type": "reasoning.summary", "format": "openai-responses-v1", "index": 0}
LOCKED: dict[str, Any] = {"type": "reasoning.encrypted", "id": "rs_1", "data": "abc", "index": 1}
TEXT: dict[str, Any] = {"type": "reasoning.text", "format": "anthropic-claude-v1", "index": 0}
DETAILS: list[dict[str, Any]] = [{**TEXT, "text": "I add them.", "signature": "sig=="}, LOCKED]
PIECES = ({**TEXT, "text": "I add "}, {**TEXT, "text": "them.", "signature": None},
          {**TEXT, "signature": "sig=="}, LOCKED)  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "blocks"),
    [
        (PIECES, DETAILS),
        # Blocks in turns, and blocks that all say 0.
        (
            [{**HIGH, "summary": "a"}, LOCKED, {**HIGH, "summary": "b"}],
            [{**HIGH, "summary": "ab"}, LOCKED],
        ),
        *(
            (blocks, blocks)
            for blocks in (
                [{**HIGH, "summary": "a"}, {**LOCKED, "index": 0}, {**HIGH, "summary": "b"}],
                [DETAILS[0], DETAILS[0]],
                [LOCKED, {**LOCKED, "id": "rs_2"}, LOCKED],
                [{"odd": 1}],
                [],
            )
        ),
    ],
)
def test_openrouters_blocks_are_joined_over_the_pieces_of_a_stream(
    pieces: list[dict[str, Any]], blocks: list[dict[str, Any]]
) -> None:
    assert join_details(pieces) == blocks


def openrouter_stream() -> tuple[str, ...]:
    function = {"name": "add", "arguments": '{"a": 1}'}
    deltas: tuple[dict[str, Any], ...] = (
        *({"reasoning": piece.get("text"), "reasoning_details": [piece]} for piece in PIECES),
        {"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}]},
    )
    end: dict[str, Any] = {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
    choices = [*({"index": 0, "delta": delta} for delta in deltas), end]
    lines = (json.dumps({"id": "g", "choices": [choice]}) for choice in choices)
    return tuple(part for line in (*lines, "[DONE]") for part in (f"data: {line}", ""))


async def test_openrouters_blocks_go_back_to_it_as_they_came(model_server: OpenAIServer) -> None:
    llm = build_llm(
        ModelConfig(
            litellm_model="openrouter/anthropic/claude-sonnet-4.5",
            base_url=model_server.base_url,
            prices=PriceSheet(input=1_000_000, output=1_000_000),
            max_attempts=1,
        )
    )
    streamed = Behaviour(text="", raw_lines=openrouter_stream())
    model_server.plan(streamed, Behaviour(message={"content": "3"}))
    asked = user_message("Add them.")

    _, result = await collect(llm, Prompt(messages=(asked,), tools=TOOLS))
    answer = UserStep(content="Add them."), ToolCalls.from_llm_output(result.output)
    tape = Tape(steps=(*answer, ToolResult(content="3", tool_call_id="c1")))
    stored = Tape.model_validate(tape.to_json())
    messages = tuple(view_to_messages(compute_view_stack(stored).top))
    await collect(llm, Prompt(messages=messages, tools=TOOLS))

    assert result.output.reasoning_content == "I add them."
    assert result.output.reasoning_details == tuple(DETAILS)
    assert model_server.requests[1]["model"] == "anthropic/claude-sonnet-4.5"
    said = model_server.requests[1]["messages"][1]
    assert said["reasoning_details"] == DETAILS
    assert "reasoning_content" not in said


async def test_a_whole_answer_of_openrouters_form_is_kept_as_it_is(
    model_server: OpenAIServer,
) -> None:
    details = [{**HIGH, "summary": "a"}, {**HIGH, "summary": "b"}]
    message = {"content": "3", "reasoning": "ab", "reasoning_details": details}
    model_server.plan(Behaviour(message=message, is_streamed=False))

    config = ModelConfig(litellm_model="gpt-5", base_url=model_server.base_url)
    _, result = await collect(build_llm(config), Prompt(messages=(user_message("Hi"),)))
    step = AssistantStep.from_llm_output(result.output)
    stored = Tape.model_validate(Tape(steps=(step,)).to_json())
    [said] = view_to_messages(compute_view_stack(stored).top)

    assert step.reasoning_content == "ab"
    [there] = messages_for("openai/gpt-5", [said], base_url="https://openrouter.ai/api/v1")
    [elsewhere] = messages_for("openai/gpt-5", [said], base_url="https://notopenrouter.ai/v1")
    assert there["reasoning_details"] == details
    assert elsewhere.keys() == {"role", "content"}


def test_blocks_without_a_signature_are_none() -> None:
    pieces = [{"type": "thinking", "thinking": "a"}, {"type": "thinking", "thinking": "b"}, "odd"]

    assert join_blocks(pieces) == []


def test_an_answer_is_rebuilt_with_its_reasoning_and_old_steps_have_no_new_fields() -> None:
    step = AssistantStep(
        content="3.", reasoning_content="I add them.", thinking_blocks=(SIGNED, HIDDEN)
    )
    old = AssistantStep(content="3.")

    assert AssistantStep.from_llm_output(step.to_llm_output()) == step
    assert step.model_copy(update={"thinking_blocks": None}).content_equals(step)
    assert not old.content_equals(step)
    assert deed_content(old) == deed_content(step)
    assert old.content_dict() == {"kind": "assistant", "content": "3."}
    assert dict(view_to_messages(compute_view_stack(Tape(steps=(old,))).top)[0]) == {
        "role": "assistant",
        "content": "3.",
    }
