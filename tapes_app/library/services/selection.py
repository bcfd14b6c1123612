"""Which tapes an action applies to: named ones, or all that a list shows."""

from uuid import UUID

from pydantic import Field

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.library.domain.tape_query.tokens import LONGEST_QUERY
from tapes_app.library.services.queries import read_filter
from tapes_app.library.store.lists import count_tapes
from tapes_app.library.store.plans import TapeFilter
from tapes_app.projects.domain.wording import count_of
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.time_limits import limited
from tapes_app.tapes.store.batches import load_batch

MOST_CHOSEN = 10_000


class TapeSelection(FrozenModel):
    """Named tapes, or all that a query finds. With `tape_ids` the query is ignored."""

    q: str = Field(default="", max_length=LONGEST_QUERY)
    """A query like: agent:analyst errors>0 -tag:bad seq: tool_error -> same_call within 2"""

    tape_ids: tuple[UUID, ...] | None = Field(default=None, min_length=1, max_length=MOST_CHOSEN)
    """These tapes; `None`: all of the query, archived ones only if it contains `is:archived`."""

    def to_filter(self) -> TapeFilter:
        """Raises `QueryError` if the query cannot be parsed."""
        return read_filter(self.q) if self.tape_ids is None else TapeFilter(ids=self.tape_ids)


@limited()
def count_selection(person: Person, selection: TapeSelection) -> int:
    """Return how many tapes are selected.

    Raises:
        NotFoundError: the query names a batch id that is not here, or some named tapes are not.
        QueryError: the query cannot be parsed.
    """
    where = selection.to_filter()
    count = count_tapes(person.project_id, where)
    if not count:
        for batch_id in where.batch_ids:
            load_batch(batch_id, person.project_id)
    wanted = len(set(selection.tape_ids or ()))
    if count < wanted:
        raise NotFoundError(f"Only {count} of {count_of(wanted, 'tape')} are in this project.")
    return count
