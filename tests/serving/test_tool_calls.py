"""Tool calls are read as templates of today write them, and nothing else is taken for one."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimize_app.serving.server.tool_calls import WrittenCall, count_sure, read_answer
from tests.serving.servers import Running
from tests.serving.test_chat_over_http import TOOLS, read_stream

NAMES = frozenset({"add", "find"})
ADD = WrittenCall("add", '{"a": 1}')
OBJECT = '{"name": "add", "arguments": {"a": 1}}'


@pytest.mark.parametrize(
    ("text", "content", "calls"),
    [
        (f"<tool_call>\n{OBJECT}\n</tool_call>", "", [ADD]),
        (f"Let me see.\n<tool_call>\n{OBJECT}\n</tool_call>", "Let me see.", [ADD]),
        ('<|python_tag|>{"name": "add", "parameters": {"a": 1}}', "", [ADD]),
        (f"[TOOL_CALLS][{OBJECT}, {OBJECT}]", "", [ADD, ADD]),
        (OBJECT + OBJECT, "", [ADD, ADD]),
        ('{"name": "find", "arguments": "{\\"q\\": 2}"}', "", [WrittenCall("find", '{"q": 2}')]),
        ('{"name": "find"}', "", [WrittenCall("find", "{}")]),
        (f"```json\n{OBJECT}\n```", "", [ADD]),
        ('{"name": "drop", "arguments": {}}', None, []),
        ('{"name": "add", "arguments": 3}', None, []),
        (f'[{OBJECT}, "and more"]', None, []),
        ('{"name": "add", "arguments": {"a": 1}', None, []),
        ("a list [1, 2] and {braces}", None, []),
        ('{"a": ' * 5_000, None, []),
        ("[" * 100_000, None, []),
    ],
)
def test_an_answer_is_parted_into_words_and_calls(
    text: str, content: str | None, calls: list[WrittenCall]
) -> None:
    read = read_answer(text, NAMES)

    assert list(read.calls) == calls
    assert read.content == (text if content is None else content)


@given(st.text(), st.text())
def test_what_is_sure_stays_so_whatever_follows(before: str, after: str) -> None:
    sure = before[: count_sure(before)]

    assert read_answer(f"{before}{after}{OBJECT}", NAMES).content.startswith(sure.strip())
    assert read_answer(before, frozenset()).content == before


@pytest.mark.parametrize("said", ["", "Let me add. "])
def test_calls_come_over_http_whole_and_streamed(server: Running, said: str) -> None:
    forced: dict[str, Any] = {
        "tools": TOOLS,
        "structured_outputs": {"choice": [f"{said}<tool_call>{OBJECT}</tool_call>"]},
        "max_tokens": 200,
    }

    (whole,) = server.answer(**forced)["choices"]
    pieces = [chunk["choices"][0] for chunk in read_stream(server, **forced)]
    (plain,) = server.answer(**{**forced, "tool_choice": "none"})["choices"]

    (call,) = whole["message"]["tool_calls"]
    assert (call["type"], call["function"]["name"]) == ("function", "add")
    assert json.loads(call["function"]["arguments"]) == {"a": 1}
    assert (whole["message"]["content"], whole["finish_reason"]) == (said.strip(), "tool_calls")
    deltas = [piece["delta"] for piece in pieces]
    assert "".join(delta.get("content", "") for delta in deltas).strip() == said.strip()
    (streamed,) = [delta["tool_calls"] for delta in deltas if "tool_calls" in delta]
    assert [one["function"] for one in streamed] == [call["function"]]
    assert pieces[-1]["finish_reason"] == "tool_calls"
    assert (plain["message"]["content"], plain["finish_reason"]) == (
        forced["structured_outputs"]["choice"][0], "stop",
    )  # fmt: skip


ADDING: dict[str, Any] = {
    "type": "object",
    "properties": {"sum": {"enum": [1, 2]}},
    "required": ["sum"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "add"}}])
def test_a_model_that_was_never_trained_calls_what_it_must(server: Running, choice: Any) -> None:
    tools = [{"type": "function", "function": {"name": "add", "parameters": ADDING}}]

    (answer,) = server.answer("hi", tools=tools, tool_choice=choice, max_tokens=60)["choices"]

    assert answer["finish_reason"] == "tool_calls"
    assert answer["message"]["content"] == ""
    (call,) = answer["message"]["tool_calls"]
    assert call["function"]["name"] == "add"
    assert json.loads(call["function"]["arguments"])["sum"] in (1, 2)
