"""The files that `new_agent` writes: a module with one complete agent, and a test of it."""

NAME = "NAME"
"""Placeholder for the agent's name in both texts."""

MODULE = '''\
"""The agent "NAME": say here what it is for."""

from tapes_app.engine import Agent, TalkNode, register, tool


@tool
def count_words(text: str) -> int:
    """Count the words of a text.

    Args:
        text: what to count in
    """
    return len(text.split())


agent = register(
    Agent.create(
        "NAME",
        templates={"system": "Answer briefly. Use the tool when words are to be counted."},
        nodes=[TalkNode(tools=[count_words])],
    )
)
'''

TEST = '''\
"""What the agent "NAME" does, with prepared answers in place of a model."""

import asyncio

from NAME import agent, count_words
from tapes_app.engine import (
    AssistantStep,
    LLMOutput,
    Tape,
    ToolResult,
    UserStep,
    environment_of,
    make_training_text,
    run_to_end,
)
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


def test_a_tool_is_a_function() -> None:
    assert count_words("two words") == 2


def test_it_counts_the_words_and_answers() -> None:
    calls = LLMOutput.calling("count_words", text="one two three")
    llm = ScriptedLLM(answers_in_order([calls, "Three."]))
    asked = Tape(steps=(UserStep(content="How many words are in: one two three"),))

    end = asyncio.run(run_to_end(agent.with_llms({"default": llm}), asked, environment_of(agent)))

    assert [step.content for step in end.tape if isinstance(step, ToolResult)] == [3]
    assert [step.content for step in end.tape if isinstance(step, AssistantStep)] == ["Three."]
    assert len(asyncio.run(make_training_text(agent, end.tape))) == 2
'''
