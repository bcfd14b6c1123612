"""What a run starts from, read from the store: the agent, its tape, and its environment."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables

from tapes_app.agents.services.agents import LiveAgent
from tapes_app.agents.services.briefing import brief_agent
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.resume import last_node_run_start
from tapes_app.engine.environment.environment import Environment
from tapes_app.engine.environment.opening import RunContext
from tapes_app.engine.environment.planting import find_plant
from tapes_app.engine.environment.tool_context import RunPlace
from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.model.llm import LLM, LLMCall, LLMOutput, Prompt
from tapes_app.engine.model.prompt_length import find_own_limit
from tapes_app.engine.prompts.briefing import answered_kinds, mark_answered_actions
from tapes_app.engine.redaction import register_secret
from tapes_app.engine.tape.tape import Tape
from tapes_app.environments.emulated import EMULATOR, Emulator, ModelEmulator
from tapes_app.environments.keeping import KeptEnvironments
from tapes_app.environments.planting import PlantingEnvironment
from tapes_app.environments.policy import PolicyEnvironment, UseApproval
from tapes_app.environments.recorded import RecordedEnvironment
from tapes_app.gallery.continuation.transcript import make_tools
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.store.job import Job
from tapes_app.llms.recorded import Recall, RecallingLLM
from tapes_app.runs.domain.offered_tools import offer_caller_tools
from tapes_app.runs.domain.progress import RunProgress
from tapes_app.runs.domain.request import RunRequest
from tapes_app.runs.domain.reservations import Cost
from tapes_app.runs.services.budgeted import with_budget
from tapes_app.runs.services.gone_tools import build_for_tape
from tapes_app.runs.store.budgets import has_account, open_budget
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store import recorded_calls as record_storage


@dataclass(frozen=True, slots=True)
class RunSession:
    """Everything that an attempt starts with."""

    live: LiveAgent
    tape: Tape
    recorded_outputs: dict[str, LLMOutput]
    lineage: tuple[UUID, ...]
    """The tape and its ancestors, whose answers and observations are reused."""

    budget_id: UUID | None
    """What its calls are reserved from; `None`: nothing limits them."""


def open_session(job: Job, request: RunRequest) -> RunSession:
    """Read what a run needs.

    Raises:
        NotFoundError: the agent or the model no longer exists.
        AgentConfigError: the agent can no longer be built.
    """
    assert job.tape_id is not None, "a run has a tape"
    # The agent comes first: it brings the step classes needed to read the tape.
    live = _build_live_agent(job, request)
    tape = tape_loading.load_tape(job.tape_id, job.project_id)
    recorded: dict[str, LLMOutput] = {}
    # A lane may end in the middle of a node run while another one has gone on.
    if last_node_run_start(tape) is not None or (tape.steps and tape[-1].metadata.lane):
        recorded = call_storage.outputs_by_prompt_id(job.tape_id, job.project_id)
    lineage = record_storage.list_lineage(job.tape_id, job.project_id)
    if live.agent.reads_whole_tape:
        for llm in live.agent.llms.values():
            find_own_limit(llm)  # loads a list for seconds, so it is done here, in a thread
    agent = brief_agent(live.agent, tape, job.tape_id, job.project_id)
    steps = tuple(mark_answered_actions(tape.steps, answered_kinds(tape.steps)))
    tape = tape.model_copy(update={"steps": steps})
    return RunSession(
        live._replace(agent=agent), tape, recorded, lineage, _find_budget(job, request)
    )


def _find_budget(job: Job, request: RunRequest) -> UUID | None:
    """Return the budget of a run: the one that it shares, or its own."""
    if request.budget_id is not None:
        return request.budget_id if has_account(request.budget_id) else None
    if not request.budget.limits_spending:
        return None
    spent = RunProgress.read(job.checkpoint, step_count=0).spent
    calls = spent.call_count - spent.cached_call_count
    open_budget(job.id, request.budget, used=Cost(spent.tokens, spent.micro_usd, calls))
    return job.id


def _build_live_agent(job: Job, request: RunRequest) -> LiveAgent:
    assert job.tape_id is not None, "a run has a tape"
    try:
        live = build_for_tape(job.project_id, job.tape_id, request)
        return live._replace(agent=offer_caller_tools(live.agent, request.caller_tools))
    except NotFoundError as error:
        what = "model" if "model_id" in error.details else "agent version"
        raise NotFoundError(
            f"The {what} chosen for this run no longer exists; choose another one and resume.",
            **error.details,
        ) from error


def build_environment(
    session: RunSession,
    request: RunRequest,
    context: JobContext,
    *,
    emulator: Emulator | None,
    use_approval: UseApproval,
) -> Environment:
    """Return the environment that answers a run's actions, by the agent's rules and the choices.

    If the task has an attack, one of its observations gets the planted instruction.
    """
    environment = PolicyEnvironment(
        session.live.environment,
        request.tools.by_tool,
        rules=session.live.tool_rules,
        default=request.tools.default,
        recorded=RecordedEnvironment(_read_lineage(session, context)),
        mocks=request.tools.mocks,
        emulator=emulator,
        declared=_list_declared(session),
        use_approval=use_approval,
    )
    plant = find_plant(session.tape.steps)
    return environment if plant is None else PlantingEnvironment(environment, plant)


def _list_declared(session: RunSession) -> Sequence[Mapping[str, Any]]:
    """Return the tools that an agent knows from the tape that it reads."""
    agent = session.live.agent
    return make_tools(session.tape, agent.briefing.recorded) if agent.reads_whole_tape else ()


def describe_run(session: RunSession, context: JobContext) -> RunContext:
    """Return what an environment learns of the run that it is opened for."""
    return RunContext(
        session.tape,
        RunPlace(context.job.id, context.job.project_id),
        find_secret=_find_secret,
        process_notes=process_notes(),
        state_key=salted_hmac("tapes_app.state", "", algorithm="sha256").digest(),
        open_one=context.resident(KeptEnvironments).open,
    )


def process_notes() -> Path:
    """Return the folder that lists what workers of this data folder have started for runs."""
    return Path(settings.STUDIO_DATA_DIR) / "processes"


@sensitive_variables()
def _find_secret(name: str) -> str | None:
    value: str | None = settings.STUDIO_READ_VARIABLE(name)
    if value:
        register_secret(value)
    return value


async def _read_lineage(session: RunSession, context: JobContext) -> AsyncIterator[Tape]:
    """Yield the tape as the run found it, then its ancestors, each loaded on demand."""
    yield session.tape
    project_id = context.job.project_id
    for tape_id in session.lineage[1:]:
        with suppress(NotFoundError):  # this ancestor was deleted
            yield await context.run_in_thread(tape_loading.load_tape, tape_id, project_id)


def build_agent(session: RunSession, request: RunRequest, context: JobContext) -> Agent:
    """Return the agent: if requested, its models try the record before they draw on the budget."""
    agent = with_budget(session.live.agent, session.budget_id, context)
    if not request.reuse_recorded:
        return agent
    record = _Record(session, request, context)
    return _recalling(agent, record)


def build_emulator(agent: Agent, keep: Callable[[LLMCall], object]) -> Emulator | None:
    """Return the agent's model that emulates tools; `None`: it has none, so a script does."""
    llm = agent.llms.get(EMULATOR)
    return None if llm is None else ModelEmulator(llm, keep)


def _recalling(agent: Agent, record: "_Record") -> Agent:
    llms = {name: RecallingLLM(llm, record.for_llm(llm)) for name, llm in agent.llms.items()}
    members = tuple(_recalling(member, record) for member in agent.subagents)
    return agent.model_copy(update={"llms": llms, "subagents": members})


class _Record:
    """The recorded answers of a lineage; each is used once.

    Answers that made steps of the current tape count as used. If another model was chosen for the
    run, only that model's answers are reused: others would hide what it answers.
    """

    def __init__(self, session: RunSession, request: RunRequest, context: JobContext) -> None:
        self._lineage = session.lineage
        self._is_model_chosen = request.model_id is not None
        self._context = context
        self._used = {step.metadata.prompt_id for step in session.tape}

    def for_llm(self, llm: LLM) -> Recall:
        async def recall(prompt: Prompt) -> LLMCall | None:
            answers = await self._context.run_in_thread(
                record_storage.find_answers,
                self._context.job.project_id,
                prompt.digest,
                self._lineage,
            )
            for answer in answers:
                is_other = self._is_model_chosen and answer.model_name != llm.model_name
                if answer.prompt_id in self._used or is_other:
                    continue
                self._used.add(answer.prompt_id)
                return LLMCall(
                    prompt=prompt,
                    output=answer.output,
                    usage=answer.usage,
                    finish_reason=answer.finish_reason,
                    tokens=answer.tokens,
                )
            return None

        return recall
