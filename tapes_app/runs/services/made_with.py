"""What a tape was made with: the choices of its newest run, for the run that comes next."""

from typing import Any
from uuid import UUID

from pydantic import Field, ValidationError

from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.store.job import list_jobs
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import MAX_TURNS, Part, RunChoices, ToolPolicies
from tapes_app.tapes.store.recorded_calls import list_lineage


class MadeWith(Part):
    """The choices that hold for later runs too; where to stop and what to spend were one run's."""

    model_id: UUID | None = None
    """`None`: the models that the agent names."""

    parameters: dict[str, Any] = Field(default_factory=dict)
    tools: ToolPolicies = ToolPolicies()
    max_turns: int = MAX_TURNS


def find_made_with(person: Person, tape_id: UUID) -> MadeWith | None:
    """Return the choices of the newest run of a tape, or of its nearest ancestor that was run.

    `None`: no run is known, as for a tape that was imported.

    Raises:
        NotFoundError: no such tape in the project.
    """
    for ancestor in list_lineage(tape_id, person.project_id):
        for job in list_jobs(person.project_id, kinds=(RUN_KIND,), tape_id=ancestor, limit=1):
            try:
                chosen = RunChoices.model_validate(
                    {name: job.request[name] for name in _NAMES if name in job.request}
                )
            except ValidationError:  # stored by another version of the studio
                return None
            return MadeWith(**{name: getattr(chosen, name) for name in _NAMES})
    return None


_NAMES = tuple(MadeWith.model_fields)
