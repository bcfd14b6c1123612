"""What the making of a training set is asked for."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from optimize_app.training_sets.splitting import HELD_OUT_SHARE, SEED
from tapes_app.library.services.selection import TapeSelection

SET_KIND = "training_set"
NAME_LENGTH = 200

Source = Literal["recorded", "rebuilt", "edits", "relabeled"]


class TrainingSetRequest(TapeSelection):
    """Which tapes, which examples of them, and how many tasks are held out."""

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    source: Source = "recorded"
    """recorded: the LLM calls as they were. rebuilt: each call made anew from the tape by its
    agent and checked by replay, so that steps a person edited are learnt as they stand. edits:
    preference pairs, what a person wrote against what the model had answered to that prompt.
    relabeled: what a teacher answers to the prompts that a student came to."""

    teacher_id: UUID | None = None
    """The LLM model that relabels; `None`: the one that each tape's agent names itself."""

    joined: tuple[UUID, ...] = Field(default=(), max_length=20)
    """Training sets whose examples come first, each on its side; of the same share and seed."""

    writer: Literal["anyone", "person", "model"] = "anyone"
    """Whose answers are taken. Those of a person are there when calls are rebuilt."""

    held_out_share: float = Field(default=HELD_OUT_SHARE, ge=0, le=0.9)
    """Of the tasks that nobody has split by hand."""

    seed: int = Field(default=SEED, ge=0, lt=2**32)
    """Which tasks are held out."""
