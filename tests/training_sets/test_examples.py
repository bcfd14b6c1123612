"""An example holds all of an answer: what was thought, what was said, and the calls."""

from uuid import uuid4

from optimize_app.training_sets.examples import Origin, make_example
from tapes_app.engine.llm import LLMCall, LLMOutput, Prompt
from tapes_app.engine.messages import Message


def test_what_was_thought_before_an_answer_is_part_of_the_example() -> None:
    output = LLMOutput.calling("add", a=2).model_copy(
        update={"content": "Let me add.", "reasoning_content": "Two and three."}
    )
    prompt = Prompt(messages=(Message(role="user", content="2 + 3?"),))
    call = LLMCall(prompt=prompt, output=output)

    example = make_example(call, name="a", origin=Origin(uuid4(), 1, "model"))

    assert example.answer["reasoning_content"] == "Two and three."
    assert example.answer["content"] == "Let me add."
    assert len(example.answer["tool_calls"]) == 1
