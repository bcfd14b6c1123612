"""The undo log: what a change of many tapes changed, kept for a day and used only once."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from tapes_app.engine.errors import NotFoundError
from tapes_app.models import TapeChangeRecord
from tapes_app.projects.domain.left_out import LeftOut
from tapes_app.projects.domain.rows import ALL_FIELDS
from tapes_app.projects.store.records import ids_like

KEEP_CHANGES_FOR = timedelta(days=1)
Value = bool | str


@dataclass(frozen=True, slots=True)
class UndoableChange:
    """The result of a change of many tapes."""

    __pydantic_config__ = ALL_FIELDS

    id: UUID | None
    """The id to undo it with; `None` if nothing was changed."""

    tape_count: int
    """How many tapes were selected."""

    changed_count: int
    """How many of them were changed."""

    left_out: LeftOut = field(default_factory=Counter)
    """How many tapes could not be changed, by reason; tapes that needed no change do not count."""


@dataclass(frozen=True, slots=True)
class KeptChange:
    """What is needed to undo a change."""

    name: str
    """What was changed."""

    before: tuple[tuple[Value, list[UUID]], ...]
    """Values, each with the tapes that had it; a dataset with those put in or taken out; or
    tags, "+" or "-" before the name, with those that got or lost them."""


def log_change(
    project: UUID,
    name: str,
    before: Mapping[Value, Collection[UUID]],
    *,
    tape_count: int,
    owner: int | None,
    left_out: Counter[str] | None = None,
) -> UndoableChange:
    """Store what was changed of `tape_count` selected tapes, and return the result.

    Also removes changes that are too old to be undone.
    """
    changed = {tape_id for ids in before.values() for tape_id in ids}
    change_id = _store(project, name, before, owner) if changed else None
    return UndoableChange(change_id, tape_count, len(changed), left_out or Counter())


def _store(
    project: UUID, name: str, before: Mapping[Value, Collection[UUID]], owner: int | None
) -> UUID:
    changes = TapeChangeRecord.objects.filter(project_id=project)
    changes.filter(created_at__lt=timezone.now() - KEEP_CHANGES_FOR).delete()
    stored = [[value, [tape_id.hex for tape_id in ids]] for value, ids in before.items() if ids]
    record = TapeChangeRecord.objects.create(
        project_id=project, owner_id=owner, name=name, before=stored
    )
    return record.id


def take_change(change_id: UUID, project: UUID, names: Collection[str]) -> KeptChange:
    """Return a change with one of the given names and delete it, so that it is undone only once.

    Raises:
        NotFoundError: no such change in this project, it was undone, or it is a day old.
    """
    changes = TapeChangeRecord.objects.filter(project_id=project, name__in=names)
    fresh = changes.filter(created_at__gte=timezone.now() - KEEP_CHANGES_FOR)
    change = fresh.select_for_update().filter(id=change_id).first()
    if change is None:
        raise NotFoundError("This change can no longer be undone.", change_id=str(change_id))
    before = tuple((value, [UUID(text) for text in ids]) for value, ids in change.before)
    change.delete()
    return KeptChange(change.name, before)


def list_ids_like(project: UUID, text: str) -> list[UUID]:
    """Return the changes whose ids begin with the given text."""
    return ids_like(TapeChangeRecord.objects.filter(project=project), text)
