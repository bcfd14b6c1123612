"""What the making of a training set is asked for."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tapes_app.library.services.selection import TapeSelection

SET_KIND = "training_set"
NAME_LENGTH = 200

Source = Literal["recorded", "rebuilt", "edits"]


class TrainingSetRequest(TapeSelection):
    """Which tapes, which examples of them, and how many tasks are held out."""

    name: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=NAME_LENGTH)
    ]
    source: Source = "recorded"
    """recorded: the LLM calls as they were. rebuilt: each call made anew from the tape by its
    agent and checked by replay, so that steps a person edited are learnt as they stand. edits:
    preference pairs, what a person wrote against what the model had answered to that prompt."""

    writer: Literal["anyone", "person", "model"] = "anyone"
    """Whose answers are taken. Those of a person are there when calls are rebuilt."""

    held_out_share: float = Field(default=0.1, ge=0, le=0.9)
    """Of the tasks that nobody has split by hand."""

    seed: int = Field(default=0, ge=0, lt=2**32)
    """Which tasks are held out."""
