"""Tapes without opening them: what a list has in common, and one tape at a glance."""

from __future__ import annotations

from uuid import UUID

from tapes_app.services.people import Person
from tapes_app.storage import tape_glance, tape_summary
from tapes_app.storage.tape_glance import TapeGlance
from tapes_app.storage.tape_plans import TapeFilter
from tapes_app.storage.tape_summary import TapeSummary


def summarise_tapes(person: Person, wanted: TapeFilter) -> TapeSummary:
    """Return outcomes, spreads and failing places of a list of tapes."""
    return tape_summary.summarise_tapes(person.project_id, wanted)


def load_glance(person: Person, tape_id: UUID) -> TapeGlance:
    """Return how a tape begins and ends and where it first fails.

    Raises:
        NotFoundError: no such tape in the project.
    """
    return tape_glance.load_glance(tape_id, person.project_id)
