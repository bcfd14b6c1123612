"""Drafts of agents, one for each agent, with the states that undo and redo go through."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Max, Min, Q, QuerySet, Sum
from django.utils import timezone

from tapes_app.authoring.domain.rows import StoredDraft
from tapes_app.engine.errors import ConflictError, NotFoundError
from tapes_app.models import AgentDraftRecord, AgentDraftStateRecord
from tapes_app.models.json_text import dump_json_text

MOST_STATES = 200
"""How many states of a draft are kept."""

MOST_CHARACTERS = 20_000_000
"""How large they may be together; older ones go first."""

_NO_DRAFT = "This agent has no draft any more; reload it."


class DraftChangedError(ConflictError):
    """Somebody else has changed the draft since; `details` has who, and its revision."""

    code = "draft_changed"


def load_draft(agent_id: UUID, project: UUID) -> StoredDraft | None:
    """Return the draft of an agent, or `None` if it never had one."""
    record = _drafts(project).filter(agent_id=agent_id).first()
    return _row(record) if record is not None else None


@transaction.atomic
def save_state(
    agent_id: UUID,
    project: UUID,
    spec: dict[str, Any],
    *,
    base: UUID,
    first: dict[str, Any],
    person: int,
    revision: int,
) -> None:
    """Store the next state of a draft; what had been undone cannot be repeated afterwards.

    A new draft begins with the state `first`, that of its version `base`.

    Raises:
        DraftChangedError: the draft is not at this revision.
    """
    record = _take(agent_id, project, base=base, person=person, revision=revision)
    if not record.current:
        record.base_id = base
        record.current = _add_state(record, 1, first)
    record.states.filter(number__gt=record.current).delete()
    record.current = _add_state(record, record.current + 1, spec)
    record.save()
    _drop_oldest(record)


@transaction.atomic
def move(agent_id: UUID, project: UUID, *, by: int, person: int, revision: int) -> None:
    """Show the state before (-1) or after (+1) the one that is shown.

    Raises:
        DraftChangedError: the draft is not at this revision.
        ConflictError: there is no such state.
    """
    record = _take(agent_id, project, base=None, person=person, revision=revision)
    if not record.states.filter(number=record.current + by).exists():
        raise ConflictError(f"There is nothing to {'undo' if by < 0 else 'redo'}.")
    record.current += by
    record.save()


@transaction.atomic
def clear(agent_id: UUID, project: UUID, *, person: int, revision: int | None = None) -> None:
    """Remove all states; by default whatever the revision is.

    Raises:
        DraftChangedError: the draft is not at the given revision.
    """
    if revision is None:
        found = _drafts(project).filter(agent_id=agent_id).first()
        if found is None:
            return
        revision = found.revision
    record = _take(agent_id, project, base=None, person=person, revision=revision)
    record.states.all().delete()
    record.current = 0
    record.save()


def _take(
    agent_id: UUID, project: UUID, *, base: UUID | None, person: int, revision: int
) -> AgentDraftRecord:
    """Lock the draft and count its revision; create it if there is none and `base` is given.

    Raises:
        DraftChangedError: it is not at this revision.
        NotFoundError: there is none.
    """
    if base is not None and not revision:
        AgentDraftRecord.objects.get_or_create(agent_id=agent_id, defaults={"base_id": base})
    won = AgentDraftRecord.objects.filter(
        agent_id=agent_id, agent__project_id=project, revision=revision
    ).update(revision=F("revision") + 1, changed_by_id=person, updated_at=timezone.now())
    record = _drafts(project).filter(agent_id=agent_id).first()
    if record is None:
        raise NotFoundError(_NO_DRAFT)
    if not won:
        name = record.changed_by.get_username() if record.changed_by else "Somebody"
        raise DraftChangedError(
            f"{name} has changed this draft meanwhile; reload it, then make your change again.",
            changed_by=name,
            revision=record.revision,
        )
    return record


def _add_state(record: AgentDraftRecord, number: int, spec: dict[str, Any]) -> int:
    AgentDraftStateRecord.objects.create(
        draft=record, number=number, spec=spec, size=len(dump_json_text(spec))
    )
    return number


def _drop_oldest(record: AgentDraftRecord) -> None:
    total = record.states.aggregate(size=Sum("size"))["size"] or 0
    least = record.current - MOST_STATES + 1
    if total > MOST_CHARACTERS:
        left = MOST_CHARACTERS
        for number, size in record.states.order_by("-number").values_list("number", "size"):
            left -= size
            if left < 0 and number < record.current:
                least = max(least, number + 1)
                break
    record.states.filter(number__lt=least).delete()


def _drafts(project: UUID) -> QuerySet[AgentDraftRecord]:
    live = Q(agent__project_id=project, agent__deleted_at__isnull=True)
    found = AgentDraftRecord.objects.filter(live).select_related("changed_by")
    return found.annotate(first=Min("states__number"), last=Max("states__number"))


def _row(record: Any) -> StoredDraft:
    current = record.states.filter(number=record.current).first() if record.current else None
    return StoredDraft(
        revision=record.revision,
        base_id=record.base_id if current is not None else None,
        spec=current.spec if current is not None else None,
        changed_at=record.updated_at,
        changed_by=record.changed_by.get_username() if record.changed_by else "",
        can_undo=current is not None and record.first < record.current,
        can_redo=current is not None and record.last > record.current,
    )
