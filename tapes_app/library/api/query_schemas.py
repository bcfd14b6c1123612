"""What a list of tapes is asked for, its facets, and the completion of a query."""

from uuid import UUID

from pydantic import Field

from tapes_app.library.services.queries import read_filter
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.tape_query.completion import CompletionOption
from tapes_app.library.tape_query.tokens import LONGEST_QUERY
from tapes_app.projects.api.bodies import Out


class TapeListIn(Out):
    """What narrows a list of tapes. `q` says it all; the others are short for parts of it."""

    q: str = Field("", max_length=LONGEST_QUERY)
    """A query like: agent:analyst errors>0 -tag:bad seq: tool_error -> same_call within 2"""

    search: str = Field("", max_length=500)
    """Words that a step holds."""

    agent: str = Field("", max_length=200)
    batch: UUID | None = None
    has_error: bool | None = None
    lint: str = Field("", max_length=200)
    """A detector of the linter or "rule:" and a rule, or "any" or "none"."""

    pinned: bool | None = None
    archived: bool | None = None
    """Archived tapes are a list of their own, unless `q` speaks of them."""

    def to_filter(self) -> TapeFilter:
        """Raises `QueryError` where `q` cannot be read."""
        return read_filter(**{**self.model_dump(), "archived": self.archived is True})


class CompletionOut(Out):
    """What may be put in the place of the characters from `start` to `end`."""

    start: int
    end: int
    options: list[CompletionOption]
