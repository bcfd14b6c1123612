"""What a detector gives for one finding; the linter adds the detector's name and severity."""

from typing import NamedTuple


class Found(NamedTuple):
    position: int
    message: str
    field: str = ""
    """JSON pointer into the step; empty: the whole of it."""
