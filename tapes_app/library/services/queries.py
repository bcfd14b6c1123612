"""Reading what a list of tapes is asked for: a query, and older parameters that mean the same."""

from uuid import UUID

from tapes_app.library.store import lists
from tapes_app.library.store.facets import FacetPanels, count_facets
from tapes_app.library.store.lists import TapePage
from tapes_app.library.store.plans import TapeFilter, plan_list
from tapes_app.library.store.query_values import list_values
from tapes_app.library.store.samples import ListLength, count_quickly
from tapes_app.library.tape_query.completion import Completion, complete_query, with_values
from tapes_app.library.tape_query.conditions import Clause, Match, TapeQuery, Words, all_of, negate
from tapes_app.library.tape_query.parser import parse_query
from tapes_app.projects.columns import fit_text
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.time_limits import limited

_LONGEST = 500


def read_filter(
    *,
    q: str = "",
    search: str = "",
    agent: str = "",
    batch: UUID | None = None,
    has_error: bool | None = None,
    lint: str = "",
    pinned: bool | None = None,
    archived: bool | None = False,
) -> TapeFilter:
    """Return what picks the tapes of a list; all parameters narrow it.

    `archived`: `None` for all tapes, unless the query speaks of archived ones itself.

    Raises:
        QueryError: the query cannot be read.
    """
    query = parse_query(q)
    clauses: list[Clause] = []
    if search.strip():
        clauses.append(Words(fit_text(search, _LONGEST)))
    clauses += [
        Match(field, (value,))
        for field, value in (("agent", agent), ("batch", str(batch or "")), ("lint", lint))
        if value
    ]
    for wanted, flag in ((has_error, Match("has", ("error",))), (pinned, Match("is", ("pinned",)))):
        if wanted is not None:
            clauses.append(flag if wanted else negate(flag))
    own = () if query.clause is None else (query.clause,)
    whole = TapeQuery(all_of((*own, *clauses)), query.sequence)
    return TapeFilter(query=whole, is_archived=archived)


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
