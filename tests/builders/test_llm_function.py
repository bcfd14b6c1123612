"""Functions over a model: their text to the byte, their answers, demonstrations, and nodes."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapes_app.builders import (
    AssistantOutput,
    ContextInput,
    Input,
    LLMFunctionNode,
    LLMFunctionTemplate,
    RationaleOutput,
    StepRef,
    ThoughtOutput,
    ToolCallOutput,
)
from tapes_app.engine import (
    Agent,
    AgentConfigError,
    AgentRunError,
    AssistantStep,
    AssistantThought,
    Image,
    LLMOutput,
    Tape,
    ToolCalls,
    ToolResult,
    TrainingTextError,
    UserStep,
    environment_of,
    make_training_text,
    run_to_end,
    tool,
)
from tapes_app.engine.agent.node_runs import get_node_runs
from tapes_app.engine.agent.spec import AgentSpec, build_agent, describe_agent
from tapes_app.engine.tape.dialog_steps import PARSING_FAILURE
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order

ANSWER = LLMFunctionTemplate(
    desc="Answer questions with short factoid answers.",
    inputs=(
        ContextInput(name="context", desc="may contain relevant facts", separator="\n"),
        Input(name="question"),
    ),
    outputs=(
        RationaleOutput.for_output("answer"),
        AssistantOutput(name="answer", desc="often between 1 and 5 words"),
    ),
)
QUERY = LLMFunctionTemplate(
    desc="Write a query.",
    inputs=(Input(name="question"),),
    outputs=(
        RationaleOutput.for_output("query"),
        ToolCallOutput(name="query", tool_name="retrieve", arg_name="query"),
    ),
)
DEMO = {
    "context": ["Bergen is wet.", "Oslo is dry."],
    "question": "Where does it rain?",
    "rationale": "find the place. We read.",
    "answer": "Bergen",
}
# What TapeAgents 0.1.16 renders for the same template, demonstrations and steps.
RENDERED = """\
Answer questions with short factoid answers.

---

Question: Where is it dry?
Answer: Oslo

Question: Is it?
Answer: Yes

---

Follow the following format.

Context: may contain relevant facts
Question: ${question}
Reasoning: Let's think step by step in order to ${produce the answer}. We ...
Answer: often between 1 and 5 words

---

Context:
[1] «Bergen is wet.»
[2] «Oslo is dry.»
Question: Where does it rain?
Reasoning: Let's think step by step in order to find the place. We read.
Answer: Bergen

---

Context:
[1] «Rome is old.»
Question: How old?
Reasoning: Let's think step by step in order to"""

THINK, TALK = "find words. We look.\nQuery: Everest", "say it. We read.\nAnswer: 8849 metres"
ASKED = Tape(steps=(UserStep(content="How high is Everest?"),))
DOT = bytes.fromhex("47494638396101000100000000ff002c00000000010001000002003b")


@tool
def retrieve(query: str) -> list[str]:
    """Find passages."""
    return [f"{query} is 8849 metres high."]


def build(*answers: LLMOutput | str) -> Agent:
    return Agent.create(
        "reader",
        llms=ScriptedLLM(answers_in_order(answers)),
        templates={"query": QUERY, "answer": ANSWER},
        nodes=[
            LLMFunctionNode(
                name="query",
                template_name="query",
                input_refs=(StepRef(kind="user"),),
                tools=[retrieve],
            ),
            LLMFunctionNode(
                name="answer",
                template_name="answer",
                input_refs=(StepRef(), StepRef(kind="user")),
            ),
        ],
    )


async def run(agent: Agent, tape: Tape = ASKED) -> Tape:
    return (await run_to_end(agent, tape, environment_of(agent))).tape


def kinds_of(tape: Tape) -> list[str]:
    return [step.kind for step in tape][1:]


def test_a_prompt_is_rendered_as_the_reference_does_to_the_byte() -> None:
    partial = (
        {"question": "Where is it dry?", "answer": "Oslo"},
        {"question": "Is it?", "answer": "Yes"},
    )
    template = ANSWER.model_copy(update={"partial_demos": partial}).with_demos([DEMO])

    assert template.render([["Rome is old."], "How old?"]) == RENDERED


def test_a_template_that_was_stored_renders_the_same() -> None:
    template = ANSWER.with_demos([DEMO])

    again = LLMFunctionTemplate.model_validate_json(template.model_dump_json())

    assert again == template
    assert again.render([[], "x"]) == template.render([[], "x"])
    assert "Context:\nN/A\n" in again.render([[], "x"])


pieces = st.sampled_from(
    [
        "a",
        " ",
        "\n",
        "Answer:",
        "answer:",
        "Query: ",
        "Reasoning: Let's think step by step in order to",
    ]
)
values = st.lists(pieces, max_size=6).map("".join) | st.text(max_size=9)


@given(values, values, values, st.sampled_from([" ", "\n", ""]))
def test_writing_what_was_read_of_an_answer_gives_the_same_answer(
    thought: str, query: str, answer: str, separator: str
) -> None:
    query_output = ToolCallOutput(
        name="query", separator=separator, tool_name="retrieve", arg_name="query"
    )
    outputs = (ANSWER.outputs[0], query_output, ANSWER.outputs[1])
    template = LLMFunctionTemplate(desc="", outputs=outputs)
    written = template.write_answer({"rationale": thought, "query": query, "answer": answer})

    read = template.read_answer(written)

    assert template.write_answer(read) == written


@given(values, values)
def test_steps_give_the_answer_that_they_were_made_of(thought: str, query: str) -> None:
    written = QUERY.write_answer({"rationale": thought, "query": query})

    outputs = QUERY.read_steps(QUERY.make_steps(written))

    assert outputs is not None
    assert QUERY.write_answer(outputs) == written


@given(values, values)
def test_a_demonstration_is_the_end_of_the_prompt_and_the_answer(
    question: str, answer: str
) -> None:
    template = LLMFunctionTemplate(
        desc="Say it.", inputs=(Input(name="question"),), outputs=(AssistantOutput(name="answer"),)
    )
    read = template.read_answer(answer)

    prompt = template.render([question])
    demo = template.render_demo({"question": question, **read})

    assert f"{prompt} {read['answer']}".endswith(f"---\n\n{demo}")


async def test_the_functions_run_one_after_the_other_and_begin_anew() -> None:
    agent = build(THINK, TALK, THINK, TALK)

    tape = await run(agent)
    again = await run(agent, tape.append(UserStep(content="Again?")))

    assert kinds_of(tape) == [
        "assistant_thought", "assistant", "tool", "set_next_node", "assistant_thought", "assistant",
    ]  # fmt: skip
    assert isinstance(tape[2], ToolCalls)
    assert tape[2].tool_calls[0].parsed_arguments() == {"query": "Everest"}
    assert tape[-1].content_equals(AssistantStep(content="8849 metres"))
    assert kinds_of(again)[7:] == kinds_of(tape)
    assert len(await make_training_text(agent, again)) == 4


async def test_an_answer_without_an_output_is_shown_and_asked_for_again() -> None:
    agent = build("Everest", "Query Everest", THINK, TALK)
    tape = await run(agent)

    prompt = agent.nodes[0].make_prompt(agent, tape.fork(5))

    assert kinds_of(tape)[:5] == [
        PARSING_FAILURE, "set_next_node", PARSING_FAILURE, "set_next_node", "assistant_thought",
    ]  # fmt: skip
    assert [message.role for message in prompt.messages] == ["user", "assistant"] * 2 + ["user"]
    assert prompt.messages[0].text.endswith(
        "Question: How high is Everest?\n" + QUERY.outputs[0].label
    )
    assert "no line that begins with 'Query:'" in prompt.messages[2].text
    assert len(await make_training_text(agent, tape)) == 4


async def test_a_demonstration_is_extracted_from_each_run_of_a_tape() -> None:
    agent = build(THINK, TALK)
    tape = await run(agent)

    demos = [
        node.extract_demo(agent, tape, index)
        for node, index in get_node_runs(agent, tape)
        if isinstance(node, LLMFunctionNode)
    ]

    assert demos == [
        {
            "question": "How high is Everest?",
            "rationale": "find words. We look.",
            "query": "Everest",
        },
        {
            "context": ["Everest is 8849 metres high."],
            "question": "How high is Everest?",
            "rationale": "say it. We read.",
            "answer": "8849 metres",
        },
    ]


async def test_a_run_that_did_not_give_the_outputs_is_no_demonstration() -> None:
    agent = build()
    tape = ASKED.append(AssistantThought(content="hm"))
    node = agent.nodes[0]
    assert isinstance(node, LLMFunctionNode)

    with pytest.raises(TrainingTextError, match="writes the outputs"):
        node.extract_demo(agent, tape, 1)


async def test_images_of_an_input_are_shown_with_the_text() -> None:
    agent = build()
    parts = [{"type": "text", "text": "A dot."}, Image(DOT).to_part()]
    tape = ASKED.append(ToolResult(content=parts))

    prompt = agent.nodes[1].make_prompt(agent, tape)

    text, image = prompt.messages[0]["content"]
    assert "[1] «A dot.»" in text["text"]
    assert image == parts[1]


async def test_they_come_back_from_their_spec() -> None:
    agent = build()

    spec = describe_agent(agent, models={"default": "any"})
    llm = ScriptedLLM(answers_in_order([THINK, TALK]))
    stored = AgentSpec.model_validate_json(spec.model_dump_json())
    again = build_agent(stored, lambda _: llm)

    assert stored == spec
    assert describe_agent(again, models={"default": "any"}) == spec
    assert again.nodes == agent.nodes
    assert kinds_of(await run(again))[-1] == "assistant"
    assert again.nodes[0].list_routes(again)[0].node == "answer"


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        ((), "at least one output"),
        ((ThoughtOutput(name="question"),), "more than one variable named"),
        ((ThoughtOutput(name="a", prefix="Question:"),), "more than one variable labelled"),
    ],
)
def test_functions_that_cannot_work_are_refused(outputs: Any, reason: str) -> None:
    with pytest.raises(AgentConfigError, match=reason):
        LLMFunctionTemplate(desc="", inputs=(Input(name="question"),), outputs=outputs)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"template_name": "text"}, "Template 'text' of agent 'odd' is not a function"),
        ({"template_name": "nothing"}, "is not a function"),
        ({"template_name": "query"}, "is given 0 values"),
    ],
)
def test_a_node_that_does_not_fit_its_function_says_so(settings: Any, reason: str) -> None:
    node = LLMFunctionNode(**settings)
    agent = Agent.create("odd", templates={"text": "x", "query": QUERY}, nodes=[node])

    with pytest.raises(AgentConfigError, match=reason):
        node.make_prompt(agent, ASKED)


def test_an_input_that_is_not_there_is_named() -> None:
    agent = build()
    only_thought = Tape(steps=(AssistantThought(content="x"),))

    with pytest.raises(AgentRunError, match="'query' reads the last step of kind 'user'"):
        agent.nodes[0].make_prompt(agent, only_thought)
