"""Lists of tapes by a query: a page, facets, findings, length, and completions of the query."""

from dataclasses import dataclass

from tapes_app.library.domain.tape_query.completion import Completion, complete_query, with_values
from tapes_app.library.domain.tape_query.parser import parse_query
from tapes_app.library.store import facets, lists
from tapes_app.library.store.facets import FacetPanels, FindingCounts
from tapes_app.library.store.lists import TapePage
from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.query_values import list_values
from tapes_app.library.store.samples import ListLength, count_quickly
from tapes_app.lint.services.linting import current_stamp
from tapes_app.lint.store import marks
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.time_limits import limited


@dataclass(frozen=True)
class LintCounts(FindingCounts):
    """Counts of findings on the tapes of a list."""

    stale_count: int
    """Tapes of the entire project that were not linted with their current steps and rules."""


def read_filter(q: str) -> TapeFilter:
    """Return the filter of a query; it includes archived tapes if the query mentions them.

    Raises:
        QueryError: the query cannot be parsed.
    """
    return TapeFilter(query=parse_query(q), is_archived=False)


@limited()
def load_facets(person: Person, wanted: TapeFilter) -> FacetPanels:
    """Return how many tapes of a list have which values, and the query after a click on each."""
    return facets.count_facets(person.project_id, wanted)


def count_findings(person: Person, wanted: TapeFilter) -> LintCounts:
    """Return how many of the tapes that a filter picks have which findings."""
    counted = facets.count_findings(person.project_id, wanted)
    stale = marks.count_stale(person.project_id, current_stamp(person.project_id))
    return row_of(LintCounts, counted, stale_count=stale)


def count_list(person: Person, wanted: TapeFilter) -> ListLength:
    """Return how many tapes a list has, within about two seconds."""
    return count_quickly(person.project_id, plan_list(person.project_id, wanted))


def complete(person: Person, text: str, caret: int) -> Completion:
    """Return completions at a position of a query, with names that the project knows."""
    found = complete_query(text, caret)
    if not found.field:
        return found
    return with_values(found, list_values(person.project_id, found.field, found.prefix))


@limited()
def list_tapes(
    person: Person, wanted: TapeFilter, *, sort: str = "", after: str = "", limit: int = 50
) -> TapePage:
    """Return a page of tapes in the given order, by default newest first.

    Raises:
        InvalidInputError: the order is unknown, or `after` is not a cursor of such a list.
    """
    return lists.list_tapes(person.project_id, wanted, sort=sort, after=after, limit=limit)
