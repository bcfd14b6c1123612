"""The replay test of a stored tape: would its agent, on the recorded answers, write it again?"""

import asyncio
from uuid import UUID

from tapes_app.agents.services.agents import build_replay_agent
from tapes_app.agents.services.briefing import brief_agent
from tapes_app.engine.errors import InvalidInputError
from tapes_app.engine.replay import ReplayResult
from tapes_app.engine.replay import replay_tape as replay
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import calls as call_storage
from tapes_app.tapes.store import headers
from tapes_app.tapes.store import loading as tape_loading


def replay_tape(
    person: Person, tape_id: UUID, *, agent_version_id: UUID | None = None
) -> ReplayResult:
    """Replay a tape; nothing outside is asked and nothing is stored.

    Raises:
        InvalidInputError: no version is given and none is known to have written the tape.
    """
    header = headers.load_header(tape_id, person.project_id)
    version_id = agent_version_id or header.agent_version_id
    if version_id is None:
        raise InvalidInputError(
            "The agent that wrote this tape was not recorded; choose an agent version to replay "
            "with."
        )
    agent = build_replay_agent(person.project_id, version_id)
    tape = tape_loading.load_tape(tape_id, person.project_id)
    agent = brief_agent(agent, tape, tape_id, person.project_id)
    rows = call_storage.list_calls(tape_id, person.project_id)
    calls = {row.call.prompt.id: row.call for row in rows if not row.call.error}
    return asyncio.run(replay(agent, tape, calls))
