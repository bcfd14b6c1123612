"""Which tapes are learnt from and which are held out: by task, so that no task is on both sides."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from tapes_app.projects.domain.wording import count_of

Side = Literal["train", "held_out"]

HELD_OUT_SHARE, SEED = 0.1, 0
"""Defaults."""

KEPT = "It is excluded from training."
TEST = "It is of the test split, which is for evaluation alone."
TASK_EVALUATED = "Another tape of its task is of the test split, so its task is not trained on."


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tape that may go into a training set."""

    tape_id: UUID
    task: str
    """What it is an attempt at; tapes with the same beginning are of the same task."""
    split: Literal["train", "validation", "test", ""]
    is_kept_from_training: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tape goes: to a side, or nowhere, with a reason."""

    side: Side | None
    why: str = ""


def place_tapes(
    candidates: Iterable[Candidate], *, held_out_share: float, seed: int
) -> dict[UUID, Place]:
    """Return the place of each tape; all tapes of a task go to one side.

    A person's choice for one of them applies to the task: test before validation before train. Of
    the tasks that nobody has split, `held_out_share` are held out at random.
    """
    chosen = list(candidates)
    splits: dict[str, set[str]] = defaultdict(set)
    for one in chosen:
        splits[one.task].add(one.split)

    def place(one: Candidate) -> Place:
        known = splits[one.task]
        if one.is_kept_from_training:
            return Place(None, KEPT)
        if "test" in known:
            return Place(None, TEST if one.split == "test" else TASK_EVALUATED)
        if "validation" in known:
            return Place("held_out")
        is_open = "train" not in known
        return Place("held_out" if is_open and _draw(one.task, seed) < held_out_share else "train")

    return {one.tape_id: place(one) for one in chosen}


def explain_none_held_out(
    candidates: Iterable[Candidate], places: Mapping[UUID, Place], *, held_out_share: float
) -> str:
    """Return why nothing was held out, and what to do; empty if something was."""
    sides = {place.side for place in places.values()}
    if "held_out" in sides or "train" not in sides:
        return ""
    learnt = [one for one in candidates if places[one.tape_id].side == "train"]
    chosen = {one.task for one in learnt if one.split == "train"}
    count = len({one.task for one in learnt})
    if len(chosen) == count:
        return (
            "Nothing is held out: people put all of its tasks into the train split. Add tapes of "
            "the validation split to measure with."
        )
    if held_out_share == 0:
        return "Nothing is held out: the share to hold out is 0 %."
    return (
        f"Nothing is held out: of {count_of(count - len(chosen), 'task')}, {held_out_share:.0%} "
        "were drawn at random, which came to none. Take more tasks, or a larger share."
    )


def _draw(task: str, seed: int) -> float:
    """Return a number from 0 to 1 that depends only on the task and the seed."""
    digest = hashlib.sha256(f"{seed}/{task}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
