"""What a list of tapes is asked for, its facets, and the completion of a query."""

from __future__ import annotations

from uuid import UUID

from pydantic import Field

from tapes_app.api.schemas.bodies import Out
from tapes_app.engine.tape_query.tokens import LONGEST_QUERY
from tapes_app.services.tape_queries import read_filter
from tapes_app.storage.tapes import TapeFilter


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


class FacetValueOut(Out):
    """How many tapes of the list have this value."""

    value: str
    label: str
    count: int
    is_on: bool
    """It is part of the query."""

    query: str
    """The query after a click on it."""


class FacetOut(Out):
    """One facet, counted as if its own clause were not in the query."""

    name: str
    values: list[FacetValueOut]
    is_cut: bool
    """There are more tapes than were counted: every count is "at least"."""

    more_count: int
    """Values that are not shown."""


class FacetsOut(Out):
    """The facets of a list; with `is_cut` it has more than `tape_count` tapes."""

    tape_count: int
    is_cut: bool
    facets: list[FacetOut]


class ListLengthOut(Out):
    """How many tapes a list has; with `is_cut` it has more."""

    tape_count: int
    is_cut: bool


class OptionOut(Out):
    text: str
    help: str


class CompletionOut(Out):
    """What may be put in the place of the characters from `start` to `end`."""

    start: int
    end: int
    options: list[OptionOut]
