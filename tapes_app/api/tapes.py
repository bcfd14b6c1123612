"""`/tapes`: lists, one tape's header and steps, deleting and bringing back."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse
from ninja import Path, Query, Status
from ninja.decorators import decorate_view

from tapes_app.api.people import PersonRequest, created, emptied, found, make_router
from tapes_app.api.schemas import (
    ForkIn,
    FoundStepsOut,
    LintCountsOut,
    LLMCallOut,
    OutlineOut,
    ReplayIn,
    ReplayOut,
    RunStartedOut,
    StartTapeIn,
    StepKindOut,
    StepOut,
    StepPageOut,
    StepSchemaOut,
    TapeCreatedOut,
    TapeDiffOut,
    TapeFamilyOut,
    TapeGlanceOut,
    TapeOut,
    TapePageOut,
    TapePatchIn,
    TapeSummaryOut,
    ViewStackOut,
)
from tapes_app.api.schemas.tape_queries import CompletionOut, FacetsOut, ListLengthOut, TapeListIn
from tapes_app.api.squeezing import squeezed
from tapes_app.engine.tape_query.tokens import LONGEST_QUERY
from tapes_app.services import (
    calls,
    diff,
    editing,
    lint_lists,
    replays,
    starting,
    step_schemas,
    tape_overview,
    tape_queries,
    tapes,
)
from tapes_app.services.run_request import RunRequest

MAX_PAGE = 500
LONGEST_OUTLINE = 2_000
MAX_TAPES = 200
_LARGEST = 2**31 - 1

Position = Annotated[int, Path(ge=0, le=_LARGEST)]

router = make_router("tapes")


@router.get("", response=found(TapePageOut))
def list_tapes(
    request: PersonRequest,
    wanted: Query[TapeListIn],
    sort: Annotated[str, Query(max_length=40)] = "",
    after: Annotated[str, Query(max_length=1000)] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_TAPES)] = 50,
) -> Any:
    """List tapes. A query that cannot be read is refused with the place.

    `sort` names a column, with "-" before it for descending; left out: newest first.
    """
    return tapes.list_tapes(request.auth, wanted.to_filter(), sort=sort, after=after, limit=limit)


@router.get("/lint", response=found(LintCountsOut))
def count_findings(request: PersonRequest, wanted: Query[TapeListIn]) -> Any:
    """Count the tapes of a list by what the linter found on them."""
    return lint_lists.count_findings(request.auth, wanted.to_filter())


@router.get("/facets", response=found(FacetsOut))
def count_facets(request: PersonRequest, wanted: Query[TapeListIn]) -> Any:
    """Count the tapes of a list by agent, outcome, tag and so on, each by the other facets."""
    return tape_queries.load_facets(request.auth, wanted.to_filter())


@router.get("/length", response=found(ListLengthOut))
def count_list(request: PersonRequest, wanted: Query[TapeListIn]) -> Any:
    """Count the tapes of a list; a long count is cut, and says so."""
    return tape_queries.count_list(request.auth, wanted.to_filter())


@router.get("/completion", response=found(CompletionOut))
def complete_query(
    request: PersonRequest,
    q: Annotated[str, Query(max_length=LONGEST_QUERY)] = "",
    caret: Annotated[int, Query(ge=0, le=LONGEST_QUERY)] = LONGEST_QUERY,
) -> Any:
    """Say what may come at a place of a query that is being typed."""
    return tape_queries.complete(request.auth, q, caret)


@router.get("/summary", response=found(TapeSummaryOut))
def summarise_tapes(request: PersonRequest, wanted: Query[TapeListIn]) -> Any:
    """Give outcomes, spreads of cost, length and duration, and where the tapes of a list fail."""
    return tape_overview.summarise_tapes(request.auth, wanted.to_filter())


@router.get("/agent-names", response=found(list[str]))
def list_agent_names(request: PersonRequest) -> Any:
    """List the agents that tapes here are by, whether or not the project has such an agent."""
    return tapes.list_agent_names(request.auth)


@router.post("", response=created(RunStartedOut))
def start_tape(request: PersonRequest, body: StartTapeIn) -> Status[Any]:
    """Start a session: a new tape with what was said first, and a run of the agent on it."""
    options = RunRequest(agent_version_id=body.agent_version_id, model_id=body.model_id)
    started = starting.start_tape(request.auth, options, message=body.message)
    return Status(201, started)


@router.get("/{tape_id}", response=found(TapeOut))
def show_tape(request: PersonRequest, tape_id: UUID) -> Any:
    return tapes.open_tape(request.auth, tape_id)


@router.patch("/{tape_id}", response=found(TapeOut))
def change_tape(request: PersonRequest, tape_id: UUID, body: TapePatchIn) -> Any:
    """Rename, pin, archive or mark a tape for training, or take that back."""
    return tapes.change_tape(request.auth, tape_id, **body.model_dump(exclude_unset=True))


@router.delete("/{tape_id}", response=emptied())
def delete_tape(request: PersonRequest, tape_id: UUID) -> Status[None]:
    """Take a tape out of the lists; it can be brought back. Refused while something needs it."""
    tapes.delete_tape(request.auth, tape_id)
    return Status(204, None)


@router.post("/{tape_id}/restore", response=emptied())
def restore_tape(request: PersonRequest, tape_id: UUID) -> Status[None]:
    tapes.restore_tape(request.auth, tape_id)
    return Status(204, None)


@router.post("/{tape_id}/fork", response=created(TapeCreatedOut))
def fork_tape(request: PersonRequest, tape_id: UUID, body: ForkIn) -> Status[Any]:
    return Status(201, editing.fork_tape(request.auth, tape_id, at=body.at))


@router.get("/{tape_id}/family", response=found(TapeFamilyOut))
def show_family(request: PersonRequest, tape_id: UUID) -> Any:
    """Give the tape, its ancestors and all their branches, for the branch map."""
    return tapes.load_family(request.auth, tape_id)


@router.get("/{tape_id}/glance", response=found(TapeGlanceOut))
def show_glance(request: PersonRequest, tape_id: UUID) -> Any:
    """Give how a tape begins and ends and where it first fails, without opening it."""
    return tape_overview.load_glance(request.auth, tape_id)


@router.get("/{tape_id}/find", response=found(FoundStepsOut))
def find_in_tape(
    request: PersonRequest, tape_id: UUID, text: Annotated[str, Query(max_length=200)] = ""
) -> Any:
    """Find words in the whole text of the steps of a tape."""
    return tapes.find_in_tape(request.auth, tape_id, text)


@router.get("/{tape_id}/outline", response={**found(OutlineOut), HTTPStatus.NOT_MODIFIED: None})
@decorate_view(squeezed)
def show_outline(
    request: PersonRequest,
    response: HttpResponse,
    tape_id: UUID,
    start: Annotated[int, Query(ge=0, le=_LARGEST)] = 0,
    count: Annotated[int, Query(ge=1, le=LONGEST_OUTLINE)] = LONGEST_OUTLINE,
) -> Any:
    """Give `count` steps from `start` on in columns, without their bodies."""
    response["Cache-Control"] = "private, no-cache"
    known = request.headers.get("If-None-Match", "")
    if known and known == f'"{tapes.load_outline_tag(request.auth, tape_id)}"':
        response["ETag"] = known
        return Status(HTTPStatus.NOT_MODIFIED, None)
    page = tapes.load_outline(request.auth, tape_id, start=start, count=count)
    response["ETag"] = f'"{page.tag}"'
    return page


@router.get("/{tape_id}/steps", response=found(StepPageOut))
@decorate_view(squeezed)
def list_steps(
    request: PersonRequest,
    tape_id: UUID,
    start: Annotated[int, Query(ge=0, le=_LARGEST)] = 0,
    count: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 100,
    limit: Annotated[int | None, Query(ge=1, le=MAX_PAGE)] = None,
) -> Any:
    """Give `count` steps from `start` on with their bodies; `limit` is another name for it."""
    return tapes.load_steps(request.auth, tape_id, start=start, count=limit or count)


@router.get("/{tape_id}/steps/{position}", response=found(StepOut))
def show_step(request: PersonRequest, tape_id: UUID, position: Position) -> Any:
    return tapes.load_step(request.auth, tape_id, position)


@router.get("/{tape_id}/steps/{position}/call", response=found(LLMCallOut))
def show_call(request: PersonRequest, tape_id: UUID, position: Position) -> Any:
    """Give the LLM call behind a step: exact prompt, output, tokens and prices."""
    return calls.load_call_of_step(request.auth, tape_id, position)


@router.get("/{tape_id}/calls/{call_id}", response=found(LLMCallOut))
def show_call_by_id(request: PersonRequest, tape_id: UUID, call_id: UUID) -> Any:
    return calls.load_call(request.auth, tape_id, call_id)


@router.get("/{tape_id}/steps/{position}/views", response=found(ViewStackOut))
def show_views(request: PersonRequest, tape_id: UUID, position: Position) -> Any:
    """Give the view stack after a step, as a debugger shows a call stack."""
    return tapes.load_views(request.auth, tape_id, position)


@router.get("/{tape_id}/steps/{position}/schema", response=found(StepSchemaOut))
def show_step_schema(request: PersonRequest, tape_id: UUID, position: Position) -> Any:
    """Give what the form that edits this step is made from."""
    return tapes.load_step_schema(request.auth, tape_id, position)


@router.get("/{tape_id}/step-schemas/{kind}", response=found(StepSchemaOut))
def show_kind_schema(request: PersonRequest, tape_id: UUID, kind: str) -> Any:
    """Give the form of a kind; of one that no class knows, after its first step on the tape."""
    return tapes.load_kind_schema(request.auth, tape_id, kind)


@router.post("/{tape_id}/replay", response=found(ReplayOut))
def replay_tape(request: PersonRequest, tape_id: UUID, body: ReplayIn | None = None) -> Any:
    """Run the agent again on the recorded answers and say where it first differs."""
    version_id = body.agent_version_id if body is not None else None
    return replays.replay_tape(request.auth, tape_id, agent_version_id=version_id)


@router.get("/{tape_id}/diff/{other_id}", response=found(TapeDiffOut))
def diff_tapes(request: PersonRequest, tape_id: UUID, other_id: UUID) -> Any:
    """Compare two tapes, aligned by content."""
    return diff.diff_tapes(request.auth, tape_id, other_id)


step_kinds = make_router("step kinds")


@step_kinds.get("", response=found(list[StepKindOut]))
def list_step_kinds(request: PersonRequest) -> Any:
    """List the kinds that may be inserted into a tape."""
    return step_schemas.list_step_kinds()


@step_kinds.get("/{kind}/schema", response=found(StepSchemaOut))
def show_schema_of_kind(request: PersonRequest, kind: str) -> Any:
    return step_schemas.schema_of_kind(kind)
