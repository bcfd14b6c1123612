"""The sample project: the shipped agents, and tapes that they really make when it is loaded.

Nothing here needs a key or a network; the agents run with their scripts.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.agents.domain.rows import AgentVersionRow
from tapes_app.agents.store import agents as agent_storage
from tapes_app.engine.agent.orchestrator import main_loop
from tapes_app.engine.agent.registration import gallery_agents
from tapes_app.engine.agent.spec import LLMSpec, build_agent, build_environment
from tapes_app.engine.environment.events import NodeFinished, StepAdded
from tapes_app.engine.environment.opening import RunContext, open_for_run
from tapes_app.engine.frozen_model import new_id
from tapes_app.engine.model.llm import SCRIPT_PREFIX, LLMCall, scripts
from tapes_app.engine.tape.dialog_steps import ToolCalls, UserStep
from tapes_app.engine.tape.splice import CutHere, Operation, ReplaceStep, arrange, read_places
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.gallery.continuation.agent import NAME as CONTINUATION
from tapes_app.llms.scripted import ScriptedLLM
from tapes_app.projects.store.projects import ensure_default_project
from tapes_app.tapes.domain.edit_words import describe_edit
from tapes_app.tapes.domain.task_outcome import Outcome
from tapes_app.tapes.store import edits, loading, marks, outcomes, saving, tapes

AUTHOR = "sample project"
SAMPLE_AGENTS = ("analyst", "chat", CONTINUATION)


@dataclass
class SampleReport:
    """What loading created; empty if everything was there already."""

    agents: dict[str, int] = field(default_factory=dict)
    """The newest version of each sample agent."""

    tape_ids: list[UUID] = field(default_factory=list)
    """The newly made tapes."""


@transaction.atomic
def load_sample(project_id: UUID | None = None) -> SampleReport:
    """Register the shipped agents and, with each new agent, make its tapes.

    Loading again changes nothing, unless a newer studio ships a newer version of an agent. A sample
    tape that somebody has deleted is not made again.
    """
    project = project_id or ensure_default_project().id
    report = SampleReport()
    for name in SAMPLE_AGENTS:
        is_new = agent_storage.find_agent(name, project) is None
        version = agent_storage.ensure_version(project, gallery_agents.get(name)())
        report.agents[name] = version.number
        if is_new and name in _TAPES:
            report.tape_ids += _TAPES[name](_Studio(project, version))
    return report


class _Studio:
    """Makes tapes of one agent as a person would: sending messages, editing, resuming."""

    def __init__(self, project: UUID, version: AgentVersionRow) -> None:
        self._project = project
        self._version = version
        self._spec = version.spec

    def start(self, text: str) -> UUID:
        """Make a tape with a message and the agent's answer to it."""
        content = UserStep(content=text).with_metadata(id=new_id())
        tape_id = saving.save_tape(
            self._project,
            Tape().append(content, author=AUTHOR),
            writer="person",
            agent_name=self._version.agent_name,
            agent_version=self._version.id,
        )
        self._run(tape_id)
        return tape_id

    def send(self, tape_id: UUID, text: str) -> None:
        content = UserStep(content=text).with_metadata(id=new_id())
        count = len(self.load(tape_id))
        tapes.append_steps(
            tape_id, [content], project=self._project, expected_count=count, writer="person"
        )
        self._run(tape_id)

    def resume_edited(self, tape_id: UUID, operations: Sequence[Operation]) -> UUID:
        """Make the child that an edit describes, and let the agent continue from there."""
        tape = self.load(tape_id)
        arrangement = arrange(len(tape), operations)
        edit = read_places(tape, arrangement)
        recorded = {at: step.to_json() for at, step in enumerate(tape.steps)}
        edited = tape.with_steps(tuple(spliced.step for spliced in edit), author=AUTHOR)
        child_id = edits.save_spliced(
            tape_id,
            edited,
            project=self._project,
            sources=[spliced.source for spliced in edit],
            agent_version=self._version.id,
            edit_words=describe_edit(arrangement, recorded),
        )
        self._run(child_id)
        return child_id

    def judge(self, tape_id: UUID, outcome: Outcome, *, task: str = "", expected: str = "") -> None:
        """Set a tape's outcome, as a person would."""
        outcomes.note_answer(tape_id, self._project)
        content = {"task": task, "expected": expected, "outcome": outcome}
        verdict = outcomes.read_verdict(content)
        marks.mark_tape(tape_id, self._project, verdict=verdict)

    def load(self, tape_id: UUID) -> Tape:
        return loading.load_tape(tape_id, self._project)

    def _run(self, tape_id: UUID) -> None:
        tape = self.load(tape_id)
        steps, calls = asyncio.run(self._collect(tape))
        tapes.append_steps(
            tape_id, steps, project=self._project, expected_count=len(tape), calls=calls
        )

    async def _collect(self, tape: Tape) -> tuple[list[Step], list[LLMCall]]:
        steps: list[Step] = []
        calls: list[LLMCall] = []
        agent = build_agent(self._spec, _resolve_without_delay)
        async with open_for_run(build_environment(self._spec), RunContext(tape)) as environment:
            async for event in main_loop(agent, tape, environment):
                if isinstance(event, StepAdded):
                    steps.append(event.step)
                elif isinstance(event, NodeFinished) and event.call is not None:
                    calls.append(event.call)
        return steps, calls


def _resolve_without_delay(wanted: LLMSpec) -> ScriptedLLM:
    name = wanted.model.removeprefix(SCRIPT_PREFIX)
    return ScriptedLLM(scripts.get(name), name=name)


def _make_analyst_tapes(studio: _Studio) -> list[UUID]:
    """A good run, a run with the wrong company and its fixed fork, and an unlisted company."""
    good = studio.start("Tell me about Vulcan in 3 sentences")
    wrong = studio.start("How did the robot maker Aster do this year?")
    tape = studio.load(wrong)
    at = _find_tool_call(tape, "get_stock_ticker")
    better = _with_arguments(tape.steps[at], '{"company_name":"Aster Robotics"}')
    mended = studio.resume_edited(
        wrong, [ReplaceStep(position=at, step=better), CutHere(position=at + 1)]
    )
    unknown = studio.start("What is new at Zephyr Motors?")
    studio.judge(good, "pass")
    task: dict[str, str] = {"task": "the robot maker Aster", "expected": "Aster Robotics"}
    studio.judge(wrong, "fail", **task)
    studio.judge(mended, "pass", **task)
    return [good, wrong, mended, unknown]


def _make_chat_tapes(studio: _Studio) -> list[UUID]:
    """A good conversation, and a question with mixed-up units and its fixed fork."""
    good = studio.start("Hello! What can you do?")
    studio.send(good, "How much is 12 * (3 + 4), and what is 5 km in miles?")
    studio.send(good, "Thank you!")
    wrong = studio.start("How far is 10 kg in miles?")
    asked = UserStep(content="How far is 10 km in miles?")
    mended = studio.resume_edited(
        wrong, [ReplaceStep(position=0, step=asked.to_json()), CutHere(position=1)]
    )
    return [good, wrong, mended]


_TAPES: dict[str, Callable[[_Studio], list[UUID]]] = {
    "analyst": _make_analyst_tapes,
    "chat": _make_chat_tapes,
}


def _find_tool_call(tape: Tape, tool: str) -> int:
    for position, step in enumerate(tape.steps):
        if isinstance(step, ToolCalls) and step.tool_calls[0].function.name == tool:
            return position
    raise LookupError(f"the sample tape has no call of {tool!r}")


def _with_arguments(step: Step, arguments: str) -> dict[str, Any]:
    """Return the step of one tool call as it is after a person edited its arguments."""
    data = step.to_json()
    call = data["tool_calls"][0]
    function = {**call["function"], "arguments": arguments}
    return {**data, "tool_calls": [{**call, "function": function}]}
