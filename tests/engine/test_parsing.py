from typing import Any, Literal

import pytest

from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.prompts.parsing import EmptyOutputError, parse_output
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import ParsingFailure, ReasoningThought, ToolCalls
from tapes_app.engine.tape.steps import Action, Step, Thought


class Guess(Thought):
    kind: Literal["guess_thought"] = "guess_thought"
    text: str


class Press(Action):
    kind: Literal["press_key_action"] = "press_key_action"
    key: str
    times: int = 1


def parse(content: str = "", tool_calls: tuple[dict[str, Any], ...] = ()) -> list[Step]:
    return parse_output(
        LLMOutput(content=content, tool_calls=tool_calls),
        step_classes=(Guess, Press),
        node_name="act",
        tool_names=("search",),
    )


def tool_call(name: str, arguments: str = "{}") -> dict[str, Any]:
    return {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "guess_thought", "text": "x"}',
        '[{"kind": "guess_thought", "text": "x"}]',
        '{"steps": [{"kind": "guess_thought", "text": "x"}]}',
        '```json\n{"kind": "guess_thought", "text": "x"}\n```',
        '\n ``` \n \n {"kind": "guess_thought", "text": "x"} \n\n``` \n',
        "```\n" + "\n" * 500_000 + '{"kind": "guess_thought", "text": "x"}```',
    ],
)
def test_one_object_a_list_and_a_code_fence_are_read(text: str) -> None:
    assert parse(text) == [Guess(text="x")]


def test_a_list_gives_its_steps_in_order() -> None:
    text = '[{"kind":"guess_thought","text":"x"},{"kind":"press_key_action","key":"a"}]'

    assert parse(text) == [Guess(text="x"), Press(key="a")]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("I would press a key", "Expected a step or a list of steps as JSON"),
        ('{"kind": "fly_action"}', "Unknown kind 'fly_action'"),
        ('{"kind": "press_key_action"}', "key: Field required"),
        ('{"kind": "press_key_action", "key": "a", "x": 1}', "x: Extra inputs"),
        ("[]", "at least one step"),
        ('{"steps": []}', "at least one step"),
        ('{"steps": 3}', "Expected a JSON object"),
        ('{"steps": [{"kind": "fly_action"}]}', "Unknown kind 'fly_action'"),
        ("3", "Expected a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ("```json" + "\n" * 500_000, "Expecting value"),
        ("```json\n```", "Expecting value"),
        ('```{"kind": "press_key_action", "key": "a"}```', "Expecting value"),
    ],
)
def test_what_cannot_be_read_is_shown_to_the_model_and_the_node_runs_again(
    text: str, reason: str
) -> None:
    failure, back = parse(text)

    assert isinstance(failure, ParsingFailure)
    assert reason in failure.error
    assert failure.llm_output == text
    assert back == SetNextNode(next_node="act")


def test_plain_words_are_a_thought_when_no_schema_is_asked_for() -> None:
    assert parse_output(LLMOutput(content="hm"), step_classes=(), node_name="n") == [
        ReasoningThought(reasoning="hm")
    ]


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_answer_is_an_error(text: str) -> None:
    with pytest.raises(EmptyOutputError):
        parse(text)


def test_tool_calls_become_step_classes_or_tool_call_actions() -> None:
    steps = parse(
        tool_calls=(tool_call("press_key_action", '{"key": "a"}'), tool_call("search", '{"q": 1}'))
    )

    assert steps[0] == Press(key="a")
    assert isinstance(steps[1], ToolCalls)
    assert [call.function.name for call in steps[1].tool_calls] == ["search"]


@pytest.mark.parametrize("arguments", ["", "null", None])
def test_a_tool_that_needs_nothing_is_called_without_arguments(arguments: Any) -> None:
    (step,) = parse(tool_calls=(tool_call("search", arguments),))

    assert isinstance(step, ToolCalls)
    assert step.tool_calls[0].parsed_arguments() == {}


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (tool_call("fly"), "There is no tool 'fly'"),
        (tool_call("search", "{"), "not a JSON object"),
        (tool_call("search", "[1]"), "must be a JSON object"),
        (tool_call("press_key_action", '{"times": "x"}'), "does not match its schema"),
        ({"id": "1"}, "A tool call is invalid"),
    ],
)
def test_a_bad_tool_call_is_a_parsing_failure(call: dict[str, Any], reason: str) -> None:
    failure = parse(tool_calls=(call,))[0]

    assert isinstance(failure, ParsingFailure)
    assert reason in failure.error
