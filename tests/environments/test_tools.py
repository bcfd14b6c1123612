"""Python functions as tools: schemas, results, errors, loops."""

import asyncio
import json
import subprocess
import sys
import threading
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from tapes_app.engine.environment.actions import (
    ExternalInputNeeded,
    PendingAction,
    UnknownActionError,
    unfulfilled_actions,
)
from tapes_app.engine.environment.human import HumanEnvironment
from tapes_app.engine.environment.tool_environment import ToolEnvironment
from tapes_app.engine.environment.tool_functions import Tool, irreversible, tool, tools
from tapes_app.engine.errors import AgentConfigError
from tapes_app.engine.model.tool_descriptions import read_docstring
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    LoopWarning,
    ToolCall,
    ToolCalls,
    ToolResult,
    UserStep,
)
from tapes_app.engine.tape.tape import Tape
from tests.studio.running_studio import ROOT


class Place(BaseModel):
    city: str
    country: str = "Utopia"


def forecast(
    place: Place,
    days: int = 1,
    unit: Literal["C", "F"] = "C",
    tags: list[str] | None = None,
) -> dict[str, Any]:
    """Tell the weather.

    Only for places on the map.

    Args:
        place: where; a city
            and its country
        days (int): how many days: 1 to 7
        unit: scale of the thermometer

    Returns:
        the weather
    """
    return {"place": place, "days": days, "unit": unit, "tags": tags}


async def echo(text: str) -> str:
    """Give the text back."""
    return text


def explode(text: str) -> str:
    raise RuntimeError(text)


def build_call(name: str = "echo", arguments: Any = '{"text": "hi"}', id: str = "c1") -> ToolCall:
    return ToolCall.model_validate({"id": id, "function": {"name": name, "arguments": arguments}})


def build_tape(*calls: ToolCall) -> Tape:
    return Tape(steps=(UserStep(content="go"), ToolCalls(tool_calls=calls)))


async def answer(call: ToolCall) -> ToolResult:
    return await ToolEnvironment([forecast, echo, explode]).answer(call)


def test_a_schema_comes_from_signature_hints_and_docstring() -> None:
    function = Tool(forecast).schema()["function"]

    assert function["name"] == "forecast"
    assert function["description"] == "Tell the weather.\n\nOnly for places on the map."
    parameters = function["parameters"]
    assert parameters["required"] == ["place"]
    properties = parameters["properties"]
    assert list(properties) == ["place", "days", "unit", "tags"]
    assert properties["place"]["description"] == "where; a city and its country"
    assert properties["days"] == {
        "default": 1,
        "description": "how many days: 1 to 7",
        "type": "integer",
    }
    assert properties["unit"]["enum"] == ["C", "F"]
    assert {"items": {"type": "string"}, "type": "array"} in properties["tags"]["anyOf"]
    assert set(parameters["$defs"]["Place"]["properties"]) == {"city", "country"}
    assert '"title"' not in json.dumps(function)


def test_a_method_and_a_function_without_arguments_are_tools() -> None:
    class Clock:
        def now(self) -> str:
            """Tell the time."""
            return "12:00"

    parameters = Tool(Clock().now).schema()["function"]["parameters"]

    assert parameters["type"] == "object"
    assert parameters["properties"] == {}


def test_argument_names_that_pydantic_uses_itself_work() -> None:
    def save(copy: str, model_config: int = 1, title: str = "", _hidden: str = "") -> str:
        return copy

    assert list(Tool(save).schema()["function"]["parameters"]["properties"]) == [
        "copy",
        "model_config",
        "title",
        "_hidden",
    ]


def test_arguments_without_names_are_refused() -> None:
    def anything(**rest: int) -> None: ...

    with pytest.raises(AgentConfigError, match="rest"):
        Tool(anything)


def test_a_docstring_may_use_field_lists() -> None:
    description, about = read_docstring(
        "Add.\n\n:param a: the first\n    number\n:param b: the second\n:returns: the sum"
    )

    assert description == "Add."
    assert about == {"a": "the first number", "b": "the second"}


def test_a_docstring_may_be_in_the_style_of_numpy() -> None:
    description, about = read_docstring(
        "Add.\n\nParameters\n----------\na : int\n    the first\n    number\n\n"
        "Returns\n-------\nint\n    the sum"
    )

    assert description == "Add."
    assert about == {"a": "the first number"}


def test_what_a_docstring_warns_of_is_for_the_model_and_what_it_returns_is_not(
    capfd: pytest.CaptureFixture[str],
) -> None:
    description, about = read_docstring(
        "Send.\n\nWarning:\n    Not at night.\n\nArgs:\n    text: what\n\nRaises:\n    OSError: no"
    )

    assert description == "Send.\n\nWarning: Not at night."
    assert about == {"text": "what"}
    assert capfd.readouterr().err == ""


def test_a_tool_is_still_a_function_and_is_named_by_its_module() -> None:
    @tool
    def double(number: int) -> int:
        """Double it."""
        return 2 * number

    assert double(4) == 8
    assert double.type_name.startswith(f"{__name__}.test_a_tool_is")
    assert double.type_name.endswith(".double")
    assert tools.get(double.type_name) is double
    assert double.schema()["function"]["description"] == "Double it."


def test_a_tool_says_that_nobody_can_take_it_back() -> None:
    @tool(irreversible=True)
    def burn(letter: str) -> None: ...

    @irreversible
    @tool
    def sink(ship: str) -> None: ...

    @tool
    @irreversible
    def shout(text: str) -> None: ...

    environment = ToolEnvironment([burn, sink, shout])

    assert environment.irreversible_tools() == {"burn", "sink", "shout"}


def test_a_type_that_cannot_be_found_is_named_before_the_tool_is_used() -> None:
    def lost(at: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(AgentConfigError, match="Nowhere"):
        ToolEnvironment([lost])


def test_modules_written_before_the_door_find_what_they_import() -> None:
    from tapes_app.environments import human as old_human
    from tapes_app.environments import tool_functions as old_functions
    from tapes_app.environments import tools as old_tools

    assert old_tools.ToolEnvironment is ToolEnvironment
    assert (old_functions.Tool, old_functions.irreversible) == (Tool, irreversible)
    assert old_human.HumanEnvironment is HumanEnvironment


def test_reading_signatures_needs_no_reader_of_docstrings() -> None:
    program = (
        "import sys, tapes_app.gallery; print('griffe' in sys.modules);"
        "from tapes_app.engine import environments;"
        "environments.get('chat')().tool_schemas(); print('griffe' in sys.modules)"
    )

    outcome = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert outcome.stdout == "False\nTrue\n", outcome.stderr


async def test_arguments_become_the_types_of_the_signature_and_results_json() -> None:
    result = await answer(
        build_call("forecast", '{"place": {"city": "Oz"}, "days": 3, "unit": "F"}')
    )

    assert result.content == {
        "place": {"city": "Oz", "country": "Utopia"},
        "days": 3,
        "unit": "F",
        "tags": None,
    }
    assert (result.tool_call_id, result.is_error) == ("c1", False)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (build_call("missing"), "available: ['echo', 'explode', 'forecast']"),
        (build_call(arguments="{text"), "not a JSON object"),
        (build_call(arguments="[1]"), "not a JSON object"),
        (build_call(arguments="{}"), "text: Field required"),
        (build_call(arguments='{"text": "a", "b": 1}'), "b: Extra inputs"),
        (build_call("forecast", {"place": {"city": "Oz"}, "unit": "K"}), "unit: "),
        (build_call("explode", {"text": "boom"}), "RuntimeError: boom"),
    ],
)
async def test_a_mistake_becomes_a_result_that_says_why(call: ToolCall, reason: str) -> None:
    result = await answer(call)

    assert result.is_error
    assert reason in result.content
    assert result.tool_call_id == "c1"


async def test_a_long_error_is_cut_to_its_first_thousand_characters() -> None:
    result = await answer(build_call("explode", {"text": "x" * 5_000}))

    assert len(result.content) == 1_000


async def test_a_tool_that_takes_too_long_is_an_error() -> None:
    async def wait() -> None:
        await asyncio.Event().wait()

    result = await ToolEnvironment([wait], timeout_seconds=0.01).answer(build_call("wait", "{}"))

    assert result.is_error


async def test_a_tool_that_exceeds_its_own_limit_is_stopped_and_the_model_reads_so() -> None:
    is_cancelled = asyncio.Event()

    @tool(seconds=0.01)
    async def wait() -> None:
        """Wait for ever."""
        try:
            await asyncio.Event().wait()
        finally:
            is_cancelled.set()

    @tool
    def quick() -> str:
        """Be quick."""
        return "done"

    environment = ToolEnvironment([wait, quick])
    stopped = await environment.answer(build_call("wait", "{}"))
    other = await environment.answer(build_call("quick", "{}"))

    assert stopped.is_error
    assert stopped.content == "Error: 'wait' was stopped: it had not finished after 0.01 seconds."
    assert is_cancelled.is_set()
    assert other.content == "done"


async def test_a_plain_function_that_takes_too_long_is_left_behind_and_that_is_said() -> None:
    may_end, has_ended = threading.Event(), threading.Event()

    @tool(seconds=0.01)
    def hold() -> None:
        """Hold on."""
        may_end.wait()
        has_ended.set()

    result = await ToolEnvironment([hold]).answer(build_call("hold", "{}"))
    was_running = not has_ended.is_set()
    may_end.set()

    assert was_running
    assert result.content.endswith("What it had begun may still take effect.")
    assert has_ended.wait(10)


async def test_the_limit_of_a_tool_is_before_that_of_its_environment() -> None:
    @tool(seconds=60)
    async def look() -> str:
        """Look for a moment."""
        await asyncio.sleep(0)
        return "seen"

    result = await ToolEnvironment([look], timeout_seconds=0).answer(build_call("look", "{}"))

    assert result.content == "seen"


async def test_a_timeout_inside_a_tool_is_told_as_what_it_is() -> None:
    @tool(seconds=60)
    def ask() -> None:
        """Ask somebody."""
        raise TimeoutError("the server said nothing")

    result = await ToolEnvironment([ask]).answer(build_call("ask", "{}"))

    assert result.content == "Error: TimeoutError: the server said nothing"


def test_a_tool_without_any_time_is_refused() -> None:
    with pytest.raises(AgentConfigError, match="may take 0 seconds; give it more"):

        @tool(seconds=0)
        def look() -> None:
            """Look."""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StopIteration(), "StopIteration"),
        (SystemExit(3), "SystemExit: 3"),
        (asyncio.CancelledError(), "CancelledError"),
    ],
)
async def test_what_a_tool_raises_ends_the_tool_and_nothing_else(
    error: BaseException, said: str
) -> None:
    def leave() -> None:
        raise error

    result = await ToolEnvironment([leave]).answer(build_call("leave", "{}"))

    assert result.is_error
    assert said in result.content


async def test_a_tool_that_cancels_itself_does_not_cancel_the_run() -> None:
    async def give_up() -> None:
        raise asyncio.CancelledError

    result = await ToolEnvironment([give_up]).answer(build_call("give_up", "{}"))

    assert result.content == "Error: 'give_up' cancelled itself."


async def test_a_tool_may_ask_for_a_person() -> None:
    def approve() -> None:
        raise ExternalInputNeeded("May I?")

    with pytest.raises(ExternalInputNeeded):
        await ToolEnvironment([approve]).answer(build_call("approve", "{}"))


async def test_calls_of_one_message_run_at_once_and_answer_in_order() -> None:
    second_is_done = asyncio.Event()

    async def first() -> str:
        await second_is_done.wait()
        return "one"

    async def second() -> str:
        second_is_done.set()
        return "two"

    tape = build_tape(build_call("first", "{}", "a"), build_call("second", "{}", "b"))

    after = await ToolEnvironment([first, second]).react(tape)

    results = [step for step in after.steps[2:] if isinstance(step, ToolResult)]
    assert [(step.tool_call_id, step.content) for step in results] == [("a", "one"), ("b", "two")]
    assert unfulfilled_actions(after) == []
    assert all(step.metadata.id for step in results)


async def test_only_open_calls_are_answered() -> None:
    calls = [build_call(id="a"), build_call(arguments='{"text": "new"}', id="b")]
    tape = build_tape(*calls).append(ToolResult(content="hi", tool_call_id="a"))

    after = await ToolEnvironment([echo]).react(tape)

    assert [step.content_dict()["content"] for step in after.steps[2:]] == ["hi", "new"]


async def test_the_third_equal_call_in_a_row_gets_a_warning_after_its_result() -> None:
    environment = ToolEnvironment([echo])
    tape = Tape(steps=(UserStep(content="go"),))
    for number in range(3):
        # spelled differently, but equal as data
        arguments = '{"text":' + " " * number + '"hi"}'
        tape = tape.append(ToolCalls(tool_calls=(build_call(arguments=arguments, id=str(number)),)))
        tape = await environment.react(tape)

    kinds = [step.kind for step in tape.steps]
    assert kinds == ["user", *["assistant", "tool"] * 3, "loop_warning"]


async def test_a_warning_never_parts_the_results_of_one_message() -> None:
    calls = [build_call(id=str(number)) for number in range(3)]
    other = build_call(arguments='{"text": "other"}', id="last")

    after = await ToolEnvironment([echo]).react(build_tape(*calls, other))

    assert [type(step) for step in after.steps[2:]] == [*[ToolResult] * 4, LoopWarning]


async def test_equal_calls_with_another_between_are_no_loop() -> None:
    names = ["hi", "hi", "other", "hi"]
    calls = [
        build_call(arguments=json.dumps({"text": name}), id=str(number))
        for number, name in enumerate(names)
    ]

    after = await ToolEnvironment([echo]).react(build_tape(*calls))

    assert all(isinstance(step, ToolResult) for step in after.steps[2:])


async def test_what_is_no_tool_call_is_left_to_others() -> None:
    step = AssistantStep(content="Hello")

    with pytest.raises(UnknownActionError):
        await ToolEnvironment([echo]).observe(PendingAction(0, step), Tape(steps=(step,)))
