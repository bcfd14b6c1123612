"""`/tapes`: the list, its facets and summary, and the preview of a tape."""

from typing import Annotated, Self
from uuid import UUID

from ninja import Query
from pydantic import Field, ValidationInfo, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.services import finding_counts, overview, queries, suspects
from tapes_app.library.services.finding_counts import LintCounts
from tapes_app.library.services.overview import TapeSummary
from tapes_app.library.services.queries import read_filter
from tapes_app.library.store import preview
from tapes_app.library.store.facets import FacetPanels
from tapes_app.library.store.lists import TapePage
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.store.preview import TapePreview
from tapes_app.library.store.samples import ListLength
from tapes_app.library.suspicion import Suspect
from tapes_app.library.tape_query.completion import Completion, CompletionOption
from tapes_app.library.tape_query.tokens import LONGEST_QUERY
from tapes_app.projects.api.bodies import In, Out
from tapes_app.projects.api.people import PROJECT_PARAMETER, PersonRequest
from tapes_app.runs.api import starting

MAX_TAPES = 200

# A path belongs to one router: where the list is read, sessions are started.
router = starting.router
_NAMES = frozenset({"q", "sort", "after", "limit", PROJECT_PARAMETER})


class TapeListIn(In):
    """What narrows a list."""

    q: str = Field(default="", max_length=LONGEST_QUERY)
    """A query like: agent:analyst errors>0 -tag:bad seq: tool_error -> same_call within 2"""

    @model_validator(mode="after")
    def _check_names(self, info: ValidationInfo) -> Self:
        """A list that a misspelt name does not narrow would be taken for one that it does."""
        for name in info.context["request"].GET if info.context else ():
            if name not in _NAMES:
                raise InvalidInputError(
                    f"A list of tapes is not narrowed by {name!r}; write it in q, such as "
                    'q=agent:"my agent" has:error is:pinned batch:ID lint:any.',
                    field=name,
                )
        return self

    def to_filter(self) -> TapeFilter:
        """Raises `QueryError` where `q` cannot be read."""
        return read_filter(self.q)


class CompletionOut(Out):
    """What may be put in the place of the characters from `start` to `end`."""

    start: int
    end: int
    options: list[CompletionOption]


@router.get("", response=TapePage)
def list_tapes(
    request: PersonRequest,
    wanted: Query[TapeListIn],
    sort: Annotated[str, Query(max_length=40)] = "",
    after: Annotated[str, Query(max_length=1000)] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_TAPES)] = 50,
) -> TapePage:
    """List tapes. A query that cannot be read is refused with the place.

    `sort` names a column, with "-" before it for descending; left out: newest first.
    """
    return queries.list_tapes(request.auth, wanted.to_filter(), sort=sort, after=after, limit=limit)


@router.get("/lint", response=LintCounts)
def count_findings(request: PersonRequest, wanted: Query[TapeListIn]) -> LintCounts:
    """Count the tapes of a list by what the linter found on them."""
    return finding_counts.count_findings(request.auth, wanted.to_filter())


@router.get("/facets", response=FacetPanels)
def count_facets(request: PersonRequest, wanted: Query[TapeListIn]) -> FacetPanels:
    """Count the tapes of a list by agent, outcome, tag and so on, each by the other facets."""
    return queries.load_facets(request.auth, wanted.to_filter())


@router.get("/length", response=ListLength)
def count_list(request: PersonRequest, wanted: Query[TapeListIn]) -> ListLength:
    """Count the tapes of a list; a long count is cut, and says so."""
    return queries.count_list(request.auth, wanted.to_filter())


@router.get("/completion", response=CompletionOut)
def complete_query(
    request: PersonRequest,
    q: Annotated[str, Query(max_length=LONGEST_QUERY)] = "",
    caret: Annotated[int, Query(ge=0, le=LONGEST_QUERY)] = LONGEST_QUERY,
) -> Completion:
    """Say what may come at a place of a query that is being typed."""
    return queries.complete(request.auth, q, caret)


@router.get("/summary", response=TapeSummary)
def summarise_tapes(request: PersonRequest, wanted: Query[TapeListIn]) -> TapeSummary:
    """Give outcomes, spreads of cost, length and duration, and where the tapes of a list fail."""
    return overview.summarise_tapes(request.auth, wanted.to_filter())


@router.get("/agent-names", response=list[str])
def list_agent_names(request: PersonRequest) -> list[str]:
    """List the agents that tapes here are by, whether or not the project has such an agent."""
    return queries.list_agent_names(request.auth)


@router.get("/{tape_id}/glance", response=TapePreview)
def show_preview(request: PersonRequest, tape_id: UUID) -> TapePreview:
    """Give how a tape begins and ends and where it first fails, without opening it."""
    return preview.load_preview(tape_id, request.auth.project_id)


@router.get("/{tape_id}/suspect", response=Suspect | None)
def show_suspect(request: PersonRequest, tape_id: UUID) -> Suspect | None:
    """Give the step at which to look first: an error, a finding, or where those that passed part.

    `null` for a tape that passed and for one of which nothing is known.
    """
    return suspects.find_suspect(request.auth, tape_id)
