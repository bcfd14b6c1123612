"""Answers that end badly: the run says why, and the call keeps what came."""

from typing import Any

import pytest

from tapes_app.engine import Agent, TalkNode, Tape
from tapes_app.engine.environment.events import NodeFailed
from tapes_app.engine.model.answer_ends import AnswerEndError
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.openai_client import OpenAICompatibleLLM
from tests.llms.openai_server import Behaviour, OpenAIServer

ASKED = Tape(steps=(UserStep(content="How deep is the lock?"),))


def build_agent(server: OpenAIServer) -> Agent:
    config = ModelConfig(litellm_model="openai/test-model", base_url=server.base_url)
    return Agent.create(
        "talker", templates={"system": ""}, nodes=[TalkNode()], llms=OpenAICompatibleLLM(config)
    )


async def collect_events(agent: Agent, events: list[Any]) -> None:
    async for event in agent.run(ASKED):
        events.append(event)  # noqa: PERF401 - those before an error count


def call(arguments: str) -> dict[str, Any]:
    function = {"name": "measure", "arguments": arguments}
    return {"tool_calls": [{"id": "a", "type": "function", "function": function}]}


@pytest.mark.parametrize(
    ("message", "finish_reason", "reason"),
    [
        ({"refusal": "I will not say."}, "stop", "refused to answer: 'I will not say.'"),
        ({"content": ""}, "content_filter", "content filter"),
        ({"reasoning_content": "Well, a lock"}, "length", "before it said anything"),
        (call('{"at": "No'), "length", "in the middle of a tool call"),
    ],
)
async def test_an_answer_that_ends_badly_is_told_as_what_it_is(
    model_server: OpenAIServer, message: dict[str, Any], finish_reason: str, reason: str
) -> None:
    model_server.plan(Behaviour(message=message, finish_reason=finish_reason))
    events: list[Any] = []

    with pytest.raises(AnswerEndError, match=reason):
        await collect_events(build_agent(model_server), events)

    (failed,) = (event for event in events if isinstance(event, NodeFailed))
    assert failed.call is not None
    assert reason in failed.call.error
    assert failed.call.finish_reason == finish_reason


@pytest.mark.parametrize(
    "message", [{"content": "About nine"}, call('{"at": "North"}')], ids=["words", "whole call"]
)
async def test_what_came_whole_is_used_also_at_the_limit_of_tokens(
    model_server: OpenAIServer, message: dict[str, Any]
) -> None:
    model_server.plan(Behaviour(message=message, finish_reason="length"))

    tape = await build_agent(model_server).run(ASKED).get_final_tape()

    assert len(tape) == 3
    assert isinstance(tape.steps[-1], AssistantStep) is ("content" in message)
