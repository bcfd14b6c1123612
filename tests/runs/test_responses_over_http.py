"""An agent as a model of OpenAI's responses, asked by the official client."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from channels.db import database_sync_to_async
from openai import APIStatusError, OpenAI

from tapes_app.models import JobRecord, TapeRecord
from tests.llms.openai_server import Behaviour, OpenAIServer
from tests.runs.callers import WEATHER, Caller, caller
from tests.runs.test_streamed_answers import ODD, add_scripted

__all__ = ["caller"]

pytestmark = pytest.mark.django_db(transaction=True)

FLAT: Any = {"type": "function", **WEATHER["function"], "strict": None}
CALL = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "Rain"}

in_thread = database_sync_to_async


def ask(client: OpenAI, given: Any, **more: Any) -> Any:
    return client.responses.create(**{"model": "agent:called@1", "input": given, **more})


def refuse(client: OpenAI, given: Any, **more: Any) -> tuple[int, str]:
    with pytest.raises(APIStatusError) as refused:
        ask(client, given, **more)
    body: Any = refused.value.body
    return refused.value.status_code, body["message"]


def test_a_response_is_continued_by_its_id_on_the_same_tape(caller: Caller) -> None:
    client = caller.open()

    first = ask(client, "one", metadata={"for": "me"})
    second = ask(client, "two", previous_response_id=first.id)
    third = ask(client, "three", previous_response_id=second.id)

    said = [one.output_text for one in (first, second, third)]
    assert said == ["2: one", "4: two", "6: three"]
    assert caller.tapes() == [["one", "two", "three"]]
    assert (first.status, first.metadata) == ("completed", {"for": "me"})
    assert first.usage.total_tokens == first.usage.input_tokens + first.usage.output_tokens > 0
    assert JobRecord.objects.count() == 1


def test_an_earlier_response_is_continued_on_a_fork(caller: Caller) -> None:
    client = caller.open()
    first = ask(client, "one")
    ask(client, "two", previous_response_id=first.id)

    other = ask(client, "three", previous_response_id=first.id)
    more = ask(client, "four", previous_response_id=other.id)

    assert (other.output_text, more.output_text) == ("4: three", "6: four")
    assert caller.tapes() == [["one", "two"], ["one", "three", "four"]]
    child = TapeRecord.objects.get(parent__isnull=False)
    assert str(child.parent_id) == first.tape_id
    assert str(child.id) == more.tape_id


def test_an_answer_that_nobody_received_is_continued_on_a_fork(caller: Caller) -> None:
    first = ask(caller.open(), "one")
    TapeRecord.objects.filter(id=first.tape_id).update(source_id=first.tape_id)  # as it began

    other = ask(caller.open(), "two", previous_response_id=first.id)

    assert other.output_text == "4: two"
    assert caller.tapes() == [["one"], ["one", "two"]]


def test_of_two_continuations_at_once_each_gets_a_tape(caller: Caller) -> None:
    first = ask(caller.open(), "one")

    def go_on(word: str) -> str:
        said = ask(caller.open(), word, previous_response_id=first.id)
        return str(said.output_text)

    with ThreadPoolExecutor(2) as both:
        said = sorted(both.map(go_on, ["two", "three"]))

    assert said == ["4: three", "4: two"]
    assert sorted(caller.tapes()) == [["one", "three"], ["one", "two"]]


def test_whole_conversations_as_items_continue_their_tape_like_chats(caller: Caller) -> None:
    client = caller.open()
    items: list[Any] = [{"role": "user", "content": [{"type": "input_text", "text": "one"}]}]

    first = ask(client, items, instructions="Be kind.")
    items += [*first.output, {"role": "user", "content": "two"}]
    second = ask(client, items, instructions="Be kind.")
    chat = client.chat.completions.create(
        model="agent:called@1",
        messages=[
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": first.output_text},
            {"role": "user", "content": "two"},
            {"role": "assistant", "content": second.output_text},
            {"role": "user", "content": "three"},
        ],
    )

    assert [first.output_text, second.output_text] == ["3: one", "5: two"]
    assert chat.choices[0].message.content == "7: three"
    assert caller.tapes() == [["one", "two", "three"]]


@pytest.mark.parametrize("is_by_id", [True, False])
def test_functions_of_the_caller_are_called_and_answered(caller: Caller, is_by_id: bool) -> None:
    client = caller.open()

    called = ask(client, "How is Oslo?", tools=[FLAT])
    (call,) = called.output
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "Rain"}
    if is_by_id:
        said = ask(client, [result], tools=[FLAT], previous_response_id=called.id)
    else:
        whole = [{"role": "user", "content": "How is Oslo?"}, call.model_dump(), result]
        said = ask(client, whole, tools=[FLAT])

    assert (call.type, call.name, call.arguments) == (
        "function_call",
        "weather",
        '{"town": "Oslo"}',
    )
    assert said.output_text == "4: Rain"
    assert caller.tapes() == [["How is Oslo?"]]
    assert client.responses.retrieve(called.id).output[0].model_dump() == call.model_dump()


def test_a_response_is_read_again(caller: Caller) -> None:
    client = caller.open()
    first = ask(client, "one")
    ask(client, "two", previous_response_id=first.id)

    again = client.responses.retrieve(first.id)

    assert (again.status, again.output_text, again.model) == (
        "completed",
        "2: one",
        "agent:called@1",
    )
    assert again.output == first.output
    assert abs(again.created_at - first.created_at) < 60


def test_a_response_that_failed_says_why_and_is_not_continued(caller: Caller) -> None:
    client = caller.open()
    with OpenAIServer() as server:
        caller.add_local("local", server.base_url)
        server.plan(Behaviour(status=400, error="No such model."))
        assert refuse(client, "hi", model="agent:local@1")[0] == 502
    tape = TapeRecord.objects.get(agent_name="local")
    response_id = f"resp_{tape.id.hex}_1"

    failed = client.responses.retrieve(response_id)

    assert failed.status == "failed"
    assert failed.error is not None
    assert "No such model" in failed.error.message
    status, why = refuse(client, "more", previous_response_id=response_id)
    assert status == 409
    assert "has no answer to continue from" in why


async def test_a_response_is_streamed_as_typed_events(caller: Caller) -> None:
    responses: Any = caller.open_beside().responses
    await in_thread(add_scripted)(caller, "odd", "test-odd")

    stream = await responses.create(model="agent:odd@1", input="hi", stream=True)
    events = [event async for event in stream]

    kinds = [event.type for event in events if event.type != "response.output_text.delta"]
    assert kinds == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    words = [event.delta for event in events if event.type == "response.output_text.delta"]
    assert "".join(words) == ODD == events[-1].response.output_text
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert {events[0].response.id, events[-1].response.id} == {events[0].response.id}


async def test_the_clients_own_stream_gathers_words_and_calls(caller: Caller) -> None:
    responses: Any = caller.open_beside().responses
    asked = {"model": "agent:called@1", "tools": [FLAT]}
    async with responses.stream(input="How is Oslo?", **asked) as stream:
        called = await stream.get_final_response()
    (call,) = called.output
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "Rain"}
    follows = {**asked, "previous_response_id": called.id}
    async with responses.stream(input=[result], **follows) as stream:
        said = await stream.get_final_response()

    assert (call.name, call.arguments) == ("weather", '{"town": "Oslo"}')
    assert said.output_text == "4: Rain"
    assert said.usage.output_tokens > 0


async def test_a_run_that_breaks_off_fails_its_stream(caller: Caller) -> None:
    responses: Any = caller.open_beside().responses
    with OpenAIServer() as server:
        await in_thread(caller.add_local)("local", server.base_url)
        server.plan(Behaviour(text="Once upon a time", drop_after=2))
        stream = await responses.create(model="agent:local@1", input="hi", stream=True)
        events = [event async for event in stream]

    assert events[-1].type == "response.failed"
    assert "The agent did not answer" in events[-1].response.error.message


CANNOT: list[tuple[dict[str, Any], str]] = [
    ({"background": True}, "An agent answers while you wait"),
    ({"store": False}, "Each conversation is a tape, which is kept"),
    ({"text": {"format": {"type": "json_object"}}}, "The version decides the form"),
    ({"conversation": "conv_1"}, "with previous_response_id"),
    ({"max_tool_calls": 3}, "The agent decides how often it calls tools"),
    ({"tool_choice": "required", "tools": [FLAT]}, "decides whether it calls a tool"),
    ({"tools": [{"type": "web_search"}]}, "A tool of type 'web_search' would have to run here"),
    ({"tools": [{"type": "function"}]}, "Each tool is"),
    ({"temperature": 0.5}, "answered by scripts, which take no temperature"),
    ({"reasoning": {"effort": "low"}}, "which take no reasoning_effort"),
]

UNREADABLE: list[tuple[list[Any], str]] = [
    ([], "End with a message of the user or a tool"),
    ([{"role": "assistant", "content": "hi"}], "End with a message of the user"),
    ([{"role": "king", "content": "hi"}], "has the role 'king'"),
    ([{"role": "user", "content": 7}], "is a text or a list of parts"),
    ([{"role": "user", "content": ["hi"]}], "A part of type 'hi' cannot be read"),
    ([{"role": "user", "content": [{"type": "input_file"}]}], "'input_file' cannot be read"),
    ([{"type": "item_reference", "id": "x"}], "An item of type 'item_reference'"),
    ([{"type": {"a": 1}}], "An item of type"),
    ([RESULT], "There is no call 'c1' before this result"),
    ([RESULT, CALL, {"role": "user", "content": "hi"}], "There is no call 'c1'"),
    ([CALL, RESULT, RESULT], "There is no call 'c1'"),
    ([{**CALL, "call_id": ""}, RESULT], "has a call_id"),
    ([{**CALL, "name": None}, RESULT], "A tool call in the messages cannot be read"),
    ([CALL, {**RESULT, "output": [{"type": "input_image", "image_url": "x"}]}], "is text"),
]


def test_what_an_agent_cannot_do_and_what_cannot_be_read_is_refused_and_leaves_no_tape(
    caller: Caller,
) -> None:
    client = caller.open()

    refused = [(refuse(client, "hi", **asked), why) for asked, why in CANNOT]
    refused += [(refuse(client, items), why) for items, why in UNREADABLE]

    assert [status for (status, _), _ in refused if status != 422] == []
    assert [message for (_, message), why in refused if why not in message] == []
    assert caller.tapes() == []


def test_results_without_a_call_are_refused_in_chats_and_after_responses_too(
    caller: Caller,
) -> None:
    client = caller.open()
    first = ask(client, "one")
    result: Any = {"role": "tool", "tool_call_id": "c9", "content": "Rain"}

    with pytest.raises(APIStatusError, match="There is no call 'c9'"):
        client.chat.completions.create(model="agent:called@1", messages=[result])
    assert "There is no call 'c1'" in refuse(client, [RESULT], previous_response_id=first.id)[1]
    assert caller.tapes() == [["one"]]


def test_responses_that_are_unknown_or_of_others_are_refused_alike(caller: Caller) -> None:
    client = caller.open()
    ours = ask(client, "one", instructions="Be kind.")
    theirs = Caller().open()
    tape = ours.tape_id.replace("-", "")

    for response_id in (
        "resp_1",
        f"resp_{tape}_1",
        f"resp_{tape}_999999999",
        f"resp_{tape}_0",
        "é",
    ):
        status, why = refuse(client, "hi", previous_response_id=response_id)
        assert (status, "There is no response" in why) == (404, True), response_id
    status, why = refuse(theirs, "hi", previous_response_id=ours.id)
    assert (status, "There is no response" in why) == (404, True)
    with pytest.raises(APIStatusError, match="There is no response"):
        theirs.responses.retrieve(ours.id)
    other = refuse(client, "hi", previous_response_id=ours.id, instructions="Be rude.")
    assert other[0] == 422
    same = ask(client, "two", previous_response_id=ours.id, instructions="Be kind.")
    assert same.output_text == "5: two"
    assert caller.tapes() == [["one", "two"]]


def test_ten_megabytes_are_a_message_like_any_other(caller: Caller) -> None:
    add_scripted(caller, "odd", "test-odd")

    said = ask(caller.open(), "word " * 2_000_000, model="agent:odd@1")

    assert said.output_text == ODD
