"""The playground: ask any model a freely edited prompt; nothing of it is kept.

Each question is a job of its own kind, so that it streams, can be stopped and survives a reload
like a run. Its row is short-lived: no list shows it, and the sweeper removes it (`jobs.job`).
"""

import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from pydantic import BaseModel, Field

from tapes_app.agents.domain.llm_parameters import check_parameters
from tapes_app.agents.domain.rows import ModelRow
from tapes_app.agents.services.llm_configs import build_stored_llm
from tapes_app.agents.store import llm_models
from tapes_app.calls.services.calls import PriceLine, find_model_of, price_usage
from tapes_app.engine.errors import ConflictError, InvalidInputError, LLMError, NotFoundError
from tapes_app.engine.frozen_model import FrozenModel, new_id
from tapes_app.engine.model.llm import LLM, SCRIPT_PREFIX, LLMResult, Prompt, Usage
from tapes_app.engine.model.messages import Message
from tapes_app.engine.plain_json import dump_json_data
from tapes_app.jobs.domain import protocol
from tapes_app.jobs.services.context import JobContext
from tapes_app.jobs.services.listeners import ShownJob, show_job
from tapes_app.jobs.services.registry import Outcome, job_kind
from tapes_app.jobs.store import commands
from tapes_app.jobs.store import job as jobs
from tapes_app.jobs.store.job import PLAYGROUND_KIND, Job
from tapes_app.llms.factory import build_llm
from tapes_app.llms.model_config import ModelConfig
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.word_diff import WordChange, diff_words
from tapes_app.tapes.store import access, calls

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


class PlaygroundQuestion(FrozenModel):
    """A prompt, which model should answer it, and how."""

    call_id: UUID | None = None
    """The recorded call that the prompt was taken from, whose answer is compared."""

    model_id: UUID | None = None
    """`None`: the model that answered the recorded call."""

    messages: list[dict[str, Any]] = Field(min_length=1, max_length=10_000)
    tools: list[dict[str, Any]] | None = Field(default=None, max_length=1000)
    response_format: dict[str, Any] | None = None
    parameters: dict[str, Any] = Field(default_factory=dict)


class PlaygroundRequest(PlaygroundQuestion):
    """The request that a job of this kind stores."""

    tape_id: UUID


@dataclass(frozen=True)
class PlaygroundRun:
    """A question and the answer received so far; `words` compares it with the recorded answer."""

    job: ShownJob
    model_name: str = ""
    output: dict[str, Any] | None = None
    usage: Usage = field(default_factory=Usage)
    price_lines: list[PriceLine] = field(default_factory=list)
    cost_micro_usd: int | None = None
    duration_seconds: float | None = None
    first_token_seconds: float | None = None
    finish_reason: str = ""
    words: list[WordChange] | None = None


def start_playground(person: Person, request: PlaygroundRequest) -> Job:
    """Queue a question.

    Raises:
        NotFoundError: no such tape, call or model in the project.
        InvalidInputError: a message has no known role, or a parameter is a key.
        ConflictError: the model that answered the recorded call is unknown; choose one.
    """
    access.require_tape(request.tape_id, person.project_id)
    for number, message in enumerate(request.messages, start=1):
        role = message.get("role")
        if not isinstance(role, str) or role not in _ROLES:
            raise InvalidInputError(
                f"Message {number} has role {role!r}; the role must be one of {sorted(_ROLES)}.",
                field="messages",
            )
    check_parameters(request.parameters)
    llm = _build_llm(person.project_id, request)
    return jobs.create_job(
        person.project_id,
        PLAYGROUND_KIND,
        request=dump_json_data(request),
        title=f"Playground: {llm.model_name}",
        owner_id=person.user_id,
    )


def load_playground(person: Person, tape_id: UUID, job_id: UUID) -> PlaygroundRun:
    """Return a question of a tape and the answer received so far.

    Raises:
        NotFoundError: there is no such question, or no longer.
    """
    job = _find(person, tape_id, job_id)
    if not job.result:
        return PlaygroundRun(show_job(job))
    answered = _Answered.model_validate(job.result)
    request = PlaygroundRequest.model_validate(job.request)
    text = answered.output.get("content")
    return row_of(
        PlaygroundRun,
        answered,
        job=show_job(job),
        price_lines=price_usage(answered.usage, _find_row(person.project_id, request)),
        words=diff_words(_recorded_text(person.project_id, request), text),
    )


def stop_playground(person: Person, tape_id: UUID, job_id: UUID) -> None:
    """Stop a question and delete it.

    Raises:
        NotFoundError: there is no such question, or no longer.
    """
    job = _find(person, tape_id, job_id)
    try:
        commands.request_cancel(person.project_id, job.id, person=person.name)
    except ConflictError:  # it has finished
        jobs.delete_short_lived_job(person.project_id, job.id)


class _Answered(BaseModel):
    """The content of the job's result."""

    model_name: str
    output: dict[str, Any]
    usage: Usage
    cost_micro_usd: int | None
    duration_seconds: float
    first_token_seconds: float | None
    finish_reason: str


@job_kind(PLAYGROUND_KIND)
async def execute_playground(context: JobContext) -> Outcome:
    """Ask the model and stream its answer."""
    request = PlaygroundRequest.model_validate(context.job.request)
    llm = await context.run_in_thread(_build_llm, context.job.project_id, request)
    prompt = Prompt(
        id=new_id(),
        messages=tuple(Message.of(message) for message in request.messages),
        tools=tuple(request.tools) if request.tools else None,
        response_format=request.response_format,
    )
    context.emit(protocol.NodeStarted(agent="", node="", prompt_id=prompt.id, has_call=True))
    answered = await _ask(context, llm, prompt)
    context.emit(
        protocol.NodeFinished(
            agent="",
            node="",
            prompt_id=prompt.id,
            usage=protocol.StreamedUsage(**answered.usage.model_dump()),
            cost_micro_usd=answered.cost_micro_usd,
            duration_seconds=answered.duration_seconds,
        )
    )
    return Outcome("succeeded", "", answered.model_dump())


async def _ask(context: JobContext, llm: LLM, prompt: Prompt) -> _Answered:
    began = time.perf_counter()
    first_token: float | None = None
    async with aclosing(llm.stream(prompt)) as events:  # type: ignore[type-var]  # a generator
        async for event in events:
            if isinstance(event, LLMResult):
                return _Answered(
                    model_name=llm.model_name,
                    output=event.output.model_dump(),
                    usage=event.usage,
                    cost_micro_usd=event.cost_micro_usd,
                    duration_seconds=time.perf_counter() - began,
                    first_token_seconds=first_token,
                    finish_reason=event.finish_reason,
                )
            if first_token is None:
                first_token = time.perf_counter() - began
            context.emit(protocol.StepDelta(prompt_id=prompt.id, **event.model_dump()))
    raise LLMError("The model's answer was cut off; try again.")


def _build_llm(project_id: UUID, request: PlaygroundRequest) -> LLM:
    """Return the LLM that answers: the chosen model, or the one that answered the recorded call.

    Raises:
        NotFoundError: no such model or call in the project.
        ModelKeyMissingError: the model has no key.
        ConflictError: the model that answered is unknown; choose one.
    """
    row = _find_row(project_id, request)
    if row is not None:
        return build_stored_llm(project_id, row, request.parameters)
    call = _load_call(project_id, request)
    name = call.model_name if call is not None else ""
    if name.startswith(SCRIPT_PREFIX):
        return build_llm(ModelConfig(litellm_model=name, parameters=request.parameters))
    raise ConflictError(
        f"The model {name!r} that gave this answer is not in the project; choose another one, or "
        "add it under Models."
        if name
        else "The model that gave this answer was not recorded; choose one."
    )


def _find_row(project_id: UUID, request: PlaygroundRequest) -> ModelRow | None:
    if request.model_id is not None:
        return llm_models.load_model(request.model_id, project_id)
    call = _load_call(project_id, request)
    return find_model_of(call, project_id) if call is not None else None


def _load_call(project_id: UUID, request: PlaygroundRequest) -> calls.CallRow | None:
    if request.call_id is None:
        return None
    return calls.load_answer(request.call_id, project_id)


def _recorded_text(project_id: UUID, request: PlaygroundRequest) -> str | None:
    try:
        call = _load_call(project_id, request)
    except NotFoundError:  # its tape was removed in the meantime
        return None
    return call.call.output.content if call is not None else None


def _find(person: Person, tape_id: UUID, job_id: UUID) -> Job:
    """Return a question that was asked about a tape.

    Raises:
        NotFoundError: there is no such question, or it was removed.
    """
    access.require_tape(tape_id, person.project_id)
    job = jobs.load_job(person.project_id, job_id)
    if job.kind != PLAYGROUND_KIND or job.request.get("tape_id") != str(tape_id):
        raise NotFoundError("Playground answer not found.", job_id=str(job_id))
    return job
