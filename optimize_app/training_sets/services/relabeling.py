"""A teacher's answers in the states that a student reached (DAgger: Ross et al. 2011).

The student drove, so its tapes hold the prompts that it really meets, including its mistakes and
their consequences. The teacher is asked each of these prompts again.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from optimize_app.training_sets.examples import Origin, make_example
from optimize_app.training_sets.samples import ChatExample
from optimize_app.training_sets.services.request import TeacherBudget
from optimize_app.training_sets.store.labels import KeptLabels
from tapes_app.agents.services.agents import build_live_agent
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.errors import (
    CallRefusedError,
    LLMError,
    StudioError,
    TrainingTextError,
)
from tapes_app.engine.model.llm import LLM, LLMCall, LLMResult, Prompt
from tapes_app.engine.model.messages import digest_json
from tapes_app.jobs.services.context import JobContext
from tapes_app.runs.domain.decisions import explain_budget
from tapes_app.runs.domain.progress import Spent
from tapes_app.runs.domain.reservations import Cost
from tapes_app.runs.services.budgeted import with_budget
from tapes_app.runs.store.budgets import open_budget
from tapes_app.tapes.domain.rows import OutlineRow
from tapes_app.tapes.store.calls import list_calls
from tapes_app.tapes.store.headers import load_header, load_outline

_AT_ONCE = 8
_ANY_PROMPT = Prompt()


class _State(NamedTuple):
    """A call of the student, with the first step that it led to."""

    step: OutlineRow
    call_id: UUID
    call: LLMCall


class Teacher:
    """The teacher: an LLM model, or the models that each tape's agent itself names.

    What it answered for an earlier attempt, whose worker died, is not asked again; those answers
    still count as spent.
    """

    def __init__(
        self,
        context: JobContext,
        model_id: UUID | None,
        budget: TeacherBudget,
        kept: KeptLabels,
    ) -> None:
        self._context = context
        self._project = context.job.project_id
        self._model_id = model_id
        self._budget = budget.of_runs()
        self._agents: dict[UUID, Agent] = {}
        self._kept = kept
        self._known = kept.read()
        self._spent = Spent()
        for result in self._known.values():
            self._count(result)
        used = Cost(self._spent.tokens, self._spent.micro_usd, self._spent.call_count)
        open_budget(context.job.id, self._budget, used=used)

    def spending_of(self) -> dict[str, int]:
        """Return the number of answers so far, and what they cost."""
        return {
            "teacher_calls": self._spent.call_count,
            "teacher_tokens": self._spent.tokens,
            "teacher_micro_usd": self._spent.micro_usd,
            "teacher_unpriced_calls": self._spent.unpriced_count,
        }

    def label(self, tape_id: UUID, kept: Mapping[int, str]) -> Iterator[ChatExample | str]:
        """Yield the teacher's answer to each call of a tape, or why there is none.

        `kept`: why steps are not learnt, by position; the teacher is not asked about those.

        Raises:
            TrainingTextError: the tape has no agent here that names the model to ask.
            ModelKeyMissingError: the teacher cannot be asked.
        """
        version = load_header(tape_id, self._project).agent_version_id
        if version is None:
            raise TrainingTextError("Its agent is not in this project, so no teacher is known.")
        if version not in self._agents:
            live = build_live_agent(self._project, version, model_id=self._model_id)
            budget_id = self._context.job.id if self._budget.limits_spending else None
            self._agents[version] = with_budget(live.agent, budget_id, self._context)
        calls = {row.id: row.call for row in list_calls(tape_id, self._project)}
        found = _list_states(load_outline(tape_id, self._project), calls)
        yield from (kept[one.step.position] for one in found if one.step.position in kept)
        states = [one for one in found if one.step.position not in kept]
        answers = asyncio.run(self._ask_all(self._agents[version], states))
        for (step, call_id, call), answer in zip(states, answers, strict=True):
            if isinstance(answer, str):
                yield answer
                continue
            origin = Origin(tape_id, step.position, "teacher")
            taught = call.model_copy(update={"output": answer.output})
            mark = digest_json(answer.output.model_dump(mode="json")).hex()[:8]
            yield make_example(taught, name=f"{call_id}-{mark}", origin=origin)

    async def _ask_all(self, agent: Agent, states: Sequence[_State]) -> list[LLMResult | str]:
        places = asyncio.Semaphore(_AT_ONCE)

        async def ask(step: OutlineRow, call_id: UUID, prompt: Prompt) -> LLMResult | str:
            if call_id in self._known:
                return self._known[call_id]
            async with places:
                if reason := explain_budget(self._budget, self._spent):
                    return reason
                try:
                    result = await self._ask(_find_llm(agent, step), prompt)
                except CallRefusedError as refused:
                    return refused.message
                except StudioError as error:
                    return f"The teacher did not answer: {error.message}"
                self._kept.add(call_id, result)
                return result

        asked = (ask(step, call_id, call.prompt) for step, call_id, call in states)
        return list(await asyncio.gather(*asked))

    async def _ask(self, llm: LLM, prompt: Prompt) -> LLMResult:
        async for event in llm.stream(prompt):
            if isinstance(event, LLMResult):
                self._count(event)
                return event
        raise LLMError("its answer was cut off.")

    def _count(self, result: LLMResult) -> None:
        answered = LLMCall(
            prompt=_ANY_PROMPT,
            output=result.output,
            usage=result.usage,
            cost_micro_usd=result.cost_micro_usd,
        )
        self._spent = self._spent.plus(answered)


def _list_states(steps: list[OutlineRow], calls: dict[UUID, LLMCall]) -> list[_State]:
    """Return each call once, with the first step that it led to."""
    states: dict[UUID, _State] = {}
    for step in steps:
        if step.call_id is not None and step.call_id in calls:
            states.setdefault(step.call_id, _State(step, step.call_id, calls[step.call_id]))
    return list(states.values())


def _find_llm(agent: Agent, step: OutlineRow) -> LLM:
    """Return the model that a step's node asks.

    Raises:
        AgentNotFoundError: the agent no longer has this member.
        TrainingTextError: the member has no such node, or the node asks no model.
    """
    member = agent.find_subagent(step.agent.partition("/")[2])
    node = member.find_node(step.node)
    if node is None or node.llm not in member.llms:
        raise TrainingTextError(f"node {step.node!r} of its agent asks no model.")
    return member.llms[node.llm]
