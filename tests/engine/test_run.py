import asyncio
from collections.abc import AsyncIterator

import pytest

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.node_runs import get_node_runs
from tapes_app.engine.environment.events import (
    AgentEvent,
    DeltaReceived,
    NodeFailed,
    NodeFinished,
    NodeStarted,
    PartialStepMade,
    StepAdded,
)
from tapes_app.engine.errors import AgentRunError, LLMError
from tapes_app.engine.model.llm import LLMDelta, LLMEvent, LLMOutput, Prompt
from tapes_app.engine.tape.control_steps import SetNextNode
from tapes_app.engine.tape.dialog_steps import AssistantStep, AssistantThought, UserStep
from tests.engine.builders import (
    AskNode,
    ListLLM,
    ThinkNode,
    build_steps_node,
    build_talker,
    build_tape,
    texts,
)


async def test_a_turn_ends_after_the_node_that_gave_an_action_has_finished() -> None:
    both = build_steps_node(AssistantStep(content="act"), SetNextNode(next_node="write"))
    agent = Agent.create("a", nodes=[both, build_steps_node(UserStep(content="no"), name="later")])

    tape = await agent.run(build_tape()).get_final_tape()

    assert [step.kind for step in tape] == ["user", "assistant", "set_next_node"]


async def test_the_final_tape_is_a_child_by_the_agent_and_the_input_stays_as_it_is() -> None:
    tape = build_tape()
    before = tape.to_json()

    final = await build_talker().run(tape).get_final_tape()

    assert final.id != tape.id
    assert final.metadata.parent_id == tape.id
    assert final.metadata.author == "talker"
    assert final.metadata.n_added_steps == 3
    assert tape.to_json() == before


async def test_steps_carry_agent_node_and_one_prompt_id_a_run() -> None:
    final = await build_talker().run(build_tape()).get_final_tape()

    signatures = [(s.metadata.agent, s.metadata.node) for s in final.steps[1:]]
    prompt_ids = [s.metadata.prompt_id for s in final.steps[1:]]
    assert signatures == [("talker", "think"), ("talker", "say"), ("talker", "say")]
    assert prompt_ids[1] == prompt_ids[2] != prompt_ids[0]
    assert len({s.metadata.id for s in final.steps[1:]}) == 3


async def test_the_llm_is_named_on_a_step_when_there_are_several() -> None:
    agent = Agent.create(
        "a",
        llms={"default": ListLLM([]), "big": ListLLM(["hm"])},
        nodes=[ThinkNode(name="think", llm="big"), build_steps_node(AssistantStep(content="x"))],
    )

    final = await agent.run(build_tape()).get_final_tape()

    assert final.steps[1].metadata.llm == "big"


async def test_pieces_partial_steps_and_steps_come_in_order() -> None:
    events = [event async for event in build_talker(["one two", "end"]).run(build_tape())]

    kinds = [type(event) for event in events[:7]]
    assert kinds == [
        NodeStarted,
        DeltaReceived,
        PartialStepMade,
        DeltaReceived,
        PartialStepMade,
        StepAdded,
        NodeFinished,
    ]


async def test_partial_steps_are_not_put_on_the_tape() -> None:
    final = await build_talker(["one two", "end"]).run(build_tape()).get_final_tape()

    assert texts(final.steps) == ["Hello", "one two", "set_next_node", "end"]


async def test_a_node_run_records_its_call() -> None:
    events = [event async for event in build_talker(["one two", "end"]).run(build_tape())]

    call = next(event.call for event in events if isinstance(event, NodeFinished))
    assert call is not None
    assert call.output.content == "one two"
    assert call.llm == {"model_name": "list"}
    assert [message.text for message in call.prompt.messages] == ["Hello"]


async def test_the_null_prompt_asks_nobody_and_records_no_call() -> None:
    agent = Agent.create("a", nodes=[build_steps_node(AssistantStep(content="x"))])

    events = [event async for event in agent.run(build_tape())]

    finished = [event for event in events if isinstance(event, NodeFinished)]
    assert [event.call for event in finished] == [None]


async def test_a_runaway_is_stopped_with_a_sentence() -> None:
    loop = build_steps_node(AssistantThought(content="again"), SetNextNode(next_node="write"))
    agent = Agent.create("a", nodes=[loop], max_iterations=5)

    with pytest.raises(AgentRunError, match="ran 5 nodes without an action"):
        await agent.run(build_tape()).get_final_tape()


async def test_a_node_without_steps_is_named() -> None:
    agent = Agent.create("a", nodes=[build_steps_node()])

    with pytest.raises(AgentRunError, match="Node 'write' of agent 'a' wrote no step"):
        await agent.run(build_tape()).get_final_tape()


async def test_a_failed_call_keeps_what_came() -> None:
    agent = Agent.create("a", llms=_BreakingLLM(), nodes=[AskNode(name="ask")])
    seen: list[AgentEvent] = []

    with pytest.raises(LLMError, match="line is down"):
        await _collect(agent, seen)

    failed = seen[-1]
    assert isinstance(failed, NodeFailed)
    assert failed.call is not None
    assert failed.call.output == LLMOutput(content="half")
    assert failed.call.error == "The line is down."


async def test_stopping_in_the_middle_closes_the_model_call() -> None:
    llm = _EndlessLLM()
    stream = Agent.create("a", llms=llm, nodes=[AskNode(name="ask")]).run(build_tape())
    events = stream.__aiter__()

    async for event in events:
        if isinstance(event, DeltaReceived):
            break
    await events.aclose()

    assert llm.is_closed


async def test_the_sync_entry_point_gives_the_same_tape() -> None:
    final = await asyncio.to_thread(build_talker().run_sync, build_tape())

    assert texts(final.steps) == ["Hello", "a thought", "set_next_node", "an answer"]


async def test_node_runs_are_found_again_on_the_tape() -> None:
    agent = build_talker()
    final = await agent.run(build_tape()).get_final_tape()

    runs = [(node.name, index) for node, index in get_node_runs(agent, final)]

    assert runs == [("think", 1), ("say", 2)]


async def _collect(agent: Agent, seen: list[AgentEvent]) -> None:
    async for event in agent.run(build_tape()):
        seen.append(event)  # noqa: PERF401 - what came before the failure is the point


class _BreakingLLM(ListLLM):
    def __init__(self) -> None:
        super().__init__([])

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        yield LLMDelta(text="half")
        raise LLMError("The line is down.")


class _EndlessLLM(ListLLM):
    def __init__(self) -> None:
        super().__init__([])
        self.is_closed = False

    async def stream(self, prompt: Prompt) -> AsyncIterator[LLMEvent]:
        try:
            while True:
                yield LLMDelta(text="on ")
                await asyncio.sleep(0)
        finally:
            self.is_closed = True
