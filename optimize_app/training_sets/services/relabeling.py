"""What a teacher answers in the states that a student came to (DAgger: Ross et al. 2011).

The student drove, so its tapes hold the prompts that it really meets, its mistakes and what
followed them included. The teacher is asked each of these prompts anew.
"""

import asyncio
from collections.abc import Iterator
from uuid import UUID

from optimize_app.training_sets.examples import Origin, make_example
from optimize_app.training_sets.samples import ChatExample
from tapes_app.agents.services.agents import build_live_agent
from tapes_app.engine.agent import Agent
from tapes_app.engine.errors import LLMError, StudioError, TrainingTextError
from tapes_app.engine.llm import LLM, LLMCall, LLMResult, Prompt
from tapes_app.engine.messages import digest_json
from tapes_app.tapes.rows import OutlineRow
from tapes_app.tapes.store.calls import list_calls
from tapes_app.tapes.store.headers import load_header, load_outline

_AT_ONCE = 8


class Teacher:
    """An LLM model, or the models that each tape's agent names itself."""

    def __init__(self, project: UUID, model_id: UUID | None) -> None:
        self._project = project
        self._model_id = model_id
        self._agents: dict[UUID, Agent] = {}
        self.call_count = 0
        self.token_count = 0
        self.cost_micro_usd = 0

    def label(self, tape_id: UUID) -> Iterator[ChatExample | str]:
        """Give the teacher's answer to each call of a tape, or why there is none.

        Raises:
            TrainingTextError: the tape has no agent here that says whom to ask.
            ModelKeyMissingError: the teacher cannot be asked.
        """
        version = load_header(tape_id, self._project).agent_version_id
        if version is None:
            raise TrainingTextError("Its agent is not in this project, so no teacher is known.")
        if version not in self._agents:
            live = build_live_agent(self._project, version, model_id=self._model_id)
            self._agents[version] = live.agent
        calls = {row.id: row.call for row in list_calls(tape_id, self._project)}
        states = _list_states(load_outline(tape_id, self._project), calls)
        answers = asyncio.run(self._ask_all(self._agents[version], states))
        for (step, call), answer in zip(states, answers, strict=True):
            if isinstance(answer, str):
                yield answer
                continue
            origin = Origin(tape_id, step.position, "teacher")
            taught = call.model_copy(update={"output": answer.output})
            mark = digest_json(answer.output.model_dump(mode="json")).hex()[:8]
            yield make_example(taught, name=f"{step.call_id}-{mark}", origin=origin)

    async def _ask_all(
        self, agent: Agent, states: list[tuple[OutlineRow, LLMCall]]
    ) -> list[LLMResult | str]:
        places = asyncio.Semaphore(_AT_ONCE)

        async def ask(step: OutlineRow, prompt: Prompt) -> LLMResult | str:
            async with places:
                try:
                    return await self._ask(_find_llm(agent, step), prompt)
                except StudioError as error:
                    return f"The teacher did not answer: {error.message}"

        return list(await asyncio.gather(*(ask(step, call.prompt) for step, call in states)))

    async def _ask(self, llm: LLM, prompt: Prompt) -> LLMResult:
        async for event in llm.stream(prompt):
            if isinstance(event, LLMResult):
                self.call_count += 1
                usage = event.usage
                self.token_count += (usage.input_tokens or 0) + (usage.output_tokens or 0)
                self.cost_micro_usd += event.cost_micro_usd or 0
                return event
        raise LLMError("its answer was cut off.")


def _list_states(
    steps: list[OutlineRow], calls: dict[UUID, LLMCall]
) -> list[tuple[OutlineRow, LLMCall]]:
    """Return each call once, with the first step that it led to."""
    states: dict[UUID, tuple[OutlineRow, LLMCall]] = {}
    for step in steps:
        if step.call_id is not None and step.call_id in calls:
            states.setdefault(step.call_id, (step, calls[step.call_id]))
    return list(states.values())


def _find_llm(agent: Agent, step: OutlineRow) -> LLM:
    """Return the model that the node of a step asks.

    Raises:
        AgentNotFoundError: the agent has no such member any more.
        TrainingTextError: its member has no such node, or the node asks no model.
    """
    member = agent.find_subagent(step.agent.partition("/")[2])
    node = member.find_node(step.node)
    if node is None or node.llm not in member.llms:
        raise TrainingTextError(f"node {step.node!r} of its agent asks no model.")
    return member.llms[node.llm]
