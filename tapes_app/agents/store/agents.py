"""Agents: a name, numbered versions that never change, and which of them were published."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import (
    Count,
    F,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Sum,
    UUIDField,
)
from django.db.models.functions import Coalesce
from django.utils import timezone

from tapes_app.agents.domain.rows import (
    AgentRow,
    AgentUse,
    AgentVersionRow,
    NumberedVersion,
    Publication,
)
from tapes_app.engine.agent.spec import AgentSpec
from tapes_app.engine.agent.stand_in import needs_model
from tapes_app.engine.environment.tool_rules import describe_rule
from tapes_app.models import (
    AgentPublicationRecord,
    AgentRecord,
    AgentVersionRecord,
    TapeRecord,
)
from tapes_app.projects.domain.columns import check_text, fit_text
from tapes_app.projects.domain.rows import row_of
from tapes_app.projects.store.records import get_record, refusing_duplicates

NAME_LENGTH = 200
DESCRIPTION_LENGTH = 100_000
_NO_AGENT = "Agent not found."
_NO_VERSION = "Agent version not found."
_PUBLICATIONS_SHOWN = 20


def list_agents(project: UUID) -> list[AgentRow]:
    """Return the project's agents by name, each with its versions, in two queries."""
    return [_row(record) for record in _with_versions(project)]


def list_use(project: UUID) -> list[AgentUse]:
    """Return what the tapes of each agent say of it; agents without tapes are left out."""
    outcomes = TapeRecord.Outcome
    found = (
        TapeRecord.objects.filter(
            project_id=project,
            deleted_at__isnull=True,
            archived_at__isnull=True,
            agent_version__agent__deleted_at__isnull=True,
            agent_version__isnull=False,
        )
        .values(agent_id=F("agent_version__agent_id"))
        .annotate(
            tape_count=Count("pk"),
            passed_count=Count("pk", filter=Q(outcome=outcomes.PASSED)),
            failed_count=Count("pk", filter=Q(outcome=outcomes.FAILED)),
            cost=Sum("cost_micro_usd"),
            calls=Sum("llm_call_count"),
            unpriced=Sum("unpriced_call_count"),
            last_used_at=Max("created_at"),
        )
        .order_by()
    )
    return [
        AgentUse(
            agent_id=row["agent_id"],
            tape_count=row["tape_count"],
            passed_count=row["passed_count"],
            failed_count=row["failed_count"],
            cost_micro_usd=row["cost"],
            llm_call_count=row["calls"],
            unpriced_call_count=row["unpriced"],
            last_used_at=row["last_used_at"],
        )
        for row in found
    ]


def load_agent(agent_id: UUID, project: UUID) -> AgentRow:
    """Return one agent.

    Raises:
        NotFoundError: there is no such agent in this project.
    """
    return _row(get_record(_with_versions(project), _NO_AGENT, agent_id=agent_id))


def find_agent(name: str, project: UUID) -> AgentRow | None:
    """Return the agent of a name, if the project has one."""
    record = _with_versions(project).filter(name=fit_text(name, NAME_LENGTH)).first()
    return _row(record) if record is not None else None


def create_agent(
    project: UUID, spec: AgentSpec, *, owner: int | None = None, note: str = ""
) -> AgentVersionRow:
    """Store a new agent under its spec's name; return its version 1.

    Raises:
        ConflictError: the project already has an agent of that name.
    """
    taken = f"The project already has an agent {spec.name!r}; add a version to it."
    with refusing_duplicates(taken, name=spec.name):
        agent = AgentRecord.objects.create(
            project_id=project,
            owner_id=owner,
            name=check_text(spec.name, NAME_LENGTH, "The agent's name"),
            description=fit_text(spec.description, DESCRIPTION_LENGTH),
        )
        return _insert_version(agent, spec, number=1, owner=owner, note=note)


@transaction.atomic
def add_version(
    agent_id: UUID, project: UUID, spec: AgentSpec, *, owner: int | None = None, note: str = ""
) -> AgentVersionRow:
    """Store a spec as the next version; an identical spec returns the existing version.

    A trial with that spec becomes the version, so that the tapes which it wrote are of it.

    Raises:
        NotFoundError: there is no such agent in this project.
        ConflictError: somebody else added a version at the same moment.
    """
    agent = _lock_agent(agent_id, project)
    same = _find_same(agent_id, project, spec)
    if same is not None and not same.is_trial:
        return _version_row(same)
    newest = agent.versions.aggregate(newest=Max("number"))["newest"] or 0
    lost = f"Somebody else just added a version to {agent.name!r}; try again."
    with refusing_duplicates(lost, agent_id=str(agent_id)):
        if same is not None:
            version = _make_version_of(same, number=newest + 1, owner=owner, note=note)
        else:
            version = _insert_version(agent, spec, number=newest + 1, owner=owner, note=note)
    AgentRecord.objects.filter(id=agent.id).update(
        description=fit_text(spec.description, DESCRIPTION_LENGTH)
    )
    return version


@transaction.atomic
def add_trial(
    agent_id: UUID, project: UUID, spec: AgentSpec, *, owner: int | None = None
) -> AgentVersionRow:
    """Store a spec that is run before it is saved; an identical version or trial is returned.

    Raises:
        NotFoundError: there is no such agent in this project.
    """
    agent = _lock_agent(agent_id, project)
    same = _find_same(agent_id, project, spec)
    if same is not None:
        return _version_row(same)
    return _insert_version(agent, spec, number=0, owner=owner, is_trial=True)


def find_version(agent_id: UUID, project: UUID, spec: AgentSpec) -> AgentVersionRow | None:
    """Return the version or trial of an agent that has a spec."""
    same = _find_same(agent_id, project, spec)
    return None if same is None else _version_row(same)


def ensure_version(project: UUID, spec: AgentSpec, *, owner: int | None = None) -> AgentVersionRow:
    """Return the version that holds a spec; create agent and version if they are missing."""
    agent = find_agent(spec.name, project)
    if agent is None:
        return create_agent(project, spec, owner=owner)
    return add_version(agent.id, project, spec, owner=owner)


def list_versions(agent_id: UUID, project: UUID) -> list[AgentVersionRow]:
    """Return an agent's versions, newest first."""
    rows = _versions(project).filter(agent_id=agent_id, is_trial=False).order_by("-number")
    return [_version_row(record) for record in rows]


def load_version(version_id: UUID, project: UUID) -> AgentVersionRow:
    """Return one version.

    Raises:
        NotFoundError: there is no such version in this project.
    """
    return _version_row(get_record(_versions(project), _NO_VERSION, version_id=version_id))


def set_note(version_id: UUID, project: UUID, note: str) -> AgentVersionRow:
    """Change the note on a version; nothing else of a version ever changes.

    Raises:
        NotFoundError: there is no such version in this project.
    """
    _versions(project).filter(id=version_id).update(note=note)
    return load_version(version_id, project)


def load_versions(version_ids: Sequence[UUID], project: UUID) -> list[AgentVersionRow]:
    """Return the given versions that still exist, in one query."""
    return [_version_row(record) for record in _versions(project).filter(id__in=version_ids)]


def publish(
    version: AgentVersionRow, project: UUID, *, owner: int | None, despite: str
) -> Publication:
    """Publish a version from now on; earlier publications stay recorded."""
    record = AgentPublicationRecord.objects.create(
        project_id=project,
        owner_id=owner,
        agent_id=version.agent_id,
        version_id=version.id,
        despite=despite,
    )
    return _publication_row(record)


def list_publications(agent_id: UUID, project: UUID) -> list[Publication]:
    """Return the newest publications of an agent, newest first."""
    found = AgentPublicationRecord.objects.filter(project_id=project, agent_id=agent_id)
    rows = found.select_related("version", "owner").order_by("-created_at", "-id")
    return [_publication_row(record) for record in rows[:_PUBLICATIONS_SHOWN]]


def _with_versions(project: UUID) -> QuerySet[AgentRecord, AgentRecord]:
    saved = AgentVersionRecord.objects.filter(is_trial=False)
    newest = saved.filter(agent=OuterRef("pk")).order_by("-number")
    publications = AgentPublicationRecord.objects.filter(agent=OuterRef("pk"))
    published = publications.order_by("-created_at", "-id")
    numbered = saved.only("agent_id", "number").order_by("-number")
    return (
        AgentRecord.objects.filter(project_id=project, deleted_at__isnull=True)
        .prefetch_related(Prefetch("versions", numbered))
        .annotate(
            version_count=Count("versions", filter=Q(versions__is_trial=False)),
            latest_version=Max("versions__number"),
            latest_version_id=Subquery(newest.values("id")[:1]),
            published_version=Subquery(published.values("version__number")[:1]),
            default_version_id=Coalesce(
                Subquery(published.values("version_id")[:1]),
                Subquery(newest.values("id")[:1]),
                output_field=UUIDField(),
            ),
        )
        .order_by("name")
    )


def _versions(project: UUID) -> QuerySet[AgentVersionRecord, AgentVersionRecord]:
    found = AgentVersionRecord.objects.filter(project_id=project, agent__deleted_at__isnull=True)
    return found.select_related("agent", "owner")


def _lock_agent(agent_id: UUID, project: UUID) -> AgentRecord:
    live = AgentRecord.objects.filter(project_id=project, deleted_at__isnull=True)
    return get_record(live.select_for_update(), _NO_AGENT, agent_id=agent_id)


def _find_same(agent_id: UUID, project: UUID, spec: AgentSpec) -> AgentVersionRecord | None:
    return _versions(project).filter(agent_id=agent_id, digest=spec.digest).first()


def _make_version_of(
    trial: AgentVersionRecord, *, number: int, owner: int | None, note: str
) -> AgentVersionRow:
    trial.number, trial.is_trial, trial.note = number, False, note
    trial.owner_id, trial.created_at = owner, timezone.now()
    trial.save()
    return _version_row(trial)


def _insert_version(
    agent: AgentRecord,
    spec: AgentSpec,
    *,
    number: int,
    owner: int | None,
    note: str = "",
    is_trial: bool = False,
) -> AgentVersionRow:
    record = AgentVersionRecord.objects.create(
        project_id=agent.project_id,
        owner_id=owner,
        agent=agent,
        number=number,
        spec=spec.model_dump(mode="json"),
        digest=spec.digest,
        note=note,
        is_trial=is_trial,
    )
    return _version_row(record)


def _version_row(record: AgentVersionRecord) -> AgentVersionRow:
    spec = AgentSpec.model_validate(record.spec)
    return row_of(
        AgentVersionRow,
        record,
        agent_name=record.agent.name,
        saved_by=record.owner.get_username() if record.owner else "",
        spec=spec,
        needs_model=needs_model(spec),
        tool_rules=tuple(map(describe_rule, spec.tool_rules)),
    )


def _row(record: Any) -> AgentRow:
    versions = [NumberedVersion(version.id, version.number) for version in record.versions.all()]
    return row_of(AgentRow, record, numbered_versions=versions)


def _publication_row(record: AgentPublicationRecord) -> Publication:
    return row_of(
        Publication,
        record,
        number=record.version.number,
        published_by=record.owner.get_username() if record.owner else "",
    )
