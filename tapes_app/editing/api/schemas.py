"""Starting, resuming, forking and answering."""

from pydantic import Field

from tapes_app.projects.api.bodies import In


class ForkIn(In):
    """Make a child with the first `at` steps; all of them by default."""

    at: int | None = Field(default=None, ge=0)
