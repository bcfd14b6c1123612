"""Publications: which version of an agent new runs are offered, and which ones were before."""

from uuid import UUID

from tapes_app.agents.rows import AgentVersionRow, Publication
from tapes_app.models import AgentPublicationRecord
from tapes_app.projects.rows import row_of

_SHOWN = 20


def publish(
    version: AgentVersionRow, project: UUID, *, owner: int | None, despite: str
) -> Publication:
    """Say that a version is published from now on; what was before stays written."""
    record = AgentPublicationRecord.objects.create(
        project_id=project,
        owner_id=owner,
        agent_id=version.agent_id,
        version_id=version.id,
        despite=despite,
    )
    return _row(record)


def list_publications(agent_id: UUID, project: UUID) -> list[Publication]:
    """Return the newest publications of an agent, newest first."""
    found = AgentPublicationRecord.objects.filter(project_id=project, agent_id=agent_id)
    rows = found.select_related("version", "owner").order_by("-created_at", "-id")
    return [_row(record) for record in rows[:_SHOWN]]


def _row(record: AgentPublicationRecord) -> Publication:
    return row_of(
        Publication,
        record,
        number=record.version.number,
        published_by=record.owner.get_username() if record.owner else "",
    )
