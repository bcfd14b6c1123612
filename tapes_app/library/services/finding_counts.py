"""What the linter found on the tapes of a list, and on how many of them."""

from dataclasses import dataclass

from tapes_app.library.store import finding_counts as lint_counts
from tapes_app.library.store.plans import TapeFilter
from tapes_app.lint.services.linting import current_stamp
from tapes_app.lint.services.lists import FindingCount, _shown
from tapes_app.lint.store import marks as lint_marks
from tapes_app.projects.services.people import Person


@dataclass(frozen=True)
class LintCounts:
    """What is found on some tapes."""

    items: tuple[FindingCount, ...]
    tape_count: int
    linted_count: int
    is_cut: bool
    """There are more tapes: only the newest were counted."""

    stale_count: int
    """Tapes of the whole project that were not linted as they and the rules are now."""


def count_findings(person: Person, wanted: TapeFilter) -> LintCounts:
    """Return how many of the tapes that a filter picks have which findings."""
    counted = lint_counts.count_findings(person.project_id, wanted)
    return LintCounts(
        items=tuple(_shown(count) for count in counted.items),
        tape_count=counted.tape_count,
        linted_count=counted.linted_count,
        is_cut=counted.is_cut,
        stale_count=lint_marks.count_stale(person.project_id, current_stamp(person.project_id)),
    )
