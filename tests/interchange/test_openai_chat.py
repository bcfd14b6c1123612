"""Conversations of chat completions become tapes, and the tapes give the same messages back."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.engine.errors import ImportRefusedError
from tapes_app.engine.model.reasoning import REASONING
from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.folders import collect_files
from tapes_app.interchange.openai_chat import decode_conversation, encode_conversation
from tapes_app.interchange.refusals import DEFAULT_LIMITS
from tapes_app.interchange.tape_codec import TapeSource
from tapes_app.interchange.tapeagents import read_file
from tapes_app.models import TapeRecord
from tests.engine.strategies import json_values
from tests.interchange.builders import build_tape_fields, pack, read_tapes, store_json
from tests.interchange.chats import WEATHER_TOOL, build_call, build_conversation, store_lines
from tests.interchange.test_bounded_memory import ALLOWED_BYTES, peak_of


def decode(value: Any) -> Any:
    source = TapeSource(file="chats.jsonl", form="chat")
    return decode_conversation(value, source, DEFAULT_LIMITS, position="line 1")


def test_each_message_becomes_a_step_of_its_own() -> None:
    tape = decode(build_conversation()).tape

    assert [step.kind for step in tape.steps] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]
    assert tape.steps[2].tool_calls[0].function.name == "get_weather"
    assert tape.steps[3].content == "4 degrees, rain"
    assert tape.context == {"tools": [WEATHER_TOOL]}


ODD_MESSAGES: list[dict[str, Any]] = [
    {"role": "developer", "content": "Be brief.", "name": "boss"},
    {"role": "user", "content": [{"type": "text", "text": "What is this?"}]},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "And this?"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
        ],
    },
    {"role": "user", "content": None},
    {"role": "assistant", "tool_calls": [build_call()]},
    {"role": "assistant", "content": "", "tool_calls": [build_call(id="a"), build_call(id="b")]},
    {"role": "assistant", "content": None, "refusal": "No.", "weight": 0},
    {"role": "assistant", "content": "Yes.", "tool_calls": [], "reasoning_content": "Hm."},
    {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}},
    {"role": "assistant", "content": "x", "function_call": None},
    {"role": "function", "name": "f", "content": "1"},
    {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "1"}], "name": "f"},
    {"role": "tool", "content": None},
    {"role": "critic", "content": "Bad.", "score": 3},
]


@pytest.mark.parametrize("message", ODD_MESSAGES, ids=str)
def test_an_odd_message_comes_back_as_it_was(message: dict[str, Any]) -> None:
    assert encode_conversation(decode([message]).tape)["messages"] == [message]


TEXTS = st.text(max_size=12)
PARTS = st.lists(
    st.builds(lambda text: {"type": "text", "text": text}, TEXTS)
    | st.dictionaries(st.sampled_from(["type", "url", "detail"]), TEXTS, max_size=3),
    max_size=3,
)
CALLS = st.lists(
    st.builds(lambda name, id: build_call(name, id=id, a=1), TEXTS, TEXTS), min_size=1, max_size=2
)
EXTRA = st.dictionaries(
    st.sampled_from(["name", "weight", "audio", *REASONING]), json_values, max_size=2
)
MESSAGES = st.one_of(
    st.builds(
        lambda role, content, extra: {**extra, "role": role, "content": content},
        st.sampled_from(["system", "developer", "user", "assistant", "critic"]),
        TEXTS | PARTS | st.none(),
        EXTRA,
    ),
    st.builds(
        lambda content, calls, extra: {
            **extra, "role": "assistant", "content": content, "tool_calls": calls
        },
        TEXTS | PARTS | st.none(),
        CALLS,
        EXTRA,
    ),
    st.builds(
        lambda content, id: {"role": "tool", "content": content, "tool_call_id": id},
        TEXTS | PARTS | st.none(),
        TEXTS,
    ),
)  # fmt: skip


@given(st.lists(MESSAGES, min_size=1, max_size=4), EXTRA)
def test_any_conversation_comes_back_as_it_was(
    messages: list[dict[str, Any]], fields: dict[str, Any]
) -> None:
    line = {"messages": messages, **fields}

    assert encode_conversation(decode(line).tape) == line


def test_parts_of_an_answer_are_one_text_and_those_of_a_question_are_blocks() -> None:
    parts = [{"type": "text", "text": "Hi"}, {"type": "text", "text": " there"}]
    messages = [{"role": role, "content": parts} for role in ("user", "assistant")]
    tape = decode(messages).tape
    asked, answered = tape.steps
    assert (asked.content, answered.content) == ("Hi\n there", "Hi there")

    earlier = answered.model_copy(update={"content": "Hi\n there"})  # by an earlier version
    again = tape.with_steps((asked, earlier), author="")

    assert encode_conversation(again)["messages"] == messages


def test_an_edited_text_keeps_the_picture_beside_it() -> None:
    tape = decode([ODD_MESSAGES[2]]).tape
    edited = tape.with_steps((tape.steps[0].model_copy(update={"content": "New"}),), author="ada")

    (message,) = encode_conversation(edited)["messages"]

    picture = ODD_MESSAGES[2]["content"][1]
    assert message["content"] == [{"type": "text", "text": "New"}, picture]


FILES: dict[str, tuple[Any, int]] = {
    "an object": (json.dumps(build_conversation(), indent=2), 1),
    "a list of conversations": (json.dumps([build_conversation()] * 2), 2),
    "a message list": (json.dumps(build_conversation()["messages"]), 1),
    "a list of message lists": (json.dumps([build_conversation()["messages"]] * 3), 3),
    "lines": ("\n".join([json.dumps(build_conversation())] * 3), 3),
    "lines of message lists": ("\n\n".join([json.dumps([ODD_MESSAGES[0]])] * 2) + "\r\n", 2),
}


@pytest.mark.parametrize(("text", "count"), FILES.values(), ids=FILES.keys())
@pytest.mark.parametrize("is_packed", [False, True])
def test_every_form_is_told_by_its_content(
    text: str, count: int, is_packed: bool, tmp_path: Path
) -> None:
    path = tmp_path / "chats.txt"
    path.write_text(text, encoding="utf-8", newline="")

    read = read_tapes(pack(path) if is_packed else path)

    assert len(read) == count
    assert all(item.source.form == "chat" and item.tape.steps for item in read)


GOOD = json.dumps(build_conversation())
BROKEN = {
    "cut line": (f'{GOOD}\n{GOOD}\n{{"messages": [\n{GOOD}', "line ends in the middle", "line 3"),
    "broken line": (f"{GOOD}\n{{messages: []}}", "not valid JSON", "line 2, column 2"),
    "no messages": (f'{GOOD}\n{{"messages": 5}}', "not a list of messages", "line 2"),
    "empty": (f'{GOOD}\n{{"messages": []}}', "is empty", "line 2"),
    "a text": (f'{GOOD}\n\n{{"messages": ["hi"]}}', "not a JSON object", "line 3, message 0"),
    "no role": (f'{{"messages": [{{"content": "x"}}]}}\n{GOOD}', "role", "line 1, message 0"),
    "number": (
        '{"messages": [{"role": "user", "content": 5}]}',
        "neither text",
        "line 1, message 0",
    ),
    "calls": (
        f'{GOOD}\n{{"messages": [{{"role": "assistant", "tool_calls": [5]}}]}}',
        "tool_calls",
        "line 2, message 0",
    ),
    "a tape between": (f"{GOOD}\n{json.dumps(build_tape_fields())}", "JSON Lines", "line 2"),
    "a number between": (f"{GOOD}\n7", "JSON Lines", "line 2"),
    "two on a line": (f"{GOOD} {GOOD}", "one value per line", "line 1"),
    "NaN": (f'{GOOD}\n{{"messages": NaN}}', "not a list of messages", "line 2"),
    "behind a list": (f"[{GOOD}]\n{{", "ends in the middle", "line 2"),
}


@pytest.mark.parametrize(("text", "reason", "position"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_line_is_refused_with_its_place_and_reason(
    text: str, reason: str, position: str, tmp_path: Path
) -> None:
    (tmp_path / "chats.jsonl").write_text(text, encoding="utf-8")

    with pytest.raises(ImportRefusedError) as refused:
        list(read_file(tmp_path / "chats.jsonl"))

    assert refused.value.details["file"] == "chats.jsonl"
    assert reason in refused.value.details["reason"]
    assert refused.value.details["position"].startswith(position)


def test_what_no_step_shows_is_told() -> None:
    file = {"role": "user", "content": [{"type": "file", "file": {"file_id": "f"}}]}
    line = {"messages": [file, ODD_MESSAGES[2], ODD_MESSAGES[6], ODD_MESSAGES[13]], "id": "x\x1b"}

    assert decode(line).unmapped == (
        "content parts of type 'file'; the step shows only the text",
        "field 'refusal' of assistant messages",
        "field 'weight' of assistant messages",
        "messages of role 'critic', as steps of one kind",
        "field 'id' next to the messages",
    )


@pytest.mark.django_db
def test_importing_twice_changes_nothing(project: UUID, tmp_path: Path) -> None:
    odd = build_conversation(id=7)
    store_lines(tmp_path / "in" / "chats.jsonl", build_conversation(), odd, odd)
    files = collect_files(tmp_path / "in")

    first = import_files(project, files, batch_name="chats")
    second = import_files(project, files, batch_name="chats")

    assert (first.imported, first.already_there, first.refused) == (3, 0, [])
    assert first.unmapped == {"field 'id' next to the messages": 2}
    assert (second.imported, second.already_there) == (0, 3)
    assert not second.unmapped
    assert TapeRecord.objects.count() == 3
    assert set(TapeRecord.objects.values_list("title", flat=True)) == {"Weather in Oslo?"}


@pytest.mark.django_db
def test_a_broken_line_leaves_nothing_of_its_file(project: UUID, tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    path.write_text(f"{GOOD}\n" * 150 + "{", encoding="utf-8")
    store_json(tmp_path / "whole.json", build_conversation())

    report = import_files(project, collect_files(tmp_path), batch_name="chats")

    assert (report.imported, TapeRecord.objects.count()) == (1, 1)
    (refused,) = report.refused
    assert (refused.file, refused.position) == ("chats.jsonl", "line 151, column 2")


@pytest.mark.slow
def test_long_lines_are_read_one_at_a_time(tmp_path: Path) -> None:
    line = json.dumps(build_conversation(note="x" * 15_000))
    path = tmp_path / "chats.jsonl"
    path.write_text(f"{line}\n" * 600, encoding="utf-8")

    peak = peak_of(lambda: sum(1 for _ in read_file(path)))

    assert path.stat().st_size > 2 * ALLOWED_BYTES
    assert peak < ALLOWED_BYTES
