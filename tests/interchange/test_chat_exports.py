"""Tapes as training lines and as a table: what comes out, what may not, and that it comes back."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.annotation.store.annotations import add_annotation
from tapes_app.annotation.store.rows import Anchor, Content
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.exchange.services.export_request import ExportRequest
from tapes_app.exchange.services.export_writing import ExportCount, write_export
from tapes_app.exchange.services.import_files import import_files
from tapes_app.interchange.chat_lines import UnfitTapeError, dump_line, openai_line
from tapes_app.interchange.folders import collect_files
from tapes_app.interchange.table_files import write_csv_rows
from tapes_app.tapes.store.marks import mark_tape
from tapes_app.tapes.store.saving import save_tape
from tests.engine.strategies import json_values
from tests.interchange.builders import build_tape_fields, read_tapes
from tests.interchange.chats import (
    WEATHER_TOOL,
    build_call,
    build_conversation,
    sharegpt_line,
    store_lines,
)
from tests.interchange.test_bounded_memory import peak_of
from tests.interchange.test_openai_chat import MESSAGES, decode

STEPS = st.one_of(
    st.builds(lambda text: UserStep(content=text), st.text(max_size=9)),
    st.builds(lambda text: AssistantStep(content=text), st.text(max_size=9)),
    st.builds(
        lambda kind, value: UnknownStep.model_validate({"kind": kind, "value": value}),
        st.sampled_from(["plan_thought", "look_action", "look_observation"]),
        json_values,
    ),
    st.just(SetNextNode(next_node=0)),
)


@given(st.lists(STEPS, max_size=5), st.lists(MESSAGES, max_size=3))
def test_exporting_importing_and_exporting_again_gives_the_same_messages(
    steps: list[Any], messages: list[dict[str, Any]]
) -> None:
    said = decode(messages).tape.steps if messages else ()
    try:
        line = openai_line(Tape(steps=(*steps, *said)))
    except UnfitTapeError:
        return

    again = openai_line(decode(json.loads(dump_line(line))).tape)

    assert again == line


def test_a_conversation_becomes_sharegpt_with_tools() -> None:
    conversation = build_conversation()
    odd = {"name": "get_weather", "arguments": "x"}
    both = [build_call(id="a"), {**build_call(id="b"), "function": odd}]
    conversation["messages"] += [
        {"role": "user", "content": "And?"},
        {"role": "assistant", "content": None, "tool_calls": both},
    ]

    line = sharegpt_line(decode(conversation).tape)

    called = {"name": "get_weather", "arguments": {"city": "Oslo"}}
    assert line["system"] == "You are brief."
    assert json.loads(line["tools"]) == [WEATHER_TOOL["function"]]
    assert [said["from"] for said in line["conversations"]] == [
        "human", "function_call", "observation", "gpt", "human", "function_call",
    ]  # fmt: skip
    assert json.loads(line["conversations"][1]["value"]) == called
    assert json.loads(line["conversations"][5]["value"]) == [called, odd]


@pytest.mark.parametrize("write_line", [openai_line, sharegpt_line])
def test_a_tape_without_words_is_no_line(write_line: Callable[[Tape], Any]) -> None:
    for steps in ((), (SetNextNode(next_node=0),)):
        with pytest.raises(UnfitTapeError, match="no text"):
            write_line(Tape(steps=steps))


@pytest.mark.parametrize("text", ["=1+1", "+1+1", "-A1", "@A1", "\t=1", " =1", "\r=1", "\uff1d1"])
def test_no_text_of_a_table_is_a_formula(text: str) -> None:
    (row,) = csv.reader(io.StringIO(write_csv_rows([[text, -1, 2.5, True, None]]), newline=""))

    assert row == [f"'{text}", "-1", "2.5", "true", ""]


@pytest.mark.parametrize("text", ["-1", "+1", "-1.5", "-.5", "-2.", "+1e9", "-1E-3", "7", "0042"])
def test_a_text_that_is_a_number_stays_one(text: str) -> None:
    assert write_csv_rows([[text]]).strip() == text


@given(st.lists(st.text(max_size=20).filter(lambda text: "\x00" not in text), min_size=1))
def test_a_cell_comes_back_as_it_was_or_with_an_apostrophe(cells: list[str]) -> None:
    (row,) = csv.reader(io.StringIO(write_csv_rows([cells]), newline=""))

    assert [cell.removeprefix("'") for cell in row] == [cell.removeprefix("'") for cell in cells]


def write(project: UUID, **request: Any) -> tuple[str, ExportCount]:
    wanted = ExportRequest.model_validate(request)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        count = write_export(project, wanted.to_filter(), wanted, path, lambda *_: None)
        return path.read_bytes().decode(), count


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["openai", "sharegpt"])
def test_what_is_kept_from_training_is_in_no_training_format(project: UUID, name: str) -> None:
    said = ["open", "secret", "checked", "trained"]
    answer = AssistantStep(content="Yes.")
    ids = {text: save_tape(project, Tape(steps=(UserStep(content=text), answer))) for text in said}
    mark_tape(ids["secret"], project, is_kept_from_training=True)
    mark_tape(ids["checked"], project, split="validation")
    mark_tape(ids["trained"], project, split="train")

    trained, count = write(project, format=name)
    checked, _ = write(project, format=name, split="validation")
    table, of_table = write(project, format="csv", columns=["title", "split"])

    assert [text for text in said if text in trained] == ["open", "trained"]
    assert count.left_out == {"excluded from training": 1, "in another split": 1}
    assert [text for text in said if text in checked] == ["checked"]
    assert table.split() == [
        "title,split",
        "trained,train",
        "checked,validation",
        "secret,",
        "open,",
    ]
    assert of_table.tapes == 4


@pytest.mark.django_db
def test_an_import_comes_back_with_its_annotations_when_they_are_asked_for(
    project: UUID, tmp_path: Path
) -> None:
    conversation = build_conversation(id="x1")
    source = store_lines(tmp_path / "in" / "chats.jsonl", conversation)
    import_files(project, collect_files(source), batch_name="chats")

    plain, _ = write(project, format="openai")
    (row,) = read_tapes(source)
    assert json.loads(plain) == conversation

    tape_id = save_tape(project, row.tape, title="=cmd()")
    note = Content(kind="score", name="good", value=0.5)
    add_annotation(tape_id, project, Anchor(position=1), note, owner=None)
    asked = {"tape_ids": [str(tape_id)], "with_annotations": True}
    line = json.loads(write(project, format="openai", **asked)[0])
    table = list(csv.DictReader(io.StringIO(write(project, format="csv", **asked)[0])))
    assert (line["annotations"][0]["name"], line["annotations"][0]["position"]) == ("good", 1)
    assert line["messages"] == conversation["messages"]
    assert (table[0]["title"], table[0]["steps"]) == ("'=cmd()", "5")
    assert json.loads(table[0]["annotations"])[0]["value"] == 0.5


@pytest.mark.django_db
def test_the_conditions_of_the_list_choose_the_tapes(project: UUID, tmp_path: Path) -> None:
    for name in ("one", "two"):
        store_lines(tmp_path / name / "a.jsonl", build_conversation(question=f"Question {name}"))
        import_files(project, collect_files(tmp_path / name), batch_name=name)
    failed = build_tape_fields("user", error="it broke")
    save_tape(project, Tape.model_validate(failed))

    assert write(project, format="csv", q="two")[1].tapes == 1
    assert write(project, format="csv", q="has:error")[1].tapes == 1
    assert write(project, format="csv", q="-has:error")[1].tapes == 2
    assert write(project, format="csv", q="is:archived")[1].tapes == 0
    assert write(project, format="csv")[1].tapes == 3


@pytest.mark.django_db
@pytest.mark.slow
def test_a_long_export_holds_a_page_of_tapes_at_a_time(project: UUID, tmp_path: Path) -> None:
    lines = [build_conversation(question=f"{n} " + "x" * 20_000) for n in range(400)]
    store_lines(tmp_path / "in" / "a.jsonl", *lines)
    import_files(project, collect_files(tmp_path / "in"), batch_name="long")
    request = ExportRequest(format="openai")

    out = tmp_path / "out.jsonl"
    where = request.to_filter()
    peak = peak_of(lambda: write_export(project, where, request, out, lambda *_: None))

    assert out.stat().st_size > 8_000_000
    assert peak < 3_000_000
