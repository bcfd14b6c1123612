"""Drafts as the store gives them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tapes_app.editing.fixes import Fix


@dataclass(frozen=True, slots=True)
class DraftRow:
    """What one person is editing on one tape; the first `applied_count` operations count."""

    fix: Fix
    """Which of the person's fixes of the tape it is."""

    name: str
    """What the person calls it; empty: its letter."""

    version: int
    operations: tuple[dict[str, Any], ...]
    applied_count: int
    updated_at: datetime | None
    base_step_count: int
    """How many steps the tape had when it was begun, or its growth last accepted."""


@dataclass(frozen=True, slots=True)
class OtherDraft:
    """That somebody else is editing the same tape."""

    person: str
    change_count: int
    updated_at: datetime
