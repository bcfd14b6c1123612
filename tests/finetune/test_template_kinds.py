"""What is learnt of an answer with the chat templates of real models, and what is left out."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from optimize_app.finetune.trainer.config import FinetuneConfig
from optimize_app.finetune.trainer.encoding import encode_all
from optimize_app.finetune.trainer.rendering import UnwrittenError, render_chat
from optimize_app.finetune.trainer.turn_ends import find_end_tokens
from optimize_app.training_sets.samples import ChatExample, PreferencePair
from tests.finetune import chat_templates
from tests.finetune.chat_templates import HERMES, Kind, make_tokenizer_of

_TOOL = {
    "type": "function",
    "function": {
        "name": "add",
        "description": "Adds numbers.",
        "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}},
    },
}


def call(number: int, **arguments: Any) -> dict[str, Any]:
    function = {"name": "add", "arguments": json.dumps(arguments)}
    return {"id": f"call0000{number}", "type": "function", "function": function}


@dataclass(frozen=True)
class Left:
    """An example that is left out."""

    why: str


ANSWERS: dict[str, dict[str, Any]] = {
    "text": {"content": "It is five."},
    "thoughts": {"content": "It is five.", "reasoning_content": "Two and three."},
    "call": {"content": "", "tool_calls": [call(1, a=2, b=3)]},
    "text, call": {"content": "Let me add.", "tool_calls": [call(1, a=2, b=3)]},
    "calls": {"content": None, "tool_calls": [call(1, a=2, b=3), call(2, a=7, b=9)]},
    "thoughts, call": {
        "content": "",
        "reasoning_content": "Two and three.",
        "tool_calls": [call(1, a=2, b=3)],
    },
}


UNTOLD = Left("calls tools, and the chat template of the base model supports none")
OPENED = Left("opens thoughts at the end of its prompt and does not close them before the answer")
NO_TEXT = Left("leaves out the text of the answer")
TEXT_BESIDE = Left("leaves out the text beside a tool call")
AS_THOUGHT = Left("writes the text beside a tool call as a thought")
NO_CALLS = Left("leaves out tool calls")
LATER = Left("leaves out all tool calls of an answer but the first")
SINGLE = Left("cannot write it: Only single calls!")


def write_json(a: int, b: int) -> str:
    return f'{{"name": "add", "arguments": {{"a": {a}, "b": {b}}}}}'


def write_xml(a: int, b: int) -> str:
    values = f"<parameter=a>\n{a}\n</parameter>\n<parameter=b>\n{b}\n</parameter>\n"
    return f"<tool_call>\n<function=add>\n{values}</function>\n</tool_call>\n"


def write_pairs(a: int, b: int) -> str:
    first = f"<arg_key>a</arg_key>\n<arg_value>{a}</arg_value>\n"
    return f"<tool_call>add\n{first}<arg_key>b</arg_key>\n<arg_value>{b}</arg_value>\n</tool_call>"


JSON_1, JSON_2 = write_json(2, 3), write_json(7, 9)
XML_1, XML_2 = write_xml(2, 3), write_xml(7, 9)
CALLED = "functions.add<|channel|>commentary json"
ANALYSIS = "<|channel|>analysis<|message|>Two and three.<|end|><|start|>assistant"
GLM_1, GLM_2 = write_pairs(2, 3), write_pairs(7, 9)

# In the order of ANSWERS.
EXPECTED: dict[str, tuple[str | Left, ...]] = {
    "CHATML": (
        "It is five.<|im_end|>",
        "It is five.<|im_end|>",
        UNTOLD,
        UNTOLD,
        UNTOLD,
        UNTOLD,
    ),
    "HERMES": (
        "It is five.<|im_end|>",
        "It is five.<|im_end|>",
        f"<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
        f"Let me add.<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
        f"<tool_call>\n{JSON_1}\n</tool_call><tool_call>\n{JSON_2}\n</tool_call><|im_end|>",
        f"<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
    ),
    "QWEN_25": (
        "It is five.<|im_end|>",
        "It is five.<|im_end|>",
        f"<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
        f"Let me add.<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
        f"<tool_call>\n{JSON_1}\n</tool_call><tool_call>\n{JSON_2}\n</tool_call><|im_end|>",
        f"<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
    ),
    "QWEN_3": (
        "<think>\n\n</think>\n\nIt is five.<|im_end|>",
        "<think>\nTwo and three.\n</think>\n\nIt is five.<|im_end|>",
        f"<think>\n\n</think>\n\n<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
        f"<think>\n\n</think>\n\nLet me add.<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
        f"<think>\n\n</think>\n\n<tool_call>\n{JSON_1}\n</tool_call><tool_call>\n{JSON_2}\n</tool_call><|im_end|>",
        f"<think>\nTwo and three.\n</think>\n\n<tool_call>\n{JSON_1}\n</tool_call><|im_end|>",
    ),
    "QWEN_35": (
        "\n</think>\n\nIt is five.<|im_end|>",
        "Two and three.\n</think>\n\nIt is five.<|im_end|>",
        f"\n</think>\n\n{XML_1}<|im_end|>",
        f"\n</think>\n\nLet me add.{XML_1}<|im_end|>",
        f"\n</think>\n\n{XML_1}{XML_2}<|im_end|>",
        f"Two and three.\n</think>\n\n{XML_1}<|im_end|>",
    ),
    "NEMOTRON": (
        OPENED,
        "Two and three.\n</think>\nIt is five.<|im_end|>",
        OPENED,
        OPENED,
        OPENED,
        f"Two and three.\n</think>\n{XML_1}<|im_end|>",
    ),
    "R1": (
        OPENED,
        OPENED,
        UNTOLD,
        UNTOLD,
        UNTOLD,
        UNTOLD,
    ),
    "LLAMA_31": (
        "It is five.<|eot_id|>",
        "It is five.<|eot_id|>",
        '{"name": "add", "parameters": {"a": 2, "b": 3}}<|eot_id|>',
        TEXT_BESIDE,
        SINGLE,
        '{"name": "add", "parameters": {"a": 2, "b": 3}}<|eot_id|>',
    ),
    "LFM_2": (
        "It is five.<|im_end|>",
        "It is five.<|im_end|>",
        NO_CALLS,
        NO_CALLS,
        NO_CALLS,
        NO_CALLS,
    ),
    "SMOL_VLM": (
        NO_TEXT,
        NO_TEXT,
        UNTOLD,
        UNTOLD,
        UNTOLD,
        UNTOLD,
    ),
    "GPT_OSS": (
        "<|channel|>final<|message|>It is five.<|return|>",
        f"{ANALYSIS}<|channel|>final<|message|>It is five.<|return|>",
        f' to={CALLED}<|message|>{{"a": 2, "b": 3}}<|call|>',
        AS_THOUGHT,
        LATER,
        f'{ANALYSIS} to={CALLED}<|message|>{{"a": 2, "b": 3}}<|call|>',
    ),
    "MISTRAL": (
        " It is five.</s>",
        " It is five.</s>",
        '[TOOL_CALLS][{"name": "add", "arguments": {"a": 2, "b": 3}, "id": "call00001"}]</s>',
        TEXT_BESIDE,
        '[TOOL_CALLS][{"name": "add", "arguments": {"a": 2, "b": 3}, "id": "call00001"}, '
        '{"name": "add", "arguments": {"a": 7, "b": 9}, "id": "call00002"}]</s>',
        '[TOOL_CALLS][{"name": "add", "arguments": {"a": 2, "b": 3}, "id": "call00001"}]</s>',
    ),
    "GEMMA_3": (
        "It is five.<end_of_turn>",
        "It is five.<end_of_turn>",
        UNTOLD,
        UNTOLD,
        UNTOLD,
        UNTOLD,
    ),
    "GEMMA_4": (
        "It is five.<turn|>",
        "It is five.<turn|>",
        "<|tool_call>call:add{a:2,b:3}<tool_call|><|tool_response>",
        "<|tool_call>call:add{a:2,b:3}<tool_call|>Let me add.<|tool_response>",
        "<|tool_call>call:add{a:2,b:3}<tool_call|><|tool_call>call:add{a:7,b:9}<tool_call|><|tool_response>",
        "<|tool_call>call:add{a:2,b:3}<tool_call|><|tool_response>",
    ),
    "PHI_3": (
        "It is five.<|end|>",
        "It is five.<|end|>",
        UNTOLD,
        UNTOLD,
        UNTOLD,
        UNTOLD,
    ),
    "COMMAND_R": (
        "It is five.<|END_RESPONSE|><|END_OF_TURN|>",
        "It is five.<|END_RESPONSE|><|END_OF_TURN|>",
        UNTOLD,
        UNTOLD,
        UNTOLD,
        UNTOLD,
    ),
    "GRANITE": (
        "It is five.<|end_of_text|>",
        "It is five.<|end_of_text|>",
        f"<|tool_call|>[{JSON_1}]<|end_of_text|>",
        f"Let me add.<|tool_call|>[{JSON_1}]<|end_of_text|>",
        f"<|tool_call|>[{JSON_1}, {JSON_2}]<|end_of_text|>",
        f"<|tool_call|>[{JSON_1}]<|end_of_text|>",
    ),
    "GLM_45": (
        "\n<think></think>\nIt is five.<|endoftext|>",
        "\n<think>Two and three.</think>\nIt is five.<|endoftext|>",
        f"\n<think></think>\n{GLM_1}<|endoftext|>",
        f"\n<think></think>\nLet me add.{GLM_1}<|endoftext|>",
        f"\n<think></think>\n{GLM_1}{GLM_2}<|endoftext|>",
        f"\n<think>Two and three.</think>\n{GLM_1}<|endoftext|>",
    ),
}
LOSE_THOUGHTS = {
    "LLAMA_31",
    "CHATML",
    "GRANITE",
    "GEMMA_3",
    "COMMAND_R",
    "GEMMA_4",
    "MISTRAL",
    "HERMES",
    "LFM_2",
    "PHI_3",
    "QWEN_25",
}


def example(name: str) -> ChatExample:
    answer = ANSWERS[name]
    return ChatExample(
        id="x",
        messages=({"role": "user", "content": "What is 2 + 3?"},),
        tools=(_TOOL,) if "tool_calls" in answer else (),
        answer=answer,
    )


def kind_of(name: str) -> Kind:
    kind: Kind = getattr(chat_templates, name)
    return kind


@pytest.mark.parametrize("kind", EXPECTED)
def test_what_is_learnt_is_the_whole_answer_or_nothing(kind: str) -> None:
    tokenizer = make_tokenizer_of(kind_of(kind))

    for name, expected in zip(ANSWERS, EXPECTED[kind], strict=True):
        if isinstance(expected, Left):
            with pytest.raises(UnwrittenError, match=f"^Example x.*{expected.why}"):
                render_chat(tokenizer, example(name))
            continue
        rendering = render_chat(tokenizer, example(name))
        (span,) = rendering.example.spans
        assert rendering.example.text[span.start :] == expected
        assert rendering.example.text[: span.end] == rendering.example.text
        has_lost = kind in LOSE_THOUGHTS and "thoughts" in name
        assert rendering.loses_thoughts == has_lost


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        ("LLAMA_31", {"<|end_of_text|>", "<|eom_id|>", "<|eot_id|>"}),
        ("GPT_OSS", {"<|return|>", "<|call|>"}),
        ("GEMMA_3", {"<eos>", "<end_of_turn>"}),
        ("PHI_3", {"<|endoftext|>", "<|assistant|>", "<|end|>"}),
        ("SMOL_VLM", {"<end_of_utterance>"}),
        ("GLM_45", {"<|endoftext|>", "<|user|>", "<|observation|>"}),
    ],
)
def test_a_turn_ends_where_the_model_stops_or_the_template_does(kind: str, ends: set[str]) -> None:
    assert set(find_end_tokens(make_tokenizer_of(kind_of(kind)))) == ends


def test_what_only_one_answer_says_is_looked_for_too() -> None:
    tokenizer = make_tokenizer_of(kind_of("HERMES"))
    cutting = Kind(HERMES.template.replace("m.content }}", "m.content[:40] }}"), HERMES.eos)
    long = example("text").model_copy(update={"answer": {"content": "It is five. " * 9}})
    text = '2, 3, "add": x\n<|im_end|>'
    said = {"content": text, "tool_calls": [call(1, a=2, b="é\n")]}
    hostile = example("call").model_copy(update={"answer": said})

    with pytest.raises(UnwrittenError, match="leaves out the text of the answer"):
        render_chat(make_tokenizer_of(cutting), long)
    written = render_chat(tokenizer, hostile).example
    assert written.text[written.spans[0].start :] == (
        text + '<tool_call>\n{"name": "add", "arguments": {"a": 2, "b": "é\\n"}}\n'
        "</tool_call><|im_end|>"
    )


def test_thoughts_in_the_text_are_kept_as_the_template_writes_thoughts() -> None:
    inline = example("text").model_copy(
        update={"answer": {"content": "<think>Two and three.</think>It is five."}}
    )
    learnt = {}

    for kind in ("CHATML", "QWEN_35", "GPT_OSS", "NEMOTRON"):
        rendering = render_chat(make_tokenizer_of(kind_of(kind)), inline)
        assert not rendering.loses_thoughts
        learnt[kind] = rendering.example.text[rendering.example.spans[0].start :]

    assert learnt["CHATML"] == "<think>Two and three.</think>It is five.<|im_end|>"
    assert learnt["NEMOTRON"] == EXPECTED["NEMOTRON"][1]


def test_parts_of_an_answer_are_one_text_and_those_of_a_question_are_blocks() -> None:
    parts = [{"type": "text", "text": "It is"}, {"type": "text", "text": " five."}]
    question = {"role": "user", "content": parts}
    in_parts = ChatExample(id="x", messages=(question,), answer={"content": parts})

    written = render_chat(make_tokenizer_of(kind_of("CHATML")), in_parts).example.text

    assert "It is\n five." in written
    assert written.endswith("It is five.<|im_end|>")


def test_examples_left_out_are_counted_by_the_reason() -> None:
    config = FinetuneConfig(base="any", max_length=500, tokens_per_pass=500)
    tokenizer = make_tokenizer_of(kind_of("LLAMA_31"))
    named = [
        example(name).model_copy(update={"id": f"{name} {number}"})
        for name in ANSWERS
        for number in range(2)
    ]

    encoded = encode_all(named, tokenizer, config)

    assert set(encoded.left_out) == {"text, call 0", "text, call 1", "calls 0", "calls 1"}
    assert set(encoded.reasons.values()) == {2}
    assert all(reason.startswith("An example: the chat template") for reason in encoded.reasons)


def test_a_pair_is_left_out_with_either_of_its_sides_or_if_they_are_the_same() -> None:
    config = FinetuneConfig(base="any", max_length=500, tokens_per_pass=500, objective="preference")
    good, bad = example("call"), example("text, call")
    pairs = [
        PreferencePair(id="good", chosen=good, rejected=example("text")),
        PreferencePair(id="bad", chosen=good, rejected=bad),
        PreferencePair(id="same", chosen=good, rejected=good),
    ]

    encoded = encode_all(pairs, make_tokenizer_of(kind_of("LLAMA_31")), config)

    assert [item.id for item in encoded.items] == ["good"]
    assert "both answers are the same" in encoded.left_out["same"]
    assert len(encoded.reasons) == 2
