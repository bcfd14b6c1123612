"""What the caller of an agent hears while its answer is being written."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import AsyncClient
from openai import APIError

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.spec import environment_of
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.environment.environment import Environment, EnvironmentGroup
from tapes_app.engine.environment.human import HumanEnvironment
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.gallery.chat.agent import agent as chat_agent
from tapes_app.gallery.math.agent import agent as math_agent
from tapes_app.models import JobRecord
from tapes_app.runs.domain.speech import Speaker, Speech, find_speakers
from tests.jobs.slow_listeners import SlowClosing
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.callers import WEATHER, Caller, caller
from tests.waiting import PATIENCE_SECONDS

__all__ = ["caller"]

ODD = "  Two  spaces,\n\ta tab, ümläuts, 日本語, 🐘 and </script>\u2028\x00 \n"

in_database = pytest.mark.django_db(transaction=True)
in_thread = database_sync_to_async


class SilentNode(TalkNode):
    """Makes its own steps of what its model says, so its words may become anything."""

    async def generate_steps(self, agent: Any, tape: Any, llm_stream: Any) -> AsyncIterator[Any]:
        async for step in super().generate_steps(agent, tape, llm_stream):
            yield step


def test_words_are_passed_on_of_nodes_that_make_nothing_else_of_them() -> None:
    helper = Agent.create("helper", nodes=[TalkNode(name="talk"), SilentNode(name="silent")])
    team = Agent.create("team", nodes=[TalkNode(name="say")], subagents=[helper])

    speakers = find_speakers(team, environment_of(team))

    assert speakers == {Speaker("team", "say"), Speaker("team/helper", "talk")}


def test_words_are_kept_where_a_tool_may_follow_or_no_person_listens() -> None:
    talker = Agent.create("talker", nodes=[TalkNode(name="say")])

    for agent in (chat_agent, math_agent):  # one has tools, one reads forms
        assert find_speakers(agent, environment_of(agent)) == frozenset()
    assert find_speakers(talker, Environment()) == frozenset()
    assert find_speakers(talker, EnvironmentGroup(Environment(), HumanEnvironment()))


def test_words_of_another_node_run_after_the_first_are_not_passed_on() -> None:
    speech = Speech(frozenset({Speaker("a", "say")}))
    heard: list[str] = []
    for prompt_id, node, text in (("1", "think", "Hm."), ("2", "say", "Hel"), ("3", "say", "lo")):
        started = {"type": "node.started", "agent": "a", "node": node, "prompt_id": prompt_id}
        delta = {"type": "step.delta", "prompt_id": prompt_id, "text": text}
        for frame in (started, delta):
            speech, words = speech.hear(frame)
            heard.append(words)

    assert "".join(heard) == "Hel"
    assert speech.rest("Hello") == "lo"
    assert speech.rest("Goodbye") is None

    # One of several that speak at once may be cancelled.
    in_lane = {"type": "node.started", "agent": "a", "node": "say", "prompt_id": "1", "lane": "2"}
    deaf, _ = Speech(frozenset({Speaker("a", "say")})).hear(in_lane)
    assert deaf.hear({"type": "step.delta", "prompt_id": "1", "text": "Hi"})[1] == ""


def say_odd(prompt: Prompt) -> LLMOutput:
    return LLMOutput(content=ODD)


def talk_while_calling(prompt: Prompt) -> LLMOutput:
    if prompt.messages[-1]["role"] == "user":
        function = {"name": "weather", "arguments": '{"town": "Oslo"}'}
        call = {"id": "c1", "type": "function", "function": function}
        return LLMOutput(content="Let me see.", tool_calls=(call,))
    return LLMOutput(content="It rains.")


scripts.add("test-odd", say_odd)
scripts.add("test-talk-while-calling", talk_while_calling)


def add_scripted(caller: Caller, name: str, script: str) -> None:
    spec = {
        "name": name,
        "templates": {"system": "Be brief."},
        "llms": {"default": {"model": f"script:{script}"}},
        "nodes": [{"type": "engine.TalkNode", "settings": {"name": "main"}}],
        "environment": "test-person",
    }
    caller.browser.ask("POST", "agents", {"spec": spec}, expect=201)


async def stream(caller: Caller, name: str, messages: list[Any], **more: Any) -> list[Any]:
    asked = {"model": f"agent:{name}@1", "messages": messages, "stream": True, **more}
    return [chunk async for chunk in await caller.open_beside().chat.completions.create(**asked)]


def words(chunks: list[Any]) -> list[str]:
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    return [delta.content for delta in deltas if delta.content]


@in_database
async def test_a_streamed_answer_is_the_stored_one_to_the_character(caller: Caller) -> None:
    await in_thread(add_scripted)(caller, "odd", "test-odd")
    asked: list[Any] = [{"role": "user", "content": "hi"}]

    chunks = await stream(caller, "odd", asked, stream_options={"include_usage": True})

    said = {"role": "assistant", "content": "".join(words(chunks))}
    assert said["content"] == ODD
    assert next(c.choices[0].delta.role for c in chunks if c.choices) == "assistant"
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].usage.completion_tokens > 0
    again = [*asked, said, {"role": "user", "content": "more"}]
    assert "".join(words(await stream(caller, "odd", again))) == ODD
    assert await in_thread(JobRecord.objects.count)() == 1  # the same tape went on


@in_database
async def test_words_beside_a_call_of_a_tool_are_not_the_answer(caller: Caller) -> None:
    await in_thread(add_scripted)(caller, "chatty", "test-talk-while-calling")
    asked: list[Any] = [{"role": "user", "content": "How is Oslo?"}]

    calling = await stream(caller, "chatty", asked, tools=[WEATHER])
    (call,) = (call for c in calling for call in c.choices[0].delta.tool_calls or ())
    called = {"id": call.id, "type": "function", "function": call.function.model_dump()}
    turn = {"role": "assistant", "content": None, "tool_calls": [called]}
    result = {"role": "tool", "tool_call_id": call.id, "content": "Rain"}
    said = await stream(caller, "chatty", [*asked, turn, result], tools=[WEATHER])

    assert words(calling) == []
    assert calling[-1].choices[0].finish_reason == "tool_calls"
    assert words(said) == ["It rains."]


async def open_raw(caller: Caller, name: str) -> AsyncIterator[str]:
    body = {
        "model": f"agent:{name}@1",
        "messages": [{"role": "user", "content": "hi"}],
        "stream": True,
    }
    answer = await AsyncClient().post(
        "/api/v1/openai/chat/completions",
        json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {caller.token}"},
    )
    async for piece in answer.streaming_content:  # type: ignore[attr-defined]
        yield piece.decode()


async def read_until(pieces: AsyncIterator[str], wanted: str) -> str:
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for piece in pieces:
            if wanted in piece:
                return piece
    raise AssertionError(f"the stream ended without {wanted!r}")


@in_database
async def test_words_come_while_the_model_writes_and_an_error_if_it_breaks_off(
    caller: Caller,
) -> None:
    with OpenAIServer() as server:
        await in_thread(caller.add_local)("local", server.base_url)
        server.plan(Behaviour(text="Once upon a time", hang_after=2))
        pieces = open_raw(caller, "local")

        first = await read_until(pieces, "Once")
        job = await in_thread(JobRecord.objects.get)()
        await in_thread(caller.browser.ask)("POST", f"jobs/{job.id}/cancel")
        last = await read_until(pieces, '"error"')

    assert '"role": "assistant"' in first
    assert job.state == "running"
    assert "The agent did not answer: Cancelled by" in last
    assert [piece async for piece in pieces] == []


@in_database
async def test_a_caller_that_goes_away_leaves_nobody_listening(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = SlowClosing(monkeypatch)
    hub.may_end.set()
    with OpenAIServer() as server:
        await in_thread(caller.add_local)("local", server.base_url)
        server.plan(Behaviour(text="Once upon a time", hang_after=2))
        pieces = open_raw(caller, "local")
        await read_until(pieces, "Once")
        reading = asyncio.create_task(read_until(pieces, "the end"))
        await asyncio.sleep(0)  # it waits for more

        reading.cancel()

        await asyncio.wait_for(hub.has_ended.wait(), PATIENCE_SECONDS)
        job = await in_thread(JobRecord.objects.get)()
        await in_thread(caller.browser.ask)("POST", f"jobs/{job.id}/cancel")
    assert job.state == "running"


@in_database
async def test_a_model_that_drops_its_answer_ends_the_stream_with_the_reason(
    caller: Caller,
) -> None:
    with OpenAIServer() as server:
        await in_thread(caller.add_local)("local", server.base_url)
        server.plan(Behaviour(text="Once upon a time", drop_after=2))

        with pytest.raises(APIError, match="The agent did not answer"):
            await stream(caller, "local", [{"role": "user", "content": "hi"}])
