"""The chat agent: it calculates, converts, waits for the person, and is honest about the rest."""

import json

import pytest

from tapes_app.engine.agent.orchestrator import run_to_end
from tapes_app.engine.model.llm import LLMOutput
from tapes_app.engine.tape.dialog_steps import ToolCalls, UserStep
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.chat.script import find_calls
from tapes_app.gallery.chat.tools import calculate, convert_units
from tapes_app.llms.factory import build_llm
from tapes_app.llms.model_config import ModelConfig
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order
from tests.gallery.running import Session, build_gallery_agent, build_gallery_environment
from tests.llms.openai_server import OpenAIServer


async def test_it_talks_calculates_and_waits_turn_after_turn() -> None:
    session = Session("chat")

    greeting = await session.say("Hi!")
    sums = await session.say("What is 12 * (3 + 4), and 5 km in miles?")
    thanks = await session.say("thank you")

    assert greeting.startswith("Hello! I am a script")
    assert sums == "5 km are 3.10685596119 mi. 12 * (3 + 4) = 84."
    assert thanks == "You are welcome."
    assert session.status == "external_input_needed"
    assert {step.metadata.node for step in session.tape.steps if step.metadata.agent} == {
        "ChatNode"
    }


@pytest.mark.parametrize(
    "text",
    [" " * 60_000, "1" * 500_000, "5" + " " * 500_000, "5 km" + " " * 500_000, "-" * 500_000],
)
def test_a_long_text_without_a_question_is_read_at_once(text: str) -> None:
    assert not find_calls(text)


def test_every_conversion_of_a_long_text_is_found() -> None:
    calls = find_calls("3-5 km in mi, " * 5_000)

    assert len(calls) == 5_000
    assert calls[0] == ("convert_units", {"value": -5.0, "from_unit": "km", "to_unit": "mi"})


async def test_a_tool_that_fails_is_reported_to_the_person() -> None:
    assert "division by zero" in await Session("chat").say("1/0")


async def test_a_model_may_speak_and_call_tools_in_one_message() -> None:
    function = {"name": "calculate", "arguments": '{"expression": "6*7"}'}
    call = {"id": "c", "type": "function", "function": function}
    answers: list[LLMOutput | str] = [
        LLMOutput(content="Let me see.", tool_calls=(call,)),
        "It is 42.",
    ]
    agent = build_gallery_agent("chat").with_llms(
        {"default": ScriptedLLM(answers_in_order(answers))}
    )

    end = await run_to_end(
        agent, Tape(steps=(UserStep(content="6*7?"),)), build_gallery_environment("chat")
    )

    calls = end.tape.steps[2]
    assert isinstance(calls, ToolCalls)
    assert calls.content == "Let me see."
    assert end.tape.steps[3].content_dict()["content"] == 42


async def test_the_same_agent_runs_on_a_model_behind_http() -> None:
    with OpenAIServer() as server:
        llm = build_llm(ModelConfig(litellm_model="openai/test-model", base_url=server.base_url))
        agent = build_gallery_agent("chat").with_llms({"default": llm})
        tape = Tape(steps=(UserStep(content='call calculate {"expression": "6*7"}'),))

        end = await run_to_end(agent, tape, build_gallery_environment("chat"))

    assert end.status == "external_input_needed"
    assert end.tape.steps[-1].content_dict()["content"] == "The tool answered: 42"
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what is 2**8 - 3^2?", ["2**8 - 3**2"]),
        ("sqrt(2)", ["sqrt(2)"]),
        ("6 \u00d7 7", ["6 * 7"]),
        ("3 times 4 minus 1", ["3 * 4 - 1"]),
        ("(1+2)*(3+4)", ["(1+2)*(3+4)"]),
        ("min(3, 4) please", ["min(3, 4)"]),
        ("on 2024-09-17 I bought 3 apples, - 2 of them bad", []),
        ("I have 12", []),
    ],
)
def test_expressions_are_found_in_words(text: str, expected: list[str]) -> None:
    assert [arguments["expression"] for _, arguments in find_calls(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How much is 98.6 F to celsius", (98.6, "F", "C")),
        ("3 inches in cm", (3, "in", "cm")),
        ("convert 2,5 hours to minutes", (2.5, "h", "min")),
        ("100 km/h into mph", (100, "km/h", "mph")),
    ],
)
def test_conversions_are_found_in_words(text: str, expected: tuple[float, str, str]) -> None:
    ((name, arguments),) = find_calls(text)

    assert name == "convert_units"
    assert tuple(arguments.values()) == expected


@pytest.mark.parametrize("text", ["", "?" * 5_000, "株", "(" * 500, "1" * 500 + "*", "x to y"])
async def test_any_input_is_answered(text: str) -> None:
    assert await Session("chat").say(text)


def test_arithmetic_is_worked_out() -> None:
    assert calculate("2 ** 10 // 3 - -1") == 342
    assert calculate("round(pi, 2)") == 3.14
    assert calculate("0.1 + 0.2") == 0.3


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os').system('true')",
        "().__class__",
        "open('/etc/passwd')",
        "[1 for x in range(9)]",
        "'a' * 10**9",
        "9**9**9**9",
        "10**101",
        "(-8)**0.5",
        "True + 1",
        "1 +",
        "x := 1",
        "1+" * 200 + "1",
        "round(1, ndigits=2)",
    ],
)
def test_what_is_no_arithmetic_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        calculate(expression)


def test_units_of_one_kind_convert() -> None:
    assert convert_units(1, "mi", "km") == 1.609344
    assert convert_units(-40, "C", "F") == -40
    assert convert_units(0, "K", "C") == -273.15
    assert convert_units(1, "GiB", "MiB") == 1024


@pytest.mark.parametrize(
    ("units", "reason"), [(("km", "kg"), "different"), (("km", "parsec"), "parsec")]
)
def test_units_that_do_not_fit_are_refused(units: tuple[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        convert_units(1, *units)


def test_answers_are_the_same_for_the_same_prompt() -> None:
    assert json.dumps(find_calls("1+1 and 2 km to m")) == json.dumps(
        find_calls("1+1 and 2 km to m")
    )
