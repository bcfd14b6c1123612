"""What people, judges and checkers said of a tape, as files hold it."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from tapes_app.annotation.store.annotations import list_annotations
from tapes_app.annotation.store.rows import AnnotationRow


def list_said(project: UUID, tape_id: UUID) -> list[dict[str, Any]]:
    """Return the annotations of a tape without the ids that mean something only here."""
    return [_describe(one) for one in list_annotations(tape_id, project)]


def _describe(row: AnnotationRow) -> dict[str, Any]:
    values = asdict(row)
    for name in ("id", "tape_id", "owner_id", "updated_at"):
        del values[name]
    return {**values, "created_at": row.created_at.isoformat()}
