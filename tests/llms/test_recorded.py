"""The recorded LLM: answers by prompt digest, and says what differs when it has none."""

import asyncio

import pytest

from tapes_app.engine.errors import RecordedCallMissingError
from tapes_app.engine.model.llm import LLMCall, LLMOutput, Prompt, Usage, is_unsent
from tapes_app.engine.model.messages import system_message, user_message
from tapes_app.llms.recorded import RecallingLLM, RecordedLLM
from tapes_app.llms.scripted import ScriptedLLM
from tests.llms.collecting import collect


def build_prompt(question: str = "Where is it?", rules: str = "Be brief.\nBe kind.") -> Prompt:
    return Prompt(messages=(system_message(rules), user_message(question)))


def build_call(answer: str = "There.", **parts: object) -> LLMCall:
    values = {"prompt": build_prompt(), "output": LLMOutput(content=answer), **parts}
    return LLMCall.model_validate(values)


async def test_an_equal_prompt_gets_the_recorded_answer_for_nothing() -> None:
    call = build_call(usage=Usage(input_tokens=7, output_tokens=2), cost_micro_usd=90)

    deltas, result = await collect(RecordedLLM([call]), build_prompt())

    assert "".join(delta.text for delta in deltas) == "There."
    assert result.output == call.output
    assert result.usage == call.usage
    assert (result.is_cached, result.cost_micro_usd) == (True, 0)


async def test_several_answers_to_one_prompt_come_in_recorded_order_each_once() -> None:
    llm = RecordedLLM([build_call("first"), build_call("second")])

    given = [(await collect(llm, build_prompt()))[1].output.content for _ in range(2)]

    assert given == ["first", "second"]
    with pytest.raises(RecordedCallMissingError, match="more times than it was recorded"):
        await collect(llm, build_prompt())


async def test_a_miss_shows_the_nearest_recorded_prompt_as_a_diff() -> None:
    calls = [
        build_call(prompt=build_prompt("Who?", rules="Something else.")),
        build_call(prompt=build_prompt("Where is that?")),
        build_call(prompt=build_prompt("Unlike any")),
    ]

    with pytest.raises(RecordedCallMissingError) as caught:
        await collect(RecordedLLM(calls), build_prompt("Where is it?"))

    assert caught.value.details["nearest_prompt_id"] == calls[1].prompt.id
    assert "-Where is that?" in caught.value.details["diff"].splitlines()
    assert "+Where is it?" in caught.value.details["diff"].splitlines()
    assert "Where is that?" in caught.value.message


async def test_a_miss_goes_to_the_live_model_when_there_is_one() -> None:
    llm = RecordedLLM([build_call()], fallback=ScriptedLLM(lambda _: "live"))

    recorded = (await collect(llm, build_prompt()))[1]
    live = (await collect(llm, build_prompt("New?")))[1]

    assert (recorded.output.content, recorded.is_cached) == ("There.", True)
    assert (live.output.content, live.is_cached) == ("live", False)


async def test_failed_calls_are_not_answers() -> None:
    with pytest.raises(RecordedCallMissingError, match="No LLM calls are recorded"):
        await collect(RecordedLLM([build_call(error="timeout")]), build_prompt())


async def test_a_call_that_is_stopped_while_the_record_is_searched_was_never_sent() -> None:
    is_searching = asyncio.Event()

    async def search(_: Prompt) -> LLMCall | None:
        is_searching.set()
        await asyncio.Event().wait()
        return None

    llm = RecallingLLM(ScriptedLLM(lambda _: "There."), search)
    asking = asyncio.ensure_future(collect(llm, build_prompt()))
    await is_searching.wait()

    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert is_unsent(llm)


async def test_a_call_that_is_not_on_record_is_sent() -> None:
    async def search(_: Prompt) -> LLMCall | None:
        return None

    llm = RecallingLLM(ScriptedLLM(lambda _: "There."), search)

    await collect(llm, build_prompt())

    assert not is_unsent(llm)
