"""The draft of an agent: kept as people type, valid or not, and saved as a version."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction

from tapes_app.agents.domain.rows import AgentVersionRow
from tapes_app.agents.services.agent_diff import diff_specs
from tapes_app.agents.services.agents import check_spec
from tapes_app.agents.store import agents, llm_models
from tapes_app.authoring.domain.rows import Draft, DraftBase, Problem
from tapes_app.authoring.domain.rule_problems import describe_rules
from tapes_app.authoring.domain.spec_problems import Reading, Surroundings, read_spec
from tapes_app.authoring.domain.spec_size import check_size
from tapes_app.authoring.domain.text_variables import list_filters
from tapes_app.authoring.store import drafts
from tapes_app.authoring.store.drafts import DraftChangedError
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.errors import ConflictError, InvalidInputError, StudioError
from tapes_app.projects.services.people import Person
from tapes_app.tapes.domain.word_diff import FieldChange


class DraftInvalidError(InvalidInputError):
    """A draft contains errors; `details["problems"]` has them with their places."""

    code = "draft_invalid"


class DraftOutdatedError(ConflictError):
    """A version was added after the draft was begun; saving would leave its changes behind."""

    code = "draft_outdated"


def open_draft(person: Person, agent_id: UUID) -> Draft:
    """Return the draft of an agent; if there is none, its newest version.

    Raises:
        NotFoundError: no such agent in the project.
    """
    agent = agents.load_agent(agent_id, person.project_id)
    stored = drafts.load_draft(agent_id, person.project_id)
    base_id = stored.base_id if stored and stored.base_id else agent.latest_version_id
    base = agents.load_version(base_id, person.project_id)
    recorded = dump_spec(base.spec)
    spec = recorded if stored is None or stored.spec is None else stored.spec
    reading = read_draft(person, agent.name, spec)
    return Draft(
        agent_id=agent_id,
        agent_name=agent.name,
        base=DraftBase(base.id, base.number),
        revision=stored.revision if stored else 0,
        spec=spec,
        is_changed=spec != recorded,
        problems=reading.problems,
        graph=reading.graph,
        tool_rules=describe_rules(spec.get("tool_rules")),
        variables=reading.variables,
        filters=list_filters(),
        changed_at=stored.changed_at if stored and stored.spec is not None else None,
        changed_by=stored.changed_by if stored and stored.spec is not None else "",
        can_undo=stored is not None and stored.can_undo,
        can_redo=stored is not None and stored.can_redo,
    )


def change_draft(person: Person, agent_id: UUID, spec: dict[str, Any], *, revision: int) -> Draft:
    """Store the next state of a draft, even if it is invalid.

    Raises:
        SpecTooLargeError: it is larger than an agent may be.
        DraftChangedError: somebody else has changed the draft.
    """
    check_size(spec)
    agent = agents.load_agent(agent_id, person.project_id)
    newest = agents.load_version(agent.latest_version_id, person.project_id)
    drafts.save_state(
        agent_id,
        person.project_id,
        spec,
        base=newest.id,
        first=dump_spec(newest.spec),
        person=person.user_id,
        revision=revision,
    )
    return open_draft(person, agent_id)


def undo(person: Person, agent_id: UUID, *, revision: int) -> Draft:
    """Show the state before the last change.

    Raises:
        DraftChangedError: somebody else has changed the draft.
        ConflictError: there is none.
    """
    return _move(person, agent_id, by=-1, revision=revision)


def redo(person: Person, agent_id: UUID, *, revision: int) -> Draft:
    """Show the state after the one that is shown, as `undo` the one before."""
    return _move(person, agent_id, by=1, revision=revision)


def _move(person: Person, agent_id: UUID, *, by: int, revision: int) -> Draft:
    agents.load_agent(agent_id, person.project_id)
    drafts.move(agent_id, person.project_id, by=by, person=person.user_id, revision=revision)
    return open_draft(person, agent_id)


def discard_draft(person: Person, agent_id: UUID) -> None:
    """Discard the draft of an agent, if it has one.

    Raises:
        NotFoundError: no such agent in the project.
    """
    agents.load_agent(agent_id, person.project_id)
    drafts.clear(agent_id, person.project_id, person=person.user_id)


@transaction.atomic
def save_version(
    person: Person, agent_id: UUID, *, revision: int, note: str, ignores_newer: bool = False
) -> AgentVersionRow:
    """Store the draft as the next version of its agent, and clear it.

    Raises:
        DraftOutdatedError: there is a newer version than the one it was begun with, unless
            `ignores_newer`.
        DraftChangedError: somebody else has changed the draft.
        DraftInvalidError: it contains errors.
        ConflictError: the agent has a version with the same spec.
    """
    spec = require_valid(person, agent_id, revision=revision)
    if not ignores_newer:
        _refuse_outdated(person, agent_id)
    same = agents.find_version(agent_id, person.project_id, spec)
    if same is not None and not same.is_trial:
        raise ConflictError(
            f"This is version {same.number} already; change something, or publish that version.",
            version_id=str(same.id),
            number=same.number,
        )
    drafts.clear(agent_id, person.project_id, person=person.user_id, revision=revision)
    return agents.add_version(agent_id, person.project_id, spec, owner=person.user_id, note=note)


def _refuse_outdated(person: Person, agent_id: UUID) -> None:
    base = open_draft(person, agent_id).base
    newest = agents.load_agent(agent_id, person.project_id).latest_version
    if newest > base.number:
        raise DraftOutdatedError(
            f"Version {newest} was added after this draft was begun with version {base.number}. "
            f"Version {newest + 1} would not have what version {newest} changed.",
            base=base.number,
            newest=newest,
        )


def require_valid(person: Person, agent_id: UUID, *, revision: int) -> AgentSpec:
    """Return the spec of a draft that works.

    Raises:
        DraftChangedError: the draft is not at this revision.
        DraftInvalidError: it contains errors.
    """
    return AgentSpec.model_validate(_open_valid(person, agent_id, revision=revision).spec)


def list_changes(person: Person, agent_id: UUID, *, revision: int) -> list[FieldChange]:
    """Return what a draft that works changes about the version that it was begun with.

    Raises:
        DraftChangedError: the draft is not at this revision.
        DraftInvalidError: it contains errors.
    """
    draft = _open_valid(person, agent_id, revision=revision)
    base = agents.load_version(draft.base.version_id, person.project_id)
    return diff_specs(base.spec, AgentSpec.model_validate(draft.spec))


def _open_valid(person: Person, agent_id: UUID, *, revision: int) -> Draft:
    draft = open_draft(person, agent_id)
    if draft.revision != revision:
        raise DraftChangedError(
            f"{draft.changed_by or 'Somebody'} has changed this draft meanwhile; reload it.",
            changed_by=draft.changed_by,
            revision=draft.revision,
        )
    refuse_errors(draft.problems)
    return draft


def refuse_errors(problems: tuple[Problem, ...]) -> None:
    """Refuse a spec with errors.

    Raises:
        DraftInvalidError: there are some.
    """
    errors = [problem for problem in problems if problem.severity == "error"]
    if not errors:
        return
    more = f" There are {len(errors) - 1} more errors." if len(errors) > 1 else ""
    first = f"{errors[0].path}: {errors[0].message}" if errors[0].path else errors[0].message
    raise DraftInvalidError(
        f"The draft cannot be used yet: {first}{more}",
        problems=[
            {"path": one.path, "message": one.message, "severity": one.severity} for one in problems
        ],
    )


def read_draft(person: Person, name: str, spec: Any) -> Reading:
    """Return the spec of a draft with what is wrong with it here, and its drawing."""
    models = frozenset(row.name for row in llm_models.list_models(person.project_id))
    reading = read_spec(spec, Surroundings(name, models))
    if reading.spec is None or reading.has_errors:
        return reading
    try:
        check_spec(person.project_id, reading.spec)
    except StudioError as error:
        problem = Problem("", error.message)
        return replace(reading, problems=(problem, *reading.problems))
    return reading


def dump_spec(spec: AgentSpec) -> dict[str, Any]:
    """Return a spec as the JSON data that a draft holds."""
    return spec.model_dump(mode="json")
