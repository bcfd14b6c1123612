"""Lists of tapes by a query: a page, its facets, its length, and what may come in the query."""

from tapes_app.library.store import lists
from tapes_app.library.store.facets import FacetPanels, count_facets
from tapes_app.library.store.lists import TapePage
from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.query_values import list_values
from tapes_app.library.store.samples import ListLength, count_quickly
from tapes_app.library.tape_query.completion import Completion, complete_query, with_values
from tapes_app.library.tape_query.parser import parse_query
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.time_limits import limited


def read_filter(q: str) -> TapeFilter:
    """Return what picks the tapes of a query; archived ones where it speaks of them.

    Raises:
        QueryError: the query cannot be read.
    """
    return TapeFilter(query=parse_query(q), is_archived=False)


@limited()
def load_facets(person: Person, wanted: TapeFilter) -> FacetPanels:
    """Return how many tapes of a list have which values, and what a click on each makes."""
    return count_facets(person.project_id, wanted)


def count_list(person: Person, wanted: TapeFilter) -> ListLength:
    """Return how many tapes a list has, within about two seconds."""
    return count_quickly(person.project_id, plan_list(person.project_id, wanted))


def complete(person: Person, text: str, caret: int) -> Completion:
    """Return what may come at a place of a query, with names that the project knows."""
    found = complete_query(text, caret)
    if not found.field:
        return found
    return with_values(found, list_values(person.project_id, found.field, found.prefix))


def list_agent_names(person: Person) -> list[str]:
    """Return the names of the agents that the project's tapes are by, in order."""
    return [name for name in lists.list_agent_names(person.project_id) if name]


@limited()
def list_tapes(
    person: Person, wanted: TapeFilter, *, sort: str = "", after: str = "", limit: int = 50
) -> TapePage:
    """Return tapes in an order; without one newest first.

    Raises:
        InvalidInputError: there is no such order, or `after` is not a page that such a list gave.
    """
    return lists.list_tapes(person.project_id, wanted, sort=sort, after=after, limit=limit)
