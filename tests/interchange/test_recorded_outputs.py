"""Every recorded LLM output parses into the steps that its tape holds.

The agents that made the recordings are not here; what is known of them are the kinds on their
tapes and how each of their nodes reads an answer, which the functions below say.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from pydantic import BaseModel, ConfigDict, Field

from tapes_app.engine.errors import ImportRefusedError
from tapes_app.engine.model.llm import LLMCall, LLMOutput
from tapes_app.engine.prompts.parsing import bare_answer, parse_output
from tapes_app.engine.tape.control_steps import Call, Respond
from tapes_app.engine.tape.dialog_steps import (
    AssistantStep,
    AssistantThought,
    FunctionCall,
    ReasoningThought,
    ToolCall,
    ToolCalls,
)
from tapes_app.engine.tape.steps import Step, UnknownStep, parse_step
from tapes_app.interchange.folders import collect_files
from tapes_app.interchange.tape_codec import ImportedTape
from tapes_app.interchange.tapeagents import read_file
from tests.recordings import OWN, RECORDINGS, SHARED, for_each


class RecordedStep(UnknownStep):
    """Base of the kinds of the recordings; out of the registry, so no other test meets them."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class UseCalculatorAction(RecordedStep):
    kind: Literal["use_calculator_action"] = "use_calculator_action"
    expression: str


class FinalAnswerAction(RecordedStep):
    kind: Literal["final_answer_action"] = "final_answer_action"
    reason: str = ""
    text: str
    value: int | float | None


class SearchAction(RecordedStep):
    kind: Literal["search_action"] = "search_action"
    source: str
    query: str
    time_interval: str


class OpenUrlAction(RecordedStep):
    kind: Literal["open_url_action"] = "open_url_action"
    url: str


class PythonCodeAction(RecordedStep):
    kind: Literal["python_code_action"] = "python_code_action"
    name: str
    code: str
    input_files: list[str]


class GaiaAnswerAction(RecordedStep):
    kind: Literal["gaia_answer_action"] = "gaia_answer_action"
    success: bool
    overview: str
    answer_unit: str
    answer: Any
    long_answer: str


class RefuseInexistentFunctionThought(RecordedStep):
    kind: Literal["refuse_inexistent_function_thought"] = "refuse_inexistent_function_thought"


class RequestFunctionThought(RecordedStep):
    kind: Literal["request_function_thought"] = "request_function_thought"
    functions: list[str]


class GatherValuesThought(RecordedStep):
    kind: Literal["gather_values_thought"] = "gather_values_thought"
    function: str
    parameters: dict[str, Any]


class Verdict(BaseModel):
    status: str = "valid"
    value: Any = None
    explanation: str = ""


class VerifyValuesThought(RecordedStep):
    kind: Literal["verify_values_thought"] = "verify_values_thought"
    function: str
    parameters: dict[str, Verdict]


class UpdateFunctionParametersThought(RecordedStep):
    kind: Literal["update_function_parameters_thought"] = "update_function_parameters_thought"
    function: str
    assign: dict[str, Any] = Field(default_factory=dict)
    skip: list[str] = Field(default_factory=list)


class RefuseSkipThought(RecordedStep):
    kind: Literal["refuse_invalid_function_parameter_skip_thought"] = (
        "refuse_invalid_function_parameter_skip_thought"
    )
    function: str
    parameter: str


class RequestFunctionParametersThought(RecordedStep):
    kind: Literal["request_function_parameters_thought"] = "request_function_parameters_thought"
    function: str
    parameters: list[str]


MATH_STEPS = (ReasoningThought, UseCalculatorAction, FinalAnswerAction)
GAIA_STEPS = (ReasoningThought, SearchAction, OpenUrlAction, PythonCodeAction, GaiaAnswerAction)
FORM_STEPS = (
    AssistantStep,
    RefuseInexistentFunctionThought,
    RequestFunctionThought,
    GatherValuesThought,
    VerifyValuesThought,
    UpdateFunctionParametersThought,
    RefuseSkipThought,
    RequestFunctionParametersThought,
)


class NodeRun(NamedTuple):
    """A recorded call and the steps that its node run left on the tape."""

    call: LLMCall
    steps: list[Step]


def read_folder(folder: Path) -> tuple[list[ImportedTape], dict[str, LLMCall]]:
    tapes: list[ImportedTape] = []
    calls: dict[str, LLMCall] = {}
    for file in collect_files(folder):
        with suppress(ImportRefusedError):  # configurations lie among the tapes
            for item in read_file(file.path):
                if isinstance(item, ImportedTape):
                    tapes.append(item)
                else:
                    calls[item.call.prompt.id] = item.call
    return tapes, calls


def node_runs(folder: Path) -> Iterator[NodeRun]:
    tapes, calls = read_folder(folder)
    for item in tapes:
        runs: dict[str, list[Step]] = {}
        for step in item.tape.steps:
            if step.metadata.prompt_id in calls:
                runs.setdefault(step.metadata.prompt_id, []).append(step)
        for prompt_id, steps in runs.items():
            yield NodeRun(calls[prompt_id], steps)


def by_kind(*classes: type[Step]) -> Callable[[LLMOutput, Step], Sequence[Step]]:
    return lambda output, first: parse_output(
        output, step_classes=classes, node_name=first.metadata.node
    )


def read_gaia(output: LLMOutput, first: Step) -> Sequence[Step]:
    classes = GAIA_STEPS if first.metadata.node == "act" else ()
    return parse_output(output, step_classes=classes, node_name=first.metadata.node)


def read_form_filler(output: LLMOutput, first: Step) -> Sequence[Step]:
    """The answer thinks aloud and ends with a fenced block of steps."""
    fenced = re.search(r"```.*?```\s*$", output.content or "", re.DOTALL)
    text = output.model_copy(update={"content": fenced.group() if fenced else output.content})
    return parse_output(text, step_classes=FORM_STEPS, node_name=first.metadata.node)


def read_linguist(output: LLMOutput, first: Step) -> Sequence[Step]:
    """Each agent asks for the fields of one kind, without the kind, or for plain words."""
    text = bare_answer(output.content or "")
    fields = {"content": text} if first.kind == "present_results" else json.loads(text)
    return [parse_step({"kind": first.kind, **fields})]


def read_team(output: LLMOutput, first: Step) -> Sequence[Step]:
    text = output.content or ""
    if first.metadata.node == "select_and_call":
        return [Call(agent_name=text)]
    return [Respond(content=text)]


def read_llm_function(output: LLMOutput, first: Step) -> Sequence[Step]:
    """The answer goes on after the rationale's prefix and ends with the named output."""
    rationale, _, answer = (output.content or "").partition("\n\nQuery: ")
    if answer:
        function = FunctionCall(name="retrieve", arguments={"query": answer.strip()})
        said: Step = ToolCalls(tool_calls=(ToolCall(function=function),))
    else:
        rationale, _, answer = (output.content or "").partition("\nAnswer: ")
        said = AssistantStep(content=answer.strip())
    return [AssistantThought(content=rationale.strip()), said]


READERS: Mapping[str, Callable[[LLMOutput, Step], Sequence[Step]]] = {
    "data_science": read_team,
    "delegate_stack": read_linguist,
    "form_filler": read_form_filler,
    "gaia_agent": read_gaia,
    "optimize": read_llm_function,
}
# Prompt ids of the other folders match no tape; their outputs are compared below.
RUN_COUNTS = {
    OWN / "data_science": 6,
    OWN / "delegate_stack": 5,
    OWN / "form_filler": 5,
    OWN / "gaia_agent": 16,
    OWN / "optimize": 2,
    SHARED / "data_science": 10,
    SHARED / "delegate_stack": 8,
    SHARED / "form_filler": 11,
    SHARED / "gaia_agent": 23,
    SHARED / "optimize": 3,
}


@pytest.mark.parametrize("folder", for_each(lambda _: READERS))
def test_recorded_outputs_give_the_steps_of_their_tapes(folder: Path) -> None:
    count = 0
    for run in node_runs(folder):
        steps = READERS[folder.name](run.call.output, run.steps[0])

        assert steps
        expected = run.steps[: len(steps)]
        classes = tuple(type(step) for step in steps)
        told = [parse_step(step.to_json(), known=classes) for step in expected]
        assert [step.content_dict() for step in steps] == [step.content_dict() for step in told]
        # What follows comes from the node itself: control steps, without words of the model.
        assert {step.kind for step in run.steps[len(steps) :]} <= {"set_next_node", "respond"}
        count += 1
    assert count == RUN_COUNTS[folder]


def test_the_math_outputs_give_all_agent_steps_of_the_four_tapes_in_order() -> None:
    for recordings in RECORDINGS:
        count = compare_math_outputs(recordings / "gsm8k_tuning")

        assert count == (12 if recordings == OWN else 29)


def compare_math_outputs(folder: Path) -> int:
    """Compare what all outputs say with what all tapes hold, and return how many there are."""
    tapes, calls = read_folder(folder)
    read = by_kind(*MATH_STEPS)
    steps = [
        step
        for call in calls.values()
        for step in read(call.output, ReasoningThought(reasoning=""))
    ]
    on_tapes = [
        parse_step(step.to_json(), known=MATH_STEPS)
        for item in tapes
        for step in item.tape.steps
        if step.metadata.agent and step.kind != "set_next_node"
    ]
    assert [step.content_dict() for step in steps] == [step.content_dict() for step in on_tapes]
    assert len(steps) == len(calls)
    return len(calls)


def test_the_notebook_outputs_are_tool_calls_or_words() -> None:
    calls = [
        call
        for recordings in RECORDINGS
        for call in read_folder(recordings / "intro_notebook")[1].values()
    ]
    tools = (
        "get_tide",
        "get_stock_ticker",
        "get_stock_data",
        "call_search_agent",
        "web_search_tool",
        "get_page",
    )

    assert calls
    for call in calls:
        (step,) = parse_output(call.output, step_classes=(), node_name="act", tool_names=tools)

        if call.output.tool_calls:
            assert isinstance(step, ToolCalls)
            assert ToolCalls.from_llm_output(call.output) == step
        else:
            assert isinstance(step, ReasoningThought)
            assert step.reasoning == call.output.content


def test_the_recorded_folders_are_all_looked_at() -> None:
    with_calls = {
        path.name
        for recordings in RECORDINGS
        for path in recordings.iterdir()
        if path.is_dir() and any(".sqlite" in file.name for file in collect_files(path))
    }

    assert with_calls == {*READERS, "gsm8k_tuning", "intro_notebook"}


def test_no_kind_of_the_recordings_is_registered() -> None:
    assert isinstance(parse_step({"kind": "gaia_answer_action", "answer": "17"}), UnknownStep)
