"""Agents behind an OpenAI-compatible address: each conversation is a tape, each request a run.

Clients send a whole conversation each time. If one of ours ends where the client's new messages
begin, its tape continues; otherwise a new tape begins with everything that was said.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.agents.domain.rows import AgentRow, AgentVersionRow
from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.store import agents
from tapes_app.engine.errors import ConflictError, InvalidInputError, NotFoundError, StudioError
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store.commands import Reply, answer_job, change_request
from tapes_app.jobs.store.job import Job, find_active_job, load_job
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.chat_completions import (
    MAX_MESSAGES,
    answer_message,
    check_tools,
    digest_of,
    read_model,
    split_new,
    to_steps,
)
from tapes_app.runs.domain.offered_tools import offer_caller_tools
from tapes_app.runs.domain.request import RunRequest, ToolPolicies
from tapes_app.runs.services.starting import start_run
from tapes_app.runs.services.store_node import describe_steps
from tapes_app.runs.store import conversations
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store import saving as tape_saving
from tapes_app.tapes.store import tapes as tape_storage
from tapes_app.tapes.store.batches import ensure_batch

LONGEST_WAIT_SECONDS = 600.0
_LOOK_SECONDS = 0.1
_WORKING = ("queued", "running")


class AgentFailedError(StudioError):
    """The run of an agent that somebody called has ended without an answer."""

    code = "agent_failed"
    status = 502


class AgentSlowError(StudioError):
    """The run of an agent that somebody called takes too long to wait for."""

    code = "agent_slow"
    status = 504


@dataclass(frozen=True, slots=True)
class CalledAgent:
    """A conversation whose run has been queued."""

    project_id: UUID
    version_id: UUID
    model: str
    tape_id: UUID
    job_id: UUID
    start: int
    """Where on the tape the answer begins."""

    messages: tuple[dict[str, Any], ...]
    tools: frozenset[str]
    tokens_before: tuple[int, int]
    """Input and output tokens that the run used before this request."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What the agent answered."""

    message: dict[str, Any]
    input_tokens: int
    output_tokens: int


def list_callable(person: Person) -> Iterator[str]:
    """Yield the names by which the project's agents are called: published ones first."""
    for row in agents.list_agents(person.project_id):
        if row.published_version is not None:
            yield f"agent:{row.name}@published"
        for version in row.numbered_versions:
            yield f"agent:{row.name}@{version.number}"


def call_agent(
    person: Person,
    model: str,
    messages: Sequence[dict[str, Any]],
    tools: Sequence[dict[str, Any]] = (),
) -> CalledAgent:
    """Put new messages on the tape of their conversation, and queue a run.

    Raises:
        NotFoundError: no such agent or version.
        InvalidInputError: the messages or tools cannot be read, or nothing new was said.
        ModelKeyMissingError: a model of the agent has no key; nothing was created.
    """
    version = _find_version(person.project_id, model)
    offered = check_tools(tools)
    new = split_new(messages)
    if new == len(messages) or len(messages) > MAX_MESSAGES:
        raise InvalidInputError(
            f"End with a message of the user or a tool, after at most {MAX_MESSAGES:,} others.",
            field="messages",
        )
    names = frozenset(tool["function"]["name"] for tool in offered)
    request = RunRequest(
        agent_version_id=version.id,
        tools=ToolPolicies(by_tool=dict.fromkeys(names, "ask")),
        caller_tools=offered,
    )
    live = build_live_agent(person.project_id, version.id)
    offer_caller_tools(live.agent, offered)
    tape_id, start, job = _put(person, version, request, messages, new)
    return CalledAgent(
        person.project_id,
        version.id,
        model,
        tape_id,
        job.id,
        start,
        tuple(messages),
        names,
        _tokens_of(job),
    )


@transaction.atomic
def _put(
    person: Person,
    version: AgentVersionRow,
    request: RunRequest,
    messages: Sequence[dict[str, Any]],
    new: int,
) -> tuple[UUID, int, Job]:
    project = person.project_id
    known = digest_of(version.id, messages[:new])
    tape_id = conversations.claim(project, known) if new else None
    if tape_id is not None:
        return _continue(person, tape_id, request, to_steps(messages[new:]))
    steps = to_steps(messages)
    batch = ensure_batch(
        project, f"Calls of {version.agent_name} {version.number}", owner=person.user_id
    )
    tape_id = tape_saving.save_tape(
        project,
        Tape(steps=tuple(steps)),
        owner=person.user_id,
        batch=batch.id,
        writer="person",
        agent_name=version.agent_name,
        agent_version=version.id,
    )
    return tape_id, len(steps), start_run(person, tape_id, request)


def _continue(
    person: Person, tape_id: UUID, request: RunRequest, steps: Sequence[Step]
) -> tuple[UUID, int, Job]:
    project = person.project_id
    count = len(tape_loading.load_tape(tape_id, project))
    start = count + len(steps)

    def append() -> None:
        tape_storage.append_steps(
            tape_id,
            steps,
            project=project,
            expected_count=count,
            writer="person",
            owner=person.user_id,
        )

    waiting = find_active_job(tape_id)
    if waiting is None:
        append()
        return tape_id, start, start_run(person, tape_id, request)

    def write(_: Job) -> Reply:
        append()
        return Reply(describe_steps(tape_id, project, start=count, count=len(steps)))

    wanted = request.model_dump(mode="json", exclude_defaults=True)
    change_request(project, waiting.id, lambda _: wanted)
    return tape_id, start, answer_job(project, tape_id, write=write)


def read_completion(called: CalledAgent) -> Completion | None:
    """Return the answer, or `None` while the agent works.

    Raises:
        AgentFailedError: the run ended without an answer.
        ConflictError: the agent waits for a person, who answers on its tape.
    """
    job = load_job(called.project_id, called.job_id)
    if job.state in _WORKING:
        return None
    place = {"tape_id": str(called.tape_id), "job_id": str(called.job_id)}
    if job.state in ("failed", "cancelled"):
        raise AgentFailedError(f"The agent did not answer: {job.message}", **place)
    tape = tape_loading.load_tape(called.tape_id, called.project_id)
    message = answer_message(tape, called.start, called.tools)
    if message is None:
        raise ConflictError(
            f"The agent stopped before an answer; continue on its tape. {job.message}", **place
        )
    digest = digest_of(called.version_id, [*called.messages, message])
    conversations.note(called.tape_id, called.project_id, digest)
    used, before = _tokens_of(job), called.tokens_before
    return Completion(message, max(used[0] - before[0], 0), max(used[1] - before[1], 0))


def _tokens_of(job: Job) -> tuple[int, int]:
    return (job.run.input_tokens, job.run.output_tokens) if job.run is not None else (0, 0)


def wait_for_completion(called: CalledAgent) -> Completion:
    """Wait for the answer.

    Raises:
        AgentSlowError: it takes too long; the run goes on, and its tape shows it.
    """
    until = time.monotonic() + LONGEST_WAIT_SECONDS
    while time.monotonic() < until:
        completion = read_completion(called)
        if completion is not None:
            return completion
        time.sleep(_LOOK_SECONDS)
    raise too_slow(called)


def too_slow(called: CalledAgent) -> AgentSlowError:
    return AgentSlowError(
        f"The agent has not answered within {LONGEST_WAIT_SECONDS:.0f} seconds; follow it on its "
        "tape.",
        tape_id=str(called.tape_id),
        job_id=str(called.job_id),
    )


def _find_version(project: UUID, model: str) -> AgentVersionRow:
    named = read_model(model)
    row = agents.find_agent(named.name, project)
    if row is None:
        raise NotFoundError(f"There is no agent {named.name!r} here.", model=model)
    return agents.load_version(_version_id(row, named.number, model), project)


def _version_id(row: AgentRow, number: int | None, model: str) -> UUID:
    wanted = row.published_version if number is None else number
    if wanted is None:
        raise NotFoundError(
            f"No version of agent {row.name!r} is published; publish one, or name its number: "
            f"agent:{row.name}@{row.latest_version}.",
            model=model,
        )
    for version in row.numbered_versions:
        if version.number == wanted:
            return version.id
    raise NotFoundError(
        f"Agent {row.name!r} has no version {wanted}; the newest is {row.latest_version}.",
        model=model,
    )
