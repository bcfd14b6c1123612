"""Running a draft from a place on a tape: its spec becomes a trial version, the tape is forked."""

from uuid import UUID

from django.db import transaction

from tapes_app.agents.store import agents
from tapes_app.authoring.services.draft_places import find_run
from tapes_app.authoring.services.drafts import require_valid
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import RunChoices, RunRequest
from tapes_app.runs.services.starting import StartedRun, resume_tape
from tapes_app.tapes.store.edits import fork_tapes


@transaction.atomic
def run_draft(
    person: Person,
    agent_id: UUID,
    tape_id: UUID,
    position: int,
    choices: RunChoices,
    *,
    revision: int,
) -> StartedRun:
    """Continue a tape with a draft, on a child that ends before the node run of a step.

    Raises:
        DraftChangedError: somebody else has changed the draft.
        DraftInvalidError: it contains errors.
        NoNodeRunError: no node wrote the step.
        StudioError: as for `resume_tape`; nothing was created.
    """
    spec = require_valid(person, agent_id, revision=revision)
    run = find_run(person, tape_id, position)
    version = agents.add_trial(agent_id, person.project_id, spec, owner=person.user_id)
    (child,) = fork_tapes(
        tape_id,
        [run.start],
        project=person.project_id,
        owner=person.user_id,
        author=person.name,
        agent_version=version.id,
        agent_name=version.agent_name,
    )
    request = RunRequest(agent_version_id=version.id, **dict(choices))
    return resume_tape(person, child.id, request)
