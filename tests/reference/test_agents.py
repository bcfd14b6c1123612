"""Agents as the reference has them: how they are made, and what a turn of them gives."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tapes_app.engine.agent.agent import DEFAULT, Agent
from tapes_app.engine.agent.nodes import Node
from tapes_app.engine.errors import AgentRunError
from tapes_app.engine.model.llm import LLMEvent, LLMOutput, LLMResult, LLMStream, Prompt
from tapes_app.engine.tape.dialog_steps import AssistantStep, UserStep
from tapes_app.engine.tape.steps import PartialStep, Step
from tapes_app.engine.tape.tape import Tape
from tests.engine.builders import ListLLM, SayNode, ThinkNode, build_tape, texts


class PieceNode(Node):
    """Gives a piece of a step, and then the step."""

    async def generate_steps(
        self, agent: Agent, tape: Tape, llm_stream: LLMStream
    ) -> AsyncIterator[Step | PartialStep]:
        yield PartialStep(text="y")
        yield AssistantStep(content="yes")


class MeetingLLM:
    """Answers nobody before as many have asked as are expected."""

    model_name = "meeting"

    def __init__(self, expected: int) -> None:
        self._left = expected
        self._all_came = asyncio.Event()

    def describe(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        self._left -= 1
        if self._left == 0:
            self._all_came.set()
        await self._all_came.wait()
        yield LLMResult(output=LLMOutput(content=f"on {prompt.messages[0].text}"))


def test_several_models_and_texts_keep_their_names() -> None:
    llms = {"fast": ListLLM([]), "slow": ListLLM([])}

    agent = Agent.create("two", llms=llms, templates={"a": "one", "b": "two"}, max_iterations=10)

    assert (agent.llms, agent.templates) == (llms, {"a": "one", "b": "two"})
    assert agent.max_iterations == 10
    assert set(Agent.create("one", llms=ListLLM([])).llms) == {DEFAULT}


async def test_a_node_gives_pieces_and_steps_and_the_steps_are_signed() -> None:
    agent = Agent.create("piece", nodes=[PieceNode(name="say")])

    final = await agent.run(build_tape()).get_final_tape()

    said = final[1]
    assert texts([said]) == ["yes"]
    assert (said.metadata.agent, said.metadata.node) == ("piece", "say")
    assert said.metadata.prompt_id


async def test_a_turn_that_cannot_end_says_why_instead_of_giving_no_tape() -> None:
    agent = Agent.create("thinker", llms=ListLLM(["hm"]), nodes=[ThinkNode(name="think")])

    with pytest.raises(AgentRunError, match=r"'think' is the last node"):
        await agent.run(build_tape()).get_final_tape()


async def test_ten_tapes_run_at_once_on_one_agent_and_do_not_mix() -> None:
    questions = [f"question {number}" for number in range(10)]
    agent = Agent.create("one", llms=MeetingLLM(10), nodes=[SayNode(name="say", first_node="say")])

    finals = await asyncio.gather(
        *(
            agent.run(build_tape(UserStep(content=question))).get_final_tape()
            for question in questions
        )
    )

    assert [texts(final.steps)[-1] for final in finals] == [f"on {one}" for one in questions]
