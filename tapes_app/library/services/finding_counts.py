"""What the linter found on the tapes of a list, and on how many of them."""

from dataclasses import dataclass

from tapes_app.library.store import finding_counts
from tapes_app.library.store.finding_counts import FindingCounts
from tapes_app.library.store.plans import TapeFilter
from tapes_app.lint.services.linting import current_stamp
from tapes_app.lint.store import marks
from tapes_app.projects.rows import row_of
from tapes_app.projects.services.people import Person


@dataclass(frozen=True)
class LintCounts(FindingCounts):
    """What is found on some tapes."""

    stale_count: int
    """Tapes of the whole project that were not linted as they and the rules are now."""


def count_findings(person: Person, wanted: TapeFilter) -> LintCounts:
    """Return how many of the tapes that a filter picks have which findings."""
    counted = finding_counts.count_findings(person.project_id, wanted)
    stale = marks.count_stale(person.project_id, current_stamp(person.project_id))
    return row_of(LintCounts, counted, stale_count=stale)
