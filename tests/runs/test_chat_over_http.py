"""An agent behind an OpenAI-compatible address, asked by the official client."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.core.asgi import get_asgi_application
from django.core.wsgi import get_wsgi_application
from openai import APIStatusError, AsyncOpenAI, OpenAI

from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, NodeSpec
from tapes_app.engine.model.llm import LLMOutput, Prompt, scripts
from tapes_app.engine.tape.dialog_steps import UserStep
from tapes_app.models import JobRecord, TapeRecord
from tapes_app.tapes.store.loading import load_tape
from tests.jobs.hosting import workers_beside
from tests.runs.browsers import RunBrowser
from tests.studio.documents import list_blocks

pytestmark = pytest.mark.django_db(transaction=True)

WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Say the weather of a town.",
        "parameters": {"type": "object", "properties": {"town": {"type": "string"}}},
    },
}


def answer_or_call(prompt: Prompt) -> LLMOutput:
    last = prompt.messages[-1]
    if prompt.tools and last["role"] == "user":
        function = {"name": "weather", "arguments": '{"town": "Oslo"}'}
        return LLMOutput(tool_calls=({"id": "c1", "type": "function", "function": function},))
    return LLMOutput(content=f"{len(prompt.messages)}: {last['content']}")


scripts.add("test-called", answer_or_call)


def build_called() -> AgentSpec:
    return AgentSpec(
        name="called",
        templates={"system": "Be brief."},
        llms={"default": LLMSpec(model="script:test-called")},
        nodes=(NodeSpec(type="engine.TalkNode", settings={"name": "main"}),),
        environment="test-person",
    )


class Caller:
    """A program with a token of a project that has the agent."""

    def __init__(self) -> None:
        self.browser = RunBrowser(spec=build_called())
        made = self.browser.ask("POST", "tokens", {"name": "app", "access": "write"}, expect=201)
        self.token = made["token"]

    def open(self) -> OpenAI:
        transport = httpx.WSGITransport(app=get_wsgi_application())
        return OpenAI(
            api_key=self.token,
            base_url="http://testserver/api/v1/openai",
            http_client=httpx.Client(transport=transport),
            max_retries=0,
        )

    def tapes(self) -> list[list[str]]:
        """Return the kinds and callers' words of each tape in the batch of calls."""
        rows = TapeRecord.objects.filter(batch__name="Calls of called 1").order_by("created_at")
        tapes = [load_tape(row.id, self.browser.person.project_id) for row in rows]
        return [[step.content for step in t if isinstance(step, UserStep)] for t in tapes]


@pytest.fixture
def caller() -> Iterator[Caller]:
    caller = Caller()
    with workers_beside("agents"):
        yield caller


def ask(client: OpenAI, messages: list[Any], **more: Any) -> Any:
    answer = client.chat.completions.create(model="agent:called@1", messages=messages, **more)
    return answer.choices[0].message


def test_a_conversation_continues_its_tape_and_a_changed_one_begins_another(
    caller: Caller,
) -> None:
    client = caller.open()
    first: list[Any] = [{"role": "user", "content": "one"}]
    said = ask(client, first)
    second = [*first, {"role": "assistant", "content": said.content}]

    again = ask(client, [*second, {"role": "user", "content": "two"}])
    other = ask(client, [*second, {"role": "user", "content": "three"}])

    assert (said.content, again.content, other.content) == ("2: one", "4: two", "4: three")
    assert caller.tapes() == [["one", "two"], ["one", "three"]]
    assert [model.id for model in client.models.list()] == ["agent:called@1"]


def test_the_callers_tools_are_called_by_the_agent_and_answered_by_the_caller(
    caller: Caller,
) -> None:
    client = caller.open()
    messages: list[Any] = [{"role": "user", "content": "How is Oslo?"}]

    called = ask(client, messages, tools=[WEATHER])
    (call,) = called.tool_calls
    result = {"role": "tool", "tool_call_id": call.id, "content": "Rain"}
    said = ask(client, [*messages, called.model_dump(), result], tools=[WEATHER])

    assert (call.function.name, call.function.arguments) == ("weather", '{"town": "Oslo"}')
    assert said.content == "4: Rain"
    assert caller.tapes() == [["How is Oslo?"]]
    assert JobRecord.objects.count() == 1


def test_the_program_of_the_guide_gets_an_answer(
    caller: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    guide = "docs/agent-editor.md"
    (block,) = (one for one in list_blocks() if (one.document, one.language) == (guide, "python"))
    program = block.text.replace("from openai import OpenAI", "").replace(
        "agent:support@published", "agent:called@1"
    )

    exec(program, {"OpenAI": lambda **_: caller.open()})

    assert capsys.readouterr().out == "2: Where is my order?\n"


def test_what_cannot_be_called_says_what_would(caller: Caller) -> None:
    client = caller.open()
    messages: Any = [{"role": "user", "content": "hi"}]

    def refuse(model: str, **more: Any) -> str:
        with pytest.raises(APIStatusError) as refused:
            client.chat.completions.create(**{"model": model, "messages": messages, **more})
        body: Any = refused.value.body
        return str(body["message"])

    assert "No version of agent 'called' is published" in refuse("agent:called@published")
    assert "has no version 7; the newest is 1" in refuse("agent:called@7")
    assert "There is no agent 'nobody'" in refuse("agent:nobody@1")
    assert "Name the model agent:NAME@VERSION" in refuse("gpt-4o")
    assert "Each tool is" in refuse("agent:called@1", tools=[{"type": "function"}])
    assert "End with a message of the user" in refuse(
        "agent:called@1", messages=[{"role": "assistant", "content": "hi"}]
    )
    assert caller.tapes() == []


async def test_an_answer_is_streamed(caller: Caller) -> None:
    studio: Any = get_asgi_application()
    client = AsyncOpenAI(
        api_key=caller.token,
        base_url="http://testserver/api/v1/openai",
        http_client=httpx.AsyncClient(transport=httpx.ASGITransport(app=studio)),
        max_retries=0,
    )

    stream = await client.chat.completions.create(
        model="agent:called@1",
        messages=[{"role": "user", "content": "one"}],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = [chunk async for chunk in stream]

    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == "2: one"
    assert [c.choices[0].finish_reason for c in chunks if c.choices] == [None, "stop"]
    assert chunks[-1].usage is not None
