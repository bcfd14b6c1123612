"""What a backup says of itself: of which version it is, and each member with size and hash."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tapes_app.engine.errors import StudioError

MANIFEST = "manifest.json"
"""The last member: a backup without it is not whole."""

DATABASES = {"sqlite": "database/studio.sqlite3", "postgresql": "database/studio.pgdump"}
"""The member that holds the database, by its vendor."""

FILES = "files/"
"""Before the names of the members that are files of the data folder."""

MANIFEST_BYTES = 256 * 1024**2


class BackupError(StudioError):
    """A backup cannot be made, or one cannot be used; nothing was changed."""

    code = "backup"
    status = 409


class Member(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    size: int
    sha256: str


class Manifest(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    made_at: datetime
    version: str
    vendor: Literal["sqlite", "postgresql"]
    migrations: dict[str, tuple[str, ...]]
    """What was applied to the database, by app."""

    has_key: bool
    """Whether the key is in it that signs sessions and encrypts the stored keys of models."""

    artefacts: str
    """Address of the store of artefacts that lies outside of the data folder; empty: there is
    none."""

    left_out: tuple[str, ...]
    """Links of the data folder: they lead elsewhere."""

    members: tuple[Member, ...]

    @property
    def database(self) -> str:
        return DATABASES[self.vendor]

    @property
    def size(self) -> int:
        """How many bytes it takes when it is unpacked."""
        return sum(member.size for member in self.members)

    @property
    def file_count(self) -> int:
        return sum(member.name.startswith(FILES) for member in self.members)
