"""An agent behind an OpenAI-compatible address, asked by the official client."""

from typing import Any

import pytest
from openai import APIStatusError, OpenAI

from tapes_app.models import JobRecord
from tests.llms.openai_server import OpenAIServer
from tests.runs.callers import WEATHER, Caller, caller
from tests.studio.documents import list_blocks

__all__ = ["caller"]

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_the_callers_sampling_reaches_the_model_before_the_versions_own(caller: Caller) -> None:
    client = caller.open()
    with OpenAIServer() as server:
        own = {"temperature": 0.9, "top_p": 0.8}
        caller.add_local("sampled", server.base_url, sampling=own)

        answer = client.chat.completions.create(
            model="agent:sampled@1",
            messages=[{"role": "user", "content": "hi"}],
            temperature=0.25,
            max_completion_tokens=77,
            seed=5,
            stop="END",
            n=1,
            response_format={"type": "text"},
        )

        (sent,) = server.requests
    assert answer.choices[0].message.content
    named = ("temperature", "top_p", "max_tokens", "seed", "stop")
    assert {name: sent.get(name) for name in named} == {
        "temperature": 0.25,
        "top_p": 0.8,
        "max_tokens": 77,
        "seed": 5,
        "stop": ["END"],
    }


def test_tools_that_must_not_be_called_are_not_offered(caller: Caller) -> None:
    messages: list[Any] = [{"role": "user", "content": "How is Oslo?"}]

    said = ask(caller.open(), messages, tools=[WEATHER], tool_choice="none")

    assert said.content == "2: How is Oslo?"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"temperature": 0.5}, "Agent 'called' is answered by scripts, which take no temperature"),
        ({"seed": 1}, "which take no seed; leave it out"),
        ({"temperature": 3}, "temperature must be a number between 0 and 2"),
        ({"stop": ["a", ""]}, "stop has at most 4 texts, none empty"),
        ({"n": 2}, "An agent gives one answer"),
        ({"logprobs": True}, "returns no log-probabilities"),
        ({"response_format": {"type": "json_object"}}, "The version decides the form"),
        ({"tool_choice": "required", "tools": [WEATHER]}, "decides whether it calls a tool"),
    ],
)
def test_what_an_agent_cannot_do_is_refused_and_leaves_no_tape(
    caller: Caller, asked: dict[str, Any], why: str
) -> None:
    with pytest.raises(APIStatusError) as refused:
        ask(caller.open(), [{"role": "user", "content": "hi"}], **asked)

    body: Any = refused.value.body
    assert refused.value.status_code == 422
    assert why in body["message"]
    assert caller.tapes() == []
