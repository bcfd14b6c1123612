"""Tapes as lines to train on: what TRL and LLaMA-Factory ask of them holds for every recording."""

import json
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import pytest

from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, ToolCalls, ToolResult, UserStep
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services.export_request import ExportRequest
from tapes_app.exchange.services.export_writing import ExportCount, write_export
from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.chat_lines import (
    RecordedPrompts,
    UnfitTapeError,
    openai_line,
)
from tapes_app.interchange.folders import collect_files
from tapes_app.interchange.lost_parts import THOUGHTS
from tapes_app.library.store.plans import TapeFilter
from tapes_app.tapes.store.saving import save_tape
from tests.interchange.chats import WEATHER_TOOL, build_call, sharegpt_line
from tests.interchange.test_openai_chat import decode
from tests.recordings import EACH_FOLDER, OWN

JSON = dict[str, Any]


def export(project: UUID, form: str) -> tuple[list[JSON], ExportCount]:
    request = ExportRequest.model_validate({"format": form})
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        count = write_export(project, TapeFilter(), request, path, lambda *_: None)
        return [json.loads(line) for line in path.read_text().splitlines()], count


@pytest.mark.django_db
@pytest.mark.parametrize("folder", EACH_FOLDER)
def test_every_line_of_a_recording_is_one_that_trainers_read(folder: Path, project: UUID) -> None:
    tapes = import_files(project, collect_files(folder), batch_name="all").imported

    chats, of_chats = export(project, "openai")
    lines, of_lines = export(project, "sharegpt")

    assert [(count.tapes, len(count.unfit)) for count in (of_chats, of_lines)] == [
        (len(chats), tapes - len(chats)),
        (len(lines), tapes - len(lines)),
    ]
    for chat in chats:
        check_chat(chat)
    for line in lines:
        check_for_llama_factory(line)


def check_chat(line: JSON) -> None:
    """Check that turns alternate, each call is declared, and each result follows its call."""
    declared = {tool["function"]["name"] for tool in line.get("tools", ())}
    open_calls: set[str] = set()
    for before, message in pairwise([{}, *line["messages"]]):
        if message["role"] == "tool":
            open_calls.remove(message["tool_call_id"])
            continue
        assert not open_calls
        assert message["role"] != before.get("role")
        for call in message.get("tool_calls", ()):
            assert call["function"]["name"] in declared
            open_calls.add(call["id"])


def check_for_llama_factory(line: JSON) -> None:
    """Check what its `SharegptDatasetConverter` and its `FunctionFormatter` ask."""
    turns = line["conversations"]
    assert turns
    assert len(turns) % 2 == 0
    for index, turn in enumerate(turns):
        assert turn["from"] in (("gpt", "function_call") if index % 2 else ("human", "observation"))
        if turn["from"] == "function_call":
            calls = json.loads(turn["value"])
            for call in calls if isinstance(calls, list) else [calls]:
                assert {"name", "arguments"} <= call.keys()
    for tool in json.loads(line.get("tools", "[]")):
        assert tool["name"]


@pytest.mark.django_db
def test_a_line_carries_the_system_prompt_that_was_recorded(project: UUID) -> None:
    import_files(project, collect_files(OWN / "gaia_agent"), batch_name="all")

    chats, _ = export(project, "openai")
    lines, _ = export(project, "sharegpt")

    said = "You are a careful helper who says little."
    assert {chat["messages"][0]["content"] for chat in chats} == {said}
    assert {line["system"] for line in lines} == {said}


TOLD = RecordedPrompts.of([{"role": "system", "content": "Be brief."}], [WEATHER_TOOL])
HELLO = UserStep(content="Hello?")


def ask(*ids: str, content: str | None = None, name: str = "get_weather") -> ToolCalls:
    calls = [{**build_call(id=id_), "function": {"name": name, "arguments": "{}"}} for id_ in ids]
    return ToolCalls.model_validate({"tool_calls": calls, "content": content})


def result(id_: str) -> ToolResult:
    return ToolResult(content=f"sun in {id_}", tool_call_id=id_)


def test_parallel_calls_and_their_results_are_one_turn_each() -> None:
    steps = (HELLO, ask("a", "b"), result("b"), result("a"), AssistantStep(content="Sun."))

    chat = openai_line(Tape(steps=steps), TOLD)
    line = sharegpt_line(Tape(steps=steps), TOLD)

    roles = [message["role"] for message in chat["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "tool", "assistant"]
    assert chat["tools"] == [WEATHER_TOOL]
    assert [turn["from"] for turn in line["conversations"]] == [
        "human", "function_call", "observation", "gpt",
    ]  # fmt: skip
    assert len(json.loads(line["conversations"][1]["value"])) == 2
    assert line["conversations"][2]["value"].startswith("sun in b\n")


def test_turns_of_one_role_in_a_row_are_one() -> None:
    steps = (
        HELLO,
        UserStep(content="Is it warm?"),
        AssistantStep(content="I look."),
        ask("a"),
        result("a"),
        UserStep(content="Thanks."),
    )

    chat = openai_line(Tape(steps=steps), TOLD)

    roles = [message["role"] for message in chat["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "user"]
    assert chat["messages"][1]["content"] == "Hello?\n\nIs it warm?"
    assert chat["messages"][2]["content"] == "I look."
    assert chat["messages"][2]["tool_calls"]


def test_reasoning_goes_out_with_its_turn_and_signatures_stay_here() -> None:
    signed = ({"type": "thinking", "thinking": "I look.", "signature": "s"},)
    call = ask("a").model_copy(
        update={"reasoning_content": "I look.", "thinking_blocks": signed, "content": None}
    )
    said = AssistantStep(content="Well.", reasoning_content="Weather?")

    chat = openai_line(Tape(steps=(HELLO, said, call, result("a"))), TOLD)
    line = sharegpt_line(Tape(steps=(HELLO, call, result("a"), said)), TOLD)

    assert chat["messages"][2]["reasoning_content"] == "Weather?\n\nI look."
    assert "thinking" not in json.dumps([chat, line])


@pytest.mark.parametrize(
    "block",
    [
        {"thinking_blocks": ({"type": "thinking", "thinking": "I look.", "signature": "s"},)},
        {"reasoning_details": ({"type": "reasoning.text", "text": "I look."},)},
        {"reasoning_details": ({"type": "reasoning.summary", "summary": "I look."},)},
    ],
)
def test_reasoning_that_only_a_provider_s_blocks_hold_goes_out_as_text(block: JSON) -> None:
    said = AssistantStep(content="Well.", **block)

    (_, answer) = openai_line(Tape(steps=(HELLO, said)))["messages"]

    assert answer == {"role": "assistant", "content": "Well.", "reasoning_content": "I look."}


def test_reasoning_that_is_encrypted_stays_here() -> None:
    sealed = ({"type": "redacted_thinking", "data": "b64"},)

    line = openai_line(Tape(steps=(HELLO, AssistantStep(content="Well.", thinking_blocks=sealed))))

    assert line["messages"][1] == {"role": "assistant", "content": "Well."}


@pytest.mark.django_db
def test_sharegpt_says_that_it_has_no_place_for_reasoning(project: UUID) -> None:
    for thoughts in ("Weather?", None):
        said = AssistantStep(content="Well.", reasoning_content=thoughts)
        save_tape(project, Tape(steps=(HELLO, said)))

    lines, of_lines = export(project, "sharegpt")
    chats, of_chats = export(project, "openai")

    assert "Weather?" not in json.dumps(lines)
    assert "Weather?" in json.dumps(chats)
    assert (of_lines.lost, of_chats.lost) == ({THOUGHTS: 1}, {})


@pytest.mark.parametrize("empty", [{}, *({"arguments": one} for one in ("", " ", "null", None))])
def test_a_call_without_arguments_has_an_empty_object(empty: JSON) -> None:
    function = {"name": "get_weather", **empty}
    calls = [{"id": "a", "type": "function", "function": function}]
    conversation = {
        "messages": [
            {"role": "user", "content": "Is it warm?"},
            {"role": "assistant", "content": None, "tool_calls": calls},
            {"role": "tool", "tool_call_id": "a", "content": "Yes."},
            {"role": "assistant", "content": None, "function_call": function},
        ],
        "tools": [WEATHER_TOOL],
    }
    tape = decode(conversation).tape

    chat, line = openai_line(tape), sharegpt_line(tape)

    assert chat["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert chat["messages"][3]["function_call"]["arguments"] == "{}"
    called = [turn["value"] for turn in line["conversations"] if turn["from"] == "function_call"]
    assert [json.loads(value)["arguments"] for value in called] == [{}, {}]


def test_what_the_model_says_last_ends_a_sharegpt_line() -> None:
    steps = (HELLO, AssistantStep(content="Yes?"), UserStep(content="Nothing."))

    line = sharegpt_line(Tape(steps=steps))

    assert [turn["value"] for turn in line["conversations"]] == ["Hello?", "Yes?"]


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((SetNextNode(next_node=0),), "no text"),
        ((HELLO, ask("a", name="sing")), "declares"),
        ((HELLO, ask("a", "b"), result("a"), UserStep(content="So?")), "has no result"),
        ((HELLO, ask("a"), result("a"), result("a")), "answers no call"),
        ((HELLO, result("a")), "answers no call"),
    ],
)
def test_a_tape_that_would_train_something_wrong_is_refused(
    steps: tuple[Step, ...], reason: str
) -> None:
    with pytest.raises(UnfitTapeError, match=reason):
        openai_line(Tape(steps=steps), TOLD)


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ((HELLO,), "writes nothing"),
        ((AssistantStep(content="Good day."),), "alternate"),
        ((HELLO, ask("a"), result("a"), HELLO, AssistantStep(content="!")), "alternate"),
        ((HELLO, ask("a", content="I look.")), "next to a tool call"),
    ],
)
def test_a_tape_that_sharegpt_has_no_place_for_is_refused(
    steps: tuple[Step, ...], reason: str
) -> None:
    with pytest.raises(UnfitTapeError, match=reason):
        sharegpt_line(Tape(steps=steps), TOLD)


def test_parts_of_an_answer_are_one_text_beside_another_answer_too() -> None:
    parts = [{"type": "text", "text": "Good"}, {"type": "text", "text": " day."}]
    asked = {"role": "user", "content": parts}
    answers = [{"role": "assistant", "content": one} for one in (parts, "How are you?")]

    line = sharegpt_line(decode({"messages": [asked, *answers]}).tape)

    assert [turn["value"] for turn in line["conversations"]] == [
        "Good\n day.",
        "Good day.\n\nHow are you?",
    ]


def test_a_picture_is_not_dropped_in_silence() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}
    asked = {"role": "user", "content": [{"type": "text", "text": "What is it?"}, picture]}
    conversation = {"messages": [asked, {"role": "assistant", "content": "A cat."}]}

    with pytest.raises(UnfitTapeError, match="other than text"):
        sharegpt_line(decode(conversation).tape)
