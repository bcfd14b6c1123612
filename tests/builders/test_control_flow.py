"""Nodes without a model: they choose, call, respond and stop by what the agent sees."""

import json
from typing import Any, Literal

import pytest

from tapes_app.builders import (
    CallNode,
    CallTogetherNode,
    FieldCompares,
    GoToNode,
    IfNode,
    LastObservationIs,
    LastStepIs,
    MemberTask,
    ObservationNode,
    RespondNode,
    StepRef,
    StepsNode,
    StopNode,
)
from tapes_app.engine import (
    Action,
    Agent,
    AgentConfigError,
    AgentRunError,
    AssistantThought,
    Node,
    Observation,
    Step,
    Tape,
    UserStep,
    environment_of,
    make_training_text,
    run_to_end,
)
from tapes_app.engine.agent.nodes import Route
from tapes_app.engine.agent.spec import AgentSpec, build_agent, describe_agent
from tapes_app.llms.scripted import ScriptedLLM, answers_in_order


class Reading(Observation):
    kind: Literal["flow_reading"] = "flow_reading"
    degrees: float | None = None
    words: tuple[str, ...] = ()
    is_sure: bool = True


class Odd(Action):
    kind: Literal["flow_odd"] = "flow_odd"


ASKED = Tape(steps=(UserStep(content="Is it warm?"),))


def fixed(text: str, **settings: Any) -> StepsNode:
    return StepsNode(name=text, steps=(AssistantThought(content=text),), **settings)


def build(*nodes: Node, subagents: tuple[Agent, ...] = ()) -> Agent:
    return Agent.create("flow", nodes=nodes, subagents=subagents)


async def run(agent: Agent, *steps: Step) -> Tape:
    asked = Tape(steps=steps) if steps else ASKED
    return (await run_to_end(agent, asked, environment_of(agent))).tape


def path_of(tape: Tape) -> list[str]:
    """Return the nodes that ran, in their order."""
    runs = [(step.metadata.prompt_id, step.metadata.node) for step in tape if step.metadata.node]
    return [node for _, node in dict.fromkeys(runs)]


def holds(condition: Any, *steps: Step) -> bool:
    return bool(condition.holds(steps))


async def test_fixed_steps_run_in_order_or_go_on_elsewhere_until_the_tape_ends() -> None:
    agent = build(fixed("a", next_node="c"), fixed("b"), fixed("c"), StopNode(reason="done"))

    tape = await run(agent)

    assert path_of(tape) == ["a", "c", "StopNode"]
    assert [step.kind for step in tape][1:] == [
        "set_next_node", "assistant_thought", "assistant_thought", "final_step",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("steps", "path"),
    [
        ((Reading(degrees=25),), ["if", "warm", "stop"]),
        ((Reading(degrees=5),), ["if", "cold", "stop"]),
        ((UserStep(content="25"),), ["if", "cold", "stop"]),
    ],
)
async def test_if_chooses_between_two_nodes(steps: tuple[Step, ...], path: list[str]) -> None:
    is_warm = FieldCompares(
        step=StepRef(kind="flow_reading", field="/degrees"), comparison="at_least", value=20
    )
    agent = build(
        IfNode(name="if", condition=is_warm, then="warm"),
        fixed("cold", next_node="stop"),
        fixed("warm"),
        StopNode(name="stop"),
    )

    assert path_of(await run(agent, *steps)) == path


@pytest.mark.parametrize(
    ("step", "path"),
    [
        (Reading(), ["on", "read", "stop"]),
        (UserStep(content=""), ["on", "other", "stop"]),
    ],
)
async def test_the_kind_of_the_last_observation_chooses(step: Step, path: list[str]) -> None:
    agent = build(
        ObservationNode(name="on", routes={"flow_reading": "read"}),
        fixed("other", next_node="stop"),
        fixed("read"),
        StopNode(name="stop"),
    )

    assert path_of(await run(agent, step)) == path


async def test_a_subagent_is_called_with_inputs_and_its_response_is_passed_on() -> None:
    content = StepRef(kind="call", field="/content/message")
    helper = Agent.create("helper", nodes=[RespondNode(content=content)])
    agent = build(
        fixed("note"),
        CallNode(
            subagent="helper",
            content=StepRef(kind="user"),
            inputs={"note": StepRef(node="note")},
            next_node="say",
        ),
        StopNode(),
        RespondNode(name="say", content=StepRef(subagent="helper")),
        subagents=(helper,),
    )

    tape = await run(agent)

    called = next(step for step in tape if step.kind == "call")
    assert called.llm_dict()["content"] == {"message": "Is it warm?", "note": "note"}
    assert path_of(tape) == ["note", "CallNode", "RespondNode", "say"]
    assert tape[-1].llm_dict() == {"kind": "assistant", "content": "Is it warm?"}


async def test_several_subagents_are_called_at_once_and_their_responses_are_read_in_order() -> None:
    helpers = tuple(
        Agent.create(name, nodes=[RespondNode(content=StepRef(kind="call"))])
        for name in ("left", "right")
    )
    agent = build(
        CallTogetherNode(
            calls=(
                MemberTask(subagent="right", content="first"),
                MemberTask(subagent="left", content=StepRef(kind="user")),
                MemberTask(subagent="right", inputs={"asked": StepRef(kind="user")}),
            ),
            next_node="say",
        ),
        StopNode(),
        RespondNode(
            name="say",
            inputs={
                "a": StepRef(subagent="right", position=0),
                "b": StepRef(subagent="left"),
                "c": StepRef(subagent="right"),
            },
        ),
        subagents=helpers,
    )

    tape = await run(agent)

    assert json.loads(tape[-1].llm_dict()["content"]) == {
        "a": "first",
        "b": "Is it warm?",
        "c": {"asked": "Is it warm?"},
    }
    assert agent.nodes[0].list_routes(agent) == (
        Route("say", "when all have responded", "right"),
        Route("say", "when all have responded", "left"),
    )


def test_more_responses_than_calls_are_refused() -> None:
    with pytest.raises(AgentConfigError, match="waits for 2 responses but calls only 1"):
        CallTogetherNode(calls=(MemberTask(subagent="left"),), join=2)


async def test_a_response_to_the_person_begins_anew_with_their_answer() -> None:
    agent = build(fixed("think"), RespondNode(content="Yes."))
    tape = await run(agent)

    again = await run(agent, *tape, UserStep(content="Sure?"))

    assert path_of(again) == ["think", "RespondNode"] * 2
    assert [step.kind for step in again].count("assistant") == 2


async def test_its_tapes_are_replayed_and_have_no_model_to_train() -> None:
    condition = LastStepIs(kinds=("user",))
    agent = build(
        IfNode(condition=condition, then="a"), GoToNode(next_node="a"), fixed("a"), StopNode()
    )
    tape = await run(agent)

    assert await make_training_text(agent, tape) == ()
    assert all(node.make_llm_output(agent, tape, 1).content is None for node in agent.nodes)


def build_everything() -> Agent:
    return build(
        IfNode(name="1", condition=LastStepIs(kinds=("user", "tool")), then="3"),
        IfNode(name="2", condition=LastObservationIs(kinds=("tool",)), otherwise="4"),
        IfNode(name="3", condition=FieldCompares(step=StepRef(position=0), value=[1]), then="1"),
        ObservationNode(name="4", routes={"tool": "1"}),
        StepsNode(name="5", steps=(AssistantThought(content={"a": 1}), Odd())),
        GoToNode(name="6", next_node="1"),
        CallNode(name="7", subagent="helper", inputs={"a": StepRef(kind="user"), "b": StepRef()}),
        RespondNode(name="8", content=StepRef(node="5"), copy_output=True),
        StopNode(name="9", reason="done"),
        CallTogetherNode(name="10", calls=(MemberTask(subagent="helper"),), join="first"),
        subagents=(Agent.create("helper", nodes=[RespondNode(content="ok")]),),
    )


def test_they_come_back_from_their_spec() -> None:
    agent = build_everything()

    stored = describe_agent(agent, models={"default": "any"}).model_dump_json()
    llm = ScriptedLLM(answers_in_order([]))
    again = build_agent(AgentSpec.model_validate_json(stored), lambda _: llm)

    assert again.nodes == agent.nodes


def test_every_node_says_what_may_run_next() -> None:
    agent = build_everything()

    routes = {node.name: node.list_routes(agent) for node in agent.nodes}

    assert routes["1"] == (Route("3", "the last step is user or tool"), Route("2", "otherwise"))
    assert [route.node for route in routes["2"]] == ["3", "4"]
    assert routes["4"] == (Route("1", "on tool"), Route("5", "otherwise"))
    assert routes["5"] == (Route("6"),)
    assert routes["6"] == (Route("1"),)
    assert routes["7"] == (Route("8", "when helper has responded", "helper"),)
    assert routes["8"] == routes["9"] == ()


@pytest.mark.parametrize(
    ("comparison", "field", "value", "expected"),
    [
        ("equals", "/degrees", 5, True),
        ("equals", "/degrees", "5", False),
        ("equals", "/is_sure", 1, False),
        ("differs", "/degrees", 6, True),
        ("differs", "/nothing", 6, True),
        ("less", "/degrees", 6, True),
        ("less", "/degrees", "6", False),
        ("less", "/nothing", 6, False),
        ("at_most", "/degrees", 5, True),
        ("greater", "/degrees", 5, False),
        ("at_least", "/degrees", 5.0, True),
        ("contains", "/words", "sun", True),
        ("contains", "/words", "su", False),
        ("contains", "/words/0", "su", True),
        ("contains", "/degrees", 5, False),
        ("is_empty", "/words", None, False),
        ("is_empty", "/nothing", None, True),
    ],
)
def test_a_field_compares_with_a_value(
    comparison: Any, field: str, value: Any, expected: bool
) -> None:
    condition = FieldCompares(step=StepRef(field=field), comparison=comparison, value=value)

    assert holds(condition, Reading(degrees=5, words=("sun",))) is expected


def test_nothing_holds_of_an_empty_tape_but_that_it_is_empty() -> None:
    assert not holds(LastStepIs(kinds=("user",)))
    assert not holds(LastObservationIs(kinds=("user",)))
    assert not holds(FieldCompares(value=3))
    assert holds(FieldCompares(comparison="is_empty"))


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([RespondNode(content=StepRef(kind="tool"))], "the last step of kind 'tool', but sees no"),
        ([RespondNode(content=StepRef(field="/x"))], "This step has no field '/x'"),
        ([GoToNode(next_node="nowhere")], "Node 'nowhere' not found"),
        ([IfNode(condition=LastStepIs(kinds=("user",)))], "No node follows 'IfNode'"),
        ([CallNode(subagent="nobody"), StopNode()], "has no subagent 'nobody'"),
    ],
)
async def test_what_cannot_go_on_says_why(nodes: list[Node], reason: str) -> None:
    with pytest.raises(AgentRunError, match=reason):
        await run(build(*nodes))


def test_steps_that_no_agent_writes_are_refused() -> None:
    with pytest.raises(AgentConfigError, match="no steps to write"):
        StepsNode()
    with pytest.raises(AgentConfigError, match="cannot write a step of kind 'user'"):
        StepsNode(steps=(UserStep(content="x"),))
