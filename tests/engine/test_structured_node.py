"""A node that names the form of its answer: the answer becomes a step, or is asked for again."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel, RootModel

from tapes_app.engine import (
    Agent,
    AgentConfigError,
    AgentRunError,
    AssistantThought,
    FinalStep,
    LLMOutput,
    LLMSpec,
    StructuredNode,
    Tape,
    Thought,
    ToolCalls,
    TrainingTextError,
    UserStep,
    environment_of,
    make_response_format,
    make_training_text,
    run_to_end,
    tool,
)
from tapes_app.engine.agent.spec import AgentSpec, build_agent, describe_agent
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


class Estimate(Thought):
    kind: Literal["structured_estimate"] = "structured_estimate"
    metres: int


class Doubts(BaseModel):
    doubts: tuple[str, ...]


@tool
def measure(mountain: str) -> int:
    """Say how high a mountain is."""
    return 8849


class EstimateNode(StructuredNode):
    output = Estimate


class DoubtNode(StructuredNode):
    output = Doubts


class EndNode(StructuredNode):
    output = FinalStep


ASKED = Tape(steps=(UserStep(content="How high is Everest?"),))
ESTIMATE = '{"kind": "structured_estimate", "metres": 9000}'
DOUBTS = '{"doubts": ["Is it the highest?"]}'
END = '{"kind": "final_step", "reason": "done"}'


def build(*answers: LLMOutput | str, **settings: Any) -> Agent:
    llm = ScriptedLLM(answers_in_order(answers))
    nodes = [EstimateNode(**settings), DoubtNode(), EndNode()]
    return Agent.create("estimator", llms=llm, templates={"system": "Estimate."}, nodes=nodes)


async def run(agent: Agent) -> Tape:
    return (await run_to_end(agent, ASKED, environment_of(agent))).tape


def kinds_of(tape: Tape) -> list[str]:
    return [step.kind for step in tape][1:]


async def test_answers_become_the_steps_of_their_forms() -> None:
    tape = await run(build(ESTIMATE, DOUBTS, END))

    assert kinds_of(tape) == ["structured_estimate", "assistant_thought", "final_step"]
    assert tape[1].content_equals(Estimate(metres=9000))
    assert tape[2].content_equals(AssistantThought(content={"doubts": ["Is it the highest?"]}))


async def test_the_prompt_carries_the_form() -> None:
    agent = build()

    prompt = agent.nodes[0].make_prompt(agent, ASKED)

    assert prompt.response_format == make_response_format(Estimate)


async def test_an_answer_that_does_not_fit_is_shown_to_the_model_and_asked_for_again() -> None:
    tape = await run(build('{"metres": "high"}', ESTIMATE, DOUBTS, END))

    assert kinds_of(tape)[:3] == [PARSING_FAILURE, "set_next_node", "structured_estimate"]
    failure = tape[1].content_dict()
    assert failure["llm_output"] == '{"metres": "high"}'
    assert "does not fit Estimate: metres: Input should be a valid integer" in failure["error"]


async def test_answers_that_never_fit_end_the_turn() -> None:
    with pytest.raises(AgentRunError, match=r"could not read 4 answers.* does not fit Estimate"):
        await run(build(*["{}"] * 9))


async def test_tools_are_answered_before_the_form() -> None:
    call = LLMOutput.calling("measure", mountain="Everest")

    tape = await run(build(call, ESTIMATE, DOUBTS, END, tools=[measure]))

    assert isinstance(tape[2], ToolCalls)
    assert kinds_of(tape)[2:4] == ["tool", "structured_estimate"]


async def test_its_tapes_can_be_trained_on_with_failures_and_tool_calls() -> None:
    call = LLMOutput.calling("measure", mountain="Everest")
    agent = build("no idea", call, ESTIMATE, DOUBTS, END, tools=[measure])
    tape = await run(agent)

    texts = await make_training_text(agent, tape)

    assert len(texts) == 5
    assert texts[0].output_text == "no idea<|end|>"
    assert '"metres": 9000' in texts[2].output_text


async def test_a_thought_that_a_person_corrected_is_trained_on_as_it_is_now() -> None:
    tape = await run(build(ESTIMATE, DOUBTS, END))
    corrected = AssistantThought(content={"doubts": ["None."]}, metadata=tape[2].metadata)

    texts = await make_training_text(
        build(), tape.with_steps((*tape[:2], corrected, tape[3]), author="ada")
    )

    assert texts[1].output_text == '{"doubts": ["None."]}<|end|>'


async def test_a_step_of_another_form_cannot_be_trained_on() -> None:
    tape = ASKED.append(AssistantThought(content={"doubts": 3}), author="estimator")

    with pytest.raises(TrainingTextError, match="a step of the form Estimate"):
        await make_training_text(build(), tape)


async def test_the_node_after_the_answer_can_be_named() -> None:
    tape = await run(build(ESTIMATE, END, after_answer="EndNode"))

    assert kinds_of(tape) == ["set_next_node", "structured_estimate", "final_step"]


async def test_it_comes_back_from_its_spec() -> None:
    models = {"default": LLMSpec(model="any")}
    stored = describe_agent(build(), models=models).model_dump_json()
    llm = ScriptedLLM(answers_in_order([ESTIMATE, DOUBTS, END]))

    tape = await run(build_agent(AgentSpec.model_validate_json(stored), lambda _: llm))

    assert kinds_of(tape)[-1] == "final_step"


def test_a_node_without_a_form_of_its_own_is_refused() -> None:
    class ListNode(StructuredNode):
        output = RootModel[list[int]]

    with pytest.raises(AgentConfigError, match="names no form"):
        StructuredNode()
    with pytest.raises(AgentConfigError, match="not a JSON object"):
        ListNode()
