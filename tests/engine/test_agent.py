from typing import Any

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.nodes import NODE_CLASSES, Node
from tapes_app.engine.agent.selection import select
from tapes_app.engine.agent.spec import AgentSpec, LLMSpec, build_agent, describe_agent
from tapes_app.engine.errors import AgentConfigError, AgentNotFoundError, NodeNotFoundError
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.view import ViewStack
from tests.engine.builders import (
    ListLLM,
    StepsNode,
    ThinkNode,
    build_talker,
    call,
    signed,
    thought,
)


def test_the_default_name_is_the_class_name() -> None:
    assert Agent.create().name == "Agent"
    assert ThinkNode().name == "ThinkNode"


def test_a_single_llm_or_template_goes_under_default() -> None:
    agent = Agent.create("a", llms=ListLLM([]), templates="Be brief.")

    assert list(agent.llms) == ["default"]
    assert agent.templates == {"default": "Be brief."}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            {"nodes": [StepsNode(name="n"), StepsNode(name="n")]},
            r"more than one node named \['n'\]",
        ),
        (
            {"subagents": [Agent.create("x"), Agent.create("x")]},
            r"more than one subagent named \['x'\]",
        ),
        ({"subagents": ["search"]}, r"Subagent 'search' of 'boss' is not an agent but str"),
        (
            {"llms": {"big": ListLLM([])}, "nodes": [ThinkNode(name="n", llm="small")]},
            r"Node 'n' of agent 'boss' needs LLM 'small'; available: \['big'\]",
        ),
    ],
)
def test_what_cannot_work_is_refused_with_names(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(AgentConfigError, match=complaint):
        Agent.create("boss", **options)


def test_a_subagent_has_one_manager() -> None:
    helper = Agent.create("helper")
    left = Agent.create("left", subagents=[helper])

    with pytest.raises(AgentConfigError, match=r"'helper' already has a manager"):
        Agent.create("boss", subagents=[left, helper])
    boss = Agent.create("boss", subagents=[left, helper.clone()])
    assert [path for path, _ in boss.walk()] == [
        "boss",
        "boss/left",
        "boss/left/helper",
        "boss/helper",
    ]


def test_nodes_run_in_order_and_set_next_node_overrides() -> None:
    agent = build_talker()
    fresh = select(agent, ViewStack())
    after_think = select(agent, ViewStack.compute([thought(agent="talker", node="think")]))
    jump = signed(SetNextNode(next_node="think"), "talker", "say")
    by_index = signed(SetNextNode(next_node=1), "talker", "think")

    assert (fresh.path, fresh.node.name) == ("talker", "think")
    assert after_think.node.name == "say"
    assert select(agent, ViewStack.compute([jump])).node.name == "think"
    assert select(agent, ViewStack.compute([by_index])).node.name == "say"


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        (thought(agent="talker", node="say"), r"Next node not found: 'say' is the last node"),
        (signed(SetNextNode(next_node="x"), "talker", "say"), r"Node 'x' not found in agent"),
        (signed(SetNextNode(next_node=7), "talker", "say"), r"Node 7 not found in agent"),
        (thought(agent="talker", node="gone"), r"last node 'gone' is not one of agent"),
    ],
)
def test_a_node_that_does_not_exist_is_named(step: Any, complaint: str) -> None:
    with pytest.raises(NodeNotFoundError, match=complaint):
        select(build_talker(), ViewStack.compute([step]))


def test_on_another_teams_tape_an_agent_starts_at_its_first_node() -> None:
    foreign = [
        thought(agent="web_agent", node="reflect"),
        signed(SetNextNode(next_node="act"), "web_agent", "reflect"),
    ]

    assert select(build_talker(), ViewStack.compute(foreign)).node.name == "think"


def test_a_pointer_that_a_person_wrote_chooses_the_node_whoever_wrote_the_tape() -> None:
    pointer = SetNextNode(next_node="say")
    own, foreign = (thought(agent=name, node="think") for name in ("talker", "web_agent"))

    for before in ([], [own], [foreign]):
        assert select(build_talker(), ViewStack.compute([*before, pointer])).node.name == "say"
    nowhere = ViewStack.compute([foreign, SetNextNode(next_node="reflect")])
    assert select(build_talker(), nowhere).node.name == "think"


def test_a_call_to_an_unknown_agent_is_named() -> None:
    with pytest.raises(AgentNotFoundError, match=r"'talker' has no subagent 'ghost'"):
        select(build_talker(), ViewStack.compute([call("ghost")]))


def test_an_agent_survives_being_data() -> None:
    agent = Agent.create(
        "boss",
        llms=ListLLM([]),
        templates={"system": "Be brief."},
        nodes=[ThinkNode(name="think")],
        subagents=[Agent.create("helper", nodes=[StepsNode(name="write", steps=({"kind": "x"},))])],
    )

    spec = describe_agent(agent, models={"default": "small"})
    again = build_agent(AgentSpec.model_validate_json(spec.model_dump_json()), _no_llm)

    assert describe_agent(again, models={"default": "small"}) == spec
    assert describe_agent(again, models={"default": "small"}).digest == spec.digest


@pytest.mark.parametrize(
    ("node", "complaint"),
    [
        ({"type": "os.system"}, r"There is no node type 'os.system'"),
        ({"type": "ThinkNode", "settings": {"evil": 1}}, r"evil: Extra inputs are not permitted"),
    ],
)
def test_a_spec_names_only_what_is_registered(node: dict[str, Any], complaint: str) -> None:
    spec = AgentSpec.model_validate({"name": "a", "nodes": [node]})

    with pytest.raises(AgentConfigError, match=complaint):
        build_agent(spec, _no_llm)


def test_a_node_type_is_taken_once() -> None:
    name = "tests.engine.builders.ThinkNode"

    with pytest.raises(AgentConfigError, match=f"Node type '{name}' is already used"):
        type("Impostor", (Node,), {"type_name": name, "__module__": __name__})
    assert NODE_CLASSES[name] is ThinkNode


def _no_llm(spec: LLMSpec) -> ListLLM:
    return ListLLM([], spec.model)
