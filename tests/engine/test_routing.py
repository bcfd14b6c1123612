"""Agents that choose their nodes and end their turns in their own way; models of subagents."""

from collections.abc import AsyncIterator
from typing import Literal

import pytest

from tapes_app.engine import (
    Action,
    Agent,
    AgentConfigError,
    AgentRunError,
    AgentSpec,
    Call,
    LLMStream,
    Node,
    Prompt,
    Respond,
    SetNextNode,
    Step,
    Tape,
    Thought,
    UserStep,
    gallery_agents,
    register,
    user_message,
)
from tapes_app.engine.agent.spec import build_agent
from tests.engine.builders import ListLLM, build_steps_node, build_tape, signed, texts, thought


class Words(Thought):
    kind: Literal["test_words"] = "test_words"
    content: str


class Chosen(Action):
    kind: Literal["test_chosen"] = "test_chosen"
    content: str


class FindNode(Node):
    type_name = "test.routing.Find"

    def make_prompt(self, agent: Agent, tape: Tape) -> Prompt:
        return Prompt(messages=(user_message(f"Find the words of: {tape.context}"),))

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step]:
        yield Words(content=await llm_stream.get_text())


class ChooseNode(FindNode):
    type_name = "test.routing.Choose"

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step]:
        yield Chosen(content=await llm_stream.get_text())


class WordAgent(Agent):
    """Looks at what is on the tape to choose its node, and chooses twice in a turn."""

    def select_node(self, tape: Tape) -> Node:
        has_words = any(isinstance(step, Words) for step in tape)
        return self.nodes[1] if has_words else self.nodes[0]

    def should_stop(self, tape: Tape) -> bool:
        return sum(isinstance(step, Chosen) for step in tape) == 2


def build_words(name: str = "words") -> Agent:
    return WordAgent.create(name, nodes=[FindNode(name="find"), ChooseNode(name="choose")])


async def test_an_agent_may_choose_its_nodes_and_end_its_turn_in_its_own_way() -> None:
    llm = ListLLM(["go, run", "go", "run"])
    agent = build_words().with_llms({"default": llm})

    final = await agent.run(Tape(context="They go and run.")).get_final_tape()

    assert texts(final.steps) == ["go, run", "go", "run"]
    assert [step.metadata.node for step in final] == ["find", "choose", "choose"]


async def test_it_is_kept_as_data_by_the_name_of_its_class() -> None:
    register(build_words("registered words"))
    spec = AgentSpec.model_validate_json(gallery_agents.get("registered words")().model_dump_json())

    agent = build_agent(spec, lambda _: ListLLM(["go, run", "go", "run"]))

    assert isinstance(agent, WordAgent)
    assert len(await agent.run(build_tape(UserStep(content="hi"))).get_final_tape()) == 4
    with pytest.raises(
        AgentConfigError, match=r"no agent type 'gone\.Agent'; available: .*WordAgent"
    ):
        build_agent(spec.model_copy(update={"type": "gone.Agent"}), lambda _: ListLLM([]))


class LostAgent(Agent):
    def select_node(self, tape: Tape) -> Node:
        return FindNode(name="elsewhere") if len(tape) else self.nodes[7]


async def test_a_choice_that_cannot_be_followed_is_told() -> None:
    agent = LostAgent.create("lost", nodes=[FindNode(name="find")])

    with pytest.raises(AgentRunError, match=r"'lost' gave .*; return one of self\.nodes"):
        await agent.run(build_tape()).get_final_tape()
    with pytest.raises(AgentRunError, match=r"select_node of agent 'lost' failed with IndexError"):
        await agent.run(Tape()).get_final_tape()


class LoopAgent(Agent):
    def select_node(self, tape: Tape) -> Node:
        return self.nodes[0] if len(tape) > 2 else super().select_node(tape)


def test_what_it_does_not_choose_itself_is_chosen_as_usual() -> None:
    agent = LoopAgent.create("loop", nodes=[FindNode(name="find"), ChooseNode(name="choose")])
    found = thought(agent="loop", node="find")

    assert agent.select_node(build_tape()).name == "find"
    assert agent.select_node(build_tape(UserStep(content="hi"), found)).name == "choose"
    pointer = signed(SetNextNode(next_node="choose"), "loop", "find")
    assert agent.select_node(build_tape(found, pointer)).name == "choose"


async def test_a_subagent_is_answered_by_its_managers_model_unless_it_names_one() -> None:
    asks = build_steps_node(Call(agent_name="helper"), Call(agent_name="deputy"), name="ask")
    responds = build_steps_node(Respond(), name="respond")
    shared, own = ListLLM(["from the manager"]), ListLLM(["my own"])
    helper = Agent.create("helper", nodes=[FindNode(name="find"), responds])
    deputy = Agent.create("deputy", nodes=[ChooseNode(name="choose")])

    inherits = Agent.create("boss", llms=shared, nodes=[asks], subagents=[helper])
    names = Agent.create(
        "boss",
        llms=shared,
        nodes=[asks],
        subagents=[deputy.model_copy(update={"llms": {"default": own}})],
    )
    to_helper = signed(Call(agent_name="helper"), "boss", "ask")
    to_deputy = signed(Call(agent_name="deputy"), "boss", "ask")

    with pytest.raises(AgentRunError):  # it does not say what it does after the response
        await (stream := inherits.run(build_tape(to_helper))).get_final_tape()
    assert texts(stream.tape.steps)[1] == "from the manager"
    final = await names.run(build_tape(to_deputy)).get_final_tape()
    assert texts(final.steps)[1] == "my own"
