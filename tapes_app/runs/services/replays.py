"""The replay test of a stored tape: would its agent, given the recorded answers, write it again?"""

import asyncio
from dataclasses import asdict
from uuid import UUID

from tapes_app.agents.services.agents import build_replay_agent
from tapes_app.agents.services.briefing import brief_agent
from tapes_app.engine.agent.replay import ReplayResult
from tapes_app.engine.agent.replay import replay_tape as replay
from tapes_app.engine.errors import DelegationError, InvalidInputError
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.candidates import NearAgent, find_nearest
from tapes_app.runs.services.tape_point import find_stored_point
from tapes_app.tapes.domain.rows import TapeHeader
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading


class WriterUnknownError(InvalidInputError):
    """No version of the agent that wrote the tape is known; `details` lists similar agents."""

    code = "writer_unknown"


def replay_tape(
    person: Person, tape_id: UUID, *, agent_version_id: UUID | None = None
) -> ReplayResult:
    """Replay a tape; no model or tool is asked, and nothing is stored.

    Raises:
        WriterUnknownError: no version is given, and the version that wrote the tape is unknown.
    """
    header = headers.load_header(tape_id, person.project_id)
    version_id = agent_version_id or header.agent_version_id
    if version_id is None:
        raise _explain_unknown(header, _find_alike(person.project_id, tape_id))
    agent = build_replay_agent(person.project_id, version_id, tape_id)
    tape = tape_loading.load_tape(tape_id, person.project_id)
    agent = brief_agent(agent, tape, tape_id, person.project_id)
    rows = call_storage.list_calls(tape_id, person.project_id)
    calls = {row.call.prompt.id: row.call for row in rows if not row.call.error}
    return asyncio.run(replay(agent, tape, calls))


def _find_alike(project_id: UUID, tape_id: UUID) -> tuple[NearAgent, ...]:
    """Return the agents that share members or nodes with the team that wrote the tape."""
    try:
        place = find_stored_point(project_id, tape_id, at=None)
    except DelegationError:
        return ()
    return tuple(near for near in find_nearest(project_id, tape_id, place) if near.overlap > 0)


def _explain_unknown(header: TapeHeader, alike: tuple[NearAgent, ...]) -> WriterUnknownError:
    writer = header.agent_name or header.author
    known = (
        f"No version of {writer!r}, which wrote this tape, is known here"
        if writer
        else "The file of this tape does not say which agent wrote it"
    )
    advice = (
        "replay it with an agent that is like it."
        if alike
        else "no agent of the project is like it; make one, or load its plugin."
    )
    return WriterUnknownError(f"{known}; {advice}", nearest=[asdict(near) for near in alike])
