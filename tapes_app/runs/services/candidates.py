"""The agents of a project as candidates to continue a tape, without asking any model."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from tapes_app.agents.services.agents import build_unasked_agent
from tapes_app.agents.store import agents as agent_storage
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.resume import missing_steps
from tapes_app.engine.agent.spec import AgentSpec, build_environment
from tapes_app.engine.environment.tool_functions import FindStandIn
from tapes_app.engine.errors import StudioError
from tapes_app.engine.tape.tape import Tape
from tapes_app.runs.domain.fit import Misfit, Standing, find_misfits, overlap, stand, team_parts
from tapes_app.runs.services.tape_point import TapePoint
from tapes_app.tapes.store import headers

MOST_OFFERED = 3


@dataclass(frozen=True)
class NearAgent:
    """An agent that can continue; `overlap` is its similarity to the tape's team, from 0 to 1."""

    agent_id: UUID
    agent_version_id: UUID
    name: str
    number: int
    overlap: float


@dataclass(frozen=True)
class Candidate:
    """An agent without usable models, and whether its environment answers every action."""

    agent: Agent
    answers_anything: bool

    @classmethod
    def of(cls, spec: AgentSpec, find_stand_in: FindStandIn | None = None) -> "Candidate":
        """Build the candidate.

        Raises:
            AgentConfigError: a node or the environment is unknown here.
        """
        environment = build_environment(spec, find_stand_in=find_stand_in)
        agent = build_unasked_agent(spec, find_stand_in=find_stand_in)
        return cls(agent, environment.answers_anything)

    def stand(self, place: TapePoint) -> Standing:
        """Return the state of a tape after the agent has completed the node run at its end.

        All steps are read only where that can matter: after a cut in the middle of a run, and
        before the agent is refused.
        """
        if not place.is_cut and not self.find_misfits(place.standing):
            return place.standing
        steps = place.load_steps()
        tape = Tape(steps=tuple(steps))
        missing = asyncio.run(missing_steps(self.agent, tape, place.load_outputs()))
        return stand([*steps, *missing]) if missing else place.standing

    def find_misfits(self, standing: Standing) -> tuple[Misfit, ...]:
        return find_misfits(self.agent, standing, answers_anything=self.answers_anything)


def load_candidate(
    project_id: UUID, version_id: UUID, find_stand_in: FindStandIn | None = None
) -> Candidate:
    version = agent_storage.load_version(version_id, project_id)
    return Candidate.of(version.spec, find_stand_in)


def find_nearest(
    project_id: UUID, tape_id: UUID, place: TapePoint, *, refused_id: UUID | None = None
) -> tuple[NearAgent, ...]:
    """Return the agents that can continue, those most similar to the tape's team first.

    `refused_id`, the agent version that does not fit, is left out.
    """
    rows = agent_storage.list_agents(project_id)
    own = headers.load_header(tape_id, project_id).agent_version_id
    wanted = {row.default_version_id for row in rows} | ({own} if own else set())
    versions = agent_storage.load_versions(sorted(wanted - {refused_id}), project_id)
    found: list[tuple[bool, NearAgent]] = []
    for version in versions:
        try:
            candidate = Candidate.of(version.spec)
            misfits = candidate.find_misfits(candidate.stand(place))
        except StudioError:
            continue
        if not misfits:
            agent = candidate.agent
            alike = overlap(place.parts, team_parts(agent))
            near = NearAgent(
                version.agent_id, version.id, version.agent_name, version.number, alike
            )
            found.append((agent.reads_whole_tape, near))
    # Among agents that share nothing with the team, those made for such tapes come first.
    found.sort(key=lambda one: (-one[1].overlap, not one[0], one[1].name, -one[1].number))
    return tuple(near for _, near in found[:MOST_OFFERED])
