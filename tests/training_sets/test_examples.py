"""An example holds all of an answer: what was thought, what was said, and the calls.

A format that has no field for one of them says so.
"""

from uuid import uuid4

import pytest

from optimize_app.training_sets.examples import Origin, make_example
from optimize_app.training_sets.samples import ChatExample
from optimize_app.training_sets.set_formats import Holding, list_lost, write_line
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.messages import Message
from tapes_app.interchange.lost_parts import THOUGHTS

ASKED = Prompt(messages=(Message(role="user", content="2 + 3?"),))


def test_what_was_thought_before_an_answer_is_part_of_the_example() -> None:
    output = LLMOutput.calling("add", a=2).model_copy(
        update={"content": "Let me add.", "reasoning_content": "Two and three."}
    )
    call = LLMCall(prompt=ASKED, output=output)

    example = make_example(call, name="a", origin=Origin(uuid4(), 1, "model"))

    assert example.answer["reasoning_content"] == "Two and three."
    assert example.answer["content"] == "Let me add."
    assert len(example.answer["tool_calls"]) == 1


def test_thoughts_that_only_a_provider_s_blocks_hold_are_part_of_the_example() -> None:
    blocks = ({"type": "thinking", "thinking": "Two and three.", "signature": "s"},)
    call = LLMCall(prompt=ASKED, output=LLMOutput(content="5", thinking_blocks=blocks))

    example = make_example(call, name="a", origin=Origin(uuid4(), 1, "model"))

    assert example.answer == {
        "role": "assistant", "content": "5", "reasoning_content": "Two and three.",
    }  # fmt: skip


@pytest.mark.parametrize("arguments", ["", "null", None])
def test_a_call_without_arguments_has_an_empty_object(arguments: str | None) -> None:
    calls = ({"id": "a", "type": "function", "function": {"name": "now", "arguments": arguments}},)
    before = Message(role="assistant", content=None, tool_calls=list(calls))
    prompt = Prompt(messages=(*ASKED.messages, before))

    example = make_example(
        LLMCall(prompt=prompt, output=LLMOutput(tool_calls=calls)),
        name="a",
        origin=Origin(uuid4(), 1, "model"),
    )

    for message in (example.messages[1], example.answer):
        assert message["tool_calls"][0]["function"] == {"name": "now", "arguments": "{}"}


def test_an_api_that_has_no_field_for_thoughts_gets_none_and_that_is_counted() -> None:
    asked = {"role": "user", "content": "2 + 3?"}
    said = {"role": "assistant", "content": "5"}
    example = ChatExample(
        id="a", messages=(asked,), answer={**said, "reasoning_content": "Two and three."}
    )
    held = [Holding(False, 1, None, has_reasoning=thinks) for thinks in (True, False)]

    assert write_line("openai", example) == {"messages": [asked, said]}
    assert write_line("trl", example) == {"prompt": [asked], "completion": [example.answer]}
    assert [(lost.what, lost.count) for lost in list_lost("openai", held)] == [(THOUGHTS, 1)]
    assert list_lost("trl", held) == []
