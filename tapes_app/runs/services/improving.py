"""Starts the improver on a tape: its own tape has the other one as its first message."""

from uuid import UUID

from tapes_app.agents.services.gallery import find_or_add
from tapes_app.editing.services.revisions import name_improved
from tapes_app.engine.errors import InvalidInputError
from tapes_app.gallery.improver.agent import NAME
from tapes_app.gallery.improver.given import can_be_rewritten, show_tape
from tapes_app.projects.domain.columns import fit_line
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.request import RunChoices, RunRequest
from tapes_app.runs.services.starting import StartedRun, start_tape
from tapes_app.tapes.store import headers, loading

LONGEST_GIVEN = 1_000_000
"""Maximum length of a tape as the improver gets it, in characters."""

_TITLE_LENGTH = 300


def improve_tape(person: Person, tape_id: UUID, choices: RunChoices) -> StartedRun:
    """Create a tape of the improver about another tape, and let it run.

    Raises:
        InvalidInputError: the tape has no step to rewrite, or is too long.
        NotFoundError: no such tape or model in the project.
        ModelKeyMissingError: the model has no key; nothing was created.
    """
    header = headers.load_header(tape_id, person.project_id)
    tape = loading.load_tape(tape_id, person.project_id)
    if not any(can_be_rewritten(step) for step in tape):
        raise InvalidInputError(
            "This tape has no thought or action of a known kind, so there is nothing to rewrite."
        )
    given = show_tape(tape, expected=header.expected)
    if len(given) > LONGEST_GIVEN:
        raise InvalidInputError(
            f"This tape is too long for the improver: {len(given):,} characters as JSON, "
            f"{LONGEST_GIVEN:,} at most. Fork it after the step that you suspect, and improve the "
            "fork.",
            length=len(given),
        )
    version = find_or_add(person, NAME)
    return start_tape(
        person,
        RunRequest(agent_version_id=version.id, **dict(choices)),
        message=given,
        context=name_improved(tape_id),
        title=fit_line(f"Improve: {header.title}", _TITLE_LENGTH),
    )
