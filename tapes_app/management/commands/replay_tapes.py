"""Replay stored tapes: would their agents, given the recorded answers, write them again?"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from tapes_app.agents.store.agents import find_agent
from tapes_app.engine.errors import InvalidInputError, StudioError
from tapes_app.management import named
from tapes_app.management.arguments import TAPE_IDS, option
from tapes_app.management.command import Answer, StudioCommand
from tapes_app.projects.domain.rows import required
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.runs.services.replays import replay_tape
from tapes_app.tapes.store.batches import list_tape_ids


class Command(StudioCommand):
    help = "Rerun agents on recorded answers and observations, without calling models or tools."

    arguments = (
        TAPE_IDS,
        option("--batch", metavar="NAME", default=""),
        option(
            "--agent", metavar="NAME", default="", help="agent (default: the agent of the tape)"
        ),
    )

    def work(self, person: Person, options: dict[str, Any]) -> Answer:
        version_id = _find_version(person, options["agent"])
        results = [
            self._replay(person, tape_id, version_id)
            for tape_id in _find_tapes(person, options["ids"], options["batch"])
        ]
        identical = sum(bool(result["identical"]) for result in results)
        summary = f"{identical} of {count_of(len(results), 'tape')} replayed identically."
        values = {"replayed": len(results), "identical": identical, "tapes": results}
        return Answer(summary, values, is_done=identical == len(results))

    def _replay(self, person: Person, tape_id: UUID, version_id: UUID | None) -> dict[str, Any]:
        try:
            result = replay_tape(person, tape_id, agent_version_id=version_id)
        except StudioError as error:
            self.print_line(f"{tape_id}: cannot be replayed: {error.message}")
            return {"tape": str(tape_id), "identical": False, "error": error.message}
        values = {"tape": str(tape_id), "identical": result.is_identical}
        if result.divergence is None:
            self.print_line(f"{tape_id}: identical, {result.node_run_count} node runs")
            return values
        self.print_line(
            f"{tape_id}: step {result.divergence.position}: {result.divergence.message}"
        )
        for line in result.divergence.diff.splitlines():
            self.print_line(f"    {line}")
        return {**values, "divergence": result.divergence.model_dump(mode="json")}


def _find_tapes(person: Person, ids: Sequence[str], batch: str) -> list[UUID]:
    if bool(ids) == bool(batch):
        raise InvalidInputError("Give tape ids or --batch NAME.")
    if ids:
        return [named.find_tape(person, text) for text in ids]
    return list_tape_ids(named.find_batch(person, batch), person.project_id)


def _find_version(person: Person, name: str) -> UUID | None:
    if not name:
        return None
    agent = find_agent(name, person.project_id)
    missing = f"There is no agent {name!r} in {person.project!r}."
    return required(agent, missing).latest_version_id
