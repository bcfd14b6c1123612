"""Tags, and which tapes a bulk action is done with."""

from pydantic import Field

from tapes_app.bulk.services.tape_changes import TapeChange
from tapes_app.library.services.selection import TapeSelection
from tapes_app.projects.api.bodies import Out


class TagChangeIn(TapeSelection):
    """Which tapes get which tags and lose which; tags are stored in lower case."""

    add: list[str] = Field(default_factory=list, max_length=50)
    remove: list[str] = Field(default_factory=list, max_length=50)


class TapeChangeIn(TapeSelection):
    """Which tapes, and what becomes of each."""

    change: TapeChange


class TapeCountOut(Out):
    tape_count: int
