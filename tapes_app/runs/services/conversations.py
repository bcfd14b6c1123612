"""Agents behind an OpenAI-compatible address: each conversation is a tape, each request a run.

Clients send a whole conversation each time. If one of ours ends where the client's new messages
begin, its tape continues; otherwise a new tape begins with everything that was said. Or they name
the answer that their new messages follow: then its tape continues, or a fork of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from tapes_app.agents.domain.rows import AgentVersionRow
from tapes_app.agents.services.agents import build_live_agent
from tapes_app.engine.environment.actions import put_answers_in_lanes
from tapes_app.engine.errors import ConflictError, InvalidInputError
from tapes_app.engine.tape.steps import Step
from tapes_app.engine.tape.tape import Tape
from tapes_app.jobs.store.commands import Reply, answer_job, change_request
from tapes_app.jobs.store.job import Job, find_active_job
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.chat_completions import (
    MAX_MESSAGES,
    check_results,
    check_tools,
    digest_of,
    split_new,
    to_steps,
)
from tapes_app.runs.domain.chat_sampling import check_taken, read_sampling
from tapes_app.runs.domain.offered_tools import offer_caller_tools
from tapes_app.runs.domain.request import RunRequest, ToolPolicies
from tapes_app.runs.domain.speech import Speaker, find_speakers
from tapes_app.runs.services.callable_agents import find_version
from tapes_app.runs.services.past_answers import PastAnswer
from tapes_app.runs.services.starting import start_run
from tapes_app.runs.services.store_node import describe_steps
from tapes_app.runs.store import conversations
from tapes_app.tapes.store import edits
from tapes_app.tapes.store import loading as tape_loading
from tapes_app.tapes.store import saving as tape_saving
from tapes_app.tapes.store import tapes as tape_storage
from tapes_app.tapes.store.batches import ensure_batch

_AS_IT_IS: Mapping[str, Any] = MappingProxyType({})


class Used(NamedTuple):
    """Tokens of a run."""

    input_tokens: int = 0
    cached_tokens: int = 0
    """Those of the input that a provider had read before."""

    output_tokens: int = 0

    def since(self, before: "Used") -> "Used":
        return Used(*(max(now - then, 0) for now, then in zip(self, before, strict=True)))


@dataclass(frozen=True, slots=True)
class CalledAgent:
    """A conversation whose run has been queued."""

    project_id: UUID
    user_id: int
    version_id: UUID
    model: str
    tape_id: UUID
    job_id: UUID
    start: int
    """Where on the tape the answer begins."""

    seq: int
    """Number of the last event of the job before the agent begins to answer."""

    messages: tuple[dict[str, Any], ...]
    tools: frozenset[str]
    speakers: frozenset[Speaker]
    """The nodes whose words can be passed on while they write them."""

    used_before: Used
    """What the run used before this request."""

    @property
    def place(self) -> dict[str, str]:
        """Where a person finds the run, as details of an error."""
        return {"tape_id": str(self.tape_id), "job_id": str(self.job_id)}


def call_agent(
    person: Person,
    model: str,
    messages: Sequence[dict[str, Any]],
    tools: Sequence[dict[str, Any]] = (),
    sampling: Mapping[str, Any] = _AS_IT_IS,
    *,
    after: PastAnswer | None = None,
) -> CalledAgent:
    """Put new messages on the tape of their conversation, and queue a run.

    `sampling`: the fields that the caller sent about it, by their names in chat completions.
    `after`: the answer that the messages follow; otherwise they are the whole conversation.

    Raises:
        NotFoundError: no such agent or version.
        InvalidInputError: the messages, tools or sampling cannot be read or followed, or nothing
            new was said.
        ConflictError: there is no answer that they could follow.
        ModelKeyMissingError: a model of the agent has no key; nothing was created.
    """
    version = find_version(person.project_id, model)
    offered = check_tools(tools)
    parameters = read_sampling(sampling)
    if split_new(messages) == len(messages) or len(messages) > MAX_MESSAGES:
        raise InvalidInputError(
            f"End with a message of the user or a tool, after at most {MAX_MESSAGES:,} others.",
            field="messages",
        )
    check_results(messages, after.call_ids if after is not None else ())
    names = frozenset(tool["function"]["name"] for tool in offered)
    request = RunRequest(
        agent_version_id=version.id,
        tools=ToolPolicies(by_tool=dict.fromkeys(names, "ask")),
        caller_tools=offered,
        parameters=parameters,
    )
    live = build_live_agent(person.project_id, version.id, parameters=parameters)
    check_taken(live.agent, parameters)
    agent = offer_caller_tools(live.agent, offered)
    asked = _Asked(person, version, request)
    with transaction.atomic():
        if after is None:
            tape_id, start, job = _put(asked, messages)
        else:
            tape_id, start, job = _put_after(asked, after, messages)
    return CalledAgent(
        project_id=person.project_id,
        user_id=person.user_id,
        version_id=version.id,
        model=model,
        tape_id=tape_id,
        job_id=job.id,
        start=start,
        seq=job.last_seq,
        messages=(*_stand_for(after), *messages),
        tools=names,
        speakers=find_speakers(agent, live.environment),
        used_before=used_by(job),
    )


class _Asked(NamedTuple):
    """Who asks what of whom."""

    person: Person
    version: AgentVersionRow
    request: RunRequest

    @property
    def project(self) -> UUID:
        return self.person.project_id

    def ensure_batch(self) -> UUID:
        """Return the batch of all conversations with the version."""
        name = f"Calls of {self.version.agent_name} {self.version.number}"
        return ensure_batch(self.project, name, owner=self.person.user_id).id


_Placed = tuple[UUID, int, Job]
"""The tape, where the answer begins on it, and the job of the run."""


def _stand_for(after: PastAnswer | None) -> tuple[dict[str, Any], ...]:
    """Return what stands for a conversation that is continued by the id of its last answer."""
    return () if after is None else ({"role": "response", "content": after.place.response_id},)


def _put(asked: _Asked, messages: Sequence[dict[str, Any]]) -> _Placed:
    new = split_new(messages)
    known = digest_of(asked.version.id, messages[:new])
    tape_id = conversations.claim(asked.project, known) if new else None
    if tape_id is not None:
        return _continue(asked, tape_id, to_steps(messages[new:]))
    steps = to_steps(messages)
    tape_id = tape_saving.save_tape(
        asked.project,
        Tape(steps=tuple(steps)),
        owner=asked.person.user_id,
        batch=asked.ensure_batch(),
        writer="person",
        agent_name=asked.version.agent_name,
        agent_version=asked.version.id,
    )
    return tape_id, len(steps), start_run(asked.person, tape_id, asked.request)


def _put_after(asked: _Asked, after: PastAnswer, messages: Sequence[dict[str, Any]]) -> _Placed:
    """Continue the tape of an answer, or a fork of it if that tape has gone on or another way."""
    if after.message is None:
        raise ConflictError(
            f"Response {after.place.response_id!r} has no answer to continue from; wait for it, "
            f"or continue on its tape. {after.reason}",
            tape_id=str(after.place.tape_id),
        )
    steps, tape_id = to_steps(messages), after.place.tape_id
    is_same = after.version_id == asked.version.id
    if is_same and conversations.claim_end(asked.project, tape_id, after.end):
        return _continue(asked, tape_id, steps)
    (child,) = edits.fork_tapes(
        tape_id,
        [after.end],
        project=asked.project,
        owner=asked.person.user_id,
        author=asked.person.name,
        agent_version=asked.version.id,
        agent_name=asked.version.agent_name,
        batch=asked.ensure_batch(),
    )
    return _continue(asked, child.id, steps)


def _continue(asked: _Asked, tape_id: UUID, steps: Sequence[Step]) -> _Placed:
    person, request, project = asked.person, asked.request, asked.project
    tape = tape_loading.load_tape(tape_id, project)
    steps = put_answers_in_lanes(tape, steps)
    count = len(tape)
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


def used_by(job: Job) -> Used:
    """Return the tokens that a run has used so far."""
    run = job.run
    if run is None:
        return Used()
    return Used(run.input_tokens, run.cache_read_tokens, run.output_tokens)
