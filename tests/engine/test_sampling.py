"""What a node chooses beside its prompt: how the answer is sampled, which tool has to be called."""

from typing import Any

import pytest

from tapes_app.engine import Agent, AgentConfigError, AgentSpec, LLMOutput, Prompt, Tape, UserStep
from tapes_app.engine.agent.node_code import make_prompt
from tapes_app.engine.agent.selection import Selection
from tapes_app.engine.agent.spec import NodeSpec, build_agent, build_node, describe_agent
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.environment.tool_functions import Tools, tool
from tapes_app.llms.scripted import ScriptedLLM


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


class Adder(TalkNode):
    type_name = "test_sampling.Adder"
    tools: Tools = (add,)


def ask(**settings: Any) -> Prompt:
    node = build_node(NodeSpec(type=Adder.type_name, settings=settings))
    agent = Agent.create(
        "adder", llms=ScriptedLLM(lambda _: "3"), templates={"system": "Add."}, nodes=[node]
    )
    return make_prompt(Selection(agent, "adder", node), Tape(steps=(UserStep(content="1 + 2"),)))


def test_a_prompt_says_what_its_node_chose_and_is_found_again_by_its_words_alone() -> None:
    plain = ask()
    chosen = ask(sampling={"temperature": 0, "stop": ["END"]}, tool_choice="add")

    assert chosen.sampling == {"temperature": 0, "stop": ["END"]}
    assert chosen.tool_choice == {"type": "function", "function": {"name": "add"}}
    assert (plain.sampling, plain.tool_choice) == (None, None)
    assert chosen.digest == plain.digest
    assert ask(tool_choice="required").tool_choice == "required"


def test_a_tool_that_a_node_does_not_offer_cannot_be_chosen() -> None:
    with pytest.raises(AgentConfigError, match=r"tool_choice names 'multiply', .* \['add'\]"):
        ask(tool_choice="multiply")


@pytest.mark.parametrize(
    "sampling",
    [{"temperature": 3}, {"top_p": -1}, {"max_tokens": 0}, {"stop": [""]}, {"tempreture": 1}],
)
def test_sampling_that_no_model_takes_is_refused(sampling: dict[str, Any]) -> None:
    with pytest.raises(AgentConfigError, match="sampling"):
        build_node(NodeSpec(type=Adder.type_name, settings={"sampling": sampling}))


def test_a_spec_holds_what_was_chosen_and_nothing_where_nothing_was() -> None:
    def describe(settings: dict[str, Any]) -> AgentSpec:
        spec = AgentSpec(name="a", nodes=(NodeSpec(type=Adder.type_name, settings=settings),))
        agent = build_agent(spec, lambda _: ScriptedLLM(lambda _: LLMOutput(content="")))
        return describe_agent(agent, models={"default": "m"})

    chosen = {"name": "add", "sampling": {"seed": 7}, "tool_choice": "none"}

    assert describe({"name": "add"}).nodes[0].settings == {"name": "add"}
    assert describe(chosen).nodes[0].settings == chosen
