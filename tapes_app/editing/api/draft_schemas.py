"""Drafts: what a person is changing on a tape, what it would make, and who else does."""

from pydantic import Field

from tapes_app.engine.splice import Operation
from tapes_app.projects.api.bodies import In


class DraftIn(In):
    """The whole draft as the browser sees it; `version` is what it last read."""

    version: int
    operations: list[Operation] = Field(max_length=10_000)
    applied_count: int = Field(ge=0)
    """How many of the operations count; the rest can be redone."""

    base_step_count: int | None = Field(default=None, ge=0)
    """Of how many steps the writer knows; by default as many as when the draft was begun."""
