"""Which tapes something is done with: named ones, or all that a list shows."""

from uuid import UUID

from pydantic import ConfigDict, Field

from tapes_app.engine.errors import NotFoundError
from tapes_app.engine.frozen_model import FrozenModel
from tapes_app.library.services.queries import read_filter
from tapes_app.library.store.lists import count_tapes
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.tape_query.tokens import LONGEST_QUERY
from tapes_app.projects.services.people import Person
from tapes_app.projects.store.time_limits import limited
from tapes_app.projects.wording import count_of
from tapes_app.tapes.store.batches import load_batch

MOST_CHOSEN = 10_000


class TapeConditions(FrozenModel):
    """What narrows a list of tapes. `q` says it all; the others are short for parts of it."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    q: str = Field(default="", max_length=LONGEST_QUERY)
    """A query like: agent:analyst errors>0 -tag:bad seq: tool_error -> same_call within 2"""

    search: str = Field(default="", max_length=500)
    """Words that a step holds."""

    agent: str = Field(default="", max_length=200)
    batch: UUID | None = None
    has_error: bool | None = None
    lint: str = Field(default="", max_length=200)
    """A detector of the linter or "rule:" and a rule, or "any" or "none"."""

    pinned: bool | None = None


class TapeSelection(TapeConditions):
    """Named tapes, or all of a list. With `tape_ids` the other conditions do not count."""

    tape_ids: tuple[UUID, ...] | None = Field(default=None, min_length=1, max_length=MOST_CHOSEN)
    """These tapes; `None`: all that the conditions of the list leave."""

    archived: bool | None = False
    """`None`: archived ones too."""

    @property
    def is_whole_batch(self) -> bool:
        """Tell whether this is a batch as such: archived or not, nothing else narrows it."""
        narrower = (self.q, self.search, self.agent, self.lint)
        flags = (self.tape_ids, self.has_error, self.pinned)
        return self.batch is not None and not any(narrower) and all(flag is None for flag in flags)

    def to_filter(self) -> TapeFilter:
        if self.tape_ids is not None:
            return TapeFilter(ids=self.tape_ids)
        return read_filter(**self.model_dump(include={*TapeConditions.model_fields, "archived"}))


@limited()
def count_selection(person: Person, selection: TapeSelection) -> int:
    """Return how many tapes are chosen.

    Raises:
        NotFoundError: no such batch in the project, or not all of the named tapes.
        QueryError: the query cannot be read.
    """
    if selection.batch is not None:
        load_batch(selection.batch, person.project_id)
    count = count_tapes(person.project_id, selection.to_filter())
    wanted = len(set(selection.tape_ids or ()))
    if count < wanted:
        raise NotFoundError(f"Only {count} of {count_of(wanted, 'tape')} are in this project.")
    return count
