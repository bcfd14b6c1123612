"""Drafts as the store returns them, and the letters of one person's drafts on a tape, its fixes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator

Fix = Literal["A", "B", "C", "D", "E", "F", "G", "H"]

FIXES: tuple[Fix, ...] = get_args(Fix)
FIRST_FIX: Fix = "A"
"""The fix that is meant when none is named."""

LONGEST_NAME = 60


def _refuse_others(value: Any) -> Any:
    if value in FIXES:
        return value
    raise ValueError(
        f"A tape has at most {len(FIXES)} fixes, named {FIXES[0]} to {FIXES[-1]}; there is no "
        f"{str(value)[:20]!r}. Remove a fix to begin another."
    )


FixIn = Annotated[Fix, BeforeValidator(_refuse_others)]
"""A fix's letter from a request; other values are refused with the limit."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    """One person's edits of one tape; the first `applied_count` operations are applied."""

    fix: Fix
    """Which of the person's fixes of the tape it is."""

    name: str
    """The name the person gave it; empty: its letter."""

    version: int
    operations: tuple[dict[str, Any], ...]
    applied_count: int
    updated_at: datetime | None
    base_step_count: int
    """How many steps the tape had when it was created, or when its growth was last accepted."""


@dataclass(frozen=True, slots=True)
class OtherDraft:
    """Another person's draft on the same tape."""

    person: str
    change_count: int
    updated_at: datetime
