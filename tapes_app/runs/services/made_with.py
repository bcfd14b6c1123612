"""What a tape was made with: the choices of its newest run, for the run that comes next."""

from uuid import UUID

from pydantic import ValidationError

from tapes_app.jobs.domain.run_result import RUN_KIND
from tapes_app.jobs.store.job import list_jobs
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import MadeWith
from tapes_app.tapes.store.recorded_calls import list_lineage


def find_made_with(person: Person, tape_id: UUID) -> MadeWith | None:
    """Return the choices of the newest run of a tape, or of its nearest ancestor that was run.

    `None`: no run is known, as for a tape that was imported.

    Raises:
        NotFoundError: no such tape in the project.
    """
    names = MadeWith.model_fields.keys()
    for ancestor in list_lineage(tape_id, person.project_id):
        for job in list_jobs(person.project_id, kinds=(RUN_KIND,), tape_id=ancestor, limit=1):
            try:
                return MadeWith.model_validate(
                    {name: job.request[name] for name in names & job.request.keys()}
                )
            except ValidationError:  # stored by another version of the studio
                return None
    return None
