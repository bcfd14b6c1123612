"""The scripted LLM: answers by program, in words."""

import re
from typing import Annotated

import pytest
from pydantic import Field

from tapes_app.engine.errors import AgentConfigError, LLMError
from tapes_app.engine.model.llm import LLMDelta, LLMOutput, Prompt, scripts
from tapes_app.engine.model.messages import user_message
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order
from tests.llms.collecting import collect

PROMPT = Prompt(messages=(user_message("How are you today?"),))


async def test_an_answer_comes_in_words_and_then_whole() -> None:
    llm = ScriptedLLM(lambda _: "I am  fine.\n", name="mood")

    deltas, result = await collect(llm, PROMPT)

    assert [delta.text for delta in deltas] == ["I", " am", "  fine.", "\n"]
    assert result.output.content == "I am  fine.\n"
    assert result.finish_reason == "stop"
    assert llm.model_name == "script:mood"


async def test_tool_calls_come_as_a_name_and_pieces_of_arguments() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}}

    deltas, result = await collect(ScriptedLLM(lambda _: LLMOutput(tool_calls=(call,))), PROMPT)

    assert deltas == [
        LLMDelta(tool_index=0, tool_name="add"),
        LLMDelta(tool_index=0, tool_arguments='{"a":'),
        LLMDelta(tool_index=0, tool_arguments=" 1}"),
    ]
    assert result.output.tool_calls == (call,)
    assert result.finish_reason == "tool_calls"


async def test_usage_counts_a_token_for_every_four_characters_begun() -> None:
    _, result = await collect(ScriptedLLM(lambda _: "fives"), PROMPT)

    assert result.usage.input_tokens == 5
    assert result.usage.output_tokens == 2
    assert result.cost_micro_usd == 0


async def test_the_same_prompt_gives_the_same_events() -> None:
    llm = ScriptedLLM(lambda prompt: prompt.messages[-1].text.upper())

    assert await collect(llm, PROMPT) == await collect(llm, PROMPT)


async def test_a_script_is_found_by_its_registered_name() -> None:
    @scripts.register("tests-echo")
    def echo(prompt: Prompt) -> LLMOutput:
        return LLMOutput(content=prompt.messages[-1].text)

    _, result = await collect(ScriptedLLM("tests-echo"), PROMPT)

    assert result.output.content == "How are you today?"


def test_an_unknown_script_is_refused_with_the_known_names() -> None:
    with pytest.raises(AgentConfigError, match="available: "):
        ScriptedLLM("no such script")


async def test_prepared_answers_are_given_in_order_and_run_out_with_a_sentence() -> None:
    llm = ScriptedLLM(answers_in_order(["one", "two"]))

    given = [(await collect(llm, PROMPT))[1].output.content for _ in range(2)]

    assert given == ["one", "two"]
    with pytest.raises(LLMError, match="used up"):
        await collect(llm, PROMPT)


async def test_closing_the_stream_ends_it_without_a_result() -> None:
    events = ScriptedLLM(lambda _: "many words to come").stream(PROMPT)

    first = await anext(events)
    await events.aclose()  # type: ignore[attr-defined]  # every stream here is a generator

    assert first == LLMDelta(text="many")
    with pytest.raises(StopAsyncIteration):
        await anext(events)


def say_times(prompt: Prompt, *, times: Annotated[int, Field(ge=1)] = 1) -> LLMOutput:
    return LLMOutput(content=prompt.messages[-1].text * times)


async def test_options_go_to_the_script_and_are_told_with_it() -> None:
    llm = ScriptedLLM(say_times, options={"times": 2})

    _, result = await collect(llm, PROMPT)

    assert result.output.content == "How are you today?" * 2
    assert llm.describe()["parameters"]["script"] == {"times": 2}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"speed": 2}, "has no option 'speed'; available: ['times']"),
        ({"times": 0}, "does not take times=0: Input should be greater than or equal to 1"),
        ({"times": "2"}, "does not take times='2': Input should be a valid integer"),
    ],
)
def test_options_that_a_script_does_not_take_are_refused(
    options: dict[str, object], said: str
) -> None:
    with pytest.raises(AgentConfigError, match=re.escape(said)):
        ScriptedLLM(say_times, options=options)
