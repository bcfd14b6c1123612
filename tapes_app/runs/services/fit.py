"""Whether an agent version can continue from a place on a tape, and who could instead."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from tapes_app.agents.services.agents import (
    build_live_agent,
    build_unasked_agent,
)
from tapes_app.agents.store import agents as agent_storage
from tapes_app.agents.store import llm_models as model_storage
from tapes_app.editing.services import drafts
from tapes_app.engine.agent import Agent
from tapes_app.engine.errors import (
    AgentConfigError,
    ConflictError,
    DelegationError,
    NotFoundError,
    StudioError,
)
from tapes_app.engine.spec import AgentSpec, build_environment
from tapes_app.engine.steps import Step, StepMetadata, UnknownStep, list_step_classes, parse_step
from tapes_app.engine.tape import Tape
from tapes_app.engine.view import ViewStack
from tapes_app.projects.services.people import Person
from tapes_app.runs.fit import (
    Misfit,
    Standing,
    find_misfits,
    is_foreign,
    next_selection,
    overlap,
    stand,
    tape_parts,
    team_parts,
    turn_start,
)
from tapes_app.runs.request import RunRequest
from tapes_app.runs.store import basis as run_basis
from tapes_app.runs.store.basis import StepAuthor
from tapes_app.tapes.store import headers

MOST_OFFERED = 3
_MOST_NAMED = 5


class AgentUnfitError(ConflictError):
    """The agent lacks what the tape needs; `details` says what, and who could continue."""

    code = "agent_unfit"


@dataclass(frozen=True)
class FitProblem:
    """Why a run would not start; `name` is what is missing, such as a node, a kind, a model."""

    code: str
    name: str
    message: str


@dataclass(frozen=True)
class NearAgent:
    """An agent that can continue; `overlap` from 0 to 1 is its similarity to the tape's team."""

    agent_id: UUID
    agent_version_id: UUID
    name: str
    number: int
    overlap: float


@dataclass(frozen=True)
class Fit:
    """Whether a run can start, who would act first, and what to know before."""

    can_continue: bool
    agent: str
    node: str
    """The member and the node that act next; empty when none does."""

    open_actions: tuple[str, ...]
    """Tools, and kinds unknown here, that the last turn asked for and nobody answered."""

    problems: tuple[FitProblem, ...]
    notes: tuple[str, ...]
    nearest: tuple[NearAgent, ...]


@dataclass(frozen=True)
class _TapePoint:
    """A place on a tape: where it stands, and which team brought it there."""

    standing: Standing
    parts: frozenset[str]
    unknown_kinds: tuple[str, ...]


def look_at_fit(
    person: Person,
    tape_id: UUID,
    version_id: UUID,
    *,
    at: int | None = None,
    use_draft: bool = False,
    model_id: UUID | None = None,
) -> Fit:
    """Say whether an agent version can continue from the first `at` steps of a tape.

    With `use_draft` the steps are those that the person's draft makes of the tape.

    Raises:
        NotFoundError: no such tape in the project.
        EditError: the draft does not fit the tape.
    """
    problems = list(_find_archived(tape_id, person.project_id))
    candidate, refused = _build_candidate(person.project_id, version_id, model_id)
    agent = candidate.agent if candidate is not None else None
    problems += refused
    try:
        place = _find_place(person, tape_id, at=at, use_draft=use_draft)
    except DelegationError as error:
        problem = FitProblem("delegation", "", error.message)
        return Fit(
            can_continue=False,
            agent="",
            node="",
            open_actions=(),
            problems=(*problems, problem),
            notes=(),
            nearest=(),
        )
    misfits = candidate.find_misfits(place.standing) if candidate is not None else ()
    problems += [FitProblem(f"{m.missing}_missing", m.name, m.message) for m in misfits]
    chosen = next_selection(agent, place.standing) if agent is not None else None
    is_unfit = agent is None or bool(misfits)
    return Fit(
        can_continue=not problems,
        agent=chosen.path if chosen else "",
        node=chosen.node.name if chosen else "",
        open_actions=tuple(dict.fromkeys(_name_open_actions(place.standing))),
        problems=tuple(problems),
        notes=tuple(_take_note(agent, place)) if agent is not None else (),
        nearest=_find_nearest(person.project_id, tape_id, version_id, place) if is_unfit else (),
    )


def check_fit(project_id: UUID, tape_id: UUID, request: RunRequest) -> None:
    """Refuse to let an agent continue from the end of a tape when it cannot.

    A kind that nothing here can answer is not reason where the record, a prepared text or a
    person answers it.

    Raises:
        AgentUnfitError: a node, a subagent or a kind is missing.
    """
    candidate = _load_candidate(project_id, request.agent_version_id)
    place = _place_of_tape(project_id, tape_id, at=None)
    tools = request.tools
    misfits = [
        misfit
        for misfit in candidate.find_misfits(place.standing)
        if misfit.missing != "kind" or tools.by_tool.get(misfit.name, tools.default) == "live"
    ]
    if not misfits:
        return
    nearest = _find_nearest(project_id, tape_id, request.agent_version_id, place)
    raise AgentUnfitError(
        misfits[0].message,
        problems=[asdict(misfit) for misfit in misfits],
        nearest=[asdict(near) for near in nearest],
    )


def explain_misfit(project_id: UUID, tape_id: UUID, version_id: UUID, *, at: int) -> str:
    """Return why an agent version cannot continue from the first `at` steps; empty when it can.

    Raises:
        NotFoundError: no such tape or agent version in the project.
        AgentConfigError: the agent cannot be built here.
    """
    candidate = _load_candidate(project_id, version_id)
    try:
        standing = _place_of_tape(project_id, tape_id, at=at).standing
    except DelegationError as error:
        return error.message
    misfits = candidate.find_misfits(standing)
    return misfits[0].message if misfits else ""


def _find_archived(tape_id: UUID, project_id: UUID) -> Iterator[FitProblem]:
    if run_basis.is_archived(tape_id, project_id):
        yield FitProblem("archived", "", "This tape is archived; restore it to continue.")


@dataclass(frozen=True)
class _Candidate:
    """An agent without any model that could be asked, and whether its environment answers all."""

    agent: Agent
    answers_anything: bool

    @classmethod
    def of(cls, spec: AgentSpec) -> "_Candidate":
        """Build one.

        Raises:
            AgentConfigError: a node or the environment is not known here.
        """
        return cls(build_unasked_agent(spec), build_environment(spec).answers_anything)

    def find_misfits(self, standing: Standing) -> tuple[Misfit, ...]:
        return find_misfits(self.agent, standing, answers_anything=self.answers_anything)


def _load_candidate(project_id: UUID, version_id: UUID) -> _Candidate:
    version = agent_storage.load_version(version_id, project_id)
    return _Candidate.of(AgentSpec.model_validate(version.spec))


def _build_candidate(
    project_id: UUID, version_id: UUID, model_id: UUID | None
) -> tuple[_Candidate | None, list[FitProblem]]:
    """Return the agent of a version, and why it could not run."""
    try:
        agent = _load_candidate(project_id, version_id)
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
        gone = "This model no longer exists; choose another one."
        return agent, [FitProblem("model_missing", "", gone)]
    try:
        build_live_agent(project_id, version_id, model_id=model_id)
    except StudioError as error:
        name = str(error.details.get("model", ""))
        return agent, [FitProblem(error.code, name, error.message)]
    return agent, []


def _find_place(person: Person, tape_id: UUID, *, at: int | None, use_draft: bool) -> _TapePoint:
    draft = drafts.load_draft(person, tape_id) if use_draft else drafts.EMPTY
    if not draft.applied_count:
        return _place_of_tape(person.project_id, tape_id, at=at)
    edit = drafts.apply_draft(person, tape_id, draft)
    keep = edit.resume_at if at is None else at
    return _place_of_steps([spliced.step for spliced in edit.steps[:keep]])


def _place_of_steps(steps: Sequence[Step]) -> _TapePoint:
    writers = {(step.metadata.agent, step.metadata.node) for step in steps}
    return _TapePoint(
        stand(steps), tape_parts(writers), _unknown_kinds(step.kind for step in steps)
    )


def _place_of_tape(project_id: UUID, tape_id: UUID, *, at: int | None) -> _TapePoint:
    """Find the place from who wrote the steps; bodies are read of the last turn alone."""
    authors = run_basis.list_authors(tape_id, project_id, until=at)
    start = turn_start([author.family == "observation" for author in authors])
    rows = headers.load_steps(tape_id, project_id, start=start, count=len(authors) - start)
    last_turn = Tape(steps=tuple(parse_step(row.body) for row in rows))
    stack = ViewStack.compute(_as_step(author) for author in authors)
    writers = {(author.agent, author.node) for author in authors}
    kinds = _unknown_kinds(author.kind for author in authors)
    return _TapePoint(Standing(stack, last_turn), tape_parts(writers), kinds)


def _unknown_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    return tuple(kind for kind in dict.fromkeys(kinds) if not list_step_classes(kind))


def _as_step(author: StepAuthor) -> Step:
    """Return a step that views treat like the stored one."""
    if author.body is not None:
        return parse_step(author.body)
    wrote = author.agent if author.family != "observation" else ""
    metadata = StepMetadata.model_construct(
        agent=wrote, node=author.node, prompt_id=author.prompt_id
    )
    return UnknownStep.model_construct(kind="thought", metadata=metadata)


def _name_open_actions(standing: Standing) -> Iterator[str]:
    """Give what a policy can be chosen for; what waits for a person's word is none of it."""
    for pending in standing.open_actions:
        if pending.tool_call is not None:
            yield pending.tool_call.function.name
        elif isinstance(pending.action, UnknownStep):
            yield pending.action.kind


def _take_note(agent: Agent, place: _TapePoint) -> Iterator[str]:
    """Say what is not reason to refuse, and good to know."""
    standing = place.standing
    if standing.is_finished and not standing.open_actions:
        yield "The tape is finished: edit or cut it to continue."
    elif is_foreign(agent, standing):
        first = f", {agent.nodes[0].name!r}," if agent.nodes else ""
        yield (
            f"{standing.root_name!r} wrote this tape; {agent.name!r} starts at its first "
            f"node{first} and reads the existing steps."
        )
    if place.unknown_kinds:
        named = ", ".join(map(repr, place.unknown_kinds[:_MOST_NAMED]))
        yield f"Steps of kind {named} are unknown here; a model reads them as JSON."


def _find_nearest(
    project_id: UUID, tape_id: UUID, refused_id: UUID, place: _TapePoint
) -> tuple[NearAgent, ...]:
    """Return the agents that can continue, those most like the tape's team first."""
    rows = agent_storage.list_agents(project_id)
    own = headers.load_header(tape_id, project_id).agent_version_id
    wanted = {row.latest_version_id for row in rows} | ({own} if own else set())
    versions = agent_storage.load_versions(sorted(wanted - {refused_id}), project_id)
    found: list[tuple[bool, NearAgent]] = []
    for version in versions:
        try:
            candidate = _Candidate.of(AgentSpec.model_validate(version.spec))
        except StudioError:
            continue
        if not candidate.find_misfits(place.standing):
            agent = candidate.agent
            alike = overlap(place.parts, team_parts(agent))
            near = NearAgent(
                version.agent_id, version.id, version.agent_name, version.number, alike
            )
            found.append((agent.reads_whole_tape, near))
    # Of agents that have nothing of the team, those that are made for such tapes come first.
    found.sort(key=lambda one: (-one[1].overlap, not one[0], one[1].name, -one[1].number))
    return tuple(near for _, near in found[:MOST_OFFERED])
