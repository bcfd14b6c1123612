"""`/tapes`: the list, its facets and summary, and the preview of a tape."""

from typing import Annotated, Self
from uuid import UUID

from ninja import Query
from pydantic import Field, ValidationInfo, model_validator

from tapes_app.engine.errors import InvalidInputError
from tapes_app.library.domain.suspicion import Suspect
from tapes_app.library.domain.tape_query.completion import Completion, CompletionOption
from tapes_app.library.domain.tape_query.tokens import LONGEST_QUERY
from tapes_app.library.services import overview, queries, suspects
from tapes_app.library.services.overview import TapeSummary
from tapes_app.library.services.queries import LintCounts, read_filter
from tapes_app.library.store import lists, preview
from tapes_app.library.store.facets import FacetPanels
from tapes_app.library.store.lists import TapePage
from tapes_app.library.store.plans import TapeFilter
from tapes_app.library.store.preview import TapePreview
from tapes_app.library.store.samples import ListLength
from tapes_app.projects.api.bodies import In, Out
from tapes_app.projects.api.people import PROJECT_PARAMETER, PersonRequest
from tapes_app.runs.api import starting

MAX_TAPES = 200

# Each path belongs to one router: sessions start at the path that lists tapes.
router = starting.router
_NAMES = frozenset({"q", "sort", "after", "limit", PROJECT_PARAMETER})


class TapeListIn(In):
    """What narrows a list of tapes."""

    q: str = Field(default="", max_length=LONGEST_QUERY)
    """A query like: agent:analyst errors>0 -tag:bad seq: tool_error -> same_call within 2"""

    @model_validator(mode="after")
    def _check_names(self, info: ValidationInfo) -> Self:
        """Refuse unknown names: a misspelt one would silently leave the list unfiltered."""
        for name in info.context["request"].GET if info.context else ():
            if name not in _NAMES:
                raise InvalidInputError(
                    f"A list of tapes is not narrowed by {name!r}; write it in q, such as "
                    'q=agent:"my agent" has:error is:pinned batch:ID lint:any.',
                    field=name,
                )
        return self

    def to_filter(self) -> TapeFilter:
        """Raises `QueryError` if `q` cannot be parsed."""
        return read_filter(self.q)


class CompletionOut(Out):
    """Options that may replace the characters from `start` to `end`."""

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
    """List tapes. A query that cannot be parsed is refused, with the position of the error.

    `sort` names a column, with "-" before it for descending order; omitted: newest first.
    """
    return queries.list_tapes(request.auth, wanted.to_filter(), sort=sort, after=after, limit=limit)


@router.get("/lint", response=LintCounts)
def count_findings(request: PersonRequest, wanted: Query[TapeListIn]) -> LintCounts:
    """Count the tapes of a list by what the linter found on them."""
    return queries.count_findings(request.auth, wanted.to_filter())


@router.get("/facets", response=FacetPanels)
def count_facets(request: PersonRequest, wanted: Query[TapeListIn]) -> FacetPanels:
    """Count a list's tapes by agent, outcome, tag etc., each facet narrowed by the other facets."""
    return queries.load_facets(request.auth, wanted.to_filter())


@router.get("/length", response=ListLength)
def count_list(request: PersonRequest, wanted: Query[TapeListIn]) -> ListLength:
    """Count the tapes of a list; a long count is cut off, with `is_cut` set."""
    return queries.count_list(request.auth, wanted.to_filter())


@router.get("/completion", response=CompletionOut)
def complete_query(
    request: PersonRequest,
    q: Annotated[str, Query(max_length=LONGEST_QUERY)] = "",
    caret: Annotated[int, Query(ge=0, le=LONGEST_QUERY)] = LONGEST_QUERY,
) -> Completion:
    """Suggest what may come next at a position of a query that is being typed."""
    return queries.complete(request.auth, q, caret)


@router.get("/summary", response=TapeSummary)
def summarise_tapes(request: PersonRequest, wanted: Query[TapeListIn]) -> TapeSummary:
    """Return outcomes, spread of cost, length and duration, and where the list's tapes fail."""
    return overview.summarise_tapes(request.auth, wanted.to_filter())


@router.get("/agent-names", response=list[str])
def list_agent_names(request: PersonRequest) -> list[str]:
    """List the agents that tapes here are by, whether or not the project has such an agent."""
    return lists.list_agent_names(request.auth.project_id)


@router.get("/{tape_id}/glance", response=TapePreview)
def show_preview(request: PersonRequest, tape_id: UUID) -> TapePreview:
    """Return how a tape begins and ends and where it first fails, without opening it."""
    return preview.load_preview(tape_id, request.auth.project_id)


@router.get("/{tape_id}/suspect", response=Suspect | None)
def show_suspect(request: PersonRequest, tape_id: UUID) -> Suspect | None:
    """Return the step to check first: an error, a finding, or where it diverges from passed tapes.

    `null` for a tape that passed, and if there is nothing to suspect.
    """
    return suspects.find_suspect(request.auth, tape_id)
