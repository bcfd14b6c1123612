"""The kinds of steps on a tape that an agent defines: the tape's own, or one that ran on it."""

from collections.abc import Callable, Iterator
from functools import cache
from uuid import UUID

from tapes_app.agents.services.defined_kinds import load_defined_kinds
from tapes_app.engine.tape.defined_steps import DefinedStep
from tapes_app.engine.tape.steps import list_step_classes
from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.store.job import list_jobs
from tapes_app.projects.services.people import Person
from tapes_app.tapes.store import headers

FindOwnClass = Callable[[str], type[DefinedStep] | None]
"""Returns the class of a kind that an agent defines; `None` if none does."""

_MOST_RUNS = 20


def find_none(kind: str) -> None:
    """Find no class: for a tape whose agents are not known."""


def own_classes_of(person: Person, tape_id: UUID) -> FindOwnClass:
    """Return a function that finds the class of a kind on a tape; what it reads is kept."""

    @cache
    def find(kind: str) -> type[DefinedStep] | None:
        if list_step_classes(kind):  # an agent cannot define it
            return None
        kinds = (load_defined_kinds(person.project_id, one) for one in _versions(person, tape_id))
        return next((own[kind] for own in kinds if kind in own), None)

    return find


def _versions(person: Person, tape_id: UUID) -> Iterator[UUID]:
    """Yield the version of the tape, then those that ran on it, the last one first."""
    first = headers.load_header(tape_id, person.project_id).agent_version_id
    if first is not None:
        yield first
    runs = list_jobs(person.project_id, kinds=(RUN_KIND,), tape_id=tape_id, limit=_MOST_RUNS)
    ran = [
        UUID(run.request["agent_version_id"]) for run in runs if "agent_version_id" in run.request
    ]
    yield from (one for one in dict.fromkeys(ran) if one != first)
