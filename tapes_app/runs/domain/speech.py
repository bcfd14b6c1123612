"""Which words of a run are its answer while they are being written, and what was passed on."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.agent.talk_node import TalkNode
from tapes_app.engine.environment.environment import Environment, EnvironmentGroup
from tapes_app.engine.environment.human import HumanEnvironment


class Speaker(NamedTuple):
    """A node of a team, as the events of a run name it."""

    agent: str
    """The path of its agent."""

    node: str


def find_speakers(root: Agent, environment: Environment) -> frozenset[Speaker]:
    """Return the nodes of a team whose words are the answer, from the first one on.

    A node that could still call a tool after some words is none of them, nor one that makes steps
    of them. If no person reads what the team says, there are none.
    """
    if not _has_person(environment):
        return frozenset()
    return frozenset(
        Speaker(path, node.name)
        for path, member in root.walk()
        for node in member.nodes
        if isinstance(node, TalkNode) and node.says_every_word
    )


def _has_person(environment: Environment) -> bool:
    if isinstance(environment, EnvironmentGroup):
        return any(map(_has_person, environment.environments))
    return isinstance(environment, HumanEnvironment)


class Speech(NamedTuple):
    """What a caller has heard of an answer so far."""

    speakers: frozenset[Speaker]
    prompt_id: str = ""
    """The node run whose words the caller hears; empty before the first."""

    words: str = ""

    def hear(self, frame: Mapping[str, Any]) -> tuple["Speech", str]:
        """Return the speech after a frame of the job, and the words to pass on.

        Only the first node run that speaks is heard. Another one follows it if a worker was lost:
        what it says is compared at the end. Lanes are not heard: several speak at once, and what
        one says is gone if it is cancelled.
        """
        match frame:
            case {"type": "node.started", "agent": agent, "node": node, "prompt_id": prompt_id}:
                is_in_lane = bool(frame.get("lane"))
                if not (self.words or is_in_lane) and (agent, node) in self.speakers:
                    return self._replace(prompt_id=prompt_id), ""
            case {"type": "step.delta", "prompt_id": self.prompt_id, "text": str() as text}:
                return self._replace(words=self.words + text), text
            case _:
                pass
        return self, ""

    def rest(self, answer: str) -> str | None:
        """Return what is missing of the answer; `None` if it does not begin with what was heard."""
        return answer.removeprefix(self.words) if answer.startswith(self.words) else None
