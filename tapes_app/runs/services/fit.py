"""Whether an agent version can continue from a place on a tape, and which agents could instead."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from tapes_app.agents.services.agents import build_live_agent
from tapes_app.agents.store import llm_models as model_storage
from tapes_app.editing.domain.rows import FIRST_FIX, Fix
from tapes_app.engine.agent.agent import Agent
from tapes_app.engine.errors import (
    AgentCodeError,
    AgentConfigError,
    ConflictError,
    DelegationError,
    NodeStepError,
    NotFoundError,
    StudioError,
)
from tapes_app.engine.tape.steps import UnknownStep
from tapes_app.projects.services.people import Person
from tapes_app.runs.domain.fit import Standing, is_foreign, next_selection
from tapes_app.runs.domain.request import RunRequest, ToolPolicies
from tapes_app.runs.services.candidates import Candidate, NearAgent, find_nearest, load_candidate
from tapes_app.runs.services.gone_tools import list_lacking
from tapes_app.runs.services.tape_point import find_point, find_stored_point
from tapes_app.runs.store import basis as run_basis
from tapes_app.tapes.store.offered_tools import stand_ins_of

_MOST_NAMED = 5
_NO_STANDING = (DelegationError, AgentCodeError, NodeStepError)
"""The delegation cannot be followed, or a node cannot complete its last run."""


class AgentUnfitError(ConflictError):
    """The agent lacks what the tape needs; `details` has what, and which agents could continue."""

    code = "agent_unfit"


@dataclass(frozen=True)
class FitProblem:
    """Why a run would not start; `name` is what is missing, such as a node, a kind, a model."""

    code: str
    name: str
    message: str


@dataclass(frozen=True)
class Fit:
    """Whether a run can start, who would act first, and what to know beforehand."""

    can_continue: bool
    is_finished: bool
    """Whether the steps end with one that ends the tape: no agent would be asked."""

    agent: str
    node: str
    """The member and the node that act next; both empty if nobody acts, and the node empty if the
    member chooses it itself."""

    open_actions: tuple[str, ...]
    """Tools, and kinds unknown here, that the last turn called and that got no answer."""

    problems: tuple[FitProblem, ...]
    notes: tuple[str, ...]
    nearest: tuple[NearAgent, ...]


def check_fit_of_version(
    person: Person,
    tape_id: UUID,
    version_id: UUID,
    *,
    at: int | None = None,
    use_draft: bool = False,
    fix: Fix = FIRST_FIX,
    model_id: UUID | None = None,
) -> Fit:
    """Return whether an agent version can continue from the first `at` steps of a tape.

    With `use_draft` these are the steps of the tape with the person's draft `fix` applied.

    Raises:
        NotFoundError: no such tape in the project.
        EditError: the draft does not fit the tape.
    """
    problems: list[FitProblem] = []
    if run_basis.is_archived(tape_id, person.project_id):
        message = "This tape is archived; restore it to continue."
        problems.append(FitProblem("archived", "", message))
    candidate, refused = _build_candidate(person.project_id, tape_id, version_id, model_id)
    agent = candidate.agent if candidate is not None else None
    problems += refused
    try:
        place = find_point(person, tape_id, at=at, use_draft=use_draft, fix=fix)
        standing = candidate.stand(place) if candidate is not None else place.standing
    except _NO_STANDING as error:
        problem = FitProblem(error.code, "", error.message)
        return Fit(
            can_continue=False,
            is_finished=False,
            agent="",
            node="",
            open_actions=(),
            problems=(*problems, problem),
            notes=(),
            nearest=(),
        )
    misfits = candidate.find_misfits(standing) if candidate is not None else ()
    problems += [FitProblem(f"{m.missing}_missing", m.name, m.message) for m in misfits]
    chosen = next_selection(agent, standing) if agent is not None else None
    is_unfit = agent is None or bool(misfits)
    return Fit(
        can_continue=not problems,
        is_finished=standing.is_finished and not standing.open_actions,
        agent=chosen.path if chosen else "",
        node=chosen.node.name if chosen and not chosen.agent.routes_itself else "",
        open_actions=tuple(dict.fromkeys(_name_open_actions(standing))),
        problems=tuple(problems),
        notes=tuple(_take_note(agent, standing, place.unknown_kinds)) if agent is not None else (),
        nearest=find_nearest(person.project_id, tape_id, place, refused_id=version_id)
        if is_unfit
        else (),
    )


def check_fit(project_id: UUID, tape_id: UUID, request: RunRequest) -> None:
    """Refuse a run that cannot continue from the end of a tape.

    An action kind that nothing here can answer is no reason to refuse if the record, a prepared
    text or a person answers it.

    Raises:
        AgentUnfitError: a node, a subagent or a kind is missing.
    """
    find_stand_in = stand_ins_of(tape_id, project_id)
    candidate = load_candidate(project_id, request.agent_version_id, find_stand_in)
    place = find_stored_point(project_id, tape_id, at=None)
    tools = request.tools
    misfits = [
        misfit
        for misfit in candidate.find_misfits(candidate.stand(place))
        if misfit.missing != "kind" or tools.by_tool.get(misfit.name, tools.default) == "live"
    ]
    if not misfits:
        return
    nearest = find_nearest(project_id, tape_id, place, refused_id=request.agent_version_id)
    raise AgentUnfitError(
        misfits[0].message,
        problems=[asdict(misfit) for misfit in misfits],
        nearest=[asdict(near) for near in nearest],
    )


def explain_misfit(project_id: UUID, tape_id: UUID, candidate: Candidate, *, at: int) -> str:
    """Return why an agent cannot continue from the first `at` steps; empty if it can.

    Raises:
        NotFoundError: no such tape in the project.
    """
    try:
        standing = candidate.stand(find_stored_point(project_id, tape_id, at=at))
    except _NO_STANDING as error:
        return error.message
    misfits = candidate.find_misfits(standing)
    return misfits[0].message if misfits else ""


def _build_candidate(
    project_id: UUID, tape_id: UUID, version_id: UUID, model_id: UUID | None
) -> tuple[Candidate | None, list[FitProblem]]:
    """Return the agent of a version, and why it could not run."""
    find_stand_in = stand_ins_of(tape_id, project_id)
    try:
        agent = load_candidate(project_id, version_id, find_stand_in)
    except NotFoundError:
        return None, [
            FitProblem("agent_missing", "", "This agent no longer exists; choose another one.")
        ]
    except AgentConfigError as error:
        return None, [FitProblem(error.code, "", error.message)]
    try:
        if model_id is not None:
            model_storage.load_model(model_id, project_id)
    except NotFoundError:
        missing = "This model no longer exists; choose another one."
        return agent, [FitProblem("model_missing", "", missing)]
    try:
        live = build_live_agent(
            project_id, version_id, model_id=model_id, find_stand_in=find_stand_in
        )
    except StudioError as error:
        name = str(error.details.get("model", ""))
        return agent, [FitProblem(error.code, name, error.message)]
    lacking = list_lacking(live, ToolPolicies())
    return agent, [FitProblem("tool_missing", name, reason) for name, reason in lacking]


def _name_open_actions(standing: Standing) -> Iterator[str]:
    """Yield the open actions that a policy can be chosen for, leaving out questions to a person."""
    for pending in standing.open_actions:
        if pending.tool_call is not None:
            yield pending.tool_call.function.name
        elif isinstance(pending.action, UnknownStep) and pending.action.declared_family is None:
            yield pending.action.kind


def _take_note(agent: Agent, standing: Standing, unknown_kinds: Sequence[str]) -> Iterator[str]:
    """Yield notes that are worth knowing, but no reason to refuse."""
    if standing.is_finished and not standing.open_actions:
        yield "The tape is finished: edit or cut it to continue."
    elif is_foreign(agent, standing):
        first = f", {agent.nodes[0].name!r}," if agent.nodes else ""
        yield (
            f"{standing.root_name!r} wrote this tape; {agent.name!r} starts at its first "
            f"node{first} and reads the existing steps."
        )
    own = {kind.name for kind in agent.list_defined_kinds()}
    foreign = [kind for kind in unknown_kinds if kind not in own]
    if foreign:
        named = ", ".join(map(repr, foreign[:_MOST_NAMED]))
        yield f"Steps of kind {named} are unknown here; a model reads them as JSON."
