"""Fixes: the drafts of one person on one tape, each with a letter of its own."""

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator

Fix = Literal["A", "B", "C", "D", "E", "F", "G", "H"]

FIXES: tuple[Fix, ...] = get_args(Fix)
FIRST_FIX: Fix = "A"
"""What a caller means who names none."""

LONGEST_NAME = 60


def _refuse_others(value: Any) -> Any:
    if value in FIXES:
        return value
    raise ValueError(
        f"A tape has at most {len(FIXES)} fixes, named {FIXES[0]} to {FIXES[-1]}; there is no "
        f"{str(value)[:20]!r}. Remove a fix to begin another."
    )


FixIn = Annotated[Fix, BeforeValidator(_refuse_others)]
"""A letter from the network: another one is refused with what the limit is."""
