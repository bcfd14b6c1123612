"""The answers of agents that somebody called: waited for, or passed on while they are written."""

import json
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from channels.db import database_sync_to_async

from tapes_app.engine.errors import ConflictError, StudioError
from tapes_app.jobs.services.stream import LeftError, TooSlowError, get_hub
from tapes_app.jobs.store.job import load_job
from tapes_app.runs.domain.chat_completions import answer_message, digest_of
from tapes_app.runs.domain.speech import Speech
from tapes_app.runs.services.conversations import CalledAgent, Used, used_by
from tapes_app.runs.store import conversations
from tapes_app.tapes.store import loading as tape_loading

LONGEST_WAIT_SECONDS = 600.0
_LOOK_SECONDS = 0.1
_SIGN_OF_LIFE_SECONDS = 10.0
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
class Completion:
    """What the agent answered."""

    message: dict[str, Any]
    used: Used


def read_completion(called: CalledAgent) -> Completion | None:
    """Return the answer, or `None` while the agent works.

    Raises:
        AgentFailedError: the run ended without an answer.
        ConflictError: the agent waits for a person, who answers on its tape.
    """
    job = load_job(called.project_id, called.job_id)
    if job.state in _WORKING:
        return None
    if job.state in ("failed", "cancelled"):
        raise AgentFailedError(f"The agent did not answer: {job.message}", **called.place)
    tape = tape_loading.load_tape(called.tape_id, called.project_id)
    message = answer_message(tape, called.start, called.tools)
    if message is None:
        raise ConflictError(
            f"The agent stopped before an answer; continue on its tape. {job.message}",
            **called.place,
        )
    digest = digest_of(called.version_id, [*called.messages, message])
    conversations.note(called.tape_id, called.project_id, digest)
    return Completion(message, used_by(job).since(called.used_before))


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
    raise _too_slow(called)


async def stream_answer(called: CalledAgent) -> AsyncGenerator[str | Completion, None]:
    """Yield what the agent says as it says it, and at last the answer.

    An empty text is a sign of life. Together, the texts are the content of the answer. The run goes
    on if nobody listens any more.

    Raises:
        AgentFailedError: the run ended without an answer, or not with the one that was passed on.
        AgentSlowError: it takes too long; the run goes on, and its tape shows it.
        ConflictError: the agent waits for a person, who answers on its tape, or the caller reads
            too slowly or has left the project.
    """
    until = time.monotonic() + LONGEST_WAIT_SECONDS
    speech = Speech(called.speakers)
    yielded_at = time.monotonic()
    yield ""
    async with aclosing(_follow(called)) as frames:
        async for frame in frames:
            now = time.monotonic()
            speech, text = speech.hear(frame)
            if text or now - yielded_at > _SIGN_OF_LIFE_SECONDS:
                yielded_at = now
                yield text
            if frame["type"] == "job.state" and frame["state"] not in _WORKING:
                completion = await database_sync_to_async(read_completion)(called)
                if completion is not None:
                    rest = speech.rest(completion.message["content"] or "")
                    if rest is None:
                        raise _changed(called)
                    if rest:
                        yield rest
                    yield completion
                    return
            if now > until:
                break
    raise _too_slow(called)


async def _follow(called: CalledAgent) -> AsyncGenerator[dict[str, Any], None]:
    """Yield what the log of the job gets from the call on, and pings."""
    hub = get_hub()
    subscription = hub.subscribe(called.job_id, after=called.seq, user_id=called.user_id)
    try:
        while True:
            for frame in await subscription.next_frames():
                yield json.loads(frame)
    except (LeftError, TooSlowError) as gone:
        why = "has left the project" if isinstance(gone, LeftError) else "reads too slowly"
        raise ConflictError(
            f"The caller {why}; the answer is on its tape.", **called.place
        ) from gone
    finally:
        hub.unsubscribe(subscription)


def _changed(called: CalledAgent) -> AgentFailedError:
    return AgentFailedError(
        "The agent began its answer anew after a part of it had been sent; read it on its tape, "
        "or ask again.",
        **called.place,
    )


def _too_slow(called: CalledAgent) -> AgentSlowError:
    return AgentSlowError(
        f"The agent has not answered within {LONGEST_WAIT_SECONDS:.0f} seconds; follow it on its "
        "tape.",
        **called.place,
    )
